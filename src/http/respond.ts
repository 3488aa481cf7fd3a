/** From request to answer: route, rendering, method, who is asking, handler; then headers that say what the bytes are. */
import type { JsonObject } from '../declare/index.ts'
import { Problem, problems } from '../engine/index.ts'
import { type Body, plainMembers, readBody } from './body.ts'
import { compress, pickEncoding } from './compress.ts'
import { hashOf, isKnown } from './conditions.ts'
import { CSRF_MEMBER, csrfToken, demandOwnOrigin, demandOwnPage, type Identity, NOBODY } from './identify.ts'
import {
  type Answer,
  type FormView,
  type Headers,
  header,
  type JsonOutcome,
  type Outcome,
  type Request,
} from './message.ts'
import { COMPACT, negotiate, type Rendering } from './negotiate.ts'
import type { Offer } from './offering.ts'
import { allowed, type Call, type Handler, type Match, type Route, Router } from './router.ts'
import { unfold } from './unfolding.ts'

/** What the page for people is made from. */
export interface PageView {
  readonly title: string
  readonly description: string | undefined
  readonly request: Pick<Request, 'method' | 'path' | 'query' | 'base'>
  readonly status: number
  readonly headers: Headers
  /** Compact JSON. */
  readonly json: string
  /** The name of who is signed in. */
  readonly user: string | undefined
  /** What each form of the page sends back. */
  readonly csrf: string
  /** What can be done here, beside reading. */
  readonly offer: Offer | undefined
  /** What a form sent that was refused, to stand in it again. */
  readonly sent: JsonObject | undefined
  /** Ways to have the same answer. */
  readonly formats: readonly string[]
}

/** Something went wrong on the way to a page for people. */
export interface ErrorView {
  readonly status: number
  readonly json: any
  readonly here: string
  readonly user: string | undefined
}

export interface Site {
  readonly routes: readonly Route[]
  readonly compress: boolean
  identify(request: Request): Promise<Identity>
  renderPage(view: PageView): string
  renderForm(view: FormView, user: string | undefined): string
  renderDocs(json: string, user: string | undefined): string
  renderError(view: ErrorView): string
  reportBug(error: unknown, request: Request): void
}

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
    const exchange: Exchange = { site, request, route: undefined, rendering: COMPACT, identity: NOBODY }
    try {
      return await answer(exchange, await handle(router, exchange))
    } catch (error) {
      if (!(error instanceof Problem)) site.reportBug(error, request)
      const { status, body, headers } = error instanceof Problem ? error : problems.serverError()
      const outcome = { status, json: JSON.stringify(body), headers }
      // The page may be what failed; the same answer as JSON cannot.
      return await answer(exchange, outcome).catch((second: unknown) => {
        site.reportBug(second, request)
        return answer({ ...exchange, rendering: COMPACT }, outcome)
      })
    }
  }
}

/** What is known so far of a request on its way: the answer is rendered with as much of it as there is. */
interface Exchange {
  readonly site: Site
  request: Request
  call?: Call
  /** Does a form of our pages stand for another request? */
  isFolded?: boolean
  route: Route | undefined
  rendering: Rendering
  identity: Identity
}

async function handle(router: Router, exchange: Exchange): Promise<Outcome> {
  const { site, request } = exchange
  const found = findRoute(router, request.path)
  exchange.route = found.match?.route
  if (found.location) return redirect(request, found.location)
  if (!found.match) {
    exchange.rendering = bestRendering(request)
    throw problems.notFound()
  }
  const { route, places } = found.match
  // Its page is HTML for everybody; what goes wrong is said as the client likes it.
  if (route.visited) exchange.rendering = bestRendering(request)
  else if (!route.plain)
    exchange.rendering = negotiate(
      header(request, 'accept'),
      found.format ?? request.query.get('format'),
      route.hasText && isRead(request),
    )
  const meant = route.plain || route.visited ? { method: request.method } : await unfold(request)
  exchange.request = { ...request, method: meant.method }
  exchange.isFolded = meant.method !== request.method
  const handler = handlerOf(route, meant.method)
  if (route.plain)
    return await handler({ ...request, route, places, identity: NOBODY, readBody: () => readBody(request) })
  exchange.identity = await site.identify(request)
  let body: Promise<Body> | undefined = meant.body && Promise.resolve(meant.body)
  const call: Call = {
    ...request,
    method: meant.method,
    route,
    places,
    identity: exchange.identity,
    readBody: () => {
      body ??= readBody(request)
      return body
    },
  }
  exchange.call = call
  await demandOwnWrite(call, meant.form)
  return await handler(call)
}

/** What the table itself holds, and not what every object does: `valueOf` is no method. */
function handlerOf({ methods }: Route, method: string): Handler {
  const name = method === 'HEAD' ? 'GET' : method
  const handler = Object.hasOwn(methods, name) ? methods[name]!.handle : undefined
  if (!handler) throw problems.wrongMethod(method)
  return handler
}

/** A cookie alone does not vouch for a write, nor does a remembered password: any site can make a browser send them. */
async function demandOwnWrite(call: Call, form?: Body): Promise<void> {
  const { session, by } = call.identity
  if (!WRITES.has(call.method)) return
  // What a form of another site can send; JSON it cannot.
  if (by === 'basic' && !(header(call, 'content-type') ?? '').startsWith('application/json')) demandOwnOrigin(call)
  if (session === undefined) return
  const inHeader = header(call, 'x-csrftoken') !== undefined
  const given = inHeader ? undefined : memberOf(form ?? (await call.readBody()), CSRF_MEMBER)
  demandOwnPage(call, session, given)
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

function memberOf(body: Body, member: string): unknown {
  return 'form' in body ? plainMembers(body)[member] : undefined
}

interface Found {
  readonly match?: Match | undefined
  /** Where the route would be with a slash at the end. */
  readonly location?: string
  readonly format?: string
}

/** The route of the path; or the one behind a format suffix (`7.json`); or where it would be with a slash. */
function findRoute(router: Router, path: string): Found {
  try {
    const match = router.match(path)
    if (match || path.endsWith('/')) return { match }
    const suffixed = withoutSuffix(router, path)
    if (suffixed) return suffixed
    const slashed = router.match(`${path}/`)
    return slashed ? { match: slashed, location: `${path}/` } : {}
  } catch (error) {
    if (error instanceof URIError) throw problems.badRequest('The path is not valid percent-encoded UTF-8.')
    throw error
  }
}

function withoutSuffix(router: Router, path: string): Found | undefined {
  const [, stem, format] = /^(\/api\/|\/api\/.*[^/])\.([a-z0-9]+)$/.exec(path) ?? []
  const match = stem && format ? router.match(stem === '/api/' ? stem : `${stem}/`) : undefined
  return match && { match, format: format! }
}

/** 308 keeps the method and the body, which 301 does not promise. */
function redirect({ method, query }: Request, path: string): Outcome {
  const location = query.raw ? `${path}?${query.raw}` : path
  const status = method === 'GET' || method === 'HEAD' ? 301 : 308
  return { status, json: JSON.stringify({ detail: `Moved to ${location}` }), headers: { Location: location } }
}

/** For an answer that must be given whatever the client accepts. */
function bestRendering(request: Request): Rendering {
  try {
    return negotiate(header(request, 'accept'), request.query.get('format'))
  } catch {
    return COMPACT
  }
}

async function answer(exchange: Exchange, outcome: Outcome): Promise<Answer> {
  const { site, request, route, rendering } = exchange
  const { status } = outcome
  const headers: Record<string, string | readonly string[]> = {
    'X-Request-Id': request.id,
    'X-Content-Type-Options': 'nosniff',
    ...(route ? { Allow: allowed(route) } : {}),
    ...crossOrigin(request, route),
    ...outcome.headers,
  }
  let body: string | Buffer
  let hash: string | undefined
  if ('bytes' in outcome) {
    headers['Content-Type'] = outcome.type
    body = outcome.bytes
  } else if (status === 204) {
    // A browser would stay on the page of what is gone.
    const next = request.path.replace(/[^/]+\/?$/, '')
    if (exchange.isFolded) return { status: 303, headers: { ...headers, Vary: 'Accept', Location: next }, body: '' }
    return { status, headers: { ...headers, Vary: 'Accept' }, body: '' }
  } else if (rendering.as === 'html' || outcome.page !== undefined) {
    body = await renderHtml(exchange, outcome, headers)
    const kept = headers['Cache-Control'] ? { 'Cache-Control': 'private, no-cache, no-store' } : {}
    Object.assign(headers, PAGE_HEADERS, kept)
  } else if (rendering.as === 'text') {
    headers['Content-Type'] = 'text/plain; charset=utf-8'
    headers['Vary'] = 'Accept'
    body = `${outcome.plain ?? plainProblem(outcome.json)}\n`
    if (status === 200 && isRead(request)) hash = `${hashOf(body)}-t`
  } else {
    headers['Content-Type'] = 'application/json'
    headers['Vary'] = 'Accept'
    body = rendering.indent > 0 ? indented(outcome.json, rendering.indent) : outcome.json
    if (status === 200 && isRead(request))
      hash = hashOf(outcome.json) + (rendering.indent ? `-i${rendering.indent}` : '')
  }
  // A page that holds a secret beside what somebody else may choose is not compressed: its length would tell.
  const mayCompress = site.compress && !('form' in outcome && outcome.form)
  const encoding = mayCompress ? pickEncoding(header(request, 'accept-encoding'), body) : undefined
  if (site.compress) headers['Vary'] = headers['Vary'] ? `${headers['Vary']}, Accept-Encoding` : 'Accept-Encoding'
  // What must not be kept needs no name to be asked for by.
  if (hash && !/no-store/.test(String(headers['Cache-Control'] ?? ''))) {
    const etag = `"${hash}${encoding ? `-${encoding}` : ''}"`
    headers['ETag'] = etag
    if (isKnown(request, etag)) return { status: 304, headers, body: '' }
  }
  if (!encoding) return { status, headers, body }
  headers['Content-Encoding'] = encoding
  return { status, headers, body: await compress(body, encoding) }
}

function crossOrigin({ method, path }: Request, route: Route | undefined): Record<string, string> {
  // The route's own path, where there is one: the request may spell it with percent signs.
  if (!(route?.path ?? path).startsWith('/api/')) return {}
  if (method !== 'OPTIONS' || !route) return CORS
  return { ...CORS, ...PREFLIGHT, 'Access-Control-Allow-Methods': allowed(route) }
}

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept, Cookie',
  'Cache-Control': 'private, no-cache',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
}

async function renderHtml(
  { site, request, route, call, identity: { actor, session } }: Exchange,
  { status, json, form, docs, page }: JsonOutcome,
  headers: Headers,
): Promise<string> {
  if (page !== undefined) return page
  if (form) return site.renderForm(form, actor?.name)
  if (docs) return site.renderDocs(json, actor?.name)
  const isApi = /^\/api(\/|$)/.test(request.path)
  if (!isApi && status >= 400) {
    const { path, query } = request
    return site.renderError({
      status,
      json: JSON.parse(json),
      here: query.raw ? `${path}?${query.raw}` : path,
      user: actor?.name,
    })
  }
  return site.renderPage({
    title: route?.title ?? 'Not Found',
    description: route?.description,
    // HEAD answers as GET does, to the byte.
    request: { ...request, method: request.method === 'HEAD' ? 'GET' : request.method },
    status,
    // What the same request says when it asks for JSON.
    headers: { ...headers, 'Content-Type': 'application/json', Vary: 'Accept' },
    json,
    user: actor?.name,
    csrf: session ? csrfToken(session) : '',
    offer: call && status !== 404 ? await route?.offers?.(call) : undefined,
    sent: call && status === 400 && WRITES.has(request.method) ? await sentBy(call) : undefined,
    formats: route?.hasText ? ['json', 'api', 'txt'] : ['json', 'api'],
  })
}

/** What was sent, when it can be read at all. */
async function sentBy(call: Call): Promise<JsonObject | undefined> {
  try {
    return plainMembers(await call.readBody())
  } catch {
    return undefined
  }
}

/** An error, for somebody who asked for text. */
function plainProblem(json: string): string {
  const body: Record<string, unknown> = JSON.parse(json)
  return Object.entries(body)
    .map(([member, messages]) => (member === 'detail' ? messages : `${member}: ${[messages].flat().join(' ')}`))
    .join('\n')
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function indented(json: string, indent: number): string {
  return JSON.stringify(JSON.parse(json), null, indent)
}
