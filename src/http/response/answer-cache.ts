/**
 * The cache of answers: bytes with their headers, by everything that determines them. Only answers that are the same
 * for everybody, or for all who are not signed in, are cached. Their stamp names the resources that they depend on
 * (`keep.of`).
 */
import { ALWAYS, type Cache, CacheMemory, GenerationStamp, ownJoined, type Stamp } from '../../cache/index.ts'
import type { Moment, Store } from '../../store/index.ts'
import {
  bytesIn,
  type CachedAnswer,
  type Headers,
  header,
  type Keep,
  keptLines,
  type Request,
  type Span,
} from '../exchange/message.ts'
import { bestEncoding, type Encoding } from './compress.ts'
import { hashOf } from './etag.ts'
import { lastModified } from './last-modified.ts'
import { MadeAhead } from './made-ahead.ts'
import { renderingsFor } from './negotiate.ts'

/** One answer to a target: the same target may have other answers for other hosts, renderings and encodings. */
interface Variant {
  readonly base: string
  readonly renderings: number
  readonly encoding: Encoding | undefined
  /** Undefined if records are cached and answers are not. */
  readonly answer: CachedAnswer | undefined
  readonly stamp: Stamp<Moment>
  /** How to make the answer again, without looking at the request a second time. */
  readonly recipe: { readonly keep: Keep; readonly headers: Headers } | undefined
  /** Whether a reader has got it: false as long as it was only made ahead. */
  isRead: boolean
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
/** For the recipes alone, if no answers are cached. */
const RECIPE_BYTES = 4 * 2 ** 20
const MOST_VARIANTS = 8
/** Up to this size, head included, one text is sent faster than a text and bytes. */
const SHORT_BODY = 15_500
/** Up to this size, bytes are sent faster when they are joined. */
const LONGEST_JOINED = 64 * 1024

export class AnswerCache {
  readonly #store: Pick<Store, 'generations' | 'refresh'>
  /** By target, which is a string that the request brings: to put a key together would cost more than the lookup. */
  readonly #targets: Cache<string, readonly Variant[], unknown>
  readonly #options: Options
  readonly #lookups = { hits: 0, misses: 0 }
  readonly #madeAhead = { read: 0, unread: 0 }
  readonly #ahead = new MadeAhead((asked) => this.#makeAhead(asked))

  constructor(store: Pick<Store, 'generations' | 'refresh'>, options: Options) {
    this.#store = store
    this.#targets = new CacheMemory(options.bytes || RECIPE_BYTES).cache()
    this.#options = options
    if (options.bytes > 0) store.generations.listen(() => this.#ahead.wake())
  }

  get lookups(): { readonly hits: number; readonly misses: number } {
    return this.#lookups
  }

  /** Answers that were made before a reader asked for them: those that one has got, and those that none did. */
  get madeAhead(): { readonly read: number; readonly unread: number } {
    return this.#madeAhead
  }

  /** Call it when the request arrives, not later: the answer is true for that time. */
  find(asked: Asked, isArriving?: boolean): CachedAnswer | undefined | Promise<CachedAnswer | undefined> {
    const known = this.#known(asked)
    if (!known) return this.#counted(undefined)
    const waiting = this.#store.refresh(isArriving)
    if (!waiting) return this.#counted(this.#holdingOrMade(asked, known))
    return waiting.then(
      // Another request may have made it meanwhile.
      () => this.#counted(this.#holdingOrMade(asked, this.#known(asked) ?? known)),
      () => this.#counted(undefined),
    )
  }

  #counted(answer: CachedAnswer | undefined): CachedAnswer | undefined {
    if (answer) this.#lookups.hits++
    else this.#lookups.misses++
    return answer
  }

  #known(asked: Asked): Variant | undefined {
    const variants = this.#targets.peek(asked.target)
    return variants && this.#variantOf(variants, asked)
  }

  #holdingOrMade(asked: Asked, known: Variant): CachedAnswer | undefined {
    return this.#holding(known) ?? this.#madeAgain(asked, known, true)
  }

  #holding(variant: Variant): CachedAnswer | undefined {
    const { answer, stamp } = variant
    if (!answer || !stamp.holds(this.moment)) return undefined
    if (!variant.isRead) {
      variant.isRead = true
      this.#madeAhead.read++
    }
    return answer
  }

  #variantOf(variants: readonly Variant[], { base, accept, acceptEncoding }: Asked): Variant | undefined {
    const renderings = renderingsFor(accept)
    const encoding = this.#encodingOf(acceptEncoding)
    for (const each of variants) {
      if (each.base === base && each.renderings === renderings && each.encoding === encoding) return each
    }
    return undefined
  }

  #encodingOf(accept: string | undefined): Encoding | undefined {
    return this.#options.compress ? bestEncoding(accept) : undefined
  }

  /** The moment before anything was read for an answer; the answer is at least as new. */
  get moment(): Moment {
    return this.#store.generations.now
  }

  set(request: Request, headers: Headers, body: readonly Buffer[], keep: Keep, moment: Moment): void {
    const asked = askedBy(request)
    if (asked.target.length > LONGEST_TARGET) return
    // An encoded answer cannot be made synchronously.
    const recipe = keep.again && !headers['Content-Encoding'] ? { keep, headers } : undefined
    this.#setVariant(asked, this.#cachedAnswer(headers, body, keep), { keep, recipe, moment, isRead: true })
  }

  #setVariant(
    asked: Asked,
    made: CachedAnswer,
    {
      keep,
      recipe,
      moment,
      isRead,
    }: Pick<Variant, 'recipe' | 'isRead'> & { readonly keep: Keep; readonly moment: Moment },
  ): void {
    const answer = this.#options.bytes > 0 ? made : undefined
    if (!answer && !recipe) return
    const { base, target, accept, acceptEncoding } = asked
    const generations = new GenerationStamp(keep.of, moment)
    const stamp = keep.during ? this.#during(keep.during, generations) : generations
    const [renderings, encoding] = [renderingsFor(accept), this.#encodingOf(acceptEncoding)]
    const variant: Variant = { base, renderings, encoding, answer, stamp, recipe, isRead }
    const known = this.#targets.peek(target) ?? []
    const replaced = this.#variantOf(known, asked)
    if (replaced && recipe && isRead) this.#ahead.note(asked)
    const variants = [variant, ...known.filter((each) => each !== replaced)].slice(0, MOST_VARIANTS)
    this.#targets.set(target, variants, ALWAYS, target.length + variants.reduce((sum, each) => sum + bytesOf(each), 0))
  }

  /** Holds only in a span of time. */
  #during([from, until]: Span, stamp: Stamp<Moment>): Stamp<Moment> {
    return {
      holds: (moment) => {
        const now = this.#options.now().getTime()
        return from <= now && now < until && stamp.holds(moment)
      },
    }
  }

  /** After a write. False if nobody has read the answer since it was last made ahead. */
  #makeAhead(asked: Asked): boolean {
    const known = this.#known(asked)
    if (!known) return false
    if (known.stamp.holds(this.moment)) return true
    if (!known.isRead) this.#madeAhead.unread++
    return known.isRead && this.#madeAgain(asked, known, false) !== undefined
  }

  #madeAgain(asked: Asked, { recipe }: Variant, isRead: boolean): CachedAnswer | undefined {
    const { moment } = this
    const outcome = recipe?.keep.again?.()
    if (!recipe || !outcome) return undefined
    const headers: Record<string, string | readonly string[]> = { ...recipe.headers }
    for (const name in outcome.headers) headers[name] = outcome.headers[name]!
    if (outcome.changed) Object.assign(headers, lastModified(outcome.changed))
    headers['ETag'] = `"${outcome.hash ?? hashOf(outcome.json)}"`
    const answer = this.#cachedAnswer(headers, outcome.pieces ?? [Buffer.from(outcome.json)], recipe.keep)
    if (this.#options.bytes > 0) this.#setVariant(asked, answer, { keep: recipe.keep, recipe, moment, isRead })
    return answer
  }

  #cachedAnswer(headers: Headers, pieces: readonly Buffer[], keep: Keep): CachedAnswer {
    const etag = headers['ETag'] as string | undefined
    const length = bytesIn(pieces)!
    const lines = keptLines(headers, length)
    return { status: 200, headers, lines, body: this.#joined(pieces, length), length, etag, keep }
  }

  #joined(pieces: readonly Buffer[], length: number): CachedAnswer['body'] {
    if (length > LONGEST_JOINED) return pieces
    if (length <= SHORT_BODY) return { latin1: Buffer.concat(pieces, length).toString('latin1') }
    // Without room for answers, it is sent once and not cached.
    return [this.#options.bytes > 0 ? ownJoined(pieces) : Buffer.concat(pieces, length)]
  }
}

/** Roughly, with its objects. */
function bytesOf({ answer, recipe }: Variant): number {
  const headers = answer?.headers ?? recipe?.headers
  return (answer?.length ?? 0) + (headers ? 4 * lengthOf(headers) : 0) + 200
}

function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += name.length + headers[name]!.length
  return length
}
