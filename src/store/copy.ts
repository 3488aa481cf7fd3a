/**
 * Everything in a database, row by row, in a form that both databases share: the given values, without derived ones
 * (derived fields, sort keys, unique columns). Sessions are not copied; their users sign in again.
 */
import { hash } from 'node:crypto'
import { type AnyResource, type Cell, fieldsOf, type Row, TIMES } from '../declare/index.ts'
import { NAMES_CHANGED, PEOPLE_CHANGED } from './accounts.ts'
import { note, query, touching, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { clearCounts, rebuildCounts } from './facet-counts.ts'
import { findingRows, findingTables } from './finding.ts'
import { rebuildFit } from './fit-counts.ts'
import { insertRows } from './insert-rows.ts'
import { packed, valuesOf } from './pack.ts'
import type { Rank } from './rank.ts'
import { inDependencyOrder, linkName, recordTableOf, termTable, voteCount, voteName, wordTable } from './schema.ts'
import { SERVICE_TABLES } from './service-tables.ts'
import { recountStandings } from './standings.ts'
import { initialOf, isInteger, type TableColumn } from './table.ts'

export interface CopiedTable {
  readonly name: string
  /** The columns that are copied unchanged. */
  readonly columns: readonly string[]
  /** The values of columns that are newer than a row; columns that are not listed must be given. */
  readonly initial: Readonly<Record<string, Cell>>
  /** The order in which rows are read, and the key before the first row. */
  readonly key: readonly string[]
  readonly start: readonly Cell[]
  /** The table has ids that are never reused. */
  readonly counts: boolean
  readonly resource?: AnyResource
}

/** One row; a record also has its owner, its links and its voters (accounts, oldest vote first). */
export interface Copied {
  readonly columns: Row
  readonly id?: number
  readonly owner?: number
  readonly links?: Readonly<Record<string, readonly number[]>>
  readonly votes?: readonly number[]
}

/** The tables of accounts, from their one declaration: a column cannot be forgotten. */
const PEOPLE: readonly CopiedTable[] = SERVICE_TABLES.filter(({ copied }) => copied).map((table) => {
  const columns = table.columns.filter(({ worked }) => !worked)
  const key = table.key ?? ['id']
  return {
    name: table.name,
    columns: columns.map(({ name }) => name),
    initial: initialCells(columns),
    key,
    start: key.map((name) => (isInteger(columns.find((column) => column.name === name)!) ? 0 : '')),
    counts: columns.some(({ type }) => type === 'identity'),
  }
})

/** A hash of what a copy of each record holds: only databases with the same one can be copied to each other. */
export function copyFingerprint(catalogue: readonly AnyResource[]): string {
  const tables = copiedTables(catalogue).map(({ name, columns, resource }) => [
    name,
    columns,
    !resource || linksOf(resource),
  ])
  return hash('sha256', JSON.stringify(tables), 'base64url').slice(0, 22)
}

function linksOf(resource: AnyResource): string[] {
  return fieldsOf(resource).flatMap(([key, field]) => (field.storage(key).in === 'links' ? key : []))
}

/** The names of the copied tables that belong to no resource. */
export const COPIED_SERVICE_TABLES: readonly string[] = PEOPLE.map(({ name }) => name)

/** References and unique columns have no default: no other row can replace the given one. */
function initialCells(columns: readonly TableColumn[]): Record<string, Cell> {
  const able = columns.filter(({ type, references, unique }) => type !== 'identity' && !references && !unique)
  return Object.fromEntries(able.map((column) => [column.name, initialOf(column)]))
}

/** All copied tables, each after those it refers to. */
export function copiedTables(catalogue: readonly AnyResource[]): CopiedTable[] {
  return [
    ...PEOPLE,
    ...inDependencyOrder(catalogue).map((resource) => ({
      name: resource.name,
      columns: columnsOf(resource),
      initial: initialCells(recordTableOf(resource).columns.filter(({ worked }) => !worked)),
      key: ['id'],
      start: [0],
      counts: true,
      resource,
    })),
  ]
}

export interface Holdings {
  readonly records: number
  readonly accounts: number
}

const SPAN = 500
const MOST_NAMES = 10_000

export class Copies {
  readonly #dialect: Dialect
  readonly #rank: Rank
  readonly #names = new Map<number, string>()

  constructor(dialect: Dialect, rank: Rank) {
    this.#dialect = dialect
    this.#rank = rank
  }

  /** What a database contains, whatever its version, even without tables. */
  *holdings(catalogue: readonly AnyResource[]): Work<Holdings> {
    const there = yield* this.#tables()
    let records = 0
    for (const { name } of catalogue) if (there.has(name)) records += yield* this.count(name)
    return { records, accounts: there.has('account') ? yield* this.count('account') : 0 }
  }

  *#tables(): Work<Set<unknown>> {
    return new Set((yield* query(this.#dialect.tables)).map((row) => row['name']))
  }

  *count(table: string): Work<number> {
    const [row] = yield* query(`SELECT count(*) AS count FROM ${quoted(table)}`)
    return Number(row!['count'])
  }

  /** The highest id that each table ever gave. */
  *highestIds(catalogue: readonly AnyResource[]): Work<Record<string, number>> {
    const there = yield* this.#tables()
    const highest: Record<string, number> = {}
    for (const { name, counts } of copiedTables(catalogue)) {
      if (!counts || !there.has(name)) continue
      const [row] = yield* query(this.#dialect.highestId(name))
      highest[name] = Number(row?.['highest'] ?? 0)
    }
    return highest
  }

  *raiseIds(table: string, highest: number): Work<void> {
    if (highest > 0) for (const sql of this.#dialect.raiseIds(table)) yield* query(sql, highest)
  }

  /** Yields every row of a table, a batch at a time. */
  *each(table: CopiedTable, take: (row: Copied) => void): Work<void> {
    const { key, resource } = table
    const order = key.join(', ')
    const columns = resource ? selected(this.#dialect, resource) : table.columns
    const sql = `SELECT ${columns.join(', ')} FROM ${quoted(table.name)} AS t
      WHERE (${order}) > (${key.map(() => '?').join(', ')}) ORDER BY ${order} LIMIT ${SPAN}`
    yield* this.#spans(sql, table, (row) => take(resource ? copiedRecord(resource, row) : { columns: row }))
  }

  /** A batch of records in id order, as they are now. */
  *after(resource: AnyResource, id: number, limit: number): Work<Copied[]> {
    const sql = `${this.#selected(resource)} WHERE t.id > ? ORDER BY t.id LIMIT ?`
    return (yield* query(sql, id, limit)).map((row) => copiedRecord(resource, row))
  }

  *byIds(resource: AnyResource, ids: readonly number[]): Work<Copied[]> {
    const sql = `${this.#selected(resource)} WHERE ${this.#dialect.among('t.id')}`
    return (yield* query(sql, this.#dialect.ids(ids))).map((row) => copiedRecord(resource, row))
  }

  #selected(resource: AnyResource): string {
    return `SELECT ${selected(this.#dialect, resource).join(', ')} FROM ${quoted(resource.name)} AS t`
  }

  *#spans(sql: string, { key, start }: CopiedTable, take: (row: Row) => void): Work<void> {
    let after = start
    for (;;) {
      const rows = yield* query(sql, ...after)
      for (const row of rows) take(row)
      if (rows.length < SPAN) return
      after = key.map((column) => rows.at(-1)![column]!)
    }
  }

  /** Called after the last record was inserted: builds the rank index and the counters of all lists at once. */
  *rank(catalogue: readonly AnyResource[]): Work<void> {
    for (const resource of catalogue) {
      yield* this.#rank.rebuild(resource)
      yield* rebuildCounts(this.#dialect, resource)
    }
    yield* rebuildFit(catalogue)
    yield* recountStandings()
  }

  /** Inserts records with their old ids and computes derived values again. It updates neither the rank index nor the counters. */
  *insert({ name, resource }: CopiedTable, copies: readonly Copied[]): Work<void> {
    if (!resource) {
      const rows = copies.map(({ columns }) => columns)
      return yield* insertRows(name, rows, PEOPLE_CHANGED)
    }
    const rows: Row[] = []
    const words: Row[] = []
    const terms: Row[] = []
    const names = yield* this.#namesOf(copies)
    for (const { id, owner, columns, links = {}, votes = [] } of copies) {
      const lists = Object.entries(links).map(([key, ids]) => [key, JSON.stringify(ids)])
      const values = valuesOf(resource, { ...columns, ...Object.fromEntries(lists) }, names.get(owner!) ?? '')
      const times = Object.fromEntries(TIMES.map((time) => [time, columns[time] ?? 0]))
      rows.push({
        id: id!,
        owner: owner!,
        ...times,
        ...packed(resource, values),
        ...votesCounted(resource, votes.length),
      })
      const finding = findingRows(this.#dialect, resource, { id: id!, owner: owner! }, values)
      words.push(...finding.words)
      terms.push(...finding.terms)
    }
    yield* insertRows(name, rows, { resource: name, ids: 'all' })
    yield* insertRows(wordTable(resource), words)
    yield* insertRows(termTable(resource), terms)
    for (const [key, field] of fieldsOf(resource)) {
      const storage = field.storage(key)
      if (storage.in === 'links') {
        const links = copies.flatMap(({ id, links }) =>
          (links?.[key] ?? []).map((target, place) => ({ holder: id!, place, target })),
        )
        yield* insertRows(linkName(resource, key), links)
      }
      if (storage.in === 'votes') {
        // Their ids ascend as they are inserted, so the order of each record's votes stays.
        const votes = copies.flatMap(({ id, votes = [] }) => votes.map((account) => ({ record: id!, account })))
        yield* insertRows(voteName(resource), votes)
      }
    }
  }

  /** Deletes all rows of the tables. New ids continue from the highest one. */
  *clear(catalogue: readonly AnyResource[]): Work<void> {
    yield* this.clearRecords(catalogue)
    yield* touching(PEOPLE_CHANGED, 'DELETE FROM session')
    yield* query('DELETE FROM mail_link')
    yield* query('DELETE FROM follow')
    yield* note(NAMES_CHANGED)
    for (const { name } of PEOPLE.toReversed()) yield* query(`DELETE FROM ${quoted(name)}`)
    this.#names.clear()
  }

  *clearRecords(catalogue: readonly AnyResource[]): Work<void> {
    for (const table of ['judgement', 'play_round', 'play_standing', 'play_board', 'play_tally'])
      yield* query(`DELETE FROM ${table}`)
    for (const resource of inDependencyOrder(catalogue).reverse()) {
      for (const [key, field] of fieldsOf(resource)) {
        const storage = field.storage(key)
        if (storage.in === 'links') yield* query(`DELETE FROM ${quoted(linkName(resource, key))}`)
        if (storage.in === 'votes') yield* query(`DELETE FROM ${quoted(voteName(resource))}`)
      }
      for (const table of findingTables(resource)) yield* query(`DELETE FROM ${quoted(table)}`)
      yield* touching({ resource: resource.name, ids: 'all' }, `DELETE FROM ${quoted(resource.name)}`)
      yield* this.#rank.clear(resource)
      yield* clearCounts(resource)
    }
  }

  /** How many records have a stored value that differs from what the current rules compute. */
  *untrue(resource: AnyResource): Work<number> {
    const table = copiedTables([resource]).find(({ name }) => name === resource.name)!
    const sql = storedRows(this.#dialect, resource, SPAN)
    let count = 0
    yield* this.#spans(sql, table, (row) => {
      const values = valuesOf(resource, row, String(row[OWNER_NAME]))
      if (Object.entries(packed(resource, values)).some(([column, cell]) => row[column] !== cell)) count++
    })
    return count
  }

  *nameOf(account: number): Work<string> {
    return (yield* this.#namesOf([{ owner: account }])).get(account) ?? ''
  }

  /** The names of all owners, looked up together. */
  *#namesOf(copies: readonly { readonly owner?: number }[]): Work<ReadonlyMap<number, string>> {
    const names = this.#names
    const unknown = new Set(copies.flatMap(({ owner }) => (owner === undefined || names.has(owner) ? [] : owner)))
    if (unknown.size === 0) return names
    if (names.size > 0 && names.size + unknown.size > MOST_NAMES) {
      names.clear()
      return yield* this.#namesOf(copies)
    }
    const sql = `SELECT id, name FROM account WHERE ${this.#dialect.among('id')}`
    const rows = yield* query(sql, this.#dialect.ids([...unknown]))
    for (const row of rows) names.set(Number(row['id']), String(row['name']))
    return names
  }
}

export const OWNER_NAME = "owner's name"

/** A batch of rows of a resource after the given id, with everything that is stored in them. */
export function storedRows(dialect: Dialect, resource: AnyResource, limit: number): string {
  return `SELECT t.*, ${selected(dialect, resource).join(', ')}, (SELECT name FROM account WHERE id = t.owner) AS "${OWNER_NAME}"
    FROM ${quoted(resource.name)} AS t WHERE t.id > ? ORDER BY t.id LIMIT ${limit}`
}

function selected(dialect: Dialect, resource: AnyResource): string[] {
  const columns = ['id', 'owner', ...columnsOf(resource)].map((column) => `t.${quoted(column)}`)
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'links') {
      const list = dialect.list('target', `${quoted(linkName(resource, key))} WHERE holder = t.id`, 'place')
      columns.push(`${list} AS ${quoted(key)}`)
    }
    if (storage.in === 'votes') {
      const list = dialect.list('account', `${quoted(voteName(resource))} WHERE record = t.id`, 'id')
      columns.push(`${list} AS ${quoted(key)}`)
    }
  }
  return columns
}

function votesCounted(resource: AnyResource, count: number): Row {
  const voted = fieldsOf(resource).find(([key, field]) => field.storage(key).in === 'votes')
  return voted ? { [voteCount(voted[0])]: count } : {}
}

/** The times, and the columns with given values, including references; derived values are not copied. */
function columnsOf(resource: AnyResource): string[] {
  const given = fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    if (key in resource.derive) return []
    if (storage.in === 'columns') return storage.columns.map(({ name }) => name)
    return storage.in === 'reference' ? [key] : []
  })
  return [...TIMES, ...given]
}

function copiedRecord(resource: AnyResource, row: Row): Copied {
  const lists = (kind: 'links' | 'votes') =>
    fieldsOf(resource)
      .filter(([key, field]) => field.storage(key).in === kind)
      .map(([key]): [string, number[]] => [key, JSON.parse(String(row[key] ?? '[]'))])
  const [links, [votes]] = [lists('links'), lists('votes')]
  return {
    id: Number(row['id']),
    owner: Number(row['owner']),
    columns: Object.fromEntries(columnsOf(resource).map((column) => [column, row[column]!])),
    ...(links.length > 0 ? { links: Object.fromEntries(links) } : {}),
    ...(votes ? { votes: votes[1] } : {}),
  }
}
