/** The wire: a catalogue as a web site. */
import type { AnyResource } from '../declare/index.ts'
import type { Store } from '../store/index.ts'
import { catalogueRoutes } from './catalogue.ts'
import type { Request } from './message.ts'
import { type PageView, responder } from './respond.ts'
import type { Route } from './router.ts'
import { type AccessLog, type RunningServer, type ServerSettings, startServer } from './server.ts'

export interface SiteParts {
  readonly store: Store
  readonly catalogue: readonly AnyResource[]
  readonly renderPage: (view: PageView) => string
  /** File name -> content type and content. */
  readonly assets: ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>
  readonly log: AccessLog & { bug(error: unknown, request: Request): void }
}

export interface SiteSettings extends ServerSettings {
  readonly pageSize: number
  readonly compress: boolean
}

export function serve(parts: SiteParts, settings: SiteSettings): Promise<RunningServer> {
  const { store, catalogue, renderPage, log } = parts
  const respond = responder({
    routes: [...catalogueRoutes(store, catalogue, settings), ...siteRoutes(parts)],
    renderPage,
    compress: settings.compress,
    reportBug: log.bug,
  })
  return startServer(respond, log, settings)
}

/** What stands beside the API. */
function siteRoutes({ store, assets }: SiteParts): Route[] {
  return [
    {
      path: '/',
      title: 'Nymdex',
      methods: { GET: () => ({ status: 302, json: '{"detail":"See /api/"}', headers: { Location: '/api/' } }) },
    },
    {
      path: '/healthz',
      title: 'Health',
      methods: {
        async GET() {
          const healthy = await store.ping()
          const json = JSON.stringify({ status: healthy ? 'ok' : 'the database does not answer' })
          return { status: healthy ? 200 : 503, bytes: json, type: 'application/json', headers: NEVER_KEPT }
        },
      },
    },
    ...[...assets].map(([name, { type, bytes }]) => ({
      path: `/static/${name}`,
      title: name,
      methods: { GET: () => ({ status: 200, bytes, type, headers: { 'Cache-Control': 'public, max-age=3600' } }) },
    })),
  ]
}

const NEVER_KEPT = { 'Cache-Control': 'no-store' }

export type { PageView } from './respond.ts'
export type { RunningServer } from './server.ts'
