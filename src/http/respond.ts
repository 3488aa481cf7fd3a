/** From request to answer: route, rendering, method, handler; then headers that say what the bytes are. */
import { createHash } from 'node:crypto'
import { Problem, problems } from '../engine/index.ts'
import { compress, pickEncoding } from './compress.ts'
import { type Answer, header, type Outcome, type Request } from './message.ts'
import { COMPACT, negotiate, type Rendering } from './negotiate.ts'
import { allowed, type Match, type Route, Router } from './router.ts'

/** What the page for people is made from. */
export interface PageView {
  readonly title: string
  readonly description: string | undefined
  readonly request: Pick<Request, 'method' | 'path' | 'query' | 'base'>
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Indented JSON. */
  readonly json: string
}

export interface Site {
  readonly compress: boolean
  readonly routes: readonly Route[]
  renderPage(view: PageView): string
  reportBug(error: unknown, request: Request): void
}

const PUBLIC_API = '/api/'
const PAGE_INDENT = 4

/** Scripts of other sites may read the API, never with a visitor's cookies. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Location, Retry-After, X-Request-Id',
}
const PREFLIGHT = {
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Requested-With',
  'Access-Control-Max-Age': '86400',
}

export function responder(site: Site): (request: Request) => Promise<Answer> {
  const router = new Router(site.routes)
  return async (request) => {
    let match: Match | undefined
    let rendering: Rendering = COMPACT
    let outcome: Outcome
    try {
      const found = findRoute(router, request)
      if ('location' in found) return answer(site, request, undefined, COMPACT, redirect(request, found.location))
      match = found.match
      rendering = negotiate(header(request, 'accept'), found.format ?? request.query.get('format'))
      if (!match) throw problems.notFound()
      outcome = await handle(match, request)
    } catch (error) {
      if (!(error instanceof Problem)) site.reportBug(error, request)
      const problem = error instanceof Problem ? error : problems.serverError()
      outcome = { status: problem.status, json: JSON.stringify(problem.body), headers: problem.headers }
    }
    return answer(site, request, match?.route, rendering, outcome)
  }
}

type Found = { readonly location: string } | { readonly match: Match | undefined; readonly format?: string }

/** The route of the path; or where it would be with a slash; or the route behind a format suffix (`7.json`). */
function findRoute(router: Router, { path }: Request): Found {
  try {
    const match = router.match(path)
    if (match || path.endsWith('/')) return { match }
    return withoutSuffix(router, path) ?? (router.match(`${path}/`) ? { location: `${path}/` } : { match })
  } catch (error) {
    if (error instanceof URIError) throw problems.badRequest('The path is not valid percent-encoded UTF-8.')
    throw error
  }
}

function withoutSuffix(router: Router, path: string): Found | undefined {
  const [, stem, format] = /^(\/api\/.*)\.([a-z0-9]+)$/.exec(path) ?? []
  const match = stem && format ? router.match(stem.endsWith('/') ? stem : `${stem}/`) : undefined
  return match && { match, format: format! }
}

/** 308 keeps the method and the body, which 301 does not promise. */
function redirect({ method, query }: Request, path: string): Outcome {
  const location = query.raw ? `${path}?${query.raw}` : path
  const status = method === 'GET' || method === 'HEAD' ? 301 : 308
  return { status, json: JSON.stringify({ detail: `Moved to ${location}` }), headers: { Location: location } }
}

async function handle({ route, places }: Match, request: Request): Promise<Outcome> {
  const handler = route.methods[request.method === 'HEAD' ? 'GET' : request.method]
  if (!handler) throw problems.wrongMethod(request.method)
  return await handler({ ...request, route, places })
}

async function answer(
  site: Site,
  request: Request,
  route: Route | undefined,
  rendering: Rendering,
  outcome: Outcome,
): Promise<Answer> {
  const headers: Record<string, string> = { 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' }
  if (route) headers['Allow'] = allowed(route)
  if (request.path.startsWith(PUBLIC_API)) {
    Object.assign(headers, CORS)
    if (request.method === 'OPTIONS' && route) {
      Object.assign(headers, PREFLIGHT, { 'Access-Control-Allow-Methods': allowed(route) })
    }
  }
  Object.assign(headers, outcome.headers)
  const { status } = outcome
  let body: string | Buffer
  let etag: string | undefined
  if ('bytes' in outcome) {
    headers['Content-Type'] = outcome.type
    body = outcome.bytes
  } else if (rendering.as === 'html') {
    Object.assign(headers, PAGE_HEADERS)
    body = site.renderPage(viewOf(request, route, outcome, headers))
  } else {
    headers['Content-Type'] = 'application/json'
    headers['Vary'] = 'Accept'
    body = rendering.indent > 0 ? indented(outcome.json, rendering.indent) : outcome.json
    // The hash is of the compact bytes: other renderings of the same thing carry it with a suffix.
    if (status === 200 && isRead(request))
      etag = hashOf(outcome.json) + (rendering.indent > 0 ? `-i${rendering.indent}` : '')
  }
  const encoding = site.compress ? pickEncoding(header(request, 'accept-encoding'), body) : undefined
  if (site.compress) headers['Vary'] = headers['Vary'] ? `${headers['Vary']}, Accept-Encoding` : 'Accept-Encoding'
  if (etag) headers['ETag'] = `"${etag}${encoding ? `-${encoding}` : ''}"`
  if (etag && matches(header(request, 'if-none-match'), headers['ETag']!)) return { status: 304, headers, body: '' }
  if (!encoding) return { status, headers, body }
  headers['Content-Encoding'] = encoding
  return { status, headers, body: await compress(body, encoding) }
}

type JsonOutcome = Extract<Outcome, { readonly json: string }>

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept, Cookie',
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
}

function viewOf(
  request: Request,
  route: Route | undefined,
  { status, json }: JsonOutcome,
  headers: Readonly<Record<string, string>>,
): PageView {
  const shown = Object.entries(headers).filter(([name]) => !(name in PAGE_HEADERS))
  return {
    title: route?.title ?? 'Not Found',
    description: route?.description,
    request,
    status,
    // What the same request says when it asks for JSON.
    headers: { ...Object.fromEntries(shown), 'Content-Type': 'application/json', Vary: 'Accept' },
    json: indented(json, PAGE_INDENT),
  }
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function indented(json: string, indent: number): string {
  return JSON.stringify(JSON.parse(json), null, indent)
}

function hashOf(json: string): string {
  return createHash('sha256').update(json).digest('base64url').slice(0, 27)
}

/** If-None-Match compares weakly, and `*` matches whatever exists. */
function matches(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false
  return condition.split(',').some((each) => {
    const candidate = each.trim()
    return candidate === '*' || candidate.replace(/^W\//, '') === etag
  })
}
