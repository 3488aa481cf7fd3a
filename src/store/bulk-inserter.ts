/** Inserts many new records with few statements: their rows, links, votes, words and terms, each with one. */
import { type AnyResource, type Cell, fieldsOf, keyStoredIn, type Row } from '../declare/index.ts'
import { noteChange } from './change-log.ts'
import { note, query, timeOfWrite, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { noteLikes, noteVotes } from './facet-counts.ts'
import { findingRows } from './finding.ts'
import { insertLater } from './insert-rows.ts'
import { noteAdded } from './list-changes.ts'
import { identityOf, packed, type Values } from './pack.ts'
import type { Rank } from './rank.ts'
import { linkName, termTable, uniqueColumn, voteCount, voteName, wordTable } from './schema.ts'

export interface BulkRecord {
  readonly id: number
  readonly owner: number
  readonly values: Values
  /** Accounts, oldest vote first. */
  readonly voters: readonly number[]
}

/** While PostgreSQL inserts them, the next ones are computed. */
const AT_ONCE = 200

export class BulkInserter {
  readonly #dialect: Dialect
  readonly #rank: Rank

  constructor(dialect: Dialect, rank: Rank) {
    this.#dialect = dialect
    this.#rank = rank
  }

  /** How many of them, counted from the first, are new: no record, and none of them, has the same values in a unique rule. */
  *countNew(resource: AnyResource, all: readonly Values[]): Work<number> {
    let count = all.length
    for (const [i, keys] of resource.unique.entries()) {
      const identities = all.slice(0, count).map((values) => identityOf(resource, keys, values))
      const column = uniqueColumn(i)
      const sql = `SELECT ${column} AS taken FROM ${quoted(resource.name)} WHERE ${this.#dialect.amongTexts(column)}`
      const rows = yield* query(sql, this.#dialect.texts(identities))
      count = untilTaken(identities, new Set(rows.map((row) => row['taken'])))
    }
    return count
  }

  /** The same for ids that are to be given to records. Those of deleted records are in the log. */
  *countFree(resource: AnyResource, ids: readonly number[]): Work<number> {
    const [id, record] = [this.#dialect.among('id'), this.#dialect.among('record')]
    const sql = `SELECT id FROM ${quoted(resource.name)} WHERE ${id}
      UNION ALL SELECT record FROM change WHERE resource = ? AND ${record}`
    const wanted = this.#dialect.ids(ids)
    const rows = yield* query(sql, wanted, resource.name, wanted)
    return untilTaken(ids, new Set(rows.map((row) => Number(row['id']))))
  }

  *newIds(resource: AnyResource, count: number): Work<number[]> {
    const rows = yield* query(this.#dialect.newIds(resource.name), count)
    return rows.map((row) => Number(row['id'])).sort((a, b) => a - b)
  }

  /** They must be new and valid. The log gets the same entries as if each was created and voted for by itself. */
  *insert(resource: AnyResource, records: readonly BulkRecord[]): Work<void> {
    for (let i = 0; i < records.length; i += AT_ONCE) yield* this.#insert(resource, records.slice(i, i + AT_ONCE))
  }

  *#insert(resource: AnyResource, records: readonly BulkRecord[]): Work<void> {
    const at = yield* timeOfWrite()
    const votes = keyStoredIn(resource, 'votes')
    const rows: Row[] = []
    const words: Row[] = []
    const terms: Row[] = []
    for (const { id, owner, values, voters } of records) {
      const counted: Row = votes === undefined ? {} : { [voteCount(votes)]: voters.length }
      const row: Record<string, Cell> = { id, owner, created: at, changed: at, ...packed(resource, values), ...counted }
      rows.push(row)
      const finding = findingRows(this.#dialect, resource, { id, owner }, values)
      for (const each of finding.words) words.push(each)
      for (const each of finding.terms) terms.push(each)
      yield* noteChange(resource.name, { action: 'create', id })
      yield* noteAdded(this.#rank, resource, row, id)
      if (votes !== undefined) yield* noteLikes(this.#dialect, resource, votes, { before: 0, after: voters.length })
      yield* noteVotes(this.#dialect, resource, { given: voters })
      for (const by of voters) yield* note({ resource: resource.name, ids: [id], change: { action: 'vote', id, by } })
    }
    yield* insertLater(resource.name, rows, { resource: resource.name, ids: records.map(({ id }) => id) })
    for (const [key, field] of fieldsOf(resource)) {
      if (field.storage(key).in === 'links') yield* insertLater(linkName(resource, key), linksOf(records, key))
    }
    if (votes !== undefined) yield* insertLater(voteName(resource), votesOf(records))
    yield* insertLater(wordTable(resource), words)
    yield* insertLater(termTable(resource), terms)
  }
}

/** How many come before the first that is taken, or occurs twice. */
function untilTaken<T extends Cell>(wanted: readonly T[], taken: ReadonlySet<Cell | undefined>): number {
  const seen = new Set(taken)
  const place = wanted.findIndex((each) => {
    if (seen.has(each)) return true
    seen.add(each)
    return false
  })
  return place < 0 ? wanted.length : place
}

function linksOf(records: readonly BulkRecord[], key: string): Row[] {
  return records.flatMap(({ id: holder, values }) => {
    const targets: readonly { readonly id: number }[] = values[key] ?? []
    return targets.map(({ id: target }, place) => ({ holder, place, target }))
  })
}

function votesOf(records: readonly BulkRecord[]): Row[] {
  return records.flatMap(({ id: record, voters }) => voters.map((account) => ({ record, account })))
}
