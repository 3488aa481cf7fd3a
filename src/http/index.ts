/** The wire: a catalogue as a web site. */
import type { Service } from '../declare/index.ts'
import { AccountDesk, type Engine } from '../engine/index.ts'
import { accountRoutes } from './accounts.ts'
import { catalogueRoutes } from './catalogue.ts'
import { exploringRoutes } from './exploring.ts'
import { identify, networkOf } from './identify.ts'
import type { FormView, Request } from './message.ts'
import { type PageView, responder } from './respond.ts'
import type { Route } from './router.ts'
import { type AccessLog, type RunningServer, type ServerSettings, startServer } from './server.ts'
import { serviceRoutes } from './services.ts'
import { type Limit, Throttle } from './throttle.ts'

export interface SiteParts {
  readonly engine: Engine
  /** Questions about free text. */
  readonly services?: readonly Service[]
  readonly pages: {
    renderPage(view: PageView): string
    renderForm(view: FormView, user: string | undefined): string
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
  const respond = responder({
    routes: [
      ...catalogueRoutes({ engine, writes: throttle(limits.writes), pageSize }),
      ...exploringRoutes(engine),
      ...serviceRoutes(engine, services),
      ...accountRoutes({ desk, signIns, signUps: throttle(limits.signUps), signUpOpen }),
      ...siteRoutes(engine, pages.assets),
    ],
    compress: settings.compress,
    async identify(request) {
      reads.take(networkOf(request.address))
      return await identify(request, desk, signIns)
    },
    renderPage: pages.renderPage,
    renderForm: pages.renderForm,
    reportBug: log.bug,
  })
  return startServer(respond, log, settings)
}

/** What stands beside the API. */
function siteRoutes({ store }: Engine, assets: SiteParts['pages']['assets']): Route[] {
  return [
    {
      path: '/',
      title: 'Nymdex',
      methods: { GET: () => ({ status: 302, json: '{"detail":"See /api/"}', headers: { Location: '/api/' } }) },
    },
    {
      path: '/healthz',
      title: 'Health',
      plain: true,
      methods: {
        async GET() {
          const healthy = await store.ping()
          const json = JSON.stringify({ status: healthy ? 'ok' : 'the database does not answer' })
          const headers = { 'Cache-Control': 'no-store' }
          return { status: healthy ? 200 : 503, bytes: json, type: 'application/json', headers }
        },
      },
    },
    ...[...assets].map(([path, { type, bytes }]) => ({
      path,
      title: path,
      plain: true as const,
      methods: { GET: () => ({ status: 200, bytes, type, headers: { 'Cache-Control': 'public, max-age=3600' } }) },
    })),
  ]
}

export type { FormField, FormView } from './message.ts'
export type { PageView } from './respond.ts'
export type { RunningServer } from './server.ts'
export type { Limit } from './throttle.ts'
