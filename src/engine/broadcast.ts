/**
 * Tells all readers of the feed what is new. The process reads each new entry once, in rounds, however many readers
 * there are; a round goes to them in small groups, so that other requests get their turn.
 */
import { performance } from 'node:perf_hooks'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { LOG_CHANGED, type LogBounds, withinSeconds } from '../store/index.ts'
import { keyOfName } from './account-names.ts'
import type { Engine } from './engine.ts'
import { type Feed, type FeedEntry, type FeedFilter, matcherOf, readFeed } from './feed.ts'
import { Problem, problemOf, problems } from './problem.ts'
import { type FeedReader, type FeedSource, Subscription } from './subscription.ts'

export interface BroadcastSettings {
  /** How often a reader hears something. */
  readonly beatMs: number
  /** How long a reader may take for what was sent. */
  readonly stallMs: number
  /** An error that is a bug. */
  reportBug(error: unknown): void
}

/** Where a reader begins. */
export interface Start {
  readonly log: string
  readonly position: number
  /** The newest number when the log was read. */
  readonly latest: number
}

/** How many entries a round has, and how many characters of old values. */
const MOST_ENTRIES = 200
const MOST_OLD = 128 * 1024
/** Rounds that stay in memory for readers that are a little behind. */
const MOST_ROUNDS = 16
/** How many pages are read at a time for readers that are further behind. */
const MOST_PAGES = 2
const READ_SECONDS = 10
/** How long one turn of the event loop serves readers. */
const TURN_MS = 2
/**
 * After a round, other requests have the process for this long, and for as long as the round took; five times as long
 * if they keep it busy. So streams never take more than a sixth of a busy process.
 */
const REST_MS = 5
const BUSY_RESTS = 5
const LONGEST_REST_MS = 200
/** The part of the time that the event loop works. */
const BUSY = 0.8

const FORGOTTEN = 410

/** Entries that follow each other in the log. */
export class Round {
  readonly since: number
  readonly next: number
  readonly #entries: readonly FeedEntry[]
  readonly #selected = new Map<string, readonly FeedEntry[]>()

  constructor({ since, next, results }: Feed) {
    this.since = since
    this.next = next
    this.#entries = results
  }

  /**
   * Readers with the same filter get the same list, so that it is written once. Undefined if the database has to say
   * which of them match.
   */
  select(filter: FeedFilter): readonly FeedEntry[] | undefined {
    const key = keyOf(filter)
    if (key === EVERYTHING) return this.#entries
    const known = this.#selected.get(key)
    if (known) return known
    const found = this.#entries.filter(matcherOf(filter))
    if (found.length === 0) return found
    if (filter.narrowing) return undefined
    this.#selected.set(key, found)
    return found
  }
}

const keys = new WeakMap<FeedFilter, string>()

/** The same for filters that say the same, so that nobody makes the process write the same bytes for each spelling. */
function keyOf(filter: FeedFilter): string {
  const known = keys.get(filter)
  if (known !== undefined) return known
  const { resource, id, user, narrowing } = filter
  const key = JSON.stringify([resource, id, user === undefined ? undefined : keyOfName(user), narrowing])
  keys.set(filter, key)
  return key
}

const EVERYTHING = keyOf({})

export class Broadcast implements FeedSource {
  readonly #engine: Engine
  readonly #settings: BroadcastSettings
  readonly #subscriptions = new Set<Subscription>()
  #log = ''
  #head = 0
  #rounds: Round[] = []
  #drops = 0
  /** Pages that are being read, or wait for it. */
  readonly #pages = new Map<string, Promise<Feed>>()
  readonly #pagesWaiting: (() => void)[] = []
  #pagesRead = 0
  #stopFollowing: (() => void) | undefined
  #beating: NodeJS.Timeout | undefined
  #isNews = false
  #isRunning = false
  #isOver = false

  constructor(engine: Engine, settings: BroadcastSettings) {
    this.#engine = engine
    this.#settings = settings
    // What was forgotten, in any process, is no longer told.
    engine.store.generations.listen(({ resource }) => {
      if (resource === LOG_CHANGED.resource) this.#drop()
    })
  }

  /** How many there are. */
  get readers(): number {
    return this.#subscriptions.size
  }

  get head(): number {
    return this.#head
  }

  /** Where a reader begins that has everything up to this number of this log; at the end of the log without one. */
  async startAt(filter: FeedFilter, since: number | undefined, given: string | undefined): Promise<Start> {
    // What was forgotten before the request came is not told from memory.
    await this.#engine.store.refresh()
    const { log, oldest, latest } = await this.#bounds()
    const position = since ?? latest
    if (position > latest || position < oldest - 1 || (given ?? log) !== log) throw problems.forgotten(oldest)
    // Whether the list can be narrowed, in time and from there on, is known before the stream begins.
    if (filter.narrowing) await readFeed(this.#engine, { ...filter, log, since: position, limit: 1 })
    return { log, position, latest }
  }

  subscribe(filter: FeedFilter, start: Start, reader: FeedReader): Subscription {
    const subscription = new Subscription(this, filter, start.position, reader)
    if (this.#subscriptions.size === 0 && !this.#isOver) this.#follow(start)
    // The readers of a log that was replaced leave first.
    if (this.#isOver || start.log !== this.#log) {
      subscription.close()
      reader.end()
      return subscription
    }
    this.#subscriptions.add(subscription)
    subscription.pump()
    // There may have been a commit since its request was read.
    this.#wake()
    return subscription
  }

  unsubscribe(subscription: Subscription): void {
    subscription.close()
    if (this.#subscriptions.delete(subscription) && this.#subscriptions.size === 0) this.#pause()
  }

  /** Ends all streams; new ones end as soon as they begin. */
  stop(): void {
    this.#isOver = true
    void this.#each(({ reader }) => reader.end())
  }

  roundAt(position: number): Round | undefined {
    return this.#rounds.find(({ since }) => since === position)
  }

  /** Readers with the same filter at the same place share a page. */
  page(filter: FeedFilter, since: number): Promise<Feed> {
    const until = this.#head
    const key = `${keyOf(filter)}/${since}/${until}`
    const known = this.#pages.get(key)
    if (known) return known
    const page = this.#inTurn(() => this.#read(filter, since, until)).finally(() => this.#pages.delete(key))
    this.#pages.set(key, page)
    return page
  }

  failed(subscription: Subscription, error: unknown): void {
    if (isForgotten(error)) void this.#reset([subscription])
    // When it connects again, it learns what the problem is.
    else if (error instanceof Problem) subscription.reader.end()
    // During an outage, the next beat tries again.
    else if (!problemOf(error)) {
      this.#settings.reportBug(error)
      subscription.reader.end()
    }
  }

  #follow({ log, latest }: Start): void {
    this.#log = log
    this.#head = latest
    this.#stopFollowing = this.#engine.watch.follow(this.#wake)
    this.#beating = setInterval(() => this.#beat(), this.#settings.beatMs).unref()
  }

  #pause(): void {
    this.#stopFollowing?.()
    clearInterval(this.#beating)
    this.#drop()
  }

  /** Readers that are a little behind read the log by themselves. */
  #drop(): void {
    this.#rounds = []
    this.#drops++
  }

  #beat(): void {
    const { stallMs, beatMs } = this.#settings
    const most = Math.ceil(stallMs / beatMs)
    void this.#each((subscription) => subscription.beat(most))
    this.#wake()
  }

  readonly #wake = (): void => {
    this.#isNews = true
    if (!this.#isRunning) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    try {
      while (this.#isNews && this.#subscriptions.size > 0) {
        this.#isNews = false
        const since = performance.eventLoopUtilization()
        if (!(await this.#nextRound())) continue
        const ms = await this.#each((subscription) => subscription.pump())
        await setTimeout(Math.min(LONGEST_REST_MS, REST_MS + ms))
        // What the loop did besides the round, and while the round let others run.
        const { active, idle } = performance.eventLoopUtilization(since)
        const isBusy = active - ms > BUSY * (active - ms + idle)
        if (isBusy) await setTimeout(Math.min(LONGEST_REST_MS, (BUSY_RESTS - 1) * ms))
      }
    } catch (error) {
      // During an outage, the next beat tries again.
      if (isForgotten(error)) await this.#reset(this.#subscriptions)
      else if (!problemOf(error)) this.#settings.reportBug(error)
    } finally {
      this.#isRunning = false
    }
  }

  /** Whether there was anything new. */
  async #nextRound(): Promise<boolean> {
    const drops = this.#drops
    const found = await this.#read({}, this.#head)
    if (found.next === found.since || found.since !== this.#head) return false
    if (drops === this.#drops) this.#rounds.push(new Round(found))
    if (this.#rounds.length > MOST_ROUNDS) this.#rounds.shift()
    this.#head = found.next
    if (found.next < found.latest) this.#isNews = true
    return true
  }

  #read(filter: FeedFilter, since: number, until?: number): Promise<Feed> {
    const most = { limit: MOST_ENTRIES, mostOld: MOST_OLD }
    const asked = { ...filter, log: this.#log, since, until, ...most, mayStopAnywhere: true }
    return withinSeconds(READ_SECONDS, () => readFeed(this.#engine, asked))
  }

  #bounds(): Promise<LogBounds> {
    const { store } = this.#engine
    return store.read(() => store.changes.bounds())
  }

  /** The log was replaced, or no longer has what these need. */
  async #reset(subscriptions: Iterable<Subscription>): Promise<void> {
    const bounds = await withinSeconds(READ_SECONDS, () => this.#bounds()).catch(() => undefined)
    for (const { reader } of [...subscriptions]) {
      if (bounds) reader.reset(bounds)
      else reader.end()
    }
  }

  /** Returns how many milliseconds of the processor it took. */
  async #each(visit: (subscription: Subscription) => void): Promise<number> {
    let took = 0
    let turn = startTurn()
    for (const subscription of [...this.#subscriptions]) {
      try {
        visit(subscription)
      } catch (error) {
        this.#settings.reportBug(error)
        subscription.reader.cut()
      }
      if (performance.now() - turn.began < TURN_MS) continue
      took += processorMs(turn)
      await setImmediate()
      turn = startTurn()
    }
    return took + processorMs(turn)
  }

  async #inTurn<T>(task: () => Promise<T>): Promise<T> {
    if (this.#pagesRead >= MOST_PAGES) await new Promise<void>((turn) => this.#pagesWaiting.push(turn))
    else this.#pagesRead++
    try {
      return await task()
    } finally {
      // SQLite reads at once: other requests get their turn between two pages.
      void setImmediate().then(() => {
        const next = this.#pagesWaiting.shift()
        if (next) next()
        else this.#pagesRead--
      })
    }
  }
}

function isForgotten(error: unknown): boolean {
  return error instanceof Problem && error.status === FORGOTTEN
}

interface Turn {
  readonly began: number
  readonly used: NodeJS.CpuUsage
}

function startTurn(): Turn {
  return { began: performance.now(), used: process.threadCpuUsage() }
}

/** Other processes may have run in between: their time does not count. */
function processorMs({ used }: Turn): number {
  const { user, system } = process.threadCpuUsage(used)
  return (user + system) / 1000
}
