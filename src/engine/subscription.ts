/**
 * One reader of the feed: how far it has read, and what it gets next. It takes new entries from the rounds of the
 * broadcast. A reader that is too far back for them reads the log by itself, as fast as it takes what it gets.
 */
import type { LogBounds } from '../store/index.ts'
import type { Round } from './broadcast.ts'
import type { Feed, FeedEntry, FeedFilter } from './feed.ts'

/** Where the entries go. */
export interface FeedReader {
  /** Whether it takes more now. Otherwise it calls `pump` once it does. */
  readonly isReady: boolean
  take(entries: readonly FeedEntry[]): void
  /** Everything up to this number is told, or does not match. */
  checkpoint(next: number): void
  /** Nothing is new, but the reader is alive. */
  beat(): void
  /** The log no longer has what comes next: the reader has to begin again. */
  reset(bounds: LogBounds): void
  /** The process stops. */
  end(): void
  /** The reader is too slow. */
  cut(): void
}

/** What a subscription reads from. */
export interface FeedSource {
  /** Everything up to this number is in a round. */
  readonly head: number
  roundAt(position: number): Round | undefined
  /** The log after a position, up to the head. */
  page(filter: FeedFilter, position: number): Promise<Feed>
  /** The page could not be read. */
  failed(subscription: Subscription, error: unknown): void
}

/** A quiet reader gets a sign of life after this many beats. */
const QUIET_BEATS = 3

export class Subscription {
  readonly filter: FeedFilter
  readonly reader: FeedReader
  readonly #source: FeedSource
  /** Everything up to here was taken, or does not match. */
  #position: number
  /** The last number that the reader was told. */
  #told: number
  #quietBeats = 0
  /** How many beats it was not ready. */
  #blockedBeats = 0
  #isReading = false
  #isOver = false

  constructor(source: FeedSource, filter: FeedFilter, position: number, reader: FeedReader) {
    this.#source = source
    this.filter = filter
    this.reader = reader
    this.#position = position
    this.#told = position
    reader.checkpoint(position)
  }

  close(): void {
    this.#isOver = true
  }

  /** Gives the reader everything that there is, as long as it is ready. */
  pump(): void {
    const { reader } = this
    while (!this.#isReading && !this.#isOver && reader.isReady) {
      this.#blockedBeats = 0
      const { head } = this.#source
      if (this.#position >= head) return
      const round = this.#source.roundAt(this.#position)
      const entries = round?.select(this.filter)
      if (round && entries) this.#take(entries, round.next)
      else void this.#readPage()
    }
  }

  /** From time to time. A reader that was not ready for this many beats is cut off. */
  beat(mostBlocked: number): void {
    if (this.#isOver) return
    this.pump()
    if (!this.reader.isReady) {
      this.#blockedBeats++
      if (this.#blockedBeats > mostBlocked) this.reader.cut()
    } else if (this.#position > this.#told) {
      this.#told = this.#position
      this.#quietBeats = 0
      this.reader.checkpoint(this.#position)
    } else if (++this.#quietBeats >= QUIET_BEATS) {
      this.#quietBeats = 0
      this.reader.beat()
    }
  }

  #take(entries: readonly FeedEntry[], next: number): void {
    const last = entries.at(-1)
    if (last) {
      this.#quietBeats = 0
      this.#told = last.seq
      this.reader.take(entries)
    }
    this.#position = next
  }

  async #readPage(): Promise<void> {
    this.#isReading = true
    try {
      const { results, next } = await this.#source.page(this.filter, this.#position)
      if (!this.#isOver) this.#take(results, next)
    } catch (error) {
      if (!this.#isOver) this.#source.failed(this, error)
      return
    } finally {
      this.#isReading = false
    }
    this.pump()
  }
}
