/**
 * Which requests run now, which wait for a moment, and which are turned away. A turn of the event loop begins requests
 * for a few milliseconds only, so that new connections, health checks and answers of the database are never far away.
 * When those who wait have waited for too long, further ones are told to come back: the server stays quick for the rest.
 */

export interface Admitted {
  readonly isWrite: boolean
  run(): void
  /** Turns the request away. */
  shed(): void
  /** Has the client hung up? */
  isGone(): boolean
}

interface Waiting {
  readonly request: Admitted
  readonly since: number
}

/** For so long one turn of the event loop begins new requests. */
const TURN_MS = 5
/**
 * Node accepts one connection in a turn of the event loop. While connections keep coming, turns without requests let them
 * in for a moment, before requests go on: those who wait outside could neither be counted nor turned away.
 */
const ACCEPT_MS = 3
const WORK_MS = 6
/** So many reads may be under way at once, and so many writes; those that wait for their bodies or for slow queries do not count. */
const MOST_RUNNING = 16
const MOST_WAITING = 5000
/** How many of the queue a turn tries to begin. */
const MOST_ARMED = 64

export class Admission {
  readonly #longestWaitMs: number
  /** When this turn began its first request; those that are turned away do not count. */
  #workingSince: number | undefined
  #armed = 0
  /** Reads and writes have places of their own, so that neither starves the other. */
  readonly #reads = new Lane()
  readonly #writes = new Lane()
  #last = this.#writes
  /** Since when a connection was accepted in every turn. */
  #acceptingSince: number | undefined
  #hasAccepted = false

  /** When the first in the queue has waited for so long, others are turned away. */
  constructor(longestWaitMs: number) {
    this.#longestWaitMs = longestWaitMs
  }

  /** How many requests wait to begin. */
  get waiting(): number {
    return this.#reads.queue.length + this.#writes.queue.length
  }

  admit(request: Admitted): void {
    const now = performance.now()
    const lane = this.#laneOf(request)
    const { queue } = lane
    if (queue.length === 0 && lane.hasRoom && this.#hasTime(now)) this.#run(request, now)
    else if (queue.waitedSince(now) > this.#longestWaitMs || this.waiting >= MOST_WAITING) request.shed()
    else {
      queue.push({ request, since: now })
      this.#arm()
    }
  }

  /** A connection was accepted. */
  connected(): void {
    this.#hasAccepted = true
    if (this.#acceptingSince !== undefined) return
    this.#acceptingSince = performance.now()
    setImmediate(this.#acceptOn)
  }

  /** Runs once in each turn until one has gone by without a new connection. */
  readonly #acceptOn = (): void => {
    if (this.#hasAccepted) {
      this.#hasAccepted = false
      setImmediate(this.#acceptOn)
    } else this.#acceptingSince = undefined
  }

  /** A request has begun, or goes on after a pause. */
  enter(request: Pick<Admitted, 'isWrite'>): void {
    this.#laneOf(request).running++
  }

  /** It has ended, or waits for its client or for something slow. */
  leave(request: Pick<Admitted, 'isWrite'>): void {
    this.#laneOf(request).running--
    if (this.waiting > 0) this.#arm()
  }

  #laneOf({ isWrite }: Pick<Admitted, 'isWrite'>): Lane {
    return isWrite ? this.#writes : this.#reads
  }

  #hasTime(now: number): boolean {
    const isTurnOver = this.#workingSince !== undefined && now - this.#workingSince >= TURN_MS
    return !isTurnOver && !this.#isAccepting(now)
  }

  #isAccepting(now: number): boolean {
    return this.#acceptingSince !== undefined && (now - this.#acceptingSince) % (ACCEPT_MS + WORK_MS) < ACCEPT_MS
  }

  #run(request: Admitted, now: number): void {
    if (this.#workingSince === undefined) {
      this.#workingSince = now
      setImmediate(() => {
        this.#workingSince = undefined
      })
    }
    request.run()
  }

  /** Each begins one of the queue; between two of them, the first has run as far as it gets without waiting. */
  #arm(): void {
    for (; this.#armed < Math.min(MOST_ARMED, this.waiting); this.#armed++) setImmediate(this.#beginNext)
  }

  readonly #beginNext = (): void => {
    this.#armed--
    const now = performance.now()
    const next = this.#hasTime(now) ? this.#next(now) : undefined
    if (next) this.#run(next, now)
    // Those under way make room when they end; a turn that is full is followed by another one.
    if (this.#reads.canBegin || this.#writes.canBegin) this.#arm()
  }

  /** Reads and writes in turns. */
  #next(now: number): Admitted | undefined {
    for (;;) {
      const other = this.#last === this.#reads ? this.#writes : this.#reads
      const lane = other.canBegin ? other : this.#last
      if (!lane.canBegin) return undefined
      this.#last = lane
      const { request, since } = lane.queue.shift()!
      if (request.isGone()) continue
      if (now - since <= 2 * this.#longestWaitMs) return request
      request.shed()
    }
  }
}

/** Requests of one sort: those that wait, and how many are under way. */
class Lane {
  readonly queue = new Queue()
  running = 0

  get hasRoom(): boolean {
    return this.running < MOST_RUNNING
  }

  get canBegin(): boolean {
    return this.queue.length > 0 && this.hasRoom
  }
}

/** First in, first out, without moving what is in it. */
class Queue {
  #entries: Waiting[] = []
  #first = 0

  get length(): number {
    return this.#entries.length - this.#first
  }

  waitedSince(now: number): number {
    const first = this.#entries[this.#first]
    return first ? now - first.since : 0
  }

  push(entry: Waiting): void {
    this.#entries.push(entry)
  }

  shift(): Waiting | undefined {
    const entry = this.#entries[this.#first]
    if (!entry) return undefined
    this.#first++
    if (this.#first > 1024 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
    return entry
  }
}
