/**
 * Tables as they were: puts common table expressions before a statement that have the names of the tables in it. Each
 * is the table without the records that were changed since, and the rows that these had.
 */
import { type AnyResource, type Cell, fieldsOf, type Row } from '../declare/index.ts'
import type { Statement, Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type FindingRows, findingRows } from './finding.ts'
import type { Past } from './past.ts'
import type { PastRecord } from './past-rows.ts'
import { linkName, tablesOf, termTable, voteName, wordTable } from './schema.ts'
import type { Table, TableColumn } from './table.ts'

const TABLE = /\b(?:FROM|JOIN)\s+"([^"]+)"/g

interface Shadow {
  readonly table: Table
  /** The column with the id of the record that a row belongs to. */
  readonly by: string
  /** The changed records. */
  ids(): readonly number[]
  /** The rows that they had. */
  rows(): readonly Row[]
  /** A word or a term can match only if it begins with a text of the query: all others are left out. */
  readonly word?: string
}

export class ShadowTables {
  readonly #dialect: Dialect
  readonly #shadows: ReadonlyMap<string, Shadow>

  constructor(dialect: Dialect, catalogue: readonly AnyResource[], past: Past) {
    this.#dialect = dialect
    this.#shadows = new Map(
      catalogue.flatMap((resource) => shadowsOf(resource, past)).map((each) => [each.table.name, each]),
    )
  }

  /** Runs a work on the tables as they were. */
  *over<T>(steps: Work<T>): Work<T> {
    let step = steps.next()
    while (!step.done) {
      let rows: readonly Row[]
      try {
        rows = yield this.#shadowed(step.value)
      } catch (error) {
        step = steps.throw(error)
        continue
      }
      step = steps.next(rows)
    }
    return step.value
  }

  #shadowed(statement: Statement): Statement {
    const { sql, parameters } = statement
    const names = new Set(Array.from(sql.matchAll(TABLE), ([, name = '']) => name))
    const shadows = [...names].flatMap((name) => this.#shadows.get(name) ?? [])
    const used = shadows.filter((shadow) => shadow.ids().length > 0)
    if (used.length === 0) return statement
    const texts = parameters.filter((each) => typeof each === 'string')
    const parts = used.map((shadow) => this.#expression(shadow, sql, texts))
    return {
      ...statement,
      sql: `WITH ${parts.map((part) => part.sql).join(', ')} ${sql}`,
      parameters: [...parts.flatMap((part) => part.parameters), ...parameters],
    }
  }

  #expression(shadow: Shadow, sql: string, texts: readonly string[]): { sql: string; parameters: Cell[] } {
    const { table, by, word } = shadow
    const { each, presentTable, notAmong, ids, inlined } = this.#dialect
    // Only what the statement names: rows are given as JSON, and texts may be long.
    const columns = table.columns.filter(({ name }) => name === by || new RegExp(`\\b${name}\\b`).test(sql))
    const names = columns.map(({ name }) => quoted(name)).join(', ')
    const cells = columns.map((column, i) => `${this.#cast(column, i)} AS ${quoted(column.name)}`).join(', ')
    const isUseful = (row: Row) => word === undefined || texts.some((text) => String(row[word]).startsWith(text))
    const rows = shadow.rows().filter(isUseful)
    return {
      sql: `${quoted(table.name)} AS ${inlined} (SELECT ${names} FROM ${presentTable(table.name)} WHERE ${notAmong(quoted(by))}
        UNION ALL SELECT ${cells} FROM ${each})`,
      parameters: [ids(shadow.ids()), JSON.stringify(rows.map((row) => columns.map(({ name }) => row[name] ?? null)))],
    }
  }

  /** Both halves must have the same types, or the database cannot use the indexes of the table. */
  #cast({ type }: TableColumn, place: number): string {
    const { integer, byCodePoint } = this.#dialect
    if (type === 'integer' || type === 'identity') return `CAST(value ->> ${place} AS ${integer})`
    return `CAST(value ->> ${place} AS TEXT)${type === 'key' ? byCodePoint : ''}`
  }
}

function shadowsOf(resource: AnyResource, past: Past): Shadow[] {
  const { name } = resource
  const ids = () => [...past.of(name).keys()]
  const there = () => [...past.of(name).values()].filter((record) => record !== undefined)
  const words = { [wordTable(resource)]: 'word', [termTable(resource)]: 'term' }
  const rowsOf = rowsByTable(resource)
  return tablesOf(resource).flatMap((table) => {
    const rows = rowsOf.get(table.name)
    const by = HOLDERS.find((column) => table.columns.some((each) => each.name === column))
    const word = words[table.name]
    if (!rows || !by) return []
    return { table, by, ids, rows: () => there().flatMap(rows), ...(word ? { word } : {}) }
  })
}

/** The first of these columns that a table has says which record a row belongs to. */
const HOLDERS = ['holder', 'record', 'id']

/** The words and terms of records, for the next page of a search. */
const known = new WeakMap<PastRecord, FindingRows>()

/** The rows of a record in each table of its resource. */
function rowsByTable(resource: AnyResource): Map<string, (record: PastRecord) => readonly Row[]> {
  const finding = (record: PastRecord) => {
    const rows = known.get(record) ?? findingRows(resource, record.id, record.values)
    known.set(record, rows)
    return rows
  }
  const rows = new Map<string, (record: PastRecord) => readonly Row[]>([
    [resource.name, ({ row }) => [row]],
    [wordTable(resource), (record) => finding(record).words],
    [termTable(resource), (record) => finding(record).terms],
  ])
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key).in
    if (storage === 'links')
      rows.set(linkName(resource, key), ({ id, row }) =>
        field.embeds(row, key).map((target, place) => ({ holder: id, place, target })),
      )
    if (storage === 'votes')
      rows.set(voteName(resource), ({ id, voters }) => voters.map((account) => ({ record: id, account })))
  }
  return rows
}
