/**
 * Finished answers: bytes with their headers, kept for whoever asks the same again. Only what everybody may see is kept,
 * and it is sent only while nothing it was made from has been written to.
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
  /** Bytes, in pieces; or a text with a character for each byte: a short text goes out with its head as one. */
  readonly body: readonly Buffer[] | string
  readonly length: number
  readonly etag: string
  /**
   * Name, value, name, value. What stands second is the id of the request; the last pair is for connections that stay,
   * and the one before it, the length, for answers with a body.
   */
  readonly lines: string[]
}

interface Entry {
  readonly base: string
  readonly renderings: number
  readonly encoding: Encoding | undefined
  readonly keep: Keep
  readonly headers: Headers
  /** Undefined where only the way to make it is kept. */
  readonly finished: Finished | undefined
  /** A moment at which it was true. */
  moment: Moment
}

/** What decides about the bytes of an answer. */
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
/** For ways to make an answer again, where no answers are kept. */
const BYTES_OF_WAYS = 2 ** 20
/** The same may be asked by so many names of ours, in so many renderings. */
const MOST_VARIANTS = 8
/** Up to here, with its head, one text is sent faster than a text and bytes. */
const SHORT_BODY = 15_500
/** Up to here, bytes are sent faster when they are put together. */
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

  /** To be asked when the request arrives, and not later: the answer is true of that time. */
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

  /** The moment before anything was read for an answer; it is not newer than what the answer tells. */
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

  /** The way to the answer is known, and needs no second look at the request. */
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

/** The lines of an answer that says only that nothing has changed. */
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
