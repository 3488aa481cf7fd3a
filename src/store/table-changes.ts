/** Adds the tables, columns and indexes that declarations need, and puts aside what is no longer declared. */
import type { AnyResource } from '../declare/index.ts'
import { query, Unusable, type Work } from './database.ts'
import { type Declared, WHOLE } from './declared.ts'
import { type Dialect, quoted } from './dialect.ts'
import { hasType, isSameIndex, type Present } from './present.ts'
import { allTables, tablesOf } from './schema.ts'
import { addColumn, createIndex, createTable, type Table, type TableColumn, type TableIndex } from './table.ts'
import { isUnused, putColumnAside, putTableAside, takeColumnBack, takeTableBack, unusedName } from './unused.ts'

export class TableChanges {
  readonly #dialect: Dialect
  readonly #present: Present
  readonly #recorded: ReadonlyMap<string, Declared>
  /** Tables that were created, and those among them that have rows because they were put aside before. */
  readonly #made = new Set<string>()
  readonly #filled = new Set<string>()
  /** Tables that were changed. */
  readonly #touched = new Set<string>()
  /** Columns that were added to tables, as `table.column`. */
  readonly #added = new Set<string>()
  /** Indexes that were dropped, or have never been created. */
  readonly #gone = new Set<string>()
  /** What was done, for the operator. */
  readonly done: string[] = []
  /** The same, for indexes: they change no value. */
  readonly indexed: string[] = []

  constructor(dialect: Dialect, present: Present, recorded: ReadonlyMap<string, Declared>) {
    this.#dialect = dialect
    this.#present = present
    this.#recorded = recorded
  }

  hasMade(table: string): boolean {
    return this.#made.has(table)
  }

  hasTouched(table: string): boolean {
    return this.#made.has(table) || this.#touched.has(table)
  }

  hasAdded(table: string, column: string): boolean {
    return this.#added.has(`${table}.${column}`)
  }

  /** Whether the table was created and got no rows. */
  isEmpty(table: string): boolean {
    return this.#made.has(table) && !this.#filled.has(table)
  }

  /** Whether the index still has to be created. */
  lacks(index: string): boolean {
    return this.#gone.has(index)
  }

  /** Creates a table, or its missing parts, but no index of records. */
  *bring(table: Table): Work<void> {
    const columns = this.#present.tables.get(table.name)
    if (!columns) yield* this.#make(table)
    else if (table.worked && !(isSameTable(columns, table) && this.#hasSameOrder(table))) {
      yield* this.#dropTable(table.name)
      yield* this.#make(table)
    } else for (const column of table.columns) yield* this.#bringColumn(table, column, columns.get(column.name))
    yield* this.#bringIndexes(table)
  }

  /** The blocks of a list depend on its order, which is in their index: if that changes, all blocks are wrong. */
  #hasSameOrder(table: Table): boolean {
    if (!table.ordered) return true
    return table.indexes.every((index) => {
      const present = this.#present.indexes.find(({ name }) => name === index.name)
      return !present || isSameIndex(present, table.name, index)
    })
  }

  *#make(table: Table): Work<void> {
    yield* query(createTable(table, this.#dialect))
    this.#made.add(table.name)
    const isFilled = yield* takeTableBack(this.#dialect, this.#present, table)
    if (isFilled) this.#filled.add(table.name)
    this.done.push(`${isFilled ? 'took back' : 'added'} ${table.name}`)
  }

  *#bringColumn(table: Table, column: TableColumn, type: string | undefined): Work<void> {
    if (hasType(type, column)) return
    const name = `${table.name}.${column.name}`
    if (type !== undefined) {
      if (!column.worked) {
        throw new Unusable(
          `${name} is ${type} in the database, and ${column.type} in the declaration: give the field another name`,
        )
      }
      yield* this.#dropColumn(table.name, column.name)
    }
    yield* query(addColumn(table.name, column, this.#dialect))
    this.#touched.add(table.name)
    this.#added.add(name)
    const isFilled = yield* takeColumnBack(this.#present, table.name, column)
    this.done.push(`${isFilled ? 'took back' : 'added'} ${name}`)
    if (column.references) yield* refuseMissing(table.name, column.name)
  }

  /** Drops indexes that differ from the declaration. Those of records are created when their values are computed. */
  *#bringIndexes(table: Table): Work<void> {
    for (const index of table.indexes) {
      const present = this.#present.indexes.find(({ name }) => name === index.name)
      if (present && !this.#gone.has(index.name)) {
        if (isSameIndex(present, table.name, index)) continue
        yield* this.#dropIndex(index.name)
      }
      this.#gone.add(index.name)
      if (!table.holdsRecords) yield* this.makeIndex(table, index)
    }
  }

  *makeIndex(table: Table, index: TableIndex): Work<void> {
    yield* query(createIndex(table.name, index))
    if (!index.unique && !this.#made.has(table.name)) this.indexed.push(`made the index ${index.name}`)
  }

  /** Columns and tables of fields that are no longer declared. */
  *putFieldsAside(resource: AnyResource): Work<void> {
    const [records, ...others] = tablesOf(this.#dialect, resource)
    const wanted = new Set(records.columns.map(({ name }) => name))
    const { worked = [], indexes = [] } = this.#recorded.get(resource.name)?.shape ?? {}
    const needed = new Set([records, ...others].flatMap((table) => table.indexes.map(({ name }) => name)))
    for (const index of indexes) if (!needed.has(index)) yield* this.#dropIndex(index)
    for (const [name, type] of this.#present.tables.get(resource.name) ?? []) {
      if (wanted.has(name) || isUnused(name)) continue
      if (worked.includes(name)) yield* this.#dropColumn(resource.name, name)
      else yield* this.#putColumnAside(resource.name, name, type)
    }
    const tables = new Set([records, ...others].map(({ name }) => name))
    yield* this.#putTablesAside(resource.name, (table) => table !== resource.name && !tables.has(table))
  }

  /** Resources that are no longer declared. */
  *putResourcesAside(resources: readonly AnyResource[]): Work<void> {
    const declared = new Set(resources.map(({ name }) => name))
    const gone = this.#knownResources().filter((name) => !declared.has(name))
    if (gone.length === 0) return
    if (this.#dialect.deferReferences) yield* query(this.#dialect.deferReferences)
    const wanted = new Set(allTables(this.#dialect, resources).map(({ name }) => name))
    for (const name of gone) yield* this.#putTablesAside(name, (table) => !wanted.has(table))
  }

  /** Before version 4 nothing was recorded: a table of records has an owner, and its list has an index. */
  #knownResources(): string[] {
    if (this.#recorded.size > 0) return [...this.#recorded.keys()].filter((name) => name !== WHOLE)
    const { tables, indexes } = this.#present
    return [...tables]
      .filter(([name, columns]) => columns.has('owner') && indexes.some((index) => index.name === `${name}_order`))
      .map(([name]) => name)
  }

  /** Puts aside the chosen tables of a resource: their values are kept, unless they are computed. */
  *#putTablesAside(resource: string, isChosen: (table: string) => boolean): Work<void> {
    const parts: readonly [ending: RegExp, column: string, keep: boolean][] = [
      [/^(words|terms)$/, 'record', false],
      [/^blocks$/, 'first', false],
      [/^votes$/, 'account', true],
      [/./, 'holder', true],
    ]
    for (const [table, columns] of this.#present.tables) {
      if (!table.startsWith(`${resource}_`) || !isChosen(table)) continue
      const part = parts.find(
        ([ending, column]) => ending.test(table.slice(resource.length + 1)) && columns.has(column),
      )
      if (!part) continue
      if (part[2]) yield* this.#putTableAside(table)
      else yield* this.#dropTable(table)
    }
    if (isChosen(resource) && this.#present.tables.has(resource)) yield* this.#putTableAside(resource)
  }

  *#putColumnAside(table: string, column: string, type: string): Work<void> {
    const columns = this.#present.tables.get(table)!
    const aside = freeName(unusedName(column), (name) => columns.has(name))
    for (const index of this.#indexesOn(table, column)) yield* this.#dropIndex(index)
    yield* putColumnAside(this.#dialect, column, type, { table, aside })
    this.#touched.add(table)
    this.done.push(`put ${table}.${column} aside`)
  }

  *#putTableAside(table: string): Work<void> {
    const aside = freeName(unusedName(table), (name) => this.#present.tables.has(name))
    yield* putTableAside(this.#dialect, { table, aside })
    for (const { name } of this.#present.indexes.filter((index) => index.table === table)) this.#gone.add(name)
    this.done.push(`put ${table} aside`)
  }

  *#dropTable(table: string): Work<void> {
    yield* query(`DROP TABLE ${quoted(table)}${this.#dialect.cascade}`)
    for (const { name } of this.#present.indexes.filter((index) => index.table === table)) this.#gone.add(name)
  }

  /** SQLite cannot drop a column that an index uses. */
  *#dropColumn(table: string, column: string): Work<void> {
    for (const index of this.#indexesOn(table, column)) yield* this.#dropIndex(index)
    yield* query(`ALTER TABLE ${quoted(table)} DROP COLUMN ${quoted(column)}`)
    this.#touched.add(table)
  }

  *#dropIndex(index: string): Work<void> {
    if (this.#gone.has(index)) return
    yield* query(`DROP INDEX IF EXISTS ${quoted(index)}`)
    this.#gone.add(index)
  }

  #indexesOn(table: string, column: string): string[] {
    const names = new RegExp(`[(, "]${column}[), "]`)
    return this.#present.indexes
      .filter((index) => index.table === table && names.test(index.definition.slice(index.definition.indexOf('('))))
      .map(({ name }) => name)
  }
}

function isSameTable(present: ReadonlyMap<string, string>, { columns }: Table): boolean {
  return present.size === columns.length && columns.every((column) => hasType(present.get(column.name), column))
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let i = 2; isTaken(free); i++) free = `${name}_${i}`
  return free
}

function* refuseMissing(table: string, column: string): Work<void> {
  const [row] = yield* query(`SELECT count(*) AS count FROM ${quoted(table)} WHERE ${quoted(column)} IS NULL`)
  const count = Number(row!['count'])
  if (count > 0) {
    throw new Unusable(
      `${count} records of ${table} have no ${column}, which the declaration requires: add the field with a migration step that fills it`,
    )
  }
}
