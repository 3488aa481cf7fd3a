/** A request and an answer as the rest of http/ sees them, free of any server library. */
import type { Dependencies } from '../../cache/index.ts'
import type { Trace, TraceSpan } from '../../store/index.ts'
import type { Encoding } from '../response/compress.ts'
import { Query } from './query.ts'
import { keepAlive } from './wire-limits.ts'

export interface Request {
  readonly id: string
  readonly method: string
  /** As sent: the path before the question mark. */
  readonly path: string
  readonly query: Query
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Scheme and host, without a slash at the end: the beginning of absolute links. */
  readonly base: string
  readonly address: string
  /** A page requests what it shows: that does not count as another request of the visitor. */
  readonly isInner?: boolean
  /** The form that the visitor sent may be forged: whatever its page requests, nothing is written. */
  readonly isReadOnly?: boolean
  /** The same request again: it counts once. */
  readonly isRepeated?: boolean
  /** The answer that the cache had when the request arrived. It is sent if it is for this client. */
  readonly cached?: CachedAnswer | undefined
  /** The whole body; it is read when first needed, and a body that is too large is a problem. */
  body(): Promise<Buffer>
}

/** Bytes as a text, with one character for each byte: Node sends a short text together with the head. */
export interface Latin1 {
  readonly latin1: string
}

/** All of its bytes exist, maybe in pieces. */
export type WholeBody = string | Buffer | readonly Buffer[]

/** Stays open: what is sent is decided while it is. */
export interface Live {
  /** Called when the head is sent. */
  open(connection: LiveConnection): void
}

export interface LiveConnection {
  /** Whether the client has taken most of what was written. */
  readonly isReady: boolean
  /** Many connections may share the bytes. */
  write(bytes: Buffer): void
  /** Closes it once everything written is sent. */
  end(): void
  /** Closes it at once. */
  cut(): void
  /** Called when it is ready after it was not, and when it is closed. */
  onReady: () => void
  onClose: () => void
}

/** Complete, or a stream. */
export type Body = WholeBody | Latin1 | AsyncIterable<string | Buffer> | Live

export function isLive(body: Body): body is Live {
  return typeof body === 'object' && 'open' in body
}

export function isInPieces(body: Body): body is readonly Buffer[] {
  return Array.isArray(body)
}

export interface Answer {
  readonly status: number
  /** Without the id of the request, which the server adds. */
  readonly headers: Headers
  readonly body: Body
  /** The number of bytes of the body, if it is known. */
  readonly length?: number
  /** All headers as `keptLines` returns them, if they are known. Sending sets the id in them. */
  readonly lines?: string[]
  /** Set if others may get it, too. */
  readonly keep?: Keep
}

/** An answer that other clients get for the same request. */
export interface CachedAnswer extends Answer {
  readonly body: Latin1 | readonly Buffer[]
  /** HTML of the API has none. */
  readonly etag: string | undefined
  readonly length: number
  readonly lines: string[]
  readonly keep: Keep
  /** The 304 for clients that have it already, once one has asked. */
  unchanged?: Answer
}

/** All header lines for a connection that stays open. The second line, the id of the request, is empty. */
export function keptLines(headers: Headers, length?: number): string[] {
  const lines = headerLines(headers, ['X-Request-Id', ''])
  if (length !== undefined) lines.push('Content-Length', String(length))
  lines.push('Keep-Alive', keepAlive())
  return lines
}

/** Adds headers to lines as they are written: name, value, name, value. */
export function headerLines(headers: Headers, lines: string[] = []): string[] {
  for (const name in headers) {
    const value = headers[name]!
    if (typeof value === 'string') lines.push(name, value)
    else for (const each of value) lines.push(name, each)
  }
  return lines
}

/** As one piece; not for a streamed body. */
export function wholeBody(body: Body): Buffer {
  if (Buffer.isBuffer(body)) return body
  if (typeof body === 'string') return Buffer.from(body)
  if (isInPieces(body)) return Buffer.concat(body)
  if (isLatin1(body)) return Buffer.from(body.latin1, 'latin1')
  throw new Error('a streamed body cannot be read as a whole')
}

/** How many bytes a body has; undefined if it is streamed. */
export function bytesIn(body: Body): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (Buffer.isBuffer(body)) return body.length
  if (isLatin1(body)) return body.latin1.length
  return isInPieces(body) ? body.reduce((sum, piece) => sum + piece.length, 0) : undefined
}

export function isLatin1(body: Body): body is Latin1 {
  return typeof body === 'object' && 'latin1' in body
}

/** What the log says about a request. */
export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly address: string
  readonly status: number
  readonly bytes: number
  readonly ms: number
}

/** More about an answered request, for those who want it. Of a response from the cache it is Node's own message. */
export interface AskedBefore {
  readonly headers: Request['headers']
  /** Of HTTP. */
  readonly httpVersion: string
  /** Undefined if nobody has asked for it: then only the headers know. */
  readonly trace?: Trace | undefined
  /** Of a request that is traced and whose response was not cached. */
  readonly span?: TraceSpan | undefined
}

/** Hears of a request when its response is sent. A request that could not be read has no `asked`. */
export type OnAnswered = (request: AnsweredRequest, asked?: AskedBefore) => void

export type Headers = Readonly<Record<string, string | readonly string[]>>

/**
 * A response that is compressed once and cached, for clients that accept it, even if the operator has compression off.
 */
export interface Compressible {
  readonly compressed?: (encoding: Encoding) => Promise<Buffer>
}

/** What a handler returns: JSON, to be rendered as the client prefers, or bytes that are sent unchanged. */
export type Outcome = JsonOutcome | BytesOutcome | StreamOutcome | LiveOutcome

/** In milliseconds. */
export type Span = readonly [from: number, until: number]

/**
 * The response is the same for every caller of the same request, until one of these resources is written, within some
 * time.
 */
export interface Keep {
  readonly of: Dependencies
  /** Any time if undefined. */
  readonly during?: Span
  /** The same for the body alone, where a header changes sooner. */
  readonly bodyDuring?: Span | 'always'
  /** It is the same for visitors who are not signed in, and for them alone. */
  readonly isForStrangers?: boolean
  /** Proxies may cache it, if the operator lets them: its handler says nothing else. */
  readonly isPublic?: boolean
  /** Rebuilds it synchronously; undefined if that needs more than the cache has. */
  readonly again?: () => JsonOutcome | undefined
}

export interface JsonOutcome extends Compressible {
  readonly status: number
  /** Compact; empty for a response without a body. */
  readonly json: string
  /** The same as bytes, and its hash, if known. */
  readonly pieces?: readonly Buffer[]
  readonly hash?: string
  /** The same as plain text, for resources that are texts. */
  readonly plain?: string | undefined
  /** For Last-Modified, in milliseconds; 0 or undefined if it is not known. */
  readonly changed?: number | undefined
  readonly headers?: Headers
  /** The address where GET now returns the same JSON: the response to a write names it, with its ETag there. */
  readonly contentLocation?: string
  /** The page that people get instead. */
  readonly form?: FormView
  /** Who is signed in from now on. */
  readonly user?: string
  /** A whole page of its own. */
  readonly page?: string
  /** Set if the response may be cached. */
  readonly keep?: Keep
}

export interface BytesOutcome extends Compressible {
  readonly status: number
  readonly bytes: string | Buffer
  readonly type: string
  /** For a response that clients may cache. */
  readonly hash?: string
  readonly headers?: Headers
  readonly keep?: Keep
}

/** A streamed response of any length. */
export interface StreamOutcome {
  readonly status: number
  readonly stream: AsyncIterable<string>
  readonly type: string
  readonly headers?: Headers
}

/** A response that stays open. */
export interface LiveOutcome {
  readonly status: number
  readonly live: Live
  readonly type: string
  readonly headers?: Headers
}

export interface FormField {
  readonly name: string
  readonly label: string
  readonly type: 'text' | 'password' | 'number' | 'checkbox' | 'hidden'
  readonly value?: string
  /** Of a checkbox. */
  readonly checked?: boolean
  readonly help?: string
  readonly autocomplete?: string
  /** It may be left out. */
  readonly isOptional?: true
  /** The same password once more; pages with scripts show the password instead. */
  readonly isRepeated?: true
}

export interface FormPart {
  readonly action: string
  readonly submit: string
  readonly fields: readonly FormField[]
  readonly errors?: { readonly [member: string]: readonly string[] }
}

export interface FormLink {
  readonly href: string
  readonly text: string
  /** What most visitors do next. */
  readonly isMain?: true
}

/** A row of a list: what it is, and what can be done with it. */
export interface FormItem {
  readonly title: string
  readonly text: string
  /** Where more is said about it. */
  readonly href?: string
  /** A form without fields. */
  readonly form?: FormPart
}

/** A page with a form, or several. */
export interface FormView {
  readonly title: string
  readonly notes?: readonly string[]
  /** Recovery codes, which are shown only once. */
  readonly codes?: readonly string[]
  readonly items?: readonly FormItem[]
  readonly forms: readonly FormPart[]
  readonly links?: readonly FormLink[]
  /** Sent back by each form, to show that it is ours. */
  readonly csrf: string
}

/** One header as text; repeated ones are joined as HTTP allows. */
export function header(request: Pick<Request, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Whether the client used https, to the proxy or by the base URL that the operator set. */
export function isHttps({ base }: Pick<Request, 'base'>): boolean {
  return base.startsWith('https:')
}

export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** It changes nothing. */
export function isSafe(request: Pick<Request, 'method'>): boolean {
  return isRead(request) || request.method === 'OPTIONS'
}

const WRITES = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

export function isWrite({ method }: Pick<Request, 'method'>): boolean {
  return WRITES.has(method)
}

export function splitTarget(target: string): Pick<Request, 'path' | 'query'> {
  const local = localTarget(target)
  const mark = local.indexOf('?')
  return mark < 0
    ? { path: local, query: new Query('') }
    : { path: local.slice(0, mark), query: new Query(local.slice(mark + 1)) }
}

/** A proxy may send the whole URL; only the part after the host counts here. */
export function localTarget(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}
