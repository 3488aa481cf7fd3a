/**
 * When a record was created and last changed: known to the server for every resource, and no member of its records.
 * Lists can be ordered and filtered by both.
 */
import type { Filter } from './field.ts'

export const TIMES = ['created', 'changed'] as const
/** A day, in milliseconds. */
export const DAY_MS = 86_400_000

const FORM =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,12}))?)?(?:Z|([+ -])(\d{2}):?(\d{2}))?)?$/i
const FAULT =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'

export const timeFilter: Filter = {
  lookups: ['gte', 'lte', 'gt', 'lt'],
  on: 'time',
  schema: { type: 'string' },
  parse: (given) => {
    const value = timeIn(given.trim())
    return value === undefined ? { fault: FAULT } : { value }
  },
}

/**
 * In milliseconds; undefined if it is no time. Without a zone it is UTC, and a date is its first moment. A "+" that a
 * client did not encode arrives as a space.
 */
export function timeIn(given: string): number | undefined {
  const [, date, minute = '00:00', second = '00', fraction = '', sign, hours, minutes] = FORM.exec(given) ?? []
  if (date === undefined) return undefined
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0')
  const local = Date.parse(`${date}T${minute}:${second}.${milliseconds}Z`)
  // The 30th of February would be a day in March.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${date}T${minute}`)) return undefined
  if (Number(hours ?? 0) > 23 || Number(minutes ?? 0) > 59) return undefined
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? local + offset : local - offset
}
