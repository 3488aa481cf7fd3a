/** Reads whose answer is in the cache: they are answered when they arrive, without routing and without waiting. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer, CachedAnswer } from '../exchange/message.ts'
import type { AnswerCache } from '../response/answer-cache.ts'
import { unlessKnown } from '../response/etag.ts'
import { hasBody, hasCredentials, isReading } from './carries.ts'
import type { Origin, OriginReader } from './origin.ts'
import type { AccessLog } from './parts.ts'
import { type Receiver, send } from './send.ts'

export interface CachedAnswers extends Pick<AnswerCache, 'find'> {
  /** Counts a read; false when the address has read too much. */
  mayRead(address: string): boolean | Promise<boolean>
  /** The answer as clients without credentials get it. */
  share(answer: Answer): Answer
}

/** What is known about a request when it arrives. */
export interface Known {
  readonly origin?: Origin
  readonly cached?: CachedAnswer | undefined
  /** The answer may be sent at once. */
  readonly isFree?: boolean
}

const NOTHING: Known = {}

interface Parts {
  readonly cache: CachedAnswers | undefined
  readonly origins: OriginReader
  readonly log: Pick<AccessLog, 'answered' | 'cached'>
  idOf(message: IncomingMessage): string
}

export class CachedReads {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * The only lookup in the cache; `isArriving` if the request has been received just now. A promise if the database has
   * to be asked for the newest generations, or another process whether the client may read.
   */
  lookUp(message: IncomingMessage, isArriving?: boolean): Known | Promise<Known> {
    const { cache } = this.#parts
    const origin = cache && isReading(message) ? this.#originOf(message) : undefined
    if (!cache || !origin) return NOTHING
    const { accept, 'accept-encoding': acceptEncoding } = message.headers as Record<string, string | undefined>
    const asked = { base: origin.base, target: message.url!, accept, acceptEncoding }
    const found = cache.find(asked, isArriving)
    return found instanceof Promise
      ? found.then((cached) => this.#count(message, origin, cached))
      : this.#count(message, origin, found)
  }

  /** An answer that is sent at once counts as a read now, and any other when its credentials have been checked. */
  #count({ headers }: IncomingMessage, origin: Origin, cached: Known['cached']): Known | Promise<Known> {
    if (!cached || hasCredentials(headers) || hasBody(headers)) return { origin, cached }
    const isFree = this.#parts.cache?.mayRead(origin.address) ?? false
    return isFree instanceof Promise
      ? isFree.then((isFree) => ({ origin, cached, isFree }))
      : { origin, cached, isFree }
  }

  /** Sends the answer. False if there is none, or if it must first be checked whether the client may have it. */
  send(message: IncomingMessage, response: ServerResponse, known: Known, isLast: boolean): boolean {
    const { cache, log, idOf } = this.#parts
    const { answered, cached: count } = log
    const { origin, cached, isFree } = known
    if (!cache || !origin || !cached || !isFree) return false
    const started = answered && !count ? performance.now() : 0
    const receiver: Receiver = { message, response, id: idOf(message) }
    const answer = cache.share(unlessKnown(message, cached))
    const { bytes } = send(receiver, answer, isLast)
    if (count) count(answer.status)
    else if (answered) {
      const { id } = receiver
      const { method = '', url = '' } = message
      const { address } = origin
      answered({ id, method, url, address, status: answer.status, bytes, ms: since(started) }, message)
    }
    return true
  }

  /** Undefined if it is invalid, which is reported when the request is read. */
  #originOf(message: IncomingMessage): Origin | undefined {
    try {
      return this.#parts.origins.read(message)
    } catch {
      return undefined
    }
  }
}

/** Milliseconds, to the hundredth. */
export function since(started: number): number {
  return Math.round((performance.now() - started) * 100) / 100
}
