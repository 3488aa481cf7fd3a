/** Where words stand: as names and terms of sets, and in texts. */
import type { AnyResource } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { termTable, wordTable } from './schema.ts'

/** One place of one record in which a term stands. */
export interface TermPlace {
  readonly id: number
  readonly member: string
}

const HIGHEST = '\u{10ffff}'
const TEXT_PLACE = 2

export class Terms {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** How often the term stands in each member of the resource's records. */
  *counts(resource: AnyResource, term: string): Work<{ readonly member: string; readonly count: number }[]> {
    const rows = yield* query(
      `SELECT member, count(*) AS count FROM ${quoted(termTable(resource))} WHERE term = ? GROUP BY member`,
      term,
    )
    return rows.map((row) => ({ member: String(row['member']), count: Number(row['count']) }))
  }

  *places(resource: AnyResource, term: string, limit: number): Work<TermPlace[]> {
    const rows = yield* query(
      `SELECT record, member FROM ${quoted(termTable(resource))} WHERE term = ? ORDER BY record, member LIMIT ?`,
      term,
      limit,
    )
    return rows.map((row) => ({ id: Number(row['record']), member: String(row['member']) }))
  }

  /** Other terms of the records that the term stands in, the most frequent first. */
  *neighbours(resource: AnyResource, term: string, limit: number): Work<{ term: string; count: number }[]> {
    const table = quoted(termTable(resource))
    const rows = yield* query(
      `SELECT other.term AS term, count(DISTINCT other.record) AS count
       FROM ${table} AS mine JOIN ${table} AS other ON other.record = mine.record AND other.term <> mine.term
       WHERE mine.term = ? GROUP BY other.term ORDER BY count DESC, term LIMIT ?`,
      term,
      limit,
    )
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']) }))
  }

  /** The records that have most of the terms, with how many of them, the most first. */
  *sharing(resource: AnyResource, terms: readonly string[], limit: number): Work<{ id: number; count: number }[]> {
    const rows = yield* query(
      `SELECT record, count(DISTINCT term) AS count FROM ${quoted(termTable(resource))}
       WHERE ${this.#dialect.amongTexts('term')} GROUP BY record ORDER BY count DESC, record LIMIT ?`,
      this.#dialect.texts(terms),
      limit,
    )
    return rows.map((row) => ({ id: Number(row['record']), count: Number(row['count']) }))
  }

  /** The terms of some records, by record. */
  *of(resource: AnyResource, ids: readonly number[]): Work<Map<number, { member: string; term: string }[]>> {
    const rows = yield* query(
      `SELECT record, member, term FROM ${quoted(termTable(resource))} WHERE ${this.#dialect.among('record')}`,
      this.#dialect.ids(ids),
    )
    const found = new Map<number, { member: string; term: string }[]>()
    for (const row of rows) {
      const id = Number(row['record'])
      found.set(id, [...(found.get(id) ?? []), { member: String(row['member']), term: String(row['term']) }])
    }
    return found
  }

  /** The ids of records whose member is one of the terms, with which it is. */
  *called(
    resource: AnyResource,
    member: string,
    terms: readonly string[],
    limit: number,
  ): Work<{ id: number; term: string }[]> {
    const rows = yield* query(
      `SELECT record, term FROM ${quoted(termTable(resource))}
       WHERE ${this.#dialect.amongTexts('term')} AND member = ? ORDER BY record LIMIT ?`,
      this.#dialect.texts(terms),
      member,
      limit,
    )
    return rows.map((row) => ({ id: Number(row['record']), term: String(row['term']) }))
  }

  /** Records with one of the words in their text: how many, and the first of them. */
  *texts(resource: AnyResource, words: readonly string[], limit: number): Work<{ count: number; ids: number[] }> {
    const table = quoted(wordTable(resource))
    const found = `FROM ${table} WHERE ${this.#dialect.amongTexts('word')} AND place = ${TEXT_PLACE}`
    const [row] = yield* query(`SELECT count(DISTINCT record) AS count ${found}`, this.#dialect.texts(words))
    const rows = yield* query(
      `SELECT DISTINCT record ${found} ORDER BY record LIMIT ?`,
      this.#dialect.texts(words),
      limit,
    )
    return { count: Number(row!['count']), ids: rows.map((each) => Number(each['record'])) }
  }

  /** Those of the terms that stand in a record, with how often. */
  *known(resource: AnyResource, terms: readonly string[]): Work<{ term: string; count: number }[]> {
    const rows = yield* query(
      `SELECT term, count(*) AS count FROM ${quoted(termTable(resource))}
       WHERE ${this.#dialect.amongTexts('term')} GROUP BY term`,
      this.#dialect.texts(terms),
    )
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']) }))
  }

  *beginning(resource: AnyResource, prefix: string, limit: number): Work<{ term: string; count: number }[]> {
    const rows = yield* query(
      `SELECT term, count(*) AS count FROM ${quoted(termTable(resource))}
       WHERE term >= ? AND term < ? GROUP BY term ORDER BY term LIMIT ?`,
      prefix,
      prefix + HIGHEST,
      limit,
    )
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']) }))
  }
}
