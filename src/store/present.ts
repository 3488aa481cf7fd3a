/** The tables, columns and indexes that a database has. */
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { createIndex, isInteger, type TableColumn, type TableIndex } from './table.ts'

export interface PresentIndex {
  readonly table: string
  readonly name: string
  readonly definition: string
}

export interface Present {
  /** The types of the columns, by table and column. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>
  readonly indexes: readonly PresentIndex[]
}

export function* readPresent(dialect: Dialect): Work<Present> {
  const tables = new Map<string, Map<string, string>>()
  for (const row of yield* query(dialect.columns)) {
    const table = String(row['table'])
    if (!tables.has(table)) tables.set(table, new Map())
    tables.get(table)!.set(String(row['name']), String(row['type']))
  }
  const indexes = (yield* query(dialect.indexes)).map((row) => ({
    table: String(row['table']),
    name: String(row['name']),
    definition: String(row['definition']),
  }))
  return { tables, indexes }
}

/** Whether the column exists and has the right type. */
export function hasType(present: string | undefined, column: TableColumn): boolean {
  return present?.includes('int') === isInteger(column)
}

/** PostgreSQL rewrites the definition of an index, so this normalises it. */
export function isSameIndex(present: PresentIndex, table: string, index: TableIndex): boolean {
  return plain(present.definition) === plain(createIndex(table, index))
}

function plain(definition: string): string {
  return definition
    .replaceAll('"', '')
    .replace(' USING btree', '')
    .replace(/ ON \w+\./, ' ON ')
}
