/**
 * Admission control: which requests run now, which wait, and which are refused. A turn of the event loop starts
 * requests for a few milliseconds only, so that new connections, health checks and database results never wait long.
 * When the queue has waited too long, new requests get 503, so the server stays fast for the rest.
 */

export interface Admitted {
  readonly isWrite: boolean
  run(): void
  /** Refuses the request. */
  shed(): void
  /** Whether the client has disconnected. */
  isGone(): boolean
  /** Called in place of `run` if it has. */
  drop(): void
}

interface Waiting {
  readonly request: Admitted
  readonly since: number
}

/** How long one turn of the event loop starts new requests. */
const TURN_MS = 5
/**
 * Node accepts one connection per turn of the event loop. While connections keep coming, turns without requests let
 * them in for a moment, before requests continue: connections that are not accepted can be neither counted nor refused.
 */
const ACCEPT_MS = 3
const WORK_MS = 6
/**
 * How many reads and how many writes may run at once; those that wait for their bodies or for slow queries do not
 * count. More writes than reads, because writes that run together share a COMMIT.
 */
const MOST_READS = 16
const MOST_WRITES = 32
const MOST_WAITING = 5000
/** How many queued requests a turn tries to start. */
const MOST_ARMED = 64

export class Admission {
  readonly #longestWaitMs: number
  /** When this turn started its first request; refused requests do not count. */
  #workingSince: number | undefined
  #armed = 0
  /** Reads and writes have separate places, so that neither starves the other. */
  readonly #reads = new Lane(MOST_READS)
  readonly #writes = new Lane(MOST_WRITES)
  #last = this.#writes
  /** Since when a connection was accepted in every turn. */
  #acceptingSince: number | undefined
  #hasAccepted = false

  /** When the first in the queue has waited this long, new requests are refused. */
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

  /** Runs once in each turn until a turn passes without a new connection. */
  readonly #acceptOn = (): void => {
    if (this.#hasAccepted) {
      this.#hasAccepted = false
      setImmediate(this.#acceptOn)
    } else this.#acceptingSince = undefined
  }

  /** A request has started, or continues after a pause. */
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

  /** Each starts one queued request; between two of them, the first has run as far as it gets without waiting. */
  #arm(): void {
    for (; this.#armed < Math.min(MOST_ARMED, this.waiting); this.#armed++) setImmediate(this.#beginNext)
  }

  readonly #beginNext = (): void => {
    this.#armed--
    const now = performance.now()
    const next = this.#hasTime(now) ? this.#next(now) : undefined
    if (next) this.#run(next, now)
    // Running requests make room when they end; a full turn is followed by another one.
    if (this.#reads.canBegin || this.#writes.canBegin) this.#arm()
  }

  /** Reads and writes alternate. */
  #next(now: number): Admitted | undefined {
    for (;;) {
      const other = this.#last === this.#reads ? this.#writes : this.#reads
      const lane = other.canBegin ? other : this.#last
      if (!lane.canBegin) return undefined
      this.#last = lane
      const { request, since } = lane.queue.shift()!
      if (request.isGone()) {
        request.drop()
        continue
      }
      if (now - since <= 2 * this.#longestWaitMs) return request
      request.shed()
    }
  }
}

/** Requests of one sort: the queue, and how many are running. */
class Lane {
  readonly queue = new Queue()
  running = 0
  readonly #mostRunning: number

  constructor(mostRunning: number) {
    this.#mostRunning = mostRunning
  }

  get hasRoom(): boolean {
    return this.running < this.#mostRunning
  }

  get canBegin(): boolean {
    return this.queue.length > 0 && this.hasRoom
  }
}

/** A FIFO queue that does not move its entries. */
class Queue {
  #entries: (Waiting | undefined)[] = []
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
    // Its request must not stay in memory when it is done.
    this.#entries[this.#first] = undefined
    this.#first++
    if (this.#first > 1024 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first)
      this.#first = 0
    }
    return entry
  }
}
