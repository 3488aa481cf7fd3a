/**
 * Figures of the last hour for staff, minute by minute: how many responses of which kind, how long they took, how busy
 * the process was. They are always counted, also where no metrics are.
 */
import { performance } from 'node:perf_hooks'
import type { AnsweredRequest } from '../exchange/message.ts'

/** Plain data: processes send it to each other. */
export interface Minute {
  /** In minutes since 1970. */
  readonly at: number
  /** Responses by class: 1xx and 2xx, 3xx, 4xx, 5xx. */
  readonly statuses: number[]
  /** Those of 4xx that were refused by a limit. */
  limited: number
  /** How many took no longer than each of TIMES; the last counts the others. */
  readonly times: number[]
  /** The part of the minute in which the event loop was busy, 0 to 1. */
  load: number
}

const MINUTES = 60
const MINUTE_MS = 60_000
/** In milliseconds. */
const TIMES = [0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192]
const TOO_MANY = 429

export class Figures {
  readonly #now: () => Date
  readonly #minutes: Minute[] = []
  /** Undefined when it is over. */
  #current: Minute | undefined
  #busyAt = performance.eventLoopUtilization()

  constructor(now: () => Date) {
    this.#now = now
  }

  answered({ status, ms }: Pick<AnsweredRequest, 'status' | 'ms'>): void {
    const place = TIMES.findIndex((time) => ms <= time)
    this.#count(status, place < 0 ? TIMES.length : place)
  }

  /** A response from the cache. It takes less than the shortest of TIMES; to measure it would make it a tenth slower. */
  cached(status: number): void {
    this.#count(status, 0)
  }

  #count(status: number, time: number): void {
    const minute = this.#current ?? this.#minute()
    add(minute.statuses, Math.min(3, Math.max(0, Math.floor(status / 100) - 2)))
    if (status === TOO_MANY) minute.limited++
    add(minute.times, time)
  }

  /** Oldest first. */
  read(): readonly Minute[] {
    this.#minute().load = performance.eventLoopUtilization(this.#busyAt).utilization
    return this.#minutes
  }

  #minute(): Minute {
    const now = this.#now().getTime()
    const at = Math.floor(now / MINUTE_MS)
    const last = this.#minutes.at(-1)
    if (last?.at === at) return last
    setTimeout(() => (this.#current = undefined), MINUTE_MS - (now % MINUTE_MS)).unref()
    const busy = performance.eventLoopUtilization()
    if (last) last.load = performance.eventLoopUtilization(busy, this.#busyAt).utilization
    this.#busyAt = busy
    const minute = emptyMinute(at)
    this.#minutes.push(minute)
    this.#current = minute
    while (this.#minutes.length > MINUTES) this.#minutes.shift()
    return minute
  }
}

function emptyMinute(at: number): Minute {
  return { at, statuses: [0, 0, 0, 0], limited: 0, times: Array(TIMES.length + 1).fill(0), load: 0 }
}

function add(counts: number[], place: number, by = 1): void {
  counts[place] = (counts[place] ?? 0) + by
}

export interface ShownMinute {
  readonly at: string
  readonly ok: number
  readonly redirected: number
  readonly refused: number
  readonly failed: number
  readonly limited: number
  /** Milliseconds within which half of the responses, and 99 of 100, were sent; null if there was none. */
  readonly p50: number | null
  readonly p99: number | null
  readonly load: number
}

/** The last hour of all processes together, also the minutes in which nobody asked. The busiest process gives the load. */
export function lastHour(processes: readonly (readonly Minute[])[], now: Date): ShownMinute[] {
  const last = Math.floor(now.getTime() / MINUTE_MS)
  const byMinute = new Map<number, Minute>()
  for (const minute of processes.flat()) {
    const sum = byMinute.get(minute.at) ?? emptyMinute(minute.at)
    minute.statuses.forEach((count, i) => void add(sum.statuses, i, count))
    minute.times.forEach((count, i) => void add(sum.times, i, count))
    sum.limited += minute.limited
    sum.load = Math.max(sum.load, minute.load)
    byMinute.set(minute.at, sum)
  }
  return Array.from({ length: MINUTES }, (_, i) => {
    const at = last - MINUTES + 1 + i
    return shown(byMinute.get(at) ?? emptyMinute(at))
  })
}

function shown({ at, statuses, limited, times, load }: Minute): ShownMinute {
  const [ok = 0, redirected = 0, refused = 0, failed = 0] = statuses
  return {
    at: new Date(at * MINUTE_MS).toISOString(),
    ...{ ok, redirected, refused, failed, limited },
    p50: within(times, 0.5),
    p99: within(times, 0.99),
    load: Math.round(load * 1000) / 1000,
  }
}

/** The time within which this part of the responses was sent, to the next of TIMES. */
function within(times: readonly number[], part: number): number | null {
  const total = times.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let sum = 0
  const place = times.findIndex((count) => {
    sum += count
    return sum >= part * total
  })
  return TIMES[place] ?? (TIMES.at(-1) ?? 0) * 2
}
