/** Inserts rows: many with one statement, because on PostgreSQL each statement is a round trip. */
import type { Row } from '../declare/index.ts'
import { cell, type NewRow, type NewRows, type Statement, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import type { Touch } from './touched.ts'

/** All rows have the same columns. */
export function* insertRows(table: string, rows: readonly Row[], touches?: Touch): Work<void> {
  if (rows.length > 0) yield { ...insertionOf(table, rows), ...(touches ? { touches } : {}) }
}

/** The same for rows that break no rule: they may be inserted a little later, with those of other writes. */
export function* insertLater(table: string, rows: readonly Row[], touches?: Touch): Work<void> {
  if (rows.length > 0) yield { ...insertionOf(table, rows), later: true, ...(touches ? { touches } : {}) }
}

/** The same for rows of sums: those with a key that is there are added to it. */
export function* addLater(table: string, rows: readonly Row[], adds: NonNullable<NewRows['adds']>): Work<void> {
  if (rows.length === 0) return
  const { sql, inserts, ...insertion } = insertionOf(table, rows)
  yield {
    ...insertion,
    sql: sql + addingTo(table, adds),
    later: true,
    ...(inserts ? { inserts: { ...inserts, adds } } : {}),
  }
}

/** PostgreSQL adds to a row only once in a statement, so rows with the same key become one. */
export function addedUp(rows: readonly Row[], { key, sum }: NonNullable<NewRows['adds']>): Row[] {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const at = JSON.stringify(key.map((column) => row[column]))
    const known = sums.get(at)
    sums.set(at, known ? { ...row, [sum]: Number(known[sum]) + Number(row[sum]) } : row)
  }
  return [...sums.values()]
}

/** The end of an INSERT. */
export function addingTo(table: string, { key, sum }: NonNullable<NewRows['adds']>): string {
  const column = quoted(sum)
  return ` ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${column} = ${quoted(table)}.${column} + excluded.${column}`
}

/** All rows have the same columns. */
export function insertionOf(table: string, rows: readonly Row[]): Statement {
  const { columns, sql } = insertion(table, rows[0]!)
  return { sql, parameters: [], inserts: { table, columns, rows } }
}

/** Returns the id. */
export function* insertRow(newRow: NewRow, touches: Touch): Work<number> {
  const { table, row } = newRow
  const { returningId: sql } = insertion(table, row)
  const [inserted] = yield { sql, parameters: Object.values(row), newRow, touches }
  return Number(cell(inserted, 'id'))
}

interface Insertion {
  readonly columns: readonly string[]
  readonly sql: string
  readonly returningId: string
}

/** By table: rows of a table have few different sets of columns, and to write the text takes longer than to compare them. */
const insertions = new Map<string, Insertion[]>()

function insertion(table: string, row: Row): Insertion {
  const columns = Object.keys(row)
  const known = insertions.get(table) ?? []
  const found = known.find((each) => isSame(each.columns, columns))
  if (found) return found
  const places = columns.map(() => '?').join(', ')
  const sql = `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES (${places})`
  const made = { columns, sql, returningId: `${sql} RETURNING id` }
  insertions.set(table, [...known, made])
  return made
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((each, i) => each === b[i])
}
