/**
 * Delivers to hooks, in the server process. A hook that has nothing to deliver costs nothing but a comparison in
 * memory after a commit; one that has gets a turn (hook-run.ts). Each hook has its own turns, so a slow receiver delays
 * nobody. Several processes may run workers: the one that gets the lease of a hook delivers.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as breath } from 'node:timers/promises'
import { HOOKS_CHANGED, type HookRow, inTime, outsideRequest } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { problemOf } from '../problem.ts'
import { entriesReader, mayWant, type ReadEntries } from './entries.ts'
import { HookRun } from './hook-run.ts'
import { FRESH, type KnownHook } from './known-hook.ts'
import { Poster, type PostSettings } from './post.ts'

/**
 * How many hooks may have their turn at once, and with slow ones, whose turn is long or whose last one was. A hook that
 * was slow begins only if few slow ones have their turn.
 */
const MOST_QUICK = 100
const MOST_TURNS = 400
const MOST_SLOW = 50
const SLOW_MS = 2000
/** A process that is killed loses its leases after this time. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 3000
/** How often the list of hooks is read again: another process may have ended. */
const LOOK_EVERY_MS = 15_000
/** How often commits of other processes are looked for, if there are hooks. Our own are known at once. */
const REFRESH_EVERY_MS = 500
/** Commits that follow each other quickly are looked at together. */
const BREATH_MS = 20
/** How long a hook is left alone that another process delivers, or whose turn could not begin or end. */
const LATER_MS = 2000
/** If more entries are new, every hook looks for itself. */
const MOST_NEW = 10_000
const TIDY_EVERY_MS = 60 * 60 * 1000
const PASS_OVER_EVERY_MS = 60_000
const DELIVERIES_MS = 30 * 24 * 60 * 60 * 1000
/** Tries that are under way when the server stops have this long to end. */
const STOP_MS = 2000

/** How busy it is. */
export interface HookLoad {
  readonly active: number
  readonly running: number
  /** Messages that receivers have taken, and others. */
  readonly delivered: number
  readonly failed: number
}

export class HookWorker {
  readonly #engine: Engine
  readonly #settings: PostSettings
  readonly #report: (error: unknown) => void
  readonly #entriesFor: ReadEntries
  readonly #owner = randomUUID()
  /** The active ones; those that had their turn last come last. */
  readonly #hooks = new Map<number, KnownHook>()
  readonly #turns = new Set<Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #isOver = false
  /** The list of hooks is old. */
  #isStale = true
  /** Entries up to this number have been compared with what the hooks want. */
  #seen: number | undefined
  #looking: Promise<void> | undefined
  #isWoken = false
  #alarm: NodeJS.Timeout | undefined
  readonly #sent = { delivered: 0, failed: 0 }
  #tidiedAt = Number.NEGATIVE_INFINITY
  #passedAt = performance.now()

  /** `report` is called with bugs. */
  constructor(engine: Engine, settings: PostSettings, report: (error: unknown) => void) {
    this.#engine = engine
    this.#settings = settings
    this.#report = report
    this.#entriesFor = entriesReader(engine)
    const resources = new Set(engine.catalogue.map(({ name }) => name))
    engine.store.generations.listen(({ resource }) => {
      if (resource === HOOKS_CHANGED.resource) this.#isStale = true
      else if (!resources.has(resource) || this.#hooks.size === 0) return
      this.#wake()
    })
  }

  start(): void {
    const repeat = (ms: number, task: () => void) => this.#timers.push(setInterval(task, ms).unref())
    outsideRequest(() => {
      repeat(LOOK_EVERY_MS, () => {
        this.#isStale = true
        this.#wake()
      })
      repeat(REFRESH_EVERY_MS, () => {
        // An outage is noticed elsewhere.
        if (this.#hooks.size > 0) this.#engine.store.refresh()?.catch(() => {})
      })
      repeat(RENEW_EVERY_MS, () => void this.#renew())
    })
    this.#wake()
  }

  /** For metrics. */
  get load(): HookLoad {
    return { active: this.#hooks.size, running: this.#turns.size, ...this.#sent }
  }

  /** Tries that are under way get a moment to end. A database that hangs is not awaited. */
  async stop(): Promise<void> {
    this.#isOver = true
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#alarm)
    const late = setTimeout(() => this.#stopping.abort(), STOP_MS)
    await inTime(Promise.all([this.#looking, ...this.#turns]), 2 * STOP_MS)
    clearTimeout(late)
  }

  /** Soon looks for something to deliver. */
  #wake(): void {
    this.#isWoken = true
    if (this.#isOver) return
    this.#looking ??= outsideRequest(() => this.#lookAll())
  }

  async #lookAll(): Promise<void> {
    while (this.#isWoken && !this.#isOver) {
      await breath(BREATH_MS)
      this.#isWoken = false
      try {
        await this.#look()
      } catch (error) {
        this.#reportBug(error)
        this.#isStale = true
        this.#wakeIn(LATER_MS)
      }
    }
    this.#looking = undefined
  }

  /** The database may be away, or too slow for lookups: that passes. */
  #reportBug(error: unknown): void {
    if (problemOf(error)?.status !== 503 && !this.#isOver) this.#report(error)
  }

  async #look(): Promise<void> {
    if (this.#isStale) await this.#readHooks()
    if (this.#hooks.size === 0) return
    await this.#compare()
    const ready = [...this.#hooks.values()].filter((known) => known.isDue && !known.isRunning && this.#wait(known) <= 0)
    // Another process may have delivered meanwhile.
    if (ready.length > 0) await this.#readHooks(ready.map(({ hook }) => hook.id))
    this.#begin()
    await this.#passOver()
    await this.#tidy()
  }

  /** All of them, or some. */
  async #readHooks(wanted?: readonly number[]): Promise<void> {
    const { store } = this.#engine
    if (!wanted) this.#isStale = false
    const rows = await store.read(() => store.hooks.active(wanted))
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of wanted ?? [...this.#hooks.keys()]) if (!ids.has(id)) this.#hooks.delete(id)
    for (const hook of rows) {
      const known = this.#hooks.get(hook.id)
      if (!known) this.#hooks.set(hook.id, { hook, position: hook.cursor, ...FRESH })
      else if (known.hook.revision !== hook.revision)
        Object.assign(known, { hook, position: hook.cursor, isDue: true, notBefore: 0 })
      else if (!known.isRunning) {
        const position = Math.max(known.position, hook.cursor)
        const isDue = position < (this.#seen ?? 0) || isWaiting(hook)
        Object.assign(known, { hook, position, isDue })
      }
    }
  }

  /** Finds out which hooks want something of what is new. */
  async #compare(): Promise<void> {
    const { store } = this.#engine
    const all = [...this.#hooks.values()]
    const seen = this.#seen ?? Math.min(...all.map(({ position }) => position))
    const { latest, kinds } = await store.read(function* () {
      const { latest } = yield* store.changes.bounds()
      const isMuch = latest - seen > MOST_NEW || latest < seen
      return { latest, kinds: isMuch ? undefined : yield* store.changes.kinds(seen, latest) }
    })
    for (const known of all) {
      const isNew = latest !== known.position && (!kinds || kinds.some((kind) => mayWant(known.hook, kind)))
      if (known.isRunning) known.isBehind ||= isNew
      else if (isNew || known.position < seen || isWaiting(known.hook)) known.isDue = true
      else if (!known.isDue) known.position = latest
    }
    this.#seen = latest
  }

  /** How many milliseconds a hook has to wait for its turn, if it is due. */
  #wait({ hook, notBefore }: KnownHook): number {
    const pause = hook.nextTry === undefined ? 0 : Date.parse(hook.nextTry) - this.#engine.now().getTime()
    return Math.max(pause, notBefore - performance.now())
  }

  #begin(): void {
    let soonest = LOOK_EVERY_MS
    const all = [...this.#hooks.values()]
    const running = all.filter(({ isRunning }) => isRunning)
    const longAgo = performance.now() - SLOW_MS
    let slow = running.filter(({ isSlow, began }) => isSlow || began < longAgo).length
    let quick = running.length - slow
    for (const known of all) {
      if (!known.isDue || known.isRunning || this.#isOver) continue
      const wait = this.#wait(known)
      const hasRoom = this.#turns.size < MOST_TURNS && (known.isSlow ? slow < MOST_SLOW : quick < MOST_QUICK)
      if (wait > 0) soonest = Math.min(soonest, wait)
      // Some of those that have their turn may prove to be slow.
      else if (!hasRoom) soonest = Math.min(soonest, SLOW_MS)
      else {
        this.#startTurn(known)
        if (known.isSlow) slow++
        else quick++
      }
    }
    if (soonest < LOOK_EVERY_MS) this.#wakeIn(soonest)
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#alarm)
    this.#alarm = setTimeout(() => this.#wake(), ms).unref()
  }

  #startTurn(known: KnownHook): void {
    const { id } = known.hook
    this.#hooks.delete(id)
    this.#hooks.set(id, known)
    Object.assign(known, { isRunning: true, isBehind: false, began: performance.now() })
    const turn = this.#turn(known)
      .catch((error: unknown) => {
        this.#reportBug(error)
        known.notBefore = performance.now() + LATER_MS
      })
      .finally(() => {
        known.isRunning = false
        this.#turns.delete(turn)
        this.#wake()
      })
    this.#turns.add(turn)
  }

  async #turn(known: KnownHook): Promise<void> {
    const { store, now } = this.#engine
    const { id } = known.hook
    if (await this.#isPassed(known)) return
    const lease = { owner: this.#owner, ms: LEASE_MS }
    const started = performance.now()
    const hook = await store.write(() => store.hooks.lease(id, now().toISOString(), lease))
    if (!hook) return this.#later(known)
    known.leaseUntil = started + LEASE_MS
    const poster = new Poster(this.#settings)
    const isCurrent = () => this.#hooks.get(id) === known && known.hook.revision <= hook.revision
    try {
      const run = new HookRun(hook, {
        engine: this.#engine,
        poster,
        entriesFor: this.#entriesFor,
        owner: this.#owner,
        signal: this.#stopping.signal,
        holds: () => performance.now() < known.leaseUntil,
        isCalledOff: () => this.#isOver || !isCurrent(),
        sent: (isSuccess) => this.#sent[isSuccess ? 'delivered' : 'failed']++,
      })
      const end = await run.run()
      known.isSlow = end.slowestMs > SLOW_MS
      if (end.way === 'lost') return this.#later(known)
      if (!isCurrent()) return
      const isDone = end.way === 'done'
      known.hook = { ...hook, cursor: end.cursor, nextTry: end.nextTry, replay: isDone ? undefined : hook.replay }
      known.position = isDone && !known.isBehind ? Math.max(end.cursor, this.#seen ?? 0) : end.cursor
      known.isDue = !isDone || known.isBehind
    } finally {
      poster.close()
    }
  }

  /** Whether nothing that is new matches the lookups of the hook; then nothing is written. */
  async #isPassed(known: KnownHook): Promise<boolean> {
    const { hook } = known
    if (hook.lookups === '' || hook.nextTry !== undefined || hook.replay) return false
    const found = await this.#entriesFor(hook, known.position).catch((error: unknown) => {
      // The turn ends a hook whose lookups are no longer valid.
      if (problemOf(error)?.status !== 400) throw error
    })
    if (!found || found.entries.length > 0 || known.hook !== hook) return false
    const { next, latest } = found
    known.position = next
    known.isDue = next < latest || known.isBehind
    return true
  }

  /** Another process delivers, or the hook has changed. */
  #later(known: KnownHook): void {
    known.notBefore = performance.now() + LATER_MS
    this.#isStale = true
  }

  async #renew(): Promise<void> {
    const { store } = this.#engine
    const running = [...this.#hooks.values()].filter(({ isRunning }) => isRunning)
    if (running.length === 0) return
    const started = performance.now()
    try {
      await store.write(() => store.hooks.renewLeases({ owner: this.#owner, ms: LEASE_MS }))
      for (const known of running) known.leaseUntil = started + LEASE_MS
    } catch (error) {
      this.#reportBug(error)
    }
  }

  /** Stores now and then how far the hooks are that want nothing of what is new. */
  async #passOver(): Promise<void> {
    if (performance.now() - this.#passedAt < PASS_OVER_EVERY_MS) return
    const { store } = this.#engine
    const behind = [...this.#hooks.values()].filter(({ hook, position, isDue, isRunning }) => {
      return !isDue && !isRunning && hook.cursor < position
    })
    await store.write(function* () {
      for (const { hook, position } of behind) yield* store.hooks.passOver(hook.id, hook.revision, position)
    })
    this.#passedAt = performance.now()
    if (behind.length > 0) this.#isStale = true
  }

  /** Forgets what is old. */
  async #tidy(): Promise<void> {
    if (performance.now() - this.#tidiedAt < TIDY_EVERY_MS) return
    const { store, now } = this.#engine
    const time = now()
    const old = new Date(time.getTime() - DELIVERIES_MS).toISOString()
    await store.write(() => store.hooks.forgetBefore(old, time.toISOString()))
    this.#tidiedAt = performance.now()
  }
}

/** Whether it has something to do, even without new entries. */
function isWaiting({ nextTry, replay }: HookRow): boolean {
  return nextTry !== undefined || replay !== undefined
}
