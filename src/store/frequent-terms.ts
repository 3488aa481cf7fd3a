/**
 * Questions about terms that many records may have. Records come in the order of their ids from the index, so the first of
 * a frequent term can be read alone.
 */
import type { AnyResource, Row } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { nameMember } from './facet-members.ts'
import { termTable } from './schema.ts'

/** A term that more records have is frequent. Those that share frequent terms only are looked for among this many of each. */
const FREQUENT = 2000
/** Neighbours are counted in this many records of a term. */
const MOST_READ = 1000
/** More terms are looked up together. */
const MOST_PROBED = 50

interface Neighbour {
  readonly term: string
  readonly count: number
  /** The first record that has both terms. */
  readonly record: number
}

interface Sharing {
  readonly id: number
  readonly count: number
}

export class FrequentTerms {
  readonly #dialect: Dialect
  readonly #frequent: number
  readonly #mostShared: number

  /** Tests use small numbers. */
  constructor(dialect: Dialect, { frequent = FREQUENT, mostShared = FREQUENT } = {}) {
    this.#dialect = dialect
    this.#frequent = frequent
    this.#mostShared = mostShared
  }

  /**
   * Other terms of the records with the term, the most frequent first. They are counted in its first records only.
   */
  *neighbours(resource: AnyResource, term: string, limit: number): Work<Neighbour[]> {
    const table = quoted(termTable(resource))
    const rows = yield* rareQuery(
      `SELECT other.term AS term, count(DISTINCT other.record) AS count, min(other.record) AS record
       FROM (SELECT DISTINCT record FROM ${table} WHERE term = ? ORDER BY record LIMIT ${MOST_READ}) AS mine
       JOIN ${table} AS other ON other.record = mine.record
       WHERE other.term <> ? AND ${this.#dialect.inTime('other.record')} GROUP BY other.term ORDER BY count DESC, term LIMIT ?`,
      [term, term, limit],
    )
    return rows.map((row) => ({ term: String(row['term']), count: Number(row['count']), record: idOf(row) }))
  }

  /**
   * The records that have most of the terms, with how many of them: the most first, then those with lower ids. Of frequent
   * terms, the first records are looked at, and all that have a rare term too.
   */
  *sharing(resource: AnyResource, given: readonly string[], limit: number): Work<Sharing[]> {
    const terms = [...new Set(given)]
    const { frequent, rare } = yield* this.#byFrequency(resource, terms)
    if (frequent.length === 0) return yield* this.#sharingAny(resource, terms, limit)
    const found = yield* this.#sharingFirst(resource, frequent, limit)
    const some = rare.length > 0 ? yield* this.#withAny(resource, rare) : []
    return yield* this.#counted(resource, [...new Set([...found, ...some])], terms, limit)
  }

  /** The records that have at least this many of the terms: all of them, however frequent the terms are. */
  *having(
    resource: AnyResource,
    terms: readonly string[],
    { atLeast, limit }: { atLeast: number; limit: number },
  ): Work<number[]> {
    const { amongTexts, texts, inTime } = this.#dialect
    const rows = yield* rareQuery(
      `SELECT record FROM ${quoted(termTable(resource))} WHERE ${amongTexts('term')} AND ${inTime('record')}
       GROUP BY record HAVING count(DISTINCT term) >= ? ORDER BY record LIMIT ?`,
      [texts(terms), atLeast, limit],
    )
    return rows.map(idOf)
  }

  /**
   * The same as `sharing` for terms in slots, counted in the first records of each term alone. Whether a record has a term is never
   * looked up: reading a thousand entries of the index takes less time than finding twenty.
   */
  *crossing(
    resource: AnyResource,
    terms: readonly string[],
    { each, limit }: { readonly each: number; readonly limit: number },
  ): Work<Sharing[]> {
    if (terms.length === 0) return []
    const table = quoted(termTable(resource))
    // The name of a record may be a term of others, and is none of its own.
    const name = nameMember(resource) ?? ''
    const inTime = this.#dialect.inTime('record')
    const parts = terms.map((_, i) => {
      const first = `SELECT record, term FROM ${table} WHERE term = ? AND member <> ? AND ${inTime} ORDER BY record LIMIT ${each}`
      return `SELECT record, term FROM (${first}) AS some_${i}`
    })
    const rows = yield* rareQuery(
      `SELECT record, count(DISTINCT term) AS count FROM (${parts.join(' UNION ALL ')}) AS found
       GROUP BY record ORDER BY count DESC, record LIMIT ?`,
      [...terms.flatMap((term) => [term, name]), limit],
    )
    return rows.map((row) => ({ id: Number(row['record']), count: Number(row['count']) }))
  }

  *#byFrequency(
    resource: AnyResource,
    terms: readonly string[],
  ): Work<{ frequent: readonly string[]; rare: readonly string[] }> {
    if (terms.length === 0 || terms.length > MOST_PROBED) return { frequent: [], rare: terms }
    const nth = `SELECT record FROM ${quoted(termTable(resource))} WHERE term = ? ORDER BY record LIMIT 1 OFFSET ${this.#frequent}`
    const parts = terms.map((_, i) => `SELECT ${i} AS place, record FROM (${nth}) AS some_${i}`)
    const rows = yield* rareQuery(parts.join(' UNION ALL '), terms)
    const frequent = new Set(rows.map(({ place }) => terms[Number(place)]!))
    return { frequent: [...frequent], rare: terms.filter((term) => !frequent.has(term)) }
  }

  /** Those that have most of the terms, of the first records of each. */
  *#sharingFirst(resource: AnyResource, terms: readonly string[], limit: number): Work<number[]> {
    const first = `SELECT DISTINCT record FROM ${quoted(termTable(resource))} WHERE term = ? AND ${this.#dialect.inTime('record')}
      ORDER BY record LIMIT ${this.#mostShared}`
    const rows = yield* rareQuery(
      `SELECT record FROM (${terms.map((_, i) => `SELECT record FROM (${first}) AS some_${i}`).join(' UNION ALL ')}) AS found
       GROUP BY record ORDER BY count(*) DESC, record LIMIT ?`,
      [...terms, limit],
    )
    return rows.map(idOf)
  }

  /** All records with one of some rare terms. */
  *#withAny(resource: AnyResource, terms: readonly string[]): Work<number[]> {
    const { amongTexts, texts, inTime } = this.#dialect
    const rows = yield* rareQuery(
      `SELECT DISTINCT record FROM ${quoted(termTable(resource))} WHERE ${amongTexts('term')} AND ${inTime('record')}`,
      [texts(terms)],
    )
    return rows.map(idOf)
  }

  /**
   * How many of the terms these records have. The ids are given: with a sub-select in their place, PostgreSQL reads all
   * records of each frequent term.
   */
  *#counted(resource: AnyResource, ids: readonly number[], terms: readonly string[], limit: number): Work<Sharing[]> {
    const { amongTexts, among, texts, ids: list, withoutIndex, inTime } = this.#dialect
    const rows = yield* rareQuery(
      `SELECT record, count(DISTINCT term) AS count FROM ${quoted(termTable(resource))}
       WHERE ${among('record')} AND ${amongTexts(withoutIndex('term'))} AND ${inTime('record')}
       GROUP BY record ORDER BY count DESC, record LIMIT ?`,
      [list(ids), texts(terms), limit],
    )
    return rows.map((row) => ({ id: idOf(row), count: Number(row['count']) }))
  }

  /** How many of the terms the records with any of them have. */
  *#sharingAny(resource: AnyResource, terms: readonly string[], limit: number): Work<Sharing[]> {
    const { amongTexts, texts, inTime } = this.#dialect
    const rows = yield* rareQuery(
      `SELECT record, count(DISTINCT term) AS count FROM ${quoted(termTable(resource))}
       WHERE ${amongTexts('term')} AND ${inTime('record')}
       GROUP BY record ORDER BY count DESC, record LIMIT ?`,
      [texts(terms), limit],
    )
    return rows.map((row) => ({ id: idOf(row), count: Number(row['count']) }))
  }
}

function idOf(row: Row): number {
  return Number(row['record'])
}
