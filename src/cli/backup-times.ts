/** Reads how often backups are made and which are kept, as operators write it: 1h, and 24h,7d,4w. */
import type { Keep, KeepRule } from '../transfer/index.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

const UNITS: ReadonlyMap<string, number> = new Map([
  ['m', MINUTE_MS],
  ['h', HOUR_MS],
  ['d', DAY_MS],
  ['w', WEEK_MS],
])

const LONGEST_EVERY_MS = 4 * WEEK_MS
export const EVERY_EXAMPLES = 'a time from 1m to 4w, such as 30m, 1h or 1d'
export const KEEP_EXAMPLES = 'all, or numbers of hours, days and weeks, such as 24h,7d,4w or 14d'

/** `90m`, `1h`, `1d`: in milliseconds; undefined if it makes no sense. */
export function readEvery(text: string): number | undefined {
  const [, count, unit = ''] = /^([1-9][0-9]{0,4})([mhdw])$/.exec(text) ?? []
  const every = Number(count) * (UNITS.get(unit) ?? Number.NaN)
  return every <= LONGEST_EVERY_MS ? every : undefined
}

/** `24h,7d,4w`; undefined if it makes no sense. */
export function readKeep(text: string): Keep | undefined {
  if (text === 'all') return 'all'
  const rules: KeepRule[] = []
  for (const part of text.split(',')) {
    const [, count, unit = ''] = /^([1-9][0-9]{0,3})([hdw])$/.exec(part.trim()) ?? []
    const unitMs = UNITS.get(unit)
    if (unitMs === undefined || rules.some((rule) => rule.unitMs === unitMs)) return undefined
    rules.push({ count: Number(count), unitMs })
  }
  return rules
}
