/** When a delivery that failed is tried again: after growing pauses, for three days. */
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]

/** The schedule that Standard Webhooks proposes: ten tries within 75.6 hours. */
const PAUSES = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const

/** The first try, and one after each pause. */
export const MOST_TRIES = PAUSES.length + 1
/** A receiver may ask for a longer pause, up to this. */
const LONGEST_ASKED = 12 * HOUR
/** Up to this part is added to a pause, so that receivers that failed together are not tried together. */
const JITTER = 0.1

const SLOW_DOWN: ReadonlySet<number> = new Set([429, 502, 503, 504])

export interface Failed {
  readonly status: number | undefined
  readonly retryAfter: number | undefined
}

/** In milliseconds, after this many failed tries; undefined if that was the last one. */
export function pauseAfter(tries: number, { status, retryAfter = 0 }: Failed): number | undefined {
  const pause = PAUSES[tries - 1]
  if (pause === undefined) return undefined
  const asked = status !== undefined && SLOW_DOWN.has(status) ? Math.min(retryAfter, LONGEST_ASKED) : 0
  return Math.round(Math.max(pause, asked) * (1 + Math.random() * JITTER))
}
