/** Tables as data. CREATE TABLE, ALTER TABLE and the comparison with a database all use it, so they cannot disagree. */
import type { Cell } from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'

export interface TableColumn {
  readonly name: string
  /** `key` is text that is compared by code point on both engines. `vector` exists only on PostgreSQL. */
  readonly type: 'identity' | 'integer' | 'text' | 'key' | 'vector'
  readonly optional?: boolean
  readonly unique?: boolean
  readonly primary?: boolean
  readonly references?: { readonly table: string; readonly cascades?: boolean }
  /** The value in rows that are older than the column; by default 0 or an empty text. */
  readonly initial?: Cell
  /** Computed from other columns, so it can be built again. */
  readonly worked?: boolean
}

export interface TableIndex {
  readonly name: string
  /** The columns as SQL, with their direction. */
  readonly on: string
  /** The kind of index, if it is not a B-tree. */
  readonly using?: 'gin'
  readonly unique?: boolean
}

export interface Table {
  readonly name: string
  readonly columns: readonly TableColumn[]
  /** The primary key, when it has several columns. */
  readonly key?: readonly string[]
  /** Columns that are unique together. */
  readonly unique?: readonly string[]
  /** Accessed only by its key. */
  readonly keyed?: boolean
  readonly indexes: readonly TableIndex[]
  /** The records of a resource: their values are computed before they are indexed, which is faster. */
  readonly holdsRecords?: boolean
  /** Computed from other tables, so it can be dropped and built again. */
  readonly worked?: boolean
  /** Its rows depend on the order of its indexes: if an index changes, they are built again. */
  readonly ordered?: boolean
}

export function createTable({ name, columns, key, unique, keyed }: Table, dialect: Dialect): string {
  const lines = [
    ...columns.map((column) => columnSql(column, dialect)),
    ...(key ? [`PRIMARY KEY (${key.join(', ')})`] : []),
    ...(unique ? [`UNIQUE (${unique.join(', ')})`] : []),
  ]
  const end = keyed ? dialect.keyedTableEnd : dialect.tableEnd
  return `CREATE TABLE ${quoted(name)} (\n  ${lines.join(',\n  ')}\n)${end}`
}

export function createIndex(table: string, { name, on, using, unique }: TableIndex): string {
  const method = using ? ` USING ${using}` : ''
  return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quoted(name)} ON ${quoted(table)}${method} (${on})`
}

/** SQLite can add a reference only as an optional column; records still always have one. */
export function addColumn(table: string, column: TableColumn, dialect: Dialect): string {
  const added = column.references ? { ...column, optional: true } : column
  return `ALTER TABLE ${quoted(table)} ADD COLUMN ${columnSql(added, dialect)}`
}

export function typeOf({ type }: TableColumn, { identity, integer, sortKey }: Dialect): string {
  return { identity, integer, text: 'TEXT', key: sortKey, vector: 'tsvector' }[type]
}

export function isInteger({ type }: TableColumn): boolean {
  return type === 'integer' || type === 'identity'
}

/** Every column has a default, so that it can be added to a table with rows. */
function columnSql(column: TableColumn, dialect: Dialect): string {
  const { name, type, optional, unique, primary, references } = column
  const parts = [quoted(name), typeOf(column, dialect)]
  if (type === 'identity') return parts.join(' ')
  if (primary) parts.push('PRIMARY KEY')
  if (!optional) parts.push('NOT NULL')
  if (!optional && !references) parts.push(`DEFAULT ${literal(initialOf(column))}`)
  if (unique) parts.push('UNIQUE')
  if (references) {
    parts.push(`REFERENCES ${quoted(references.table)} (id)${references.cascades ? ' ON DELETE CASCADE' : ''}`)
  }
  return parts.join(' ')
}

export function initialOf(column: TableColumn): Cell {
  if (column.initial !== undefined) return column.initial
  if (column.optional) return null
  return isInteger(column) ? 0 : ''
}

export function literal(cell: Cell): string {
  return typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell ?? 'NULL')
}
