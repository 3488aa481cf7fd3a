/**
 * Turns what a handler returns into an answer: rendered as the client prefers, with headers that describe the bytes.
 */
import type { JsonObject } from '../../declare/index.ts'
import { Problem, printable, problemOf } from '../../engine/index.ts'
import { type Moment, Overloaded, TooSlow, Unavailable } from '../../store/index.ts'
import { corsHeaders } from '../exchange/cors.ts'
import {
  type Answer,
  bytesIn,
  type FormView,
  type Headers,
  header,
  isHttps,
  isInPieces,
  isRead,
  isWrite,
  type JsonOutcome,
  type Keep,
  type Outcome,
  type Request,
  type StreamOutcome,
  type WholeBody,
  wholeBody,
} from '../exchange/message.ts'
import { forgetMessage, type Message, messageCookies, messageOf } from '../exchange/message-cookie.ts'
import { plainMembers } from '../request/body.ts'
import { csrfToken, type Identity, sendingPage } from '../request/identify.ts'
import type { Offer } from '../routing/form-actions.ts'
import { allowed, type Call, type Route } from '../routing/router.ts'
import type { AnswerCache } from './answer-cache.ts'
import { compress, compressPieces, pickEncoding } from './compress.ts'
import { hashOf, isKnown, notModified } from './etag.ts'
import { lastModified } from './last-modified.ts'
import type { Rendering } from './negotiate.ts'
import type { Following } from './send-on.ts'

/** The input of the page for people. */
export interface PageView {
  readonly title: string
  readonly description: string | undefined
  readonly request: Pick<Request, 'method' | 'path' | 'query' | 'base'>
  readonly status: number
  readonly headers: Headers
  /** Compact JSON. */
  readonly json: string
  /** The name of the signed-in user. */
  readonly user: string | undefined
  /** The token that each form of the page sends back. */
  readonly csrf: string
  /** What can be done here, besides reading. */
  readonly offer: Offer | undefined
  /** What a refused form sent, to fill it in again. */
  readonly sent: JsonObject | undefined
  /** Other formats of the same response. */
  readonly formats: readonly string[]
}

/** Something went wrong on the way to a page for people. */
export interface ErrorView {
  readonly status: number
  readonly json: any
  readonly here: string
  readonly user: string | undefined
  /** For the button that signs out. */
  readonly csrf?: string | undefined
  /** The page whose form was refused. */
  readonly back?: string | undefined
}

/** What the response to a request depends on. */
export interface Site {
  readonly routes: readonly Route[]
  readonly compress: boolean
  readonly following?: Following | undefined
  readonly cache?: Pick<AnswerCache, 'moment' | 'set'> | undefined
  identify(request: Request, mayAssume?: boolean): Promise<Identity>
  renderPage(view: PageView): string
  renderForm(view: FormView, user: string | undefined): string
  renderError(view: ErrorView): string
  /** The page with a message to its visitor. */
  withMessage(page: string, message: Message): string
  reportBug(error: unknown, request: Request): void
  /** The database could not be used. */
  reportOutage(error: Error, request: Request): void
}

/** What is known so far about a request: the response is rendered with as much of it as there is. */
export interface Exchange {
  readonly site: Site
  request: Request
  call?: Call
  /** Whether a form of our pages was sent in place of another method. */
  isFolded?: boolean
  readonly moment: Moment | undefined
  route: Route | undefined
  rendering: Rendering
  identity: Identity
}

export async function answer(exchange: Exchange, outcome: Outcome): Promise<Answer> {
  const { site, request, route, rendering, identity } = exchange
  const { status } = outcome
  const headers: Record<string, string | readonly string[]> = {
    'X-Content-Type-Options': 'nosniff',
    ...(isHttps(request) ? STRICT_TRANSPORT : {}),
    ...(route ? { Allow: allowed(route) } : {}),
    ...corsHeaders(request, route),
    ...outcome.headers,
  }
  if ('stream' in outcome) return streamed(exchange, outcome, headers)
  if ('live' in outcome) return { status, headers: { ...headers, 'Content-Type': outcome.type }, body: outcome.live }
  let body: WholeBody
  let hash: string | undefined
  if ('bytes' in outcome) {
    headers['Content-Type'] = outcome.type
    // A part of a page that may also be opened by itself.
    if (outcome.type.startsWith('text/html')) Object.assign(headers, PAGE_RIGHTS)
    body = outcome.bytes
    hash = outcome.hash
  } else if (status === 204) {
    // A browser would stay on the page of a deleted record.
    const next = request.path.slice(0, request.path.lastIndexOf('/', request.path.length - 2) + 1)
    if (exchange.isFolded) {
      const cookie = messageCookies(request, { code: 'deleted' })
      return { status: 303, headers: { ...headers, Vary: 'Accept', Location: next, 'Set-Cookie': cookie }, body: '' }
    }
    return { status, headers: { ...headers, Vary: 'Accept' }, body: '' }
  } else if (rendering.as === 'html' || outcome.page !== undefined) {
    body = await renderHtml(exchange, outcome, headers)
    const kept = headers['Cache-Control'] ? NOT_STORED : {}
    Object.assign(headers, PAGE_HEADERS, kept)
    // A redirect leaves it to the page that it leads to.
    const message = status >= 300 && status < 400 ? undefined : messageOf(request)
    if (message) {
      body = site.withMessage(body, message)
      Object.assign(headers, NOT_STORED, { 'Set-Cookie': [...cookiesIn(headers), forgetMessage(request)] })
    }
    if (route?.visited && status === 200 && isRead(request) && !identity.actor) hash = hashOf(body)
  } else if (rendering.as === 'text') {
    headers['Content-Type'] = 'text/plain; charset=utf-8'
    headers['Vary'] = 'Accept'
    if (outcome.changed) Object.assign(headers, lastModified(outcome.changed))
    body = `${printable(outcome.plain ?? plainProblem(outcome.json))}\n`
    if (status === 200 && isRead(request)) hash = `${hashOf(body)}-t`
  } else {
    headers['Content-Type'] = 'application/json'
    headers['Vary'] = 'Accept'
    if (outcome.changed) Object.assign(headers, lastModified(outcome.changed))
    const wanted = rendering.as === 'json' ? rendering.indent : 0
    const indent = wanted > 0 && !isLong(outcome) ? wanted : 0
    body = indent > 0 ? indented(outcome.json, indent) : bodyOf(outcome)
    if (outcome.contentLocation) headers['Content-Location'] = outcome.contentLocation
    if ((status === 200 && isRead(request)) || outcome.contentLocation) {
      hash = (outcome.hash ?? hashOf(outcome.json)) + (indent ? `-i${indent}` : '')
    }
  }
  // A page with a secret next to text that others may choose is not compressed: its length would reveal the secret
  // (BREACH).
  const compresses = site.compress || outcome.compressed !== undefined
  const isSmall = 'type' in outcome && COMPRESSED_TYPE.test(outcome.type)
  const mayCompress = compresses && !isSmall && !('form' in outcome && outcome.form)
  const encoding = mayCompress ? pickEncoding(header(request, 'accept-encoding'), body) : undefined
  if (compresses) headers['Vary'] = headers['Vary'] ? `${headers['Vary']}, Accept-Encoding` : 'Accept-Encoding'
  // A response that must not be cached needs no ETag.
  const kept = keepOf(exchange, outcome, headers)
  const named = hash !== undefined && !/no-store/.test(String(headers['Cache-Control'] ?? ''))
  if (named) headers['ETag'] = `"${hash}${encoding ? `-${encoding}` : ''}"`
  if (named && isRead(request) && isKnown(header(request, 'if-none-match'), headers['ETag'] as string)) {
    if (kept && !encoding && !outcome.compressed) store(exchange, headers, body, kept)
    return { ...notModified(headers), ...(kept ? { keep: kept } : {}) }
  }
  if (encoding) {
    headers['Content-Encoding'] = encoding
    // A long response is compressed while it is sent.
    if (isInPieces(body)) return { status, headers, body: compressPieces(body, encoding) }
    body = await (outcome.compressed?.(encoding) ?? compress(body, encoding))
  }
  if (!kept) return { status, headers, body }
  return { status, headers, body: outcome.compressed ? body : store(exchange, headers, body, kept), keep: kept }
}

/** Compressed by themselves. */
const COMPRESSED_TYPE = /^(?:image\/png|font\/woff2)$/

/** Whether the database is unusable, as opposed to overload. */
export function isOutage(error: unknown): error is Unavailable {
  return error instanceof Unavailable && !(error instanceof Overloaded)
}

/** Its bytes are not known beforehand, so it has no ETag. An error on the way is reported, and aborts it. */
function streamed(exchange: Exchange, { status, type, stream }: StreamOutcome, headers: Headers): Answer {
  return { status, headers: { ...headers, 'Content-Type': type }, body: reported(exchange, stream) }
}

async function* reported({ site, request }: Exchange, stream: StreamOutcome['stream']): AsyncGenerator<string> {
  try {
    yield* stream
  } catch (error) {
    if (isOutage(error)) site.reportOutage(error, request)
    else if (!(error instanceof TooSlow) && !problemOf(error)) site.reportBug(error, request)
    throw error
  }
}

/** What an answer depends on that others may get too. A page names its visitor, if that is known. */
function keepOf(
  { request, route, rendering, identity }: Exchange,
  outcome: Outcome,
  headers: Headers,
): Keep | undefined {
  if (!('keep' in outcome) || !outcome.keep || outcome.status !== 200 || !isRead(request)) return undefined
  if (/no-store/.test(String(headers['Cache-Control'] ?? ''))) return undefined
  const isPublic = outcome.headers?.['Cache-Control'] === undefined
  if (!route?.visited && rendering.as !== 'html') return { ...outcome.keep, isPublic }
  if (identity.actor) return undefined
  // Only JSON can be made again from records.
  const { again: _, ...keep } = outcome.keep
  return { ...keep, isPublic, isForStrangers: true }
}

/** Caches compact JSON and pages. Returns the bytes. */
function store(
  { site, request, route, rendering, moment }: Exchange,
  headers: Headers,
  body: WholeBody,
  keep: Keep,
): WholeBody {
  const isCompact = rendering.as === 'json' && rendering.indent === 0
  if (!site.cache || !moment || !(isCompact || route?.visited || rendering.as === 'html')) return body
  const bytes = isInPieces(body) ? body : wholeBody(body)
  site.cache.set(request, headers, isInPieces(bytes) ? bytes : [bytes], keep, moment)
  return bytes
}

/** Longer responses are not joined, and not indented: nobody reads them line by line. */
const LONG_BYTES = 1024 * 1024

function isLong(outcome: JsonOutcome): boolean {
  return (outcome.pieces ? bytesIn(outcome.pieces)! : outcome.json.length) > LONG_BYTES
}

/** Up to this size a string is sent faster than its bytes. */
const SHORT_TEXT = 15_500

/** A long response stays in pieces: joining it would need its length in memory again for each client. */
function bodyOf(outcome: JsonOutcome): WholeBody {
  // The text of a response in bytes is not needed.
  if (outcome.pieces) return isLong(outcome) ? outcome.pieces : Buffer.concat(outcome.pieces)
  return outcome.json.length <= SHORT_TEXT ? outcome.json : Buffer.from(outcome.json)
}

/** For a year, browsers use only https for this host. */
const STRICT_TRANSPORT = { 'Strict-Transport-Security': 'max-age=31536000' }

/** What a page may load, do and reveal. */
const PAGE_RIGHTS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'same-origin',
  'Permissions-Policy':
    'camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
}

const NOT_STORED = { 'Cache-Control': 'private, no-cache, no-store' }

const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  Vary: 'Accept, Cookie',
  'Cache-Control': 'private, no-cache',
  ...PAGE_RIGHTS,
}

async function renderHtml(
  { site, request, route, call, identity: { actor, session } }: Exchange,
  { status, json, form, user, page }: JsonOutcome,
  headers: Headers,
): Promise<string> {
  if (page !== undefined) return page
  if (form) return site.renderForm(form, user ?? actor?.name)
  const isApi = /^\/api(\/|$)/.test(request.path)
  if (!isApi && status >= 400) {
    const { path, query } = request
    return site.renderError({
      status,
      json: JSON.parse(json),
      here: query.raw ? `${path}?${query.raw}` : path,
      user: actor?.name,
      csrf: session && csrfToken(session),
      back: isWrite(request) ? sendingPage(request) : undefined,
    })
  }
  return site.renderPage({
    title: route?.title ?? 'Not Found',
    description: route?.description,
    // HEAD responds like GET, to the byte.
    request: { ...request, method: request.method === 'HEAD' ? 'GET' : request.method },
    status,
    // What the same request says when it asks for JSON, without its id: others get the same page.
    headers: { ...headers, 'Content-Type': 'application/json', Vary: 'Accept' },
    json,
    user: actor?.name,
    csrf: session ? csrfToken(session) : '',
    offer: call && status !== 404 && status < 500 ? await offerOf(call) : undefined,
    sent: call && (status === 400 || status === 412) && isWrite(request) ? await sentBy(call) : undefined,
    formats: ['json', 'api', ...(route?.hasText ? ['txt'] : []), ...otherFormats(route)],
  })
}

function cookiesIn({ 'Set-Cookie': cookies = [] }: Headers): readonly string[] {
  return typeof cookies === 'string' ? [cookies] : cookies
}

function otherFormats(route: Route | undefined): string[] {
  return (route?.otherTypes ?? []).flatMap(({ format }) => format ?? [])
}

/**
 * What the page of an address offers; nothing if there is nothing to offer, such as for a record that does not exist.
 */
async function offerOf(call: Call): Promise<Offer | undefined> {
  try {
    return await call.route.offers?.(call)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The submitted values, if they can be read. */
async function sentBy(call: Call): Promise<JsonObject | undefined> {
  try {
    return plainMembers(await call.readBody())
  } catch {
    return undefined
  }
}

/** An error for a client that asked for text. */
function plainProblem(json: string): string {
  const body: Record<string, unknown> = JSON.parse(json)
  return Object.entries(body)
    .map(([member, messages]) => (member === 'detail' ? messages : `${member}: ${[messages].flat().join(' ')}`))
    .join('\n')
}

function indented(json: string, indent: number): string {
  return JSON.stringify(JSON.parse(json), null, indent)
}
