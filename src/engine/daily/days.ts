/**
 * Days have numbers, and day 1 is 1 January 2026. A day is the date on the player's own clock, so at every moment up to
 * three days are open: the first ends at UTC-12, and the last has begun at UTC+14.
 */
import { problems } from '../problem.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const FIRST_DAY = Date.UTC(2026, 0, 1)
const LATEST_HOURS = 12
const EARLIEST_HOURS = 14
const LONGEST_ZONE = 64

const numberAt = (time: number) => 1 + Math.floor((time - FIRST_DAY) / DAY_MS)

export function dateOfDay(number: number): string {
  return new Date(FIRST_DAY + (number - 1) * DAY_MS).toISOString().slice(0, 10)
}

/** The first day that is not over everywhere on Earth. */
export const firstOpenDay = (now: Date) => numberAt(now.getTime() - LATEST_HOURS * HOUR_MS)

/** The last day that has begun somewhere on Earth. */
export const lastOpenDay = (now: Date) => numberAt(now.getTime() + EARLIEST_HOURS * HOUR_MS)

/** Whether the day is over everywhere on Earth. Then its board is public. */
export const isOver = (number: number, now: Date) => number < firstOpenDay(now)

/** The day in a zone such as Europe/Rome, by its rules at this moment; that of UTC if no zone is given. */
export function dayIn(zone: string | undefined, now: Date): number {
  if (zone === undefined || zone === '') return numberAt(now.getTime())
  const [year = 0, month = 1, day = 1] = dateIn(zone, now).split('-').map(Number)
  const number = numberAt(Date.UTC(year, month - 1, day))
  return Math.min(Math.max(number, firstOpenDay(now)), lastOpenDay(now))
}

function dateIn(zone: string, now: Date): string {
  const wrong = problems.invalid({ zone: ['Not a time zone, such as Europe/Rome.'] })
  // Intl also takes offsets such as +23:59, at which nobody lives.
  if (zone.length > LONGEST_ZONE || !/^[A-Za-z]/.test(zone)) throw wrong
  try {
    const options = { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' } as const
    return new Intl.DateTimeFormat('en-CA', options).format(now)
  } catch {
    throw wrong
  }
}
