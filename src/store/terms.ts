/** Where words occur: as names and terms of sets, and in texts. */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { wordIndexOf } from './finding.ts'
import { termTable } from './schema.ts'
import { all, HIGHEST, type Sql } from './sql.ts'

/** One place in a record where a term occurs. */
export interface TermPlace {
  readonly id: number
  readonly member: string
}

export class Terms {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** How often the term occurs in each member of the records of some resources, in one statement. */
  *counts(resources: readonly AnyResource[], term: string): Work<Map<AnyResource, Map<string, number>>> {
    const counts = resources.map(
      (resource, i): Sql => ({
        sql: `SELECT ${i} AS resource, member, count(*) AS count FROM ${quoted(termTable(resource))}
          WHERE term = ? AND ${this.#dialect.inTime('record')} GROUP BY member`,
        parameters: [term],
      }),
    )
    const found = new Map(resources.map((resource) => [resource, new Map<string, number>()]))
    if (counts.length === 0) return found
    const { sql, parameters } = all(counts, ' UNION ALL ')
    for (const { resource, member, count } of yield* query(sql, ...parameters))
      found.get(resources[Number(resource)]!)!.set(String(member), Number(count))
    return found
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

  /** Places of each of the terms, in its first records. A frequent term is not read as a whole. */
  *placesOfEach(
    resource: AnyResource,
    terms: readonly string[],
    most: number,
  ): Work<(TermPlace & { readonly term: string })[]> {
    if (terms.length === 0) return []
    const table = quoted(termTable(resource))
    const last = `SELECT record FROM ${table} WHERE term = value ->> 0 ORDER BY record LIMIT 1 OFFSET ${most - 1}`
    const rows = yield* rareQuery(
      `SELECT found.record AS record, found.member AS member, found.term AS term
       FROM (SELECT value ->> 0 AS term, COALESCE((${last}), ${Number.MAX_SAFE_INTEGER}) AS last FROM ${this.#dialect.each}) AS asked
       JOIN ${table} AS found ON found.term = asked.term AND found.record <= asked.last`,
      [JSON.stringify(terms.map((term) => [term]))],
    )
    return rows.map((row) => ({ id: Number(row['record']), member: String(row['member']), term: String(row['term']) }))
  }

  /** The ids of records with one of the terms in a member, and which term it is. */
  *called(
    resource: AnyResource,
    member: string,
    terms: readonly string[],
    limit: number,
  ): Work<{ id: number; term: string }[]> {
    // Not in the order of the key: PostgreSQL would read the whole table to avoid sorting a few rows. The time is checked
    // before the member: most records have a frequent term in a slot, and few as their name.
    const rows = yield* query(
      `SELECT record, term FROM ${quoted(termTable(resource))}
       WHERE ${this.#dialect.amongTexts('term')} AND ${this.#dialect.inTime('record')} AND member = ?
       ORDER BY record + 0 LIMIT ?`,
      this.#dialect.texts(terms),
      member,
      limit,
    )
    return rows.map((row) => ({ id: Number(row['record']), term: String(row['term']) }))
  }

  /** The terms of these records that no record with a lower id has, and no record of other resources. */
  *brought(resource: AnyResource, ids: readonly number[], others: readonly AnyResource[]): Work<string[]> {
    const table = quoted(termTable(resource))
    // One look into the index for each term: it may have a hundred thousand records.
    const elsewhere = others.map(
      (other) => `AND (SELECT 1 FROM ${quoted(termTable(other))} AS o WHERE o.term = t.term LIMIT 1) IS NULL`,
    )
    const rows = yield* query(
      `SELECT DISTINCT t.term AS term FROM ${table} AS t WHERE ${this.#dialect.among('t.record')}
       AND (SELECT e.record FROM ${table} AS e WHERE e.term = t.term ORDER BY e.record LIMIT 1) = t.record
       ${elsewhere.join(' ')}`,
      this.#dialect.ids(ids),
    )
    return rows.map((row) => String(row['term']))
  }

  /** Records with at least this many of the words, anywhere in them: how many, and the first of them. */
  *holding(
    resource: AnyResource,
    words: readonly string[],
    atLeast: number,
    limit: number,
  ): Work<{ count: number; ids: number[] }> {
    const { sql: found, parameters } = wordIndexOf(this.#dialect).holding(resource, words, atLeast)
    // Planned with these words: a plan for any word could read the whole table for a rare one.
    const rows = yield* rareQuery(`${found} ORDER BY record LIMIT ?`, [...parameters, limit])
    const ids = rows.map((each) => Number(each['record']))
    if (ids.length < limit) return { count: ids.length, ids }
    const [row] = yield* rareQuery(`SELECT count(*) AS count FROM (${found}) AS found`, parameters)
    return { count: Number(cell(row, 'count')), ids }
  }

  /** The terms that occur in a record, with how often. A term may occur in several resources. */
  *known(resources: readonly AnyResource[], terms: readonly string[]): Work<{ term: string; count: number }[]> {
    if (terms.length === 0 || resources.length === 0) return []
    // Given as an array for each table, PostgreSQL's planner would look at each term for each table.
    const wanted = `WITH wanted AS MATERIALIZED (SELECT value ->> 0 AS term FROM ${this.#dialect.each})`
    const counts = resources.map((resource) => {
      const places = `wanted CROSS JOIN ${quoted(termTable(resource))} AS t`
      return `SELECT wanted.term AS term, count(*) AS count FROM ${places}
        WHERE t.term = wanted.term AND ${this.#dialect.inTime('t.record')} GROUP BY wanted.term`
    })
    const sql = `${wanted} ${counts.join(' UNION ALL ')}`
    const rows = yield* query(sql, JSON.stringify(terms.map((term) => [term])))
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']) }))
  }

  /** The terms that more than `most` records of one of the resources have. No more of them are read. */
  *frequent(resources: readonly AnyResource[], terms: readonly string[], most: number): Work<Set<string>> {
    if (terms.length === 0 || resources.length === 0) return new Set()
    const frequent = resources.map((resource): Sql => {
      const first = `SELECT DISTINCT record FROM ${quoted(termTable(resource))} WHERE term = value ->> 0 LIMIT ${most + 1}`
      return {
        sql: `SELECT value ->> 0 AS term FROM ${this.#dialect.each} WHERE (SELECT count(*) FROM (${first}) AS first) > ${most}`,
        parameters: [JSON.stringify(terms.map((term) => [term]))],
      }
    })
    const { sql, parameters } = all(frequent, ' UNION ALL ')
    return new Set((yield* rareQuery(sql, parameters)).map((row) => String(row['term'])))
  }

  /**
   * The words that occur in a record, with how many records of a resource, counted up to `most`. A word may occur in
   * several resources.
   */
  *words(
    resources: readonly AnyResource[],
    words: readonly string[],
    most: number,
  ): Work<{ term: string; count: number }[]> {
    if (words.length === 0 || resources.length === 0) return []
    const { sql, parameters } = wordIndexOf(this.#dialect).counts(resources, words, most)
    const rows = yield* rareQuery(sql, parameters)
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']) }))
  }

  /** The different terms of about this length that begin with a text, in the first places where such terms occur. */
  *beginning(
    resource: AnyResource,
    prefix: string,
    { shortest, longest, places }: { readonly shortest: number; readonly longest: number; readonly places: number },
  ): Work<string[]> {
    const rows = yield* rareQuery(
      `SELECT DISTINCT term FROM (SELECT term FROM ${quoted(termTable(resource))}
       WHERE term >= ? AND term < ? AND ${this.#dialect.inTime('record')} ORDER BY term LIMIT ?) AS beginning
       WHERE length(term) BETWEEN ? AND ?`,
      [prefix, prefix + HIGHEST, places, shortest, longest],
    )
    return rows.map((row) => String(row['term']))
  }
}
