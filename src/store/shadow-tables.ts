/**
 * Tables as they were: puts common table expressions before a statement that have the names of the tables in it. Each
 * is the table without the records that were changed since, and the rows that these had.
 */
import { type AnyResource, type Cell, fieldsOf, type Row } from '../declare/index.ts'
import type { Statement, Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type FindingRows, findingRows, ownedBy } from './finding.ts'
import type { Past, PastRecords } from './past.ts'
import type { PastRecord } from './past-rows.ts'
import { linkName, tablesOf, termTable, voteName, wordTable } from './schema.ts'
import { HIGHEST, type Sql } from './sql.ts'
import type { Table, TableColumn } from './table.ts'

const TABLE = /\b(?:FROM|JOIN)\s+"([^"]+)"/g

/** The only records whose rows in a table are needed. */
export interface Nearby {
  readonly table: string
  readonly records: readonly PastRecord[]
}

interface Shadow {
  readonly table: Table
  /** The column with the id of the record that a row belongs to. */
  readonly by: string
  /** The changed records. */
  records(): PastRecords
  /** The rows that a record had. */
  rowsOf(record: PastRecord): readonly Row[]
  /** A word or a term can match only if it begins with a text of the query: all others are left out. */
  readonly word?: string
}

export class ShadowTables {
  readonly #dialect: Dialect
  readonly #shadows: ReadonlyMap<string, Shadow>

  constructor(dialect: Dialect, catalogue: readonly AnyResource[], past: Past) {
    this.#dialect = dialect
    this.#shadows = new Map(
      catalogue.flatMap((resource) => shadowsOf(dialect, resource, past)).map((each) => [each.table.name, each]),
    )
  }

  /** Runs a work on the tables as they were. */
  *over<T>(steps: Work<T>, nearby?: Nearby): Work<T> {
    let step = steps.next()
    while (!step.done) {
      let rows: readonly Row[]
      try {
        rows = yield this.#shadowed(step.value, nearby)
      } catch (error) {
        step = steps.throw(error)
        continue
      }
      step = steps.next(rows)
    }
    return step.value
  }

  #shadowed(statement: Statement, nearby: Nearby | undefined): Statement {
    const { sql, parameters } = statement
    const names = new Set(Array.from(sql.matchAll(TABLE), ([, name = '']) => name))
    const shadows = [...names].flatMap((name) => this.#shadows.get(name) ?? [])
    const used = shadows.filter((shadow) => shadow.records().byId.size > 0)
    if (used.length === 0) return statement
    const parts = used.map((shadow) => {
      const records = shadow.table.name === nearby?.table ? nearby.records : shadow.records().existed
      return this.#expressions(shadow, records, statement)
    })
    return {
      ...statement,
      sql: `WITH ${parts.map((part) => part.sql).join(', ')} ${sql}`,
      parameters: [...parts.flatMap((part) => part.parameters), ...parameters],
    }
  }

  #expressions(shadow: Shadow, records: readonly PastRecord[], { sql, parameters }: Statement): Sql {
    const { table, by } = shadow
    const { each, replaced, ids, inlined } = this.#dialect
    // Only what the statement names: rows are given as JSON, and texts may be long.
    const columns = table.columns.filter(({ name }) => name === by || new RegExp(`\\b${name}\\b`).test(sql))
    const names = columns.map(({ name }) => quoted(name)).join(', ')
    const cells = columns.map((column, i) => `${this.#cast(column, i)} AS ${quoted(column.name)}`).join(', ')
    const wanted = wordsWanted(shadow, parameters)
    const rows = records.flatMap((record) => shadow.rowsOf(record).filter(wanted.isWanted))
    const then = quoted(`${table.name} then`)
    const body = replaced(table.name, { columns: names, key: quoted(by), where: wanted.sql, then })
    return {
      sql: `${then} AS MATERIALIZED (SELECT ${cells} FROM ${each}), ${quoted(table.name)} AS ${inlined} (${body})`,
      parameters: [
        JSON.stringify(rows.map((row) => columns.map(({ name }) => row[name] ?? null))),
        ids([...shadow.records().byId.keys()]),
        ...wanted.parameters,
      ],
    }
  }

  /** Both halves must have the same types, or the database cannot use the indexes of the table. */
  #cast({ type }: TableColumn, place: number): string {
    const { integer, byCodePoint } = this.#dialect
    if (type === 'vector') return `CAST(value ->> ${place} AS tsvector)`
    if (type === 'integer' || type === 'identity') return `CAST(value ->> ${place} AS ${integer})`
    return `CAST(value ->> ${place} AS TEXT)${type === 'key' ? byCodePoint : ''}`
  }
}

interface Wanted extends Sql {
  isWanted(row: Row): boolean
}

/** A condition for each of more texts would take longer to plan than it saves. */
const MOST_TEXTS = 50

const ALL: Wanted = { sql: '', parameters: [], isWanted: () => true }

function wordsWanted({ word }: Shadow, parameters: readonly Cell[]): Wanted {
  const texts = [...new Set(parameters.filter((each) => typeof each === 'string'))]
  if (word === undefined || texts.length === 0 || texts.length > MOST_TEXTS || texts.includes('')) return ALL
  const ranges = texts.map(() => `(${word} >= ? AND ${word} < ?)`)
  return {
    sql: ` AND (${ranges.join(' OR ')})`,
    parameters: texts.flatMap((text) => [text, text + HIGHEST]),
    isWanted: (row) => texts.some((text) => String(row[word]).startsWith(text)),
  }
}

function shadowsOf(dialect: Dialect, resource: AnyResource, past: Past): Shadow[] {
  const records = () => past.of(resource.name)
  const words = { ...(dialect.hasVectors ? {} : { [wordTable(resource)]: 'word' }), [termTable(resource)]: 'term' }
  const rowsOf = rowsByTable(dialect, resource)
  return tablesOf(dialect, resource).flatMap((table) => {
    const rows = rowsOf.get(table.name)
    const by = HOLDERS.find((column) => table.columns.some((each) => each.name === column))
    const word = words[table.name]
    if (!rows || !by) return []
    return { table, by, records, rowsOf: rows, ...(word ? { word } : {}) }
  })
}

/** The first of these columns that a table has says which record a row belongs to. */
const HOLDERS = ['holder', 'record', 'id']

/** The words and terms of records, for the next page of a search. */
const known = new WeakMap<PastRecord, FindingRows>()

/** The rows of a record in each table of its resource. */
function rowsByTable(dialect: Dialect, resource: AnyResource): Map<string, (record: PastRecord) => readonly Row[]> {
  const finding = (record: PastRecord) => {
    const rows = known.get(record) ?? findingRows(dialect, resource, ownedBy(record.row), record.values)
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
