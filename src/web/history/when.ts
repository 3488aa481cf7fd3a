/** Times for people: how long ago, with the exact time as a tooltip. */
import { type Content, html } from '../html.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** After this many days, the date says more. */
const MOST_DAYS = 30

const RELATIVE = new Intl.RelativeTimeFormat('en')
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium', timeZone: 'UTC' })

/** `at` is an ISO 8601 time. */
export function when(at: string, now: Date): Content {
  return html`<time datetime=${at} title=${exactTime(at)}>${ago(at, now)}</time>`
}

export function exactTime(at: string): string {
  return `${EXACT.format(new Date(at))} UTC`
}

export function ago(at: string, now: Date): string {
  const then = new Date(at)
  const seconds = (now.getTime() - then.getTime()) / 1000
  if (seconds < MINUTE) return 'just now'
  if (seconds < HOUR) return RELATIVE.format(-Math.floor(seconds / MINUTE), 'minute')
  if (seconds < DAY) return RELATIVE.format(-Math.floor(seconds / HOUR), 'hour')
  if (seconds < MOST_DAYS * DAY) return RELATIVE.format(-Math.floor(seconds / DAY), 'day')
  return `on ${DATE.format(then)}`
}
