/**
 * The matches of a search on PostgreSQL; if they are many, the first ones: those with the words in their names, then others,
 * each with the lowest ids. Its index does not know the ids, and all matches of a frequent word take longer to read than the whole search. So a few
 * are read in any order, and tell up to which id the first ones are.
 */
import type { Cell, Row } from '../declare/index.ts'
import { cell, rareQuery, type Work } from './database.ts'
import { postgresDialect } from './dialect.ts'
import { joined, type Sql } from './sql.ts'

/** Conditions on the table of words. */
export interface Matching {
  readonly table: string
  /** Whole words that each match has, if there are any: the index finds them faster than all words with a beginning. */
  readonly candidates: Sql | undefined
  readonly everywhere: Sql
  readonly inNames: Sql
}

export interface FirstMatches {
  /** One more than asked for if there are more. */
  readonly count: number
  readonly rows: Sql
}

export function* firstMatches({ table, candidates, everywhere, inNames }: Matching, most: number): Work<FirstMatches> {
  const few = candidates && (yield* idsAmong(table, candidates, { wanted: everywhere, most }))
  if (few) return { count: few.length, rows: recordsIn(table, few) }
  const others = joined`${everywhere} AND NOT ${inNames}`
  // The others are read only if not too many are named.
  const { sql, parameters } =
    joined`SELECT named.count AS named, named.ids AS named_ids, named.low AS named_low, named.high AS named_high,
      other.count AS other, other.ids AS other_ids, other.low AS other_low, other.high AS other_high,
      (SELECT min(record) FROM ${table}) AS lowest, (SELECT max(record) FROM ${table}) AS highest
    FROM (${someOf(table, inNames, most + 1)}) AS named,
      LATERAL (${someOf(table, joined`named.count <= ${String(most)} AND ${others}`, most + 1)}) AS other`
  const [row] = yield* rareQuery(sql, parameters)
  const [named, other] = [some(row, 'named'), some(row, 'other')]
  const left = most - named.count
  if (left < 0) return { count: most + 1, rows: yield* firstOf(table, inNames, { ...named, count: most }) }
  const namedIds = idsIn(row?.['named_ids'])
  if (other.count <= left) {
    const ids = [...namedIds, ...idsIn(row?.['other_ids'])]
    return { count: ids.length, rows: recordsIn(table, ids) }
  }
  const rest = yield* firstOf(table, others, { ...other, count: left })
  return { count: most + 1, rows: joined`${recordsIn(table, namedIds)} UNION ALL (${rest})` }
}

const IDS = "string_agg(CAST(record AS TEXT), ',')"

interface Choosing {
  readonly wanted: Sql
  readonly most: number
}

/** The ids of all matches; undefined if there are more candidates than `most`. */
function* idsAmong(table: string, candidates: Sql, { wanted, most }: Choosing): Work<number[] | undefined> {
  const { sql, parameters } = joined`SELECT count(*) AS read, ${IDS} FILTER (WHERE ${wanted}) AS ids
    FROM (SELECT record, words FROM ${table} WHERE ${candidates} LIMIT ${String(most + 1)}) AS few`
  const [row] = yield* rareQuery(sql, parameters)
  return Number(cell(row, 'read')) > most ? undefined : idsIn(row?.['ids'])
}

/** From the text of all. */
function idsIn(ids: Cell | undefined): number[] {
  return ids ? String(ids).split(',').map(Number) : []
}

function recordsIn(table: string, ids: readonly number[]): Sql {
  return rowsOf(table, { sql: postgresDialect.among('record'), parameters: [postgresDialect.ids(ids)] })
}

/** Some matches, whatever PostgreSQL finds first. */
interface Some {
  readonly count: number
  /** The lowest and the highest id among them, and of all records. */
  readonly low: number
  readonly high: number
  readonly lowest: number
  readonly highest: number
}

function someOf(table: string, isMatch: Sql, most: number): Sql {
  return joined`SELECT count(*) AS count, ${IDS} AS ids, min(record) AS low, max(record) AS high
    FROM (SELECT record FROM ${table} WHERE ${isMatch} LIMIT ${String(most)}) AS found`
}

function some(row: Row | undefined, name: string): Some {
  const columns = [name, `${name}_low`, `${name}_high`, 'lowest', 'highest']
  const [count = 0, low = 0, high = 0, lowest = 0, highest = 0] = columns.map((column) => Number(row?.[column]))
  return { count, low, high, lowest, highest }
}

/** Matches may be further apart elsewhere. */
const MARGIN = 1.3
/** In the time that PostgreSQL takes to find a match by its index, it looks at this many records one after another. */
const LOOKED_AT = 4

/**
 * As many matches, those with the lowest ids: none of them is behind the highest id of any others. If PostgreSQL began in
 * the middle of the table, its beginning has as many among about as many records. The sum in the order keeps PostgreSQL
 * from walking along the ids, which takes longer.
 */
function* firstOf(table: string, isMatch: Sql, { count, low, high, lowest, highest }: Some): Work<Sql> {
  const matches = (count / (high - low + 1)) * (highest - lowest + 1)
  // The sum keeps PostgreSQL from looking at all records up to the id if finding all matches takes less.
  const record = (id: number) => (id - lowest > matches * LOOKED_AT ? 'record + 0' : 'record')
  const upTo = (id: number) => joined`${isMatch} AND ${record(id)} <= ${parameter(id)}`
  const near = Math.ceil(lowest + (high - low) * MARGIN)
  const isNear = near < high && (yield* has(someOf(table, upTo(near), count), count))
  return joined`${rowsOf(table, upTo(isNear ? near : high))} ORDER BY record + 0 LIMIT ${String(count)}`
}

function* has({ sql, parameters }: Sql, count: number): Work<boolean> {
  const [row] = yield* rareQuery(sql, parameters)
  return Number(row?.['count']) === count
}

function rowsOf(table: string, isMatch: Sql): Sql {
  return joined`SELECT record, words FROM ${table} WHERE ${isMatch}`
}

function parameter(value: Cell): Sql {
  return { sql: '?', parameters: [value] }
}
