/** What brings databases of earlier versions to today's tables, by number. A new database needs none of it. */
import { type AnyResource, type Cell, fieldsOf } from '../declare/index.ts'
import { valuesOf } from './copy.ts'
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { findingCells, insertFinding } from './finding.ts'
import { Records } from './records.ts'
import { filterIndexes, findingColumns, findingTables, voteCount, voteName } from './schema.ts'

export interface Step {
  readonly number: number
  readonly title: string
  run(dialect: Dialect, catalogue: readonly AnyResource[]): Work<void>
}

const SPAN = 500

/** Step 1 is the making of all tables; later ones are listed here, numbered from 2. */
export const STEPS: readonly Step[] = [
  { number: 2, title: 'Words, terms and folded copies to find records by', run: addFinding },
]

function* addFinding(dialect: Dialect, catalogue: readonly AnyResource[]): Work<void> {
  for (const resource of catalogue) {
    const table = quoted(resource.name)
    for (const { name, type } of findingColumns(resource, dialect)) {
      yield* query(`ALTER TABLE ${table} ADD COLUMN ${quoted(name)} ${type}`)
    }
    for (const sql of findingTables(resource, dialect)) yield* query(sql)
    yield* fillIn(dialect, resource)
    for (const { name, create } of filterIndexes(resource)) {
      // Some had an index of that name, of fewer columns.
      yield* query(`DROP INDEX IF EXISTS ${name}`)
      yield* query(create)
    }
  }
}

function* fillIn(dialect: Dialect, resource: AnyResource): Work<void> {
  const records = new Records(dialect)
  const table = quoted(resource.name)
  for (let last = 0; ; ) {
    const rows = yield* records.after({ resource }, last, SPAN)
    if (rows.length === 0) break
    for (const row of rows) {
      const id = Number(row['id'])
      const values = valuesOf(resource, row, '')
      const cells = findingCells(resource, values, row as Record<string, Cell>)
      const columns = Object.keys(cells).map((column) => `${quoted(column)} = ?`)
      if (columns.length > 0) {
        yield* query(`UPDATE ${table} SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(cells), id)
      }
      yield* insertFinding(dialect, resource, id, values)
      last = id
    }
  }
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'votes') continue
    const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} AS v WHERE v.record = ${table}.id)`
    yield* query(`UPDATE ${table} SET ${quoted(voteCount(key))} = ${count}`)
  }
}
