/**
 * Whether a replica is used. It is left out as soon as it fails, or shows an older moment than the primary, and checked
 * in the background, at growing intervals, until it is well again.
 */
import { codeOf } from './error-code.ts'
import { queryOn } from './postgres-client.ts'
import { connectReason, isLost } from './postgres-errors.ts'
import { redactUrl, withoutSecrets } from './redact.ts'
import type { ReplicaPool } from './replica-pool.ts'
import { outsideRequest } from './request.ts'
import { READ_SHOWN_AND_LOG, Shown, type Told } from './shown-moment.ts'

/** What a replica must agree with. */
export interface Primary {
  /** The newest that this process knows. */
  readonly told: Told
  /** Learns what the primary has committed so far. */
  refresh(): Promise<void>
  /** The id of its log, which no other database has. */
  logId(): Promise<string>
}

export interface ReplicaHealthParts {
  readonly url: string
  readonly pool: ReplicaPool
  readonly primary: Primary
  /** Called with one line when it is left out, and when it is used again. */
  readonly report: (line: string) => void
}

/** Between two checks after a failure; each pause is twice as long as the one before. */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
/** After this time without a failure, the pauses begin again with the first. */
const WELL_MS = 30_000
/** The same for a replica that is behind, which is usually over soon. */
const FIRST_LAG_MS = 5
const LONGEST_LAG_MS = 500
/** Being behind for longer is worth a line. */
const LAG_TOLD_MS = 1000
const CHECK_MS = 2000

export const NO_STANDBY = 'it is not a standby'
const OTHER_LOG = 'it is far behind, or a copy of another database'
const BEHIND = 'it is behind'

export class ReplicaHealth {
  readonly #parts: ReplicaHealthParts
  #isUsed = false
  #isClosed = false
  /** Whether it is a copy of the same database, as far as we know. */
  #isKnown = false
  #timer: NodeJS.Timeout | undefined
  #pauseMs = 0
  #lagMs = 0
  #usedSince = Number.NEGATIVE_INFINITY
  /** Since when it has not been seen to show the moment of the primary. */
  #behindSince: number | undefined
  #isToldLeftOut = false

  constructor(parts: ReplicaHealthParts) {
    this.#parts = parts
  }

  get isUsed(): boolean {
    return this.#isUsed
  }

  /** Begins to check it. */
  start(): void {
    if (this.#isUsed || this.#timer || this.#isClosed) return
    this.#checkIn(0, () => this.#parts.primary.told)
  }

  stop(): void {
    this.#isClosed = true
    this.#isUsed = false
    clearTimeout(this.#timer)
  }

  /** It shows the moment of the primary. */
  isExact(): void {
    this.#behindSince = undefined
    if (!this.#isToldLeftOut) return
    this.#isToldLeftOut = false
    this.#parts.report(`${this.#name} is used again`)
  }

  /** It shows an older moment than this one. */
  isBehind(told: Told): void {
    if (!this.#isUsed) return
    this.#isUsed = false
    this.#lagMs = FIRST_LAG_MS
    this.#checkIn(this.#lagMs, () => told)
    this.#behindSince ??= performance.now()
  }

  /** It does not answer, or must not. */
  fails(error: unknown): void {
    if (!this.#isUsed) return
    this.#isUsed = false
    if (performance.now() - this.#usedSince > WELL_MS) this.#pauseMs = 0
    this.#leaveOut(reasonOf(error))
  }

  #leaveOut(reason: string): void {
    if (this.#isClosed) return
    this.#parts.pool.renew()
    this.#isKnown = false
    this.#tell(reason)
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#pauseMs))
    this.#checkIn(this.#pauseMs, () => this.#parts.primary.told)
  }

  get #name(): string {
    return `replica ${redactUrl(this.#parts.url)}`
  }

  #tell(reason: string): void {
    if (this.#isToldLeftOut) return
    this.#isToldLeftOut = true
    this.#parts.report(`${this.#name} is left out: ${withoutSecrets(reason, this.#parts.url)}`)
  }

  #checkIn(ms: number, wanted: () => Told): void {
    if (this.#isClosed) return
    // A check is no part of the request that found the fault.
    outsideRequest(() => {
      this.#timer = setTimeout(() => void this.#check(wanted()), ms).unref()
    })
  }

  /** Used again once it shows this moment, or a later one. */
  async #check(wanted: Told): Promise<void> {
    const { primary } = this.#parts
    let shown: Shown
    try {
      shown = await this.#look()
    } catch (error) {
      return this.#leaveOut(reasonOf(error))
    }
    const compared = shown.comparedWith(wanted)
    if (compared === 'promoted') return this.#leaveOut(NO_STANDBY)
    if (!this.#isKnown) {
      const log = await primary.logId().catch(() => undefined)
      // Without the primary, nothing is read anyway.
      if (log === undefined) return this.#checkIn(LONGEST_LAG_MS, () => primary.told)
      if (log !== shown.log) return this.#leaveOut(OTHER_LOG)
      this.#isKnown = true
    }
    if (compared === 'older') return this.#waitFor(wanted)
    if (this.#isClosed) return
    this.#isUsed = true
    this.#usedSince = performance.now()
    if (shown.comparedWith(primary.told) === 'same') this.isExact()
  }

  #waitFor(wanted: Told): void {
    const now = performance.now()
    this.#behindSince ??= now
    if (now - this.#behindSince > LAG_TOLD_MS) this.#tell(BEHIND)
    this.#lagMs = Math.min(LONGEST_LAG_MS, Math.max(FIRST_LAG_MS, 2 * this.#lagMs))
    this.#checkIn(this.#lagMs, () => wanted)
  }

  async #look(): Promise<Shown> {
    const { pool } = this.#parts
    const client = await pool.connect()
    try {
      const { rows } = await pool.heard(queryOn(client, { text: READ_SHOWN_AND_LOG }, CHECK_MS))
      client.release()
      return new Shown(rows)
    } catch (error) {
      client.release(true)
      throw error
    }
  }
}

/** In one line. */
function reasonOf(error: unknown): string {
  // What the driver says about it depends on what it was doing.
  if (isLost(error) && codeOf(error) === '') return 'the connection broke'
  return connectReason(error).replaceAll(/\s+/g, ' ')
}
