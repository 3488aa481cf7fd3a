/** Charts over time: when records were created, and what the log says was done. Days are in UTC. */
import { DAY_MS } from '../../declare/index.ts'
import type { Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import type { ChartColumn, ChartNumbers } from './chart-answer.ts'

/** The first Monday, counted in days from 1970. */
const MONDAY = 4
/** How many columns of a length a chart may have, before it takes longer ones. */
const MOST_COLUMNS = { day: 31, week: 27, month: 37 } as const
/** How many entries of the log are counted. */
export const MOST_ENTRIES = 10_000

type Unit = NonNullable<ChartNumbers['unit']>

/** A column: from its first day to the day before the end. Days are counted from 1970. */
interface Period {
  readonly from: number
  readonly end: number
}

/** A row for each resource that has records: how many of them were created in each period. */
export function* countCreated({ store, catalogue }: Engine): Work<ChartNumbers> {
  const found: { readonly name: string; readonly days: ReadonlyMap<number, number> }[] = []
  for (const resource of catalogue) {
    const days = yield* store.facets.days(resource)
    if (days.size > 0) found.push({ name: resource.name, days })
  }
  const known = found.flatMap(({ days }) => [...days.keys()].filter((day) => day > 0))
  const { unit, periods } = periodsBetween(known)
  const rows = found.map(({ name, days }) => ({
    value: name,
    count: sum(days.values()),
    cells: inPeriods(days, periods),
  }))
  return {
    count: sum(rows.map(({ count }) => count)),
    unit,
    columns: periods.map(({ from, end }) => ({
      value: shown(from, unit),
      query: `created__gte=${dateOf(from)}&created__lt=${dateOf(end)}`,
    })),
    rows: rows.sort((a, b) => b.count - a.count),
  }
}

/** A row for each action: how many of the newest entries of the log did it in each period. */
export function* countChanges({ store }: Engine, most: number): Work<ChartNumbers> {
  const { oldest, latest } = yield* store.changes.bounds()
  const since = Math.max(oldest - 1, latest - most)
  const found = yield* store.changes.days(since)
  const byAction = Map.groupBy(found, ({ action }) => action)
  const { unit, periods } = periodsBetween(found.map(({ day }) => day))
  const rows = Array.from(byAction, ([action, entries]) => {
    const days = new Map(entries.map(({ day, count }) => [day, count]))
    return { value: action, count: sum(days.values()), cells: inPeriods(days, periods) }
  })
  const columns = periods.map(({ from, end }): ChartColumn => {
    const newest = Math.max(0, ...found.filter(({ day }) => day >= from && day < end).map((each) => each.newest))
    return { value: shown(from, unit), ...(newest > 0 ? { query: `before=${newest + 1}` } : {}) }
  })
  const count = sum(rows.map((row) => row.count))
  return {
    count,
    ...(since >= oldest ? { sample: { read: count, of: count + since - oldest + 1 } } : {}),
    unit,
    columns,
    rows: rows.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
  }
}

/** All periods from the first day to the last, also empty ones. */
function periodsBetween(days: readonly number[]): { readonly unit: Unit; readonly periods: readonly Period[] } {
  const [first, last] = days.reduce(
    ([low, high], day) => [Math.min(low, day), Math.max(high, day)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  if (first > last) return { unit: 'day', periods: [] }
  const isFew = (unit: keyof typeof MOST_COLUMNS) => periodsOf(unit, first, last).length <= MOST_COLUMNS[unit]
  const unit = (['day', 'week', 'month'] as const).find(isFew) ?? 'year'
  return { unit, periods: periodsOf(unit, first, last) }
}

function periodsOf(unit: Unit, first: number, last: number): Period[] {
  const periods: Period[] = []
  for (let from = beginOf(unit, first); from <= last; ) {
    const end = endOf(unit, from)
    periods.push({ from, end })
    from = end
    // A clock that was far off must not make a chart of thousands of columns.
    if (periods.length > MOST_PERIODS) break
  }
  return periods
}

const MOST_PERIODS = 100

function beginOf(unit: Unit, day: number): number {
  if (unit === 'day') return day
  if (unit === 'week') return day - ((((day - MONDAY) % 7) + 7) % 7)
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), unit === 'month' ? date.getUTCMonth() : 0) / DAY_MS
}

function endOf(unit: Unit, from: number): number {
  if (unit === 'day' || unit === 'week') return from + (unit === 'day' ? 1 : 7)
  const date = new Date(from * DAY_MS)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return (unit === 'month' ? Date.UTC(year, month + 1) : Date.UTC(year + 1, 0)) / DAY_MS
}

function inPeriods(days: ReadonlyMap<number, number>, periods: readonly Period[]): number[] {
  return periods.map(({ from, end }) => {
    let count = 0
    for (let day = from; day < end; day++) count += days.get(day) ?? 0
    return count
  })
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}

/** 2026-11-16 for a day or a week, 2026-11 for a month, 2026 for a year. */
function shown(day: number, unit: Unit): string {
  return dateOf(day).slice(0, unit === 'year' ? 4 : unit === 'month' ? 7 : 10)
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const each of numbers) total += each
  return total
}
