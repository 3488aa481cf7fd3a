/** Today, in UTC: for what is different each day. */
import type { Timed } from '../http/index.ts'

const DAY_MS = 86_400_000

/** How many days have passed since 1970. */
export function dayNumber(now: Date): Timed<number> {
  const value = Math.floor(now.getTime() / DAY_MS)
  return { value, until: (value + 1) * DAY_MS }
}

/** Its beginning. */
export function today(now: Date): Timed<Date> {
  const { value, until } = dayNumber(now)
  return { value: new Date(value * DAY_MS), until }
}
