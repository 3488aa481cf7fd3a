/** A request and an answer as the rest of http/ sees them, free of any server library. */
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
  /** Scheme and host, without a slash at the end: what absolute links begin with. */
  readonly base: string
  readonly address: string
  /** A page asks for what it shows: that is not another request of the visitor's. */
  readonly isInner?: boolean
  /** The answer that the cache had when the request arrived. It is sent if its sender may read. */
  readonly cached?: CachedAnswer | undefined
  /** The whole body; it is read when first asked for, and a larger one than allowed is a problem. */
  body(): Promise<Buffer>
}

/** Bytes as a text, with a character for each byte: Node sends a short text together with the head. */
export interface Latin1 {
  readonly latin1: string
}

/** All of its bytes are there, maybe in pieces. */
export type WholeBody = string | Buffer | readonly Buffer[]

/** Whole, or as it is made. */
export type Body = WholeBody | Latin1 | AsyncIterable<string | Buffer>

export function isInPieces(body: Body): body is readonly Buffer[] {
  return Array.isArray(body)
}

export interface Answer {
  readonly status: number
  /** Without the id of the request, which the server adds. */
  readonly headers: Headers
  readonly body: Body
  /** How many bytes the body has, where it was counted before. */
  readonly length?: number
  /** All headers as `keptLines` makes them, where they were made before. */
  readonly lines?: readonly string[]
}

/** An answer that is sent to everybody who asks the same. */
export interface CachedAnswer extends Answer {
  readonly body: Latin1 | readonly Buffer[]
  readonly etag: string
  readonly length: number
  readonly lines: readonly string[]
}

/** All lines of a head whose connection stays open, with an empty place for the id of the request: the second. */
export function keptLines(headers: Headers, length: number): string[] {
  const ends = ['Content-Length', String(length), 'Keep-Alive', keepAlive()]
  return ['X-Request-Id', '', ...headerLines(headers), ...ends]
}

/** Headers as they are written: name, value, name, value. */
export function headerLines(headers: Headers): string[] {
  const lines: string[] = []
  for (const name in headers) {
    const value = headers[name]!
    if (typeof value === 'string') lines.push(name, value)
    else for (const each of value) lines.push(name, each)
  }
  return lines
}

/** As one; not of a body that is made as it is sent. */
export function wholeBody(body: Body): Buffer {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return Buffer.from(body as string)
  if (isInPieces(body)) return Buffer.concat(body)
  if (isLatin1(body)) return Buffer.from(body.latin1, 'latin1')
  throw new Error('a streamed body cannot be read as a whole')
}

/** How many bytes a body has; undefined when nobody knows before it is made. */
export function bytesIn(body: Body): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (Buffer.isBuffer(body)) return body.length
  if (isLatin1(body)) return body.latin1.length
  return isInPieces(body) ? body.reduce((sum, piece) => sum + piece.length, 0) : undefined
}

export function isLatin1(body: Body): body is Latin1 {
  return typeof body === 'object' && 'latin1' in body
}

/** What the log tells of a request. */
export interface AnsweredRequest {
  readonly id: string
  readonly method: string
  readonly url: string
  readonly address: string
  readonly status: number
  readonly bytes: number
  readonly ms: number
}

export type Headers = Readonly<Record<string, string | readonly string[]>>

/** An answer that is compressed once and kept, for clients that accept it, even if the operator has compression off. */
export interface Compressible {
  readonly compressed?: (encoding: Encoding) => Promise<Buffer>
}

/** What a handler gives: JSON, to be rendered as the client asked, or bytes that are sent as they are. */
export type Outcome = JsonOutcome | BytesOutcome | StreamOutcome

/** The answer is the same for everybody who asks the same, while none of these resources is written to, in some time. */
export interface Keep {
  readonly of: readonly string[]
  /** In milliseconds, from and until; any time when undefined. */
  readonly during?: readonly [from: number, until: number]
  /** Makes it anew, at once; undefined when that takes more than is at hand. */
  readonly again?: () => JsonOutcome | undefined
}

export interface JsonOutcome extends Compressible {
  readonly status: number
  /** Compact; empty for an answer without a body. */
  readonly json: string
  /** The same as bytes, and its hash, when they are known. */
  readonly pieces?: readonly Buffer[]
  readonly hash?: string
  /** The same as plain text, for kinds that can be a text alone. */
  readonly plain?: string | undefined
  readonly headers?: Headers
  /** The address at which GET gives the same JSON now: the answer to a write names it, with the ETag it has there. */
  readonly contentLocation?: string
  /** What people see in its place. */
  readonly form?: FormView
  /** A whole page that stands for itself. */
  readonly page?: string
  /** Set when the answer may be kept. */
  readonly keep?: Keep
}

export interface BytesOutcome extends Compressible {
  readonly status: number
  readonly bytes: string | Buffer
  readonly type: string
  /** Of an answer that clients may keep. */
  readonly hash?: string
  readonly headers?: Headers
}

/** An answer that is made while it is sent, however long it is. */
export interface StreamOutcome {
  readonly status: number
  readonly stream: AsyncIterable<string>
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
}

export interface FormPart {
  readonly action: string
  readonly submit: string
  readonly fields: readonly FormField[]
  readonly errors?: { readonly [member: string]: readonly string[] }
}

/** A page with a form, or several. */
export interface FormView {
  readonly title: string
  readonly notes?: readonly string[]
  readonly forms: readonly FormPart[]
  readonly links?: readonly { readonly href: string; readonly text: string }[]
  /** Sent back by each form, to show that it is ours. */
  readonly csrf: string
}

/** One header as text; a repeated one joined as HTTP allows. */
export function header(request: Pick<Request, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/** Did the client come by https, to the proxy or by the address that the operator has given? */
export function isHttps({ base }: Pick<Request, 'base'>): boolean {
  return base.startsWith('https:')
}

export function isRead({ method }: Pick<Request, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
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

/** A proxy may send the whole address; what follows the host is what counts. */
export function localTarget(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}
