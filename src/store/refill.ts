/**
 * Computes the stored values of a resource again and writes those that differ: derived fields, sort keys, unique
 * columns, folded copies, words, terms, votes, and the stored JSON. It reads some records at a time, so it needs little
 * memory.
 */
import { type AnyResource, type Cell, fieldsOf, orderOf, type Row } from '../declare/index.ts'
import { OWNER_NAME, storedRows } from './copy.ts'
import { note, query, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { findingRows, ownedBy } from './finding.ts'
import { insertRows } from './insert-rows.ts'
import { packed, valuesOf } from './pack.ts'
import {
  hasTerms,
  orderColumn,
  searches,
  termTable,
  uniqueColumn,
  uniqueIndex,
  voteCount,
  voteName,
  wordTable,
} from './schema.ts'
import { wrongFinding } from './verify.ts'

export interface Refilled {
  /** How many records had a wrong value. */
  readonly changed: number
  /** Whether a record moved to another position of its list. */
  readonly moved: boolean
  /** The unique indexes that were dropped, and have to be created again. */
  readonly dropped: ReadonlySet<string>
}

interface Change {
  readonly id: number
  readonly cells: Row
}

export type Report = (line: string) => void

const SPAN = 500
const AT_ONCE = 50
const LAST_ID = Number.MAX_SAFE_INTEGER
/** After this long without a message, the operator is told how far it is. */
const SILENCE_MS = 5000

export function* refill(dialect: Dialect, resource: AnyResource, report: Report): Work<Refilled> {
  const order = new Set(orderOf(resource).map(({ key }) => orderColumn(resource, key)))
  const sql = storedRows(dialect, resource, SPAN)
  const dropped = new Set<string>()
  let [checked, changed, moved, spoke] = [0, 0, false, performance.now()]
  for (let last = 0; ; ) {
    const rows = yield* rareQuery(sql, [last])
    const to = rows.length < SPAN ? LAST_ID : Number(rows.at(-1)!['id'])
    const values = rows.map((row) => valuesOf(resource, row, String(row[OWNER_NAME])))
    const changes = rows.flatMap((row, i) => changeOf(row, packed(resource, values[i]!)))
    yield* dropUniqueIndexes(resource, changes, dropped)
    yield* updateCells(dialect, resource, changes)
    const found = rows.map((row, i) => findingRows(dialect, resource, ownedBy(row), values[i]!))
    const wrong = searches(resource) ? yield* wrongFinding(dialect, resource, found, { after: last, to }) : []
    yield* rewriteFinding(dialect, resource, new Set(wrong), found)
    changed += new Set([...changes.map(({ id }) => id), ...wrong]).size
    moved ||= changes.some(({ cells }) => Object.keys(cells).some((column) => order.has(column)))
    checked += rows.length
    if (performance.now() - spoke > SILENCE_MS) {
      report(`checked ${checked} records of ${resource.name}, and put ${changed} of them right`)
      spoke = performance.now()
    }
    if (to === LAST_ID) break
    last = to
  }
  changed += yield* recountVotes(resource)
  if (changed > 0) yield* note({ resource: resource.name, ids: 'all' })
  return { changed, moved, dropped }
}

function changeOf(row: Row, cells: Row): Change[] {
  const wrong = Object.entries(cells).filter(([column, cell]) => row[column] !== cell)
  return wrong.length > 0 ? [{ id: Number(row['id']), cells: Object.fromEntries(wrong) }] : []
}

/** Halfway through, two records could share a value that they do not share in the end. */
function* dropUniqueIndexes(resource: AnyResource, changes: readonly Change[], dropped: Set<string>): Work<void> {
  for (const i of resource.unique.keys()) {
    const index = uniqueIndex(resource, i)
    if (dropped.has(index) || !changes.some(({ cells }) => uniqueColumn(i) in cells)) continue
    yield* query(`DROP INDEX IF EXISTS ${quoted(index)}`)
    dropped.add(index)
  }
}

/** Rows that differ in the same columns are updated together, many with each statement. */
function* updateCells(dialect: Dialect, resource: AnyResource, changes: readonly Change[]): Work<void> {
  const table = quoted(resource.name)
  const groups = Map.groupBy(changes, ({ cells }) => Object.keys(cells).join())
  for (const group of groups.values()) {
    const [first] = group
    const columns = Object.keys(first!.cells)
    const casts = [dialect.integer, ...columns.map((column) => typeOfCell(dialect, first!.cells[column]!))]
    const one = `(${casts.map((type) => `CAST(? AS ${type})`).join(', ')})`
    const set = columns.map((column, i) => `${quoted(column)} = v.column${i + 2}`).join(', ')
    for (let i = 0; i < group.length; i += AT_ONCE) {
      const some = group.slice(i, i + AT_ONCE)
      const rows = some.map(() => one).join(', ')
      yield* rareQuery(
        `UPDATE ${table} SET ${set} FROM (VALUES ${rows}) AS v WHERE ${table}.id = v.column1`,
        some.flatMap(({ id, cells }) => [id, ...Object.values(cells)]),
      )
    }
  }
}

function typeOfCell({ integer }: Dialect, cell: Cell): string {
  return typeof cell === 'number' ? integer : 'TEXT'
}

function* rewriteFinding(
  dialect: Dialect,
  resource: AnyResource,
  wrong: ReadonlySet<number>,
  found: readonly ReturnType<typeof findingRows>[],
): Work<void> {
  if (wrong.size === 0) return
  const isWrong = (row: Row) => wrong.has(Number(row['record']))
  for (const [table, rows] of [
    [wordTable(resource), found.flatMap(({ words }) => words)],
    ...(hasTerms(resource) ? [[termTable(resource), found.flatMap(({ terms }) => terms)] as const] : []),
  ] as const) {
    yield* query(`DELETE FROM ${quoted(table)} WHERE ${dialect.among('record')}`, dialect.ids([...wrong]))
    yield* insertRows(table, rows.filter(isWrong))
  }
}

function* recountVotes(resource: AnyResource): Work<number> {
  let changed = 0
  const table = quoted(resource.name)
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'votes') continue
    const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} AS v WHERE v.record = ${table}.id)`
    const column = quoted(voteCount(key))
    const rows = yield* query(`UPDATE ${table} SET ${column} = ${count} WHERE ${column} <> ${count} RETURNING id`)
    changed += rows.length
  }
  return changed
}
