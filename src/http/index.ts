/** The wire: a catalogue as a web site. */
import type { Service } from '../declare/index.ts'
import { AccountDesk, type Engine } from '../engine/index.ts'
import { accountRoutes } from './accounts.ts'
import { catalogueRoutes, MOST_A_PAGE } from './catalogue.ts'
import { exploringRoutes } from './exploring/routes.ts'
import { identify, networkOf } from './identify.ts'
import type { Answer, FormView, Request } from './message.ts'
import { documentRoutes } from './openapi/index.ts'
import { exactly, TEXT } from './openapi/operation.ts'
import { type ErrorView, type PageView, responder } from './respond.ts'
import type { Route } from './router.ts'
import { type AccessLog, type RunningServer, type ServerSettings, startServer } from './server.ts'
import { serviceRoutes } from './services.ts'
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

export interface SiteSettings extends ServerSettings {
  readonly pageSize: number
  readonly compress: boolean
  readonly signUpOpen: boolean
  /** What is not limited is undefined. */
  readonly limits: {
    readonly signIns: Limit | undefined
    readonly signUps: Limit | undefined
    readonly writes: Limit | undefined
    readonly reads: Limit | undefined
  }
}

export function serve(
  { engine, services = [], pages, log }: SiteParts,
  settings: SiteSettings,
): Promise<RunningServer> {
  const { limits, pageSize, signUpOpen } = settings
  const desk = new AccountDesk(engine)
  const throttle = (limit: Limit | undefined) => new Throttle(limit, engine.now)
  const signIns = throttle(limits.signIns)
  const reads = throttle(limits.reads)
  const routesOn = (engine: Engine): Route[] => [
    ...catalogueRoutes({ engine, writes: throttle(limits.writes), pageSize }),
    ...exploringRoutes(engine),
    ...serviceRoutes(engine, services),
    ...accountRoutes({ desk, signIns, signUps: throttle(limits.signUps), signUpOpen }),
    ...siteRoutes(engine, pages.assets),
  ]
  const respond: (request: Request) => Promise<Answer> = responder({
    routes: [
      ...routesOn(engine),
      ...documentRoutes({ engine, pageSize, mostOfPage: MOST_A_PAGE, routesOn }),
      ...visitingRoutes(pages.visits, () => respond, engine.now),
    ],
    compress: settings.compress,
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
  return startServer(respond, log, settings)
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

export type { FormField, FormView } from './message.ts'
export type { Offer } from './offering.ts'
export type { ErrorView, PageView } from './respond.ts'
export type { RunningServer } from './server.ts'
export type { Limit } from './throttle.ts'
export type { ApiAnswer, PageAnswer, PageHandler, PageRoute, Visit, Visitor } from './visiting.ts'
