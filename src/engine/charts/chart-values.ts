/** Charts that count the values of members. Counters have all of it, so no record is read. */
import type { AnyResource, Cell, PairChart, ValueChart } from '../../declare/index.ts'
import type { Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { filtersOf, type NamedFilter } from '../list-parameters.ts'
import { type ChartNumbers, type ChartRow, MOST_ROWS, queryFor } from './chart-answer.ts'

export function* countValues(engine: Engine, { member }: ValueChart, resource: AnyResource): Work<ChartNumbers> {
  return {
    count: yield* engine.store.records.count({ resource }),
    columns: [],
    rows: yield* valueRows(engine, resource, member),
  }
}

/** The most frequent values first; records without a value come last. */
function* valueRows({ store }: Engine, resource: AnyResource, member: string): Work<ChartRow[]> {
  const filter = filterOf(resource, member)
  const { key, on, lookups } = filter
  const found = yield* store.lists.facets({ resource }, [filter], { conditions: [] }, { limit: MOST_ROWS + 1 })
  const rows = (found.get(filter)?.values ?? [])
    .filter(({ value }) => value !== '')
    .slice(0, MOST_ROWS)
    .map((each) => rowOf(member, each))
  if (!lookups.includes('isnull')) return rows
  const blank = { key, on, lookup: 'isnull' as const, values: ['true'] }
  const count = yield* store.lists.count({ resource }, { conditions: [blank] })
  return count > 0 ? [...rows, rowOf(member, { value: '', count })] : rows
}

function rowOf(member: string, { value, count }: { readonly value: Cell; readonly count: number }): ChartRow {
  return { value, query: queryFor(member, value), count, cells: [] }
}

export function filterOf(resource: AnyResource, member: string): NamedFilter {
  const filter = filtersOf({ name: resource.name, resource }).find((each) => each.member === member)
  if (!filter) throw new Error(`${resource.name} cannot be filtered by ${member}`)
  return filter
}

/** A row for each value of `by`, and a column for each value of the member that occurs in one of them, in order. */
export function* countPairs(engine: Engine, { member, by }: PairChart, resource: AnyResource): Work<ChartNumbers> {
  const rows = yield* valueRows(engine, resource, by)
  const [one, two] = [filterOf(resource, by), filterOf(resource, member)]
  const values = rows.map(({ value }) => value)
  const pairs = yield* engine.store.facets.pairs(resource, { key: one.key, on: one.on, values }, two)
  if (!pairs) throw new Error(`${by} and ${member} of ${resource.name} are not counted together`)
  const counts = new Map(pairs.map(({ values: pair, count }) => [JSON.stringify(pair), count]))
  const columns = [...new Set(pairs.map(({ values: [, value] }) => Number(value)))].sort((a, b) => a - b)
  return {
    count: yield* engine.store.records.count({ resource }),
    columns: columns.map((value) => ({ value, query: queryFor(member, value) })),
    rows: rows.map((row) => ({
      ...row,
      cells: columns.map((value) => counts.get(JSON.stringify([row.value, value])) ?? 0),
    })),
  }
}
