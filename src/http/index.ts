/** The wire: a catalogue as a web site. */
import type { Service } from '../declare/index.ts'
import { AccountDesk, type Engine, KeptRecords } from '../engine/index.ts'
import { accountRoutes } from './accounts.ts'
import { networkOf } from './address.ts'
import type { ErrorView, PageView, Site } from './answer.ts'
import { catalogueRoutes, MOST_A_PAGE } from './catalogue.ts'
import { checked } from './check.ts'
import { exploringRoutes } from './exploring/routes.ts'
import { identify } from './identify.ts'
import { type Asked, type Finished, KeptAnswers } from './kept.ts'
import type { FormView, Request } from './message.ts'
import { documentRoutes } from './openapi/index.ts'
import { exactly, TEXT } from './openapi/operation.ts'
import { type Respond, responder } from './respond.ts'
import type { Route } from './router.ts'
import { type AccessLog, type RunningServer, type ServerSettings, startServer } from './server/index.ts'
import { serviceRoutes } from './services.ts'
import { SignInLimits, type SignInSettings } from './signin-limits.ts'
import { type Limit, Throttle } from './throttle.ts'
import { type PageRoute, visitingRoutes } from './visiting.ts'

export interface SiteParts {
  readonly engine: Engine
  /** Questions about free text. */
  readonly services?: readonly Service[]
  readonly pages: {
    renderPage(view: PageView): string
    renderForm(view: FormView, user: string | undefined): string
    /** The OpenAPI document, which is JSON, as a page. */
    renderDocs(json: string, user: string | undefined): string
    renderError(view: ErrorView): string
    /** The explorer. */
    readonly visits: readonly PageRoute[]
    /** Path -> content type and content. */
    readonly assets: ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>
  }
  readonly log: AccessLog & { bug(error: unknown, request: Request): void }
}

/** How many bytes may be kept of finished answers and of records; 0 keeps nothing. */
export interface CacheSettings {
  readonly answers: number
  readonly records: number
  /** Compares everything with an answer that is made afresh; for finding bugs. */
  readonly check: boolean
}

export interface SiteSettings extends ServerSettings {
  readonly pageSize: number
  readonly compress: boolean
  readonly signUpOpen: boolean
  readonly cache: CacheSettings
  /** What is not limited is undefined. */
  readonly limits: SignInSettings & {
    readonly signUps: Limit | undefined
    readonly writes: Limit | undefined
    readonly reads: Limit | undefined
  }
}

export function serve(
  { engine: given, services = [], pages, log }: SiteParts,
  settings: SiteSettings,
): Promise<RunningServer> {
  const { limits, pageSize, signUpOpen, compress, cache } = settings
  const { store, now, monotonic } = given
  const engine = cache.records > 0 ? { ...given, kept: new KeptRecords(store.generations, cache.records) } : given
  const keeps = cache.answers + cache.records > 0
  const kept = keeps ? new KeptAnswers(store, { bytes: cache.answers, compress, now }) : undefined
  const desk = new AccountDesk(engine)
  const throttle = (limit: Limit | undefined) => new Throttle(limit, monotonic)
  const signIns = new SignInLimits(limits, monotonic)
  const signUps = throttle(limits.signUps)
  const writes = throttle(limits.writes)
  const reads = throttle(limits.reads)
  const routesOn = (engine: Engine): Route[] => [
    ...catalogueRoutes({ engine, writes, pageSize }),
    ...exploringRoutes(engine),
    ...serviceRoutes(engine, services),
    ...accountRoutes({ desk, signIns, signUps, signUpOpen }),
    ...siteRoutes(engine, pages.assets),
  ]
  const siteOn = (engine: Engine, kept: KeptAnswers | undefined, ask: () => Respond): Site => ({
    routes: [
      ...routesOn(engine),
      ...documentRoutes({ engine, pageSize, mostOfPage: MOST_A_PAGE, routesOn }),
      ...visitingRoutes(pages.visits, ask, now),
    ],
    compress,
    kept,
    async identify(request) {
      if (!request.isInner) reads.take(networkOf(request.address))
      return await identify(request, desk, signIns)
    },
    renderPage: pages.renderPage,
    renderForm: pages.renderForm,
    renderDocs: pages.renderDocs,
    renderError: pages.renderError,
    reportBug: log.bug,
  })
  const respond: Respond = responder(siteOn(engine, kept, () => respond))
  if (cache.check) {
    const afresh: Respond = responder(siteOn(given, undefined, () => afresh))
    return startServer(checked(respond, afresh, store, log.bug), log, settings)
  }
  const finished = kept && {
    find(asked: Asked, address: string) {
      const found = kept.find(asked)
      if (!limits.reads || !found) return found
      const counted = (finished: Finished | undefined) => {
        try {
          if (finished) reads.take(networkOf(address))
          return finished
        } catch {
          // Whoever goes the usual way is told what is wrong.
          return undefined
        }
      }
      return found instanceof Promise ? found.then(counted) : counted(found)
    },
  }
  return startServer(respond, log, settings, finished)
}

/** What stands beside the API. */
function siteRoutes({ store }: Engine, assets: SiteParts['pages']['assets']): Route[] {
  return [
    {
      path: '/healthz',
      title: 'Health',
      tag: 'server',
      plain: true,
      methods: {
        GET: {
          summary: 'Is the server well?',
          answers: {
            200: { says: 'It is.', schema: HEALTH, headers: ['Cache-Control'] },
            503: { says: 'The database does not answer.', schema: HEALTH, headers: ['Cache-Control'] },
          },
          async handle() {
            const healthy = await store.ping()
            const json = JSON.stringify({ status: healthy ? 'ok' : 'the database does not answer' })
            const headers = { 'Cache-Control': 'no-store' }
            return { status: healthy ? 200 : 503, bytes: json, type: 'application/json', headers }
          },
        },
      },
    },
    ...[...assets].map(([path, { type, bytes }]): Route => {
      const headers = { 'Cache-Control': 'public, max-age=3600' }
      const handle = () => ({ status: 200, bytes, type, headers })
      return { path, title: path, plain: true, methods: { GET: { unlisted: true, handle } } }
    }),
  ]
}

const HEALTH = exactly({ status: TEXT })

export type { ErrorView, PageView } from './answer.ts'
export type { FormField, FormView } from './message.ts'
export type { Offer } from './offering.ts'
export type { RunningServer } from './server/index.ts'
export type { Limit } from './throttle.ts'
export type { ApiAnswer, PageAnswer, PageHandler, PageRoute, Visit, Visitor } from './visiting.ts'
