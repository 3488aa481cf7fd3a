/**
 * One turn at a hook: delivers what it wants, in order, until there is nothing more, a delivery fails, or others want
 * their turn. The process has the lease of the hook meanwhile.
 */
import type { Row } from '../../declare/index.ts'
import { type HookRow, type NewDelivery, Unavailable } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import type { FeedEntry } from '../feed.ts'
import { Problem } from '../problem.ts'
import type { ReadEntries } from './entries.ts'
import { changePayload, signedHeaders } from './payload.ts'
import type { Poster, PostResult } from './post.ts'
import { MOST_TRIES, pauseAfter } from './retry-pauses.ts'

/** A turn ends after this many deliveries, or this long. */
const MOST_SENT = 100
const LONGEST_MS = 10_000
/** The cursor is stored after this many deliveries, or this long: what was not stored may be delivered twice. */
const UNSAVED = 25
const SAVE_EVERY_MS = 1000
/** While the database is away. */
const SAVE_AGAIN_MS = 1000
const GONE = 410

export interface RunParts {
  readonly engine: Engine
  readonly poster: Poster
  readonly entriesFor: ReadEntries
  /** The owner of the lease. */
  readonly owner: string
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
  /** Whether the lease still holds. */
  holds(): boolean
  /** Whether the turn should end soon: the server stops, or the hook was changed. */
  isCalledOff(): boolean
  /** Called after each message, for metrics. */
  sent(isSuccess: boolean): void
}

export interface RunEnd {
  /** `more`: others want their turn first. `lost`: the lease is lost, or the hook was changed. */
  readonly way: 'done' | 'more' | 'failed' | 'lost'
  /** Everything up to this number was delivered, or is not wanted. */
  readonly cursor: number
  readonly nextTry: string | undefined
  /** The longest try. */
  readonly slowestMs: number
}

export class HookRun {
  readonly #parts: RunParts
  #hook: HookRow
  /** As stored, and as it should be stored. */
  #saved: number
  #cursor: number
  #replayed: number | undefined
  /** The id of the log. */
  #log = ''
  #deliveries: NewDelivery[] = []
  #savedAt = performance.now()
  #sent = 0
  #slowestMs = 0
  readonly #started = performance.now()

  constructor(hook: HookRow, parts: RunParts) {
    this.#hook = hook
    this.#parts = parts
    this.#saved = hook.cursor
    this.#cursor = hook.cursor
    this.#replayed = hook.replay?.cursor
  }

  async run(): Promise<RunEnd> {
    const way = await this.#deliverAll()
    // After a failure, that is done.
    const isSaved = way === 'failed' || (await this.#save(RELEASED))
    const { nextTry } = this.#hook
    return { way: isSaved ? way : 'lost', cursor: this.#cursor, nextTry, slowestMs: this.#slowestMs }
  }

  async #deliverAll(): Promise<RunEnd['way']> {
    try {
      const way = await this.#deliverNew()
      return way === 'done' ? await this.#replay() : way
    } catch (error) {
      // Another version of the program has other members.
      if (!(error instanceof Problem) || error.status !== 400) throw error
      return (await this.#save(RELEASED, { active: 0, ended: 'The lookups are no longer valid.' })) ? 'failed' : 'lost'
    }
  }

  async #deliverNew(): Promise<RunEnd['way']> {
    for (;;) {
      const { log, entries, next, latest, lostUpTo } = await this.#parts.entriesFor(this.#hook, this.#cursor)
      this.#log = log
      if (lostUpTo !== undefined) this.#noteLost(lostUpTo)
      for (const entry of entries) {
        if (this.#isOver()) return 'more'
        const way = await this.#deliver(entry)
        if (way !== 'done') return way
      }
      this.#cursor = next
      if (next >= latest) return 'done'
      if (this.#isOver()) return 'more'
    }
  }

  /** The log is not kept for ever, if the operator says so. */
  #noteLost(upTo: number): void {
    const error = `the log no longer has the entries ${this.#cursor + 1} to ${upTo}`
    const at = this.#parts.engine.now().toISOString()
    this.#deliveries.push({ kind: 'change', seq: upTo, try: 1, at, status: undefined, error, ms: 0 })
    this.#cursor = upTo
  }

  async #deliver(entry: FeedEntry): Promise<RunEnd['way']> {
    const result = await this.#send(entry, 'change', this.#hook.tries + 1)
    if (!result) return 'lost'
    if (!isSuccess(result)) return await this.#fail(result)
    this.#cursor = entry.seq
    const isOurs = this.#hook.tries > 0 ? await this.#save(RECOVERED) : await this.#saveSometimes()
    return isOurs ? 'done' : 'lost'
  }

  /** The same for entries that were delivered before. It ends at the first failure, and counts for nothing. */
  async #replay(): Promise<RunEnd['way']> {
    const { replay } = this.#hook
    if (!replay) return 'done'
    for (let since = replay.cursor; since < replay.until; ) {
      const { entries, next } = await this.#parts.entriesFor(this.#hook, since, replay.until)
      for (const entry of entries) {
        if (this.#isOver()) return 'more'
        const result = await this.#send(entry, 'replay', 1)
        if (!result) return 'lost'
        if (!isSuccess(result)) {
          this.#replayed = undefined
          return result.status === GONE ? await this.#fail(result) : 'done'
        }
        this.#replayed = entry.seq
        if (!(await this.#saveSometimes())) return 'lost'
      }
      // The log was replaced by a shorter one.
      if (next <= since) break
      since = next
      this.#replayed = next
      if (this.#isOver()) return 'more'
    }
    this.#replayed = undefined
    return 'done'
  }

  /** Undefined if there is no result: the server stops, or the lease is lost. */
  async #send(entry: FeedEntry, kind: NewDelivery['kind'], number: number): Promise<PostResult | undefined> {
    const { engine, poster, signal, holds } = this.#parts
    if (!holds()) return undefined
    const now = engine.now()
    const payload = changePayload(this.#hook.id, this.#log, entry)
    const headers = signedHeaders(this.#hook, payload, now)
    const result = await poster.post(this.#hook.url, headers, payload.body, {
      now,
      signal,
      trace: engine.store.traces.of(entry.seq),
    })
    if (signal.aborted) return undefined
    const { status, error, ms } = result
    this.#deliveries.push({ kind, seq: entry.seq, try: number, at: now.toISOString(), status, error, ms })
    this.#slowestMs = Math.max(this.#slowestMs, ms)
    this.#sent++
    this.#parts.sent(isSuccess(result))
    return result
  }

  /** Others want their turn, or the turn is called off. */
  #isOver(): boolean {
    const isLong = this.#sent >= MOST_SENT || performance.now() - this.#started > LONGEST_MS
    return isLong || this.#parts.isCalledOff()
  }

  async #fail(result: PostResult): Promise<RunEnd['way']> {
    const { engine } = this.#parts
    const now = engine.now()
    const tries = this.#hook.tries + 1
    const error = result.error ?? `the response had status ${result.status}`
    const pause = result.status === GONE ? undefined : pauseAfter(tries, result)
    const failing = { tries, failing_since: this.#hook.failingSince ?? now.toISOString(), last_error: error }
    const next = pause === undefined ? null : new Date(now.getTime() + pause).toISOString()
    const ended = pause === undefined ? { active: 0, ended: reasonOfEnd(result, error) } : {}
    const isSaved = await this.#save(RELEASED, { ...failing, ...ended, next_try: next })
    return isSaved ? 'failed' : 'lost'
  }

  async #saveSometimes(): Promise<boolean> {
    const isTime = performance.now() - this.#savedAt > SAVE_EVERY_MS
    return isTime || this.#deliveries.length >= UNSAVED ? await this.#save({}) : true
  }

  /** False if the turn is over: the lease is lost, or the owner has changed the hook. Waits while the database is away. */
  async #save(done: Row, learned: Row = {}): Promise<boolean> {
    for (;;) {
      try {
        return await this.#saveNow(done, learned)
      } catch (error) {
        if (!(error instanceof Unavailable) || this.#parts.signal.aborted) throw error
        await new Promise((again) => setTimeout(again, SAVE_AGAIN_MS))
      }
    }
  }

  async #saveNow(done: Row, learned: Row): Promise<boolean> {
    const { engine, owner } = this.#parts
    const { hooks } = engine.store
    const { id, replay, revision } = this.#hook
    const deliveries = this.#deliveries
    const isReplaying = this.#replayed !== undefined
    const replayed = replay
      ? { replay_cursor: this.#replayed ?? null, replay_until: isReplaying ? replay.until : null }
      : {}
    const cursor = this.#cursor
    const from = { id, owner, cursor: this.#saved, revision }
    const saved = await engine.store.write(function* () {
      yield* hooks.addDeliveries(id, deliveries)
      return yield* hooks.save(from, { cursor, ...done }, { ...replayed, ...learned })
    })
    this.#deliveries = []
    this.#savedAt = performance.now()
    if (!saved) return false
    this.#saved = cursor
    if (saved.revision !== revision) return false
    this.#hook = saved
    return true
  }
}

const RELEASED: Row = { lease_owner: null, lease_until: 0 }
const RECOVERED: Row = { tries: 0, failing_since: null, next_try: null, last_error: null }

function isSuccess({ status = 0 }: PostResult): boolean {
  return status >= 200 && status < 300
}

function reasonOfEnd({ status }: PostResult, error: string): string {
  if (status === GONE) return 'The receiver returned 410.'
  return `${MOST_TRIES} tries have failed. The last one: ${error}.`
}
