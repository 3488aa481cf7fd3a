/** Where words occur: as names and terms of sets, and in texts. */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { termTable, wordTable } from './schema.ts'

/** One place in a record where a term occurs. */
export interface TermPlace {
  readonly id: number
  readonly member: string
}

const HIGHEST = '\u{10ffff}'

export class Terms {
  readonly #dialect: Dialect

  /** In every query that a frequent word can make slow. */
  readonly #inTime: string

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#inTime = dialect.inTime ? ` AND ${dialect.inTime}` : ''
  }

  /** How often the term occurs in each member of the resource's records. */
  *counts(resource: AnyResource, term: string): Work<Map<string, number>> {
    const rows = yield* query(
      `SELECT member, count(*) AS count FROM ${quoted(termTable(resource))} WHERE term = ? GROUP BY member`,
      term,
    )
    return new Map(rows.map((row) => [String(row['member']), Number(row['count'])]))
  }

  *places(resource: AnyResource, term: string, limit: number): Work<TermPlace[]> {
    const rows = yield* query(
      `SELECT record, member FROM ${quoted(termTable(resource))} WHERE term = ?
       ORDER BY record, member${this.#dialect.byCodePoint} LIMIT ?`,
      term,
      limit,
    )
    return rows.map((row) => ({ id: Number(row['record']), member: String(row['member']) }))
  }

  /** The ids of records with one of the terms in a member, and which term it is. */
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

  /** Records with at least this many of the words, anywhere in them: how many, and the first of them. */
  *holding(
    resource: AnyResource,
    words: readonly string[],
    atLeast: number,
    limit: number,
  ): Work<{ count: number; ids: number[] }> {
    const found = `SELECT record FROM ${quoted(wordTable(resource))} WHERE ${this.#dialect.amongTexts('word')}${this.#inTime}
       GROUP BY record HAVING count(*) >= ?`
    const rows = yield* query(`${found} ORDER BY record LIMIT ?`, this.#dialect.texts(words), atLeast, limit)
    const ids = rows.map((each) => Number(each['record']))
    if (ids.length < limit) return { count: ids.length, ids }
    const [row] = yield* query(`SELECT count(*) AS count FROM (${found}) AS found`, this.#dialect.texts(words), atLeast)
    return { count: Number(cell(row, 'count')), ids }
  }

  /** The terms that occur in a record, with how often. */
  *known(resource: AnyResource, terms: readonly string[]): Work<{ term: string; count: number }[]> {
    const rows = yield* query(
      `SELECT term, count(*) AS count FROM ${quoted(termTable(resource))}
       WHERE ${this.#dialect.amongTexts('term')} GROUP BY term`,
      this.#dialect.texts(terms),
    )
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']) }))
  }

  /** The words that occur in a record, with how many records. */
  *words(resource: AnyResource, words: readonly string[]): Work<{ term: string; count: number }[]> {
    const rows = yield* query(
      `SELECT word AS term, count(*) AS count FROM ${quoted(wordTable(resource))}
       WHERE ${this.#dialect.amongTexts('word')} GROUP BY word`,
      this.#dialect.texts(words),
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
