/** Inserts many rows with few statements, because on PostgreSQL each statement is a round trip. */
import type { Row } from '../declare/index.ts'
import { query, touching, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import type { Touch } from './generations.ts'

const AT_ONCE = 50

/** All rows have the same columns. */
export function* insertRows(table: string, rows: readonly Row[], touches?: Touch): Work<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const into = `INSERT INTO ${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES `
  const one = `(${columns.map(() => '?').join(', ')})`
  const many = into + Array.from({ length: AT_ONCE }, () => one).join(', ')
  for (let i = 0; i < rows.length; ) {
    const count = rows.length - i >= AT_ONCE ? AT_ONCE : 1
    const cells = rows.slice(i, i + count).flatMap((row) => columns.map((column) => row[column]!))
    const sql = count === 1 ? into + one : many
    yield* touches ? touching(touches, sql, ...cells) : query(sql, ...cells)
    i += count
  }
}
