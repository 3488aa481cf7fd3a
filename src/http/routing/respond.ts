/** From request to answer: route, rendering, method, authentication, handler. */
import { problemOf, problems } from '../../engine/index.ts'
import {
  type Answer,
  type CachedAnswer,
  header,
  isRead,
  isWrite,
  type Outcome,
  type Request,
} from '../exchange/message.ts'
import { messageOf } from '../exchange/message-cookie.ts'
import { AS_OF, refuseAsOf } from '../request/as-of-parameter.ts'
import { type Body, plainMembers, readBody } from '../request/body.ts'
import { CSRF_MEMBER, demandOwnOrigin, demandOwnPage, isFromOwnPage, NOBODY } from '../request/identify.ts'
import { type Unfolded, unfold } from '../request/method-override.ts'
import { answer, type Exchange, isOutage, type Site } from '../response/answer.ts'
import { unlessKnown } from '../response/etag.ts'
import { COMPACT, negotiate, type Rendering } from '../response/negotiate.ts'
import { sentOn } from '../response/send-on.ts'
import { type Call, isListed, type Match, type Method, type Route, Router } from './router.ts'

export type Respond = (request: Request) => Promise<Answer>

export function responder(site: Site): Respond {
  const router = new Router(site.routes)
  return async (request) => {
    const exchange: Exchange = {
      site,
      request,
      moment: site.cache?.moment,
      route: undefined,
      rendering: COMPACT,
      identity: NOBODY,
    }
    try {
      const outcome = await handle(router, exchange)
      return 'lines' in outcome ? unlessKnown(request, outcome) : await answer(exchange, outcome)
    } catch (error) {
      const problem = problemOf(error)
      if (!problem) site.reportBug(error, request)
      else if (isOutage(error)) site.reportOutage(error, request)
      const { status, body, headers } = problem ?? problems.serverError()
      const outcome = { status, json: JSON.stringify(body), headers }
      // The page may be what failed; the same response as JSON cannot fail.
      return await answer(exchange, outcome).catch((second: unknown) => {
        if (!problemOf(second)) site.reportBug(second, request)
        return answer({ ...exchange, rendering: COMPACT }, outcome)
      })
    }
  }
}

async function handle(router: Router, exchange: Exchange): Promise<Outcome | CachedAnswer> {
  const { site, request } = exchange
  const found = findRoute(router, request.path)
  exchange.route = found.match?.route
  if (found.location) return redirect(request, found.location)
  if (!found.match) {
    exchange.rendering = bestRendering(request)
    throw problems.notFound()
  }
  const { route, places } = found.match
  // Its page is HTML for everyone; errors are rendered as the client prefers.
  if (route.visited) exchange.rendering = bestRendering(request)
  else if (!route.plain) exchange.rendering = renderingFor(request, route, found.format)
  const meant: Unfolded = route.plain || route.visited ? { method: request.method } : await unfold(request)
  const headers = meant.match === undefined ? request.headers : { ...request.headers, 'if-match': meant.match }
  exchange.request = { ...request, method: meant.method, headers }
  exchange.isFolded = meant.method !== request.method
  const method = methodOf(route, meant.method)
  const handler = method.handle
  if (request.isReadOnly && isWrite(request) && !route.isStateless) throw problems.forgery('CSRF token incorrect.')
  if (site.following && isWrite(request) && !route.isStateless) return sentOn(site.following, request)
  if (route.plain)
    return await handler({
      ...request,
      route,
      places,
      identity: NOBODY,
      rendering: COMPACT,
      readBody: () => readBody(request),
    })
  exchange.identity = await site.identify(request, mayAssumeUser(exchange, method))
  const isPersonal = exchange.identity.actor !== undefined || messageOf(request) !== undefined
  if (request.cached && !(request.cached.keep.isForStrangers && isPersonal)) return request.cached
  let body: Promise<Body> | undefined = meant.body && Promise.resolve(meant.body)
  const call: Call = {
    ...request,
    headers,
    method: meant.method,
    route,
    places,
    identity: exchange.identity,
    rendering: exchange.rendering,
    readBody: () => {
      body ??= readBody(request)
      return body
    },
  }
  exchange.call = call
  if (isRead(call) && route.path.startsWith('/api/') && !takesAsOf(method)) refuseAsOf(call)
  try {
    await demandOwnWrite(call, meant.form)
  } catch (error) {
    const showAgain = isListed(method) ? undefined : method.showAgain
    if (!showAgain || problemOf(error)?.status !== 403 || !isFromOwnPage(call)) throw error
    return await showAgain(call)
  }
  try {
    return await handler(call)
  } catch (error) {
    await refuseFormerUser(exchange, error)
    throw error
  }
}

/** If the user was assumed and is no longer that, this is the error, and not what the handler says. */
async function refuseFormerUser(exchange: Exchange, error: unknown): Promise<void> {
  const { site, identity } = exchange
  if (!identity.actor?.proof?.isAssumed || (problemOf(error)?.status ?? 500) >= 500) return
  exchange.identity = NOBODY
  exchange.identity = await site.identify({ ...exchange.request, isRepeated: true })
}

/** A page names its user, and a client that waits with its body wants to know first. */
function mayAssumeUser({ request, rendering }: Exchange, method: Method): boolean {
  const isChecked = isListed(method) && method.checksUser === true
  return isChecked && rendering.as === 'json' && header(request, 'expect') === undefined
}

/** A page passes on the `format` of its visitor, but always reads JSON. */
function renderingFor(request: Request, route: Route, suffix: string | undefined): Rendering {
  const format = suffix ?? (request.isInner ? undefined : request.query.get('format'))
  const isOptions = request.method === 'OPTIONS'
  const hasOthers = isRead(request) || isOptions
  const hasText = hasOthers && route.hasText
  const rendering = negotiate(header(request, 'accept'), format, hasText, hasOthers ? route.otherTypes : [])
  // Browsers send OPTIONS before a script reads another type. The response is JSON.
  return isOptions && (rendering.as === 'text' || rendering.as === 'other') ? COMPACT : rendering
}

/** Only own properties of the table: `valueOf` is not a method. */
function methodOf({ methods }: Route, method: string): Method {
  const name = method === 'HEAD' ? 'GET' : method
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (!found) throw problems.wrongMethod(method)
  return found
}

function takesAsOf(method: Method): boolean {
  return isListed(method) && (method.parameters?.includes(AS_OF) ?? false)
}

/** Neither a cookie nor a remembered password authorises a write by itself: any site can make a browser send them. */
async function demandOwnWrite(call: Call, form?: Body): Promise<void> {
  const { session, by } = call.identity
  if (!isWrite(call)) return
  // What a form of another site can send; it cannot send JSON.
  if (by === 'basic' && !(header(call, 'content-type') ?? '').startsWith('application/json')) demandOwnOrigin(call)
  if (session === undefined) return
  const inHeader = header(call, 'x-csrftoken') !== undefined
  const given = inHeader ? undefined : memberOf(form ?? (await call.readBody()), CSRF_MEMBER)
  demandOwnPage(call, session, given)
}

function memberOf(body: Body, member: string): unknown {
  return 'form' in body ? plainMembers(body)[member] : undefined
}

interface Found {
  readonly match?: Match | undefined
  /** The route's address with a slash at the end. */
  readonly location?: string
  readonly format?: string
}

/** The route of the path; or the one with a format suffix (`7.json`); or its address with a slash. */
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

/** 308 keeps the method and the body, which 301 does not guarantee. */
function redirect({ method, query }: Request, path: string): Outcome {
  const location = query.raw ? `${path}?${query.raw}` : path
  const status = method === 'GET' || method === 'HEAD' ? 301 : 308
  return { status, json: JSON.stringify({ detail: `Moved to ${location}` }), headers: { Location: location } }
}

/** For a response that must be given whatever the client accepts. */
function bestRendering(request: Request): Rendering {
  try {
    return negotiate(header(request, 'accept'), request.query.get('format'))
  } catch {
    return COMPACT
  }
}
