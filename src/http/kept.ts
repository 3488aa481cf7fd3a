/**
 * The response cache: finished bytes with their headers. It holds only what everyone may see, and a response is sent
 * only while nothing it depends on has been written.
 */
import { Shelf, type Space } from '../engine/index.ts'
import { generationOf, type Moment, type Store } from '../store/index.ts'
import { bestEncoding, type Encoding } from './compress.ts'
import { hashOf } from './conditions.ts'
import { keepAlive } from './limits.ts'
import type { Headers, Keep } from './message.ts'
import { renderingsFor } from './negotiate.ts'

export interface Finished {
  readonly headers: Headers
  /** Bytes, in pieces; or a text with one character per byte: a short text goes out together with its head. */
  readonly body: readonly Buffer[] | string
  readonly length: number
  readonly etag: string
  /**
   * Name, value, name, value. The second entry is the request id; the last pair is for connections that stay open, and
   * the pair before it, the length, for responses with a body.
   */
  readonly lines: string[]
}

interface Entry {
  readonly base: string
  readonly renderings: number
  readonly encoding: Encoding | undefined
  readonly keep: Keep
  readonly headers: Headers
  /** Undefined if only the way to build it is cached. */
  readonly finished: Finished | undefined
  /** A moment at which it was true. */
  moment: Moment
}

/** What determines the bytes of a response. */
export interface Asked {
  readonly base: string
  /** Path and query, as sent. */
  readonly target: string
  readonly accept: string | undefined
  readonly acceptEncoding: string | undefined
}

interface Options {
  readonly bytes: number
  readonly compress: boolean
  now(): Date
}

const LONGEST_TARGET = 2000
/** For ways to build a response, if no responses are cached. */
const BYTES_OF_WAYS = 2 ** 20
/** The same may be requested under this many host names and renderings. */
const MOST_VARIANTS = 8
/** Up to this size, one text with its head is sent faster than a text and bytes. */
const SHORT_BODY = 15_500
/** Up to this size, bytes are sent faster when they are joined. */
const LONGEST_JOINED = 64 * 1024

export class KeptAnswers {
  readonly #store: Pick<Store, 'generations' | 'refresh'>
  readonly #answers: Space<string, readonly Entry[]>
  readonly #options: Options

  constructor(store: Pick<Store, 'generations' | 'refresh'>, options: Options) {
    this.#store = store
    this.#answers = new Shelf(options.bytes || BYTES_OF_WAYS).space()
    this.#options = options
  }

  /** Call it when the request arrives, and not later: the response is true of that time. */
  find(asked: Asked): Finished | undefined | Promise<Finished | undefined> {
    const variants = this.#answers.get(asked.target)
    if (!variants) return undefined
    const renderings = renderingsFor(asked.accept)
    const encoding = this.#encoding(asked)
    for (const entry of variants) {
      if (entry.base !== asked.base || entry.renderings !== renderings || entry.encoding !== encoding) continue
      const waiting = this.#store.refresh()
      if (!waiting) return this.#trueOne(entry) ?? this.#madeAgain(asked, entry)
      return waiting.then(
        () => this.#trueOne(entry),
        () => undefined,
      )
    }
    return undefined
  }

  /** The moment before anything was read for a response; it is not newer than the response's content. */
  get moment(): Moment {
    return this.#store.generations.now
  }

  keep(
    asked: Asked,
    { 'X-Request-Id': _, ...headers }: Headers,
    body: readonly Buffer[],
    keep: Keep,
    moment: Moment,
  ): void {
    if (asked.target.length <= LONGEST_TARGET) this.#set(asked, keep, moment, headers, finish(headers, body))
  }

  #set(asked: Asked, keep: Keep, moment: Moment, headers: Headers, made: Finished): void {
    const { base, target, accept } = asked
    const finished = this.#options.bytes > 0 ? made : undefined
    if (!finished && !keep.again) return
    const [renderings, encoding] = [renderingsFor(accept), this.#encoding(asked)]
    const isOther = (known: Entry) =>
      known.base !== base || known.renderings !== renderings || known.encoding !== encoding
    const entry = { base, renderings, encoding, keep, headers, finished, moment }
    const variants = [entry, ...(this.#answers.get(target) ?? []).filter(isOther)].slice(0, MOST_VARIANTS)
    this.#answers.set(
      target,
      variants,
      variants.reduce((sum, each) => sum + bytesOf(each), target.length),
    )
  }

  #trueOne(entry: Entry): Finished | undefined {
    if (!entry.finished) return undefined
    const { now } = this.#store.generations
    if (entry.moment !== now) {
      if (!entry.keep.of.every((name) => isSame(entry.moment, now, name))) return undefined
      entry.moment = now
    }
    return this.#isTime(entry.keep) ? entry.finished : undefined
  }

  #isTime({ during }: Keep): boolean {
    if (!during) return true
    const now = this.#options.now().getTime()
    return during[0] <= now && now < during[1]
  }

  /** The way to build the response is known, and needs no second look at the request. */
  #madeAgain(asked: Asked, { keep, headers, encoding }: Entry): Finished | undefined {
    const { moment } = this
    const outcome = encoding ? undefined : keep.again?.()
    if (!outcome) return undefined
    const changed: Record<string, string | readonly string[]> = { ...headers }
    for (const name in outcome.headers) changed[name] = outcome.headers[name]!
    changed['ETag'] = `"${outcome.hash ?? hashOf(outcome.json)}"`
    const finished = finish(changed, outcome.pieces ?? [Buffer.from(outcome.json)])
    if (this.#options.bytes > 0) this.#set(asked, keep, moment, changed, finished)
    return finished
  }

  #encoding({ acceptEncoding }: Asked): Encoding | undefined {
    return this.#options.compress ? bestEncoding(acceptEncoding) : undefined
  }
}

function finish(headers: Headers, pieces: readonly Buffer[]): Finished {
  const lines = ['X-Request-Id', '']
  for (const name in headers) lines.push(name, headers[name] as string)
  let length = 0
  for (const piece of pieces) length += piece.length
  lines.push('Content-Length', String(length), 'Keep-Alive', keepAlive())
  return { headers, body: joined(pieces, length), length, etag: headers['ETag'] as string, lines }
}

function joined(pieces: readonly Buffer[], length: number): Finished['body'] {
  if (length > LONGEST_JOINED) return pieces
  const whole = Buffer.concat(pieces, length)
  return length <= SHORT_BODY ? whole.toString('latin1') : [whole]
}

export function finishedBody(body: Finished['body']): Buffer | readonly Buffer[] {
  return typeof body === 'string' ? Buffer.from(body, 'latin1') : body
}

/** The lines of a 304. */
export function unchangedLines({ lines }: Finished): string[] {
  const length = lines.length - 4
  const unchanged = [...lines.slice(0, length), ...lines.slice(length + 2)]
  const encoding = unchanged.indexOf('Content-Encoding')
  if (encoding >= 0) unchanged.splice(encoding, 2)
  return unchanged
}

function bytesOf({ finished, headers }: Entry): number {
  const head = Object.values(headers).join('').length
  return (finished?.length ?? 0) + 4 * head + 500
}

function isSame(a: Moment, b: Moment, resource: string): boolean {
  return generationOf(a, resource).number === generationOf(b, resource).number
}
