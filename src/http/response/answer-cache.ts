/**
 * The cache of answers: bytes with their headers, by everything that determines them. Only answers that are the same
 * for everybody are cached. Their stamp names the resources that they depend on (`keep.of`).
 */
import { ALWAYS, type Cache, CacheMemory, GenerationStamp, type Stamp } from '../../cache/index.ts'
import type { Moment, Store } from '../../store/index.ts'
import {
  bytesIn,
  type CachedAnswer,
  type Headers,
  header,
  type Keep,
  keptLines,
  type Request,
} from '../exchange/message.ts'
import { bestEncoding } from './compress.ts'
import { hashOf } from './etag.ts'
import { renderingsFor } from './negotiate.ts'

/** How to make an answer again, without looking at the request a second time. */
interface Recipe {
  readonly keep: Keep
  readonly headers: Headers
}

/** What determines the bytes of an answer. */
export interface Asked {
  readonly base: string
  /** Path and query, as sent. */
  readonly target: string
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
}

/** The key of an answer in the cache. */
export function askedBy(request: Request): Asked {
  const { base, path, query } = request
  return {
    base,
    target: query.raw ? `${path}?${query.raw}` : path,
    accept: header(request, 'accept'),
    acceptEncoding: header(request, 'accept-encoding'),
  }
}

interface Options {
  readonly bytes: number
  readonly compress: boolean
  now(): Date
}

const LONGEST_TARGET = 2000
const RECIPE_BYTES = 4 * 2 ** 20
/** Up to this size, head included, one text is sent faster than a text and bytes. */
const SHORT_BODY = 15_500
/** Up to this size, bytes are sent faster when they are joined. */
const LONGEST_JOINED = 64 * 1024

export class AnswerCache {
  readonly #store: Pick<Store, 'generations' | 'refresh'>
  /** Undefined if records are cached and answers are not. */
  readonly #answers: Cache<string, CachedAnswer, Moment> | undefined
  readonly #recipes: Cache<string, Recipe, unknown> = new CacheMemory(RECIPE_BYTES).cache()
  readonly #options: Options

  constructor(store: Pick<Store, 'generations' | 'refresh'>, options: Options) {
    this.#store = store
    this.#answers = options.bytes > 0 ? new CacheMemory(options.bytes).cache() : undefined
    this.#options = options
  }

  /** Call it when the request arrives, not later: the answer is true for that time. */
  find(asked: Asked): CachedAnswer | undefined | Promise<CachedAnswer | undefined> {
    const key = this.#keyOf(asked)
    const known = this.#answers?.entry(key)
    if (!known && !this.#recipes.peek(key)) return undefined
    const waiting = this.#store.refresh()
    if (!waiting) return known?.stamp.holds(this.moment) ? known.value : this.#madeAgain(key)
    return waiting.then(
      () => (known?.stamp.holds(this.moment) ? known.value : undefined),
      () => undefined,
    )
  }

  /** The moment before anything was read for an answer; the answer is at least as new. */
  get moment(): Moment {
    return this.#store.generations.now
  }

  set(request: Request, headers: Headers, body: readonly Buffer[], keep: Keep, moment: Moment): void {
    const asked = askedBy(request)
    if (asked.target.length > LONGEST_TARGET) return
    const key = this.#keyOf(asked)
    if (this.#answers) this.#setAnswer(key, cachedAnswer(headers, body), keep, moment)
    // An encoded answer cannot be made synchronously.
    if (keep.again && !headers['Content-Encoding']) {
      this.#recipes.set(key, { keep, headers }, ALWAYS, key.length + 4 * lengthOf(headers))
    }
  }

  #setAnswer(key: string, answer: CachedAnswer, keep: Keep, moment: Moment): void {
    const stamp = new GenerationStamp(keep.of, moment)
    const bytes = key.length + answer.length + 4 * lengthOf(answer.headers)
    this.#answers!.set(key, answer, keep.during ? this.#during(keep.during, stamp) : stamp, bytes)
  }

  /** Holds only in a span of time. */
  #during([from, until]: readonly [number, number], stamp: Stamp<Moment>): Stamp<Moment> {
    return {
      holds: (moment) => {
        const now = this.#options.now().getTime()
        return from <= now && now < until && stamp.holds(moment)
      },
    }
  }

  #madeAgain(key: string): CachedAnswer | undefined {
    const { moment } = this
    const recipe = this.#recipes.get(key, undefined)
    const outcome = recipe?.keep.again?.()
    if (!recipe || !outcome) return undefined
    const headers: Record<string, string | readonly string[]> = { ...recipe.headers }
    for (const name in outcome.headers) headers[name] = outcome.headers[name]!
    headers['ETag'] = `"${outcome.hash ?? hashOf(outcome.json)}"`
    const answer = cachedAnswer(headers, outcome.pieces ?? [Buffer.from(outcome.json)])
    if (this.#answers) this.#setAnswer(key, answer, recipe.keep, moment)
    return answer
  }

  /** Everything that determines the bytes of an answer. */
  #keyOf({ base, target, accept, acceptEncoding }: Asked): string {
    const encoding = this.#options.compress ? bestEncoding(acceptEncoding) : undefined
    return `${target} ${base} ${renderingsFor(accept)} ${encoding}`
  }
}

function cachedAnswer(headers: Headers, pieces: readonly Buffer[]): CachedAnswer {
  const etag = headers['ETag'] as string
  const body = joined(pieces)
  const length = bytesIn(body)!
  return { status: 200, headers, lines: keptLines(headers, length), body, length, etag }
}

function joined(pieces: readonly Buffer[]): CachedAnswer['body'] {
  const length = bytesIn(pieces)!
  if (length > LONGEST_JOINED) return pieces
  const whole = Buffer.concat(pieces, length)
  return length <= SHORT_BODY ? { latin1: whole.toString('latin1') } : [whole]
}

function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += name.length + headers[name]!.length
  return length
}
