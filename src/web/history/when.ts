/** Times for people: how long ago, with the exact time as a tooltip. */
import type { Timed, Visit } from '../../http/index.ts'
import { type Content, html } from '../html.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** After this many days, the date says more. */
const MOST_DAYS = 30

/** Each unit, its length, and up to which time it is used, in seconds. */
const UNITS = [
  ['minute', MINUTE, HOUR],
  ['hour', HOUR, DAY],
  ['day', DAY, MOST_DAYS * DAY],
] as const

const RELATIVE = new Intl.RelativeTimeFormat('en')
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })

/** `at` is an ISO 8601 time. */
export function when(at: string, visit: Visit): Content {
  const text = visit.byClock((now) => ago(at, now))
  return html`<time datetime=${at} title=${exactTime(at)}>${text}</time>`
}

export function exactTime(at: string): string {
  return `${EXACT.format(new Date(at))} UTC`
}

export function ago(at: string, now: Date): Timed<string> {
  const then = new Date(at)
  const seconds = (now.getTime() - then.getTime()) / 1000
  const after = (passed: number) => then.getTime() + passed * 1000
  if (seconds < MINUTE) return { value: 'just now', until: after(MINUTE) }
  for (const [unit, length, most] of UNITS) {
    const passed = Math.floor(seconds / length)
    if (seconds < most) return { value: RELATIVE.format(-passed, unit), until: after((passed + 1) * length) }
  }
  return { value: `on ${DATE.format(then)}`, until: Number.POSITIVE_INFINITY }
}
