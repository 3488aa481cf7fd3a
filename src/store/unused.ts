/**
 * What is no longer declared. Its values are put aside in a table or column whose name begins with `unused_`, without
 * rules that could hinder writes. They come back when they are declared again, and are deleted when the operator says
 * so.
 */
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { hasType, type Present } from './present.ts'
import { addColumn, initialOf, isInteger, literal, type Table, type TableColumn } from './table.ts'

const PREFIX = 'unused_'

/** A table, or a column of one. */
export interface Unused {
  readonly table: string
  readonly column?: string
}

export const unusedName = (name: string) => PREFIX + name
export const isUnused = (name: string) => name.startsWith(PREFIX)

export function nameOfUnused({ table, column }: Unused): string {
  return column === undefined ? table : `${table}.${column}`
}

export function unusedIn({ tables }: Present): Unused[] {
  const unused = Array.from(tables, ([table, columns]): Unused[] => {
    if (isUnused(table)) return [{ table }]
    return [...columns.keys()].filter(isUnused).map((column) => ({ table, column }))
  }).flat()
  return unused.sort((a, b) => (nameOfUnused(a) < nameOfUnused(b) ? -1 : 1))
}

/** Also removes it from the list that every start reports. */
export function* dropUnused(unused: readonly Unused[]): Work<void> {
  yield* query("UPDATE declaration SET shape = '{}' WHERE resource = ''")
  for (const { table, column } of unused) {
    yield* column === undefined
      ? query(`DROP TABLE ${quoted(table)}`)
      : query(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(column)}`)
  }
}

interface Putting {
  readonly table: string
  /** The name for what is put aside. */
  readonly aside: string
}

/** SQLite cannot make a column optional, so its values move to a new column. */
export function* putColumnAside(dialect: Dialect, name: string, type: string, putting: Putting): Work<void> {
  const { table } = putting
  const isInteger = type.includes('int')
  const aside: TableColumn = { name: putting.aside, type: isInteger ? 'integer' : 'text', optional: true }
  yield* query(addColumn(table, aside, dialect))
  yield* query(`UPDATE ${quoted(table)} SET ${quoted(aside.name)} = ${quoted(name)}`)
  yield* query(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(name)}`)
}

/** The copy has no foreign key, so it does not prevent deleting a record. */
export function* putTableAside({ cascade }: Dialect, { table, aside }: Putting): Work<void> {
  yield* query(`CREATE TABLE ${quoted(aside)} AS SELECT * FROM ${quoted(table)}`)
  yield* query(`DROP TABLE ${quoted(table)}${cascade}`)
}

/** Call it after the column was added. */
export function* takeColumnBack(present: Present, table: string, column: TableColumn): Work<boolean> {
  const aside = unusedName(column.name)
  const type = present.tables.get(table)?.get(aside)
  if (!hasType(type, column)) return false
  const { references } = column
  const exists = references
    ? ` AND EXISTS (SELECT 1 FROM ${quoted(references.table)} AS r WHERE r.id = ${quoted(table)}.${quoted(aside)})`
    : ''
  yield* query(
    `UPDATE ${quoted(table)} SET ${quoted(column.name)} = ${quoted(aside)} WHERE ${quoted(aside)} IS NOT NULL${exists}`,
  )
  yield* query(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(aside)}`)
  return true
}

/** Call it after the table was created: rows come back unless what they refer to is gone. */
export function* takeTableBack(dialect: Dialect, present: Present, table: Table): Work<boolean> {
  const aside = unusedName(table.name)
  const columns = present.tables.get(aside)
  if (!columns) return false
  const sources = table.columns.flatMap((column) => {
    // The column may have been put aside before the table was.
    const from = [column.name, unusedName(column.name)].find((name) => hasType(columns.get(name), column))
    return from === undefined ? [] : [{ column, from: `u.${quoted(from)}` }]
  })
  const references = sources.filter(({ column }) => column.references)
  if (references.length < table.columns.filter((column) => column.references).length) return false
  const names = sources.map(({ column }) => quoted(column.name)).join(', ')
  const values = sources.map(({ column, from }) => {
    const value = `CAST(${from} AS ${isInteger(column) ? dialect.integer : 'TEXT'})`
    return column.optional || column.references ? value : `COALESCE(${value}, ${literal(initialOf(column))})`
  })
  const exist = references.map(
    ({ column, from }) => `EXISTS (SELECT 1 FROM ${quoted(column.references!.table)} AS r WHERE r.id = ${from})`,
  )
  const where = exist.length > 0 ? ` WHERE ${exist.join(' AND ')}` : ''
  yield* query(
    `INSERT INTO ${quoted(table.name)} (${names}) SELECT ${values.join(', ')} FROM ${quoted(aside)} AS u${where}`,
  )
  yield* query(`DROP TABLE ${quoted(aside)}`)
  const countOn = sources.some(({ column }) => column.type === 'identity') ? dialect.countOn(table.name) : undefined
  if (countOn) yield* query(countOn)
  return true
}
