/** Migrations from earlier versions to the current tables, by number. A new database needs none of them. */
import { type AnyResource, type Cell, fieldsOf, type Row } from '../declare/index.ts'
import { valuesOf } from './copy.ts'
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { findingCells, insertFinding } from './finding.ts'
import { Rank } from './rank.ts'
import { Records } from './records.ts'
import {
  blockTables,
  filterIndexes,
  findingColumns,
  findingTables,
  generationTable,
  shownColumns,
  voteCount,
  voteName,
} from './schema.ts'
import { shownCell } from './shown.ts'

export interface Step {
  readonly number: number
  readonly title: string
  run(dialect: Dialect, catalogue: readonly AnyResource[]): Work<void>
}

const SPAN = 500

/** Step 1 creates all tables; later ones are listed here, numbered from 2. */
export const STEPS: readonly Step[] = [
  { number: 2, title: 'Words, terms and folded copies to find records by', run: addFinding },
  { number: 3, title: 'Generations, blocks to find the n-th record by, and records as they are shown', run: addSpeed },
]

function* addSpeed(dialect: Dialect, catalogue: readonly AnyResource[]): Work<void> {
  yield* query(generationTable(dialect))
  const rank = new Rank(dialect)
  for (const resource of catalogue) {
    for (const column of shownColumns(resource)) {
      yield* query(`ALTER TABLE ${quoted(resource.name)} ADD COLUMN ${column}`)
      yield* inSpans(dialect, resource, (id, values) => setCells(resource, id, shownCell(resource, values)))
    }
    yield* makeFilterIndexes(resource)
    for (const sql of blockTables(resource, dialect)) yield* query(sql)
    yield* rank.rebuild(resource)
  }
}

function* addFinding(dialect: Dialect, catalogue: readonly AnyResource[]): Work<void> {
  for (const resource of catalogue) {
    const table = quoted(resource.name)
    for (const { name, type } of findingColumns(resource, dialect)) {
      yield* query(`ALTER TABLE ${table} ADD COLUMN ${quoted(name)} ${type}`)
    }
    for (const sql of findingTables(resource, dialect)) yield* query(sql)
    yield* fillIn(dialect, resource)
    yield* makeFilterIndexes(resource)
  }
}

/** Some tables had an index with that name and fewer columns. */
function* makeFilterIndexes(resource: AnyResource): Work<void> {
  for (const { name, create } of filterIndexes(resource)) {
    yield* query(`DROP INDEX IF EXISTS ${name}`)
    yield* query(create)
  }
}

function* fillIn(dialect: Dialect, resource: AnyResource): Work<void> {
  const table = quoted(resource.name)
  yield* inSpans(dialect, resource, function* (id, values, row) {
    yield* setCells(resource, id, findingCells(resource, values, row as Record<string, Cell>))
    yield* insertFinding(dialect, resource, id, values)
  })
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'votes') continue
    const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} AS v WHERE v.record = ${table}.id)`
    yield* query(`UPDATE ${table} SET ${quoted(voteCount(key))} = ${count}`)
  }
}

/** Visits all records, some at a time. */
function* inSpans(
  dialect: Dialect,
  resource: AnyResource,
  work: (id: number, values: Record<string, unknown>, row: Row) => Work<void>,
): Work<void> {
  const records = new Records(dialect, new Rank(dialect))
  for (let last = 0; ; ) {
    const rows = yield* records.after({ resource }, last, SPAN)
    if (rows.length === 0) return
    for (const row of rows) {
      last = Number(row['id'])
      yield* work(last, valuesOf(resource, row, ''), row)
    }
  }
}

function* setCells(resource: AnyResource, id: number, cells: Row): Work<void> {
  const columns = Object.keys(cells).map((column) => `${quoted(column)} = ?`)
  if (columns.length === 0) return
  yield* query(`UPDATE ${quoted(resource.name)} SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(cells), id)
}
