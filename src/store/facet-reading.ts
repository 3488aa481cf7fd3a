/**
 * Answers from the counters: how many records a narrowed list has, and how many have each value of a member. It works
 * for conditions on one counted member, or on two that are counted together; other lists have to be read.
 */
import type { AnyResource, Cell } from '../declare/index.ts'
import { cell, query, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type CountedMember, countedMember, countedMembers } from './facet-members.ts'
import { knownTexts } from './known-texts.ts'
import type { Condition, Narrowing } from './narrow.ts'
import { facetTable } from './schema.ts'
import { foldCase } from './words.ts'

export interface ValueCount {
  readonly value: Cell
  readonly count: number
}

export interface PairCount {
  readonly values: readonly [Cell, Cell]
  readonly count: number
}

type CountedColumn = Pick<Condition, 'key' | 'on'>

/** Rows of the table of counters. */
interface Counters {
  readonly where: string
  readonly parameters: readonly Cell[]
  /** The column with the values of each member. */
  readonly columns: ReadonlyMap<CountedMember, string>
}

/** Of more texts, each record is compared. */
const MOST_LISTED = 200

export class FacetReader {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Undefined if the counters do not tell. */
  *count(resource: AnyResource, narrowing: Narrowing): Work<number | undefined> {
    const found = this.#counters(resource, narrowing)
    if (!found) return undefined
    const sql = `SELECT COALESCE(sum(count), 0) AS count FROM ${quoted(facetTable(resource))} WHERE ${found.where}`
    const [row] = yield* rareQuery(sql, found.parameters)
    return Number(cell(row, 'count'))
  }

  /** The most frequent values, with ties in the order of the values; undefined if the counters do not tell. */
  *values(
    resource: AnyResource,
    by: Pick<Condition, 'key' | 'on'>,
    narrowing: Narrowing,
    limit: number,
  ): Work<ValueCount[] | undefined> {
    const member = countedMember(resource, by)
    const found = member && this.#counters(resource, narrowing, member)
    const column = member && found?.columns.get(member)
    if (!found || column === undefined) return undefined
    const { integer, byCodePoint } = this.#dialect
    const counted = `(SELECT ${column} AS value, sum(count) AS count FROM ${quoted(facetTable(resource))}
      WHERE ${found.where} GROUP BY ${column}) AS f`
    const number = `CAST(f.value AS ${integer})`
    const sql =
      member.type === 'owner'
        ? `SELECT a.name AS value, f.count AS count FROM ${counted} JOIN account AS a ON a.id = ${number}
           ORDER BY count DESC, a.name${byCodePoint} LIMIT ?`
        : `SELECT f.value AS value, f.count AS count FROM ${counted}
           ORDER BY count DESC, ${member.type === 'text' ? `f.value${byCodePoint}` : number} LIMIT ?`
    const rows = yield* rareQuery(sql, [...found.parameters, limit])
    return rows.map((row) => ({ value: valueIn(member, cell(row, 'value')), count: Number(row['count']) }))
  }

  /** The texts of a counted member that contain a text, in any letter case; undefined if there may be many. */
  *textsWith(resource: AnyResource, { key, on, values }: Condition): Work<string[] | undefined> {
    const member = countedMember(resource, { key, on })
    const known = member?.type === 'text' ? yield* knownTexts(this.#dialect, resource, member) : undefined
    const part = foldCase(String(values[0] ?? ''))
    const found = known?.map(({ value }) => value).filter((value) => foldCase(value).includes(part))
    return found && found.length <= MOST_LISTED ? found : undefined
  }

  /** How many records have each pair of these values of one member and any value of another; undefined as above. */
  *pairs(
    resource: AnyResource,
    by: CountedColumn & { readonly values: readonly Cell[] },
    other: CountedColumn,
  ): Work<PairCount[] | undefined> {
    const [one, two] = [countedMember(resource, by), countedMember(resource, other)]
    const narrowing = { conditions: [{ ...by, lookup: 'in' as const }] }
    const found = one && two && this.#counters(resource, narrowing, two)
    const [first, second] = found ? [found.columns.get(one), found.columns.get(two)] : []
    if (!found || first === undefined || second === undefined) return undefined
    const sql = `SELECT ${first} AS one, ${second} AS two, count FROM ${quoted(facetTable(resource))} WHERE ${found.where}`
    const rows = by.values.length === 0 ? [] : yield* rareQuery(sql, found.parameters)
    return rows.map((row) => ({
      values: [valueIn(one, cell(row, 'one')), valueIn(two, cell(row, 'two'))],
      count: Number(row['count']),
    }))
  }

  /** How many records were created on each day, counted from 1970; day 0 has those of which it is not known. */
  *days(resource: AnyResource): Work<ReadonlyMap<number, number>> {
    const sql = `SELECT value, count FROM ${quoted(facetTable(resource))}
      WHERE given = '' AND member = 'created' AND given_value = ''`
    const rows = yield* query(sql)
    return new Map(rows.map((row) => [Number(row['value']), Number(row['count'])]))
  }

  #counters(resource: AnyResource, { conditions, search, among }: Narrowing, by?: CountedMember): Counters | undefined {
    if (search !== undefined || among) return undefined
    const compared = conditions.map((condition) => ({ condition, member: countedMember(resource, condition) }))
    const members = new Set(by ? [by] : [])
    for (const { member, condition } of compared) {
      if (!member || condition.lookup === 'icontains') return undefined
      members.add(member)
    }
    // In the order of the fields, like the pairs in the table.
    const [first, second, ...others] = countedMembers(resource).filter((member) => members.has(member))
    if (!first || others.length > 0 || (second && !(first.isPaired && second.isPaired))) return undefined
    const columns = new Map(second ? [[first, 'given_value'] as const, [second, 'value'] as const] : [[first, 'value']])
    const [given, counted] = second ? [first.name, second.name] : ['', first.name]
    const parts = [`given = '${given}' AND member = '${counted}'`, ...(second ? [] : ["given_value = ''"])]
    const parameters: Cell[] = []
    for (const { condition, member } of compared) {
      const column = member && columns.get(member)
      if (!member || column === undefined) return undefined
      const comparison = this.#compared(column, member, condition)
      parts.push(comparison.sql)
      parameters.push(...comparison.parameters)
    }
    return { where: parts.join(' AND '), parameters, columns }
  }

  /** The same comparison as that of a record. All values are texts in the table. */
  #compared(
    column: string,
    { name, type }: CountedMember,
    { lookup, values }: Condition,
  ): { readonly sql: string; readonly parameters: readonly Cell[] } {
    const [value = ''] = values
    if (values.length === 0) return { sql: 'FALSE', parameters: [] }
    const places = values.map(() => '?').join(', ')
    if (type === 'owner') {
      const accounts = `SELECT CAST(id AS TEXT) FROM account WHERE name_key IN (${places})`
      return { sql: `${column} IN (${accounts})`, parameters: values }
    }
    // Only of its own rows: others have texts in the column.
    const own = `CASE WHEN ${column === 'value' ? 'member' : 'given'} = '${name}' THEN ${column} END`
    const number = `CAST(${own} AS ${this.#dialect.integer})`
    switch (lookup) {
      case 'gte':
        return { sql: `${number} >= ?`, parameters: [value] }
      case 'lte':
        return { sql: `${number} <= ?`, parameters: [value] }
      case 'gt':
        return { sql: `${number} > ?`, parameters: [value] }
      case 'lt':
        return { sql: `${number} < ?`, parameters: [value] }
      case 'startswith':
        return {
          sql: `substr(${column}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT)`,
          parameters: [value, value],
        }
      case 'isnull':
        return { sql: `${column} ${value === 'true' ? '=' : '>'} ''`, parameters: [] }
      default:
        return { sql: `${column} IN (${places})`, parameters: values.map(String) }
    }
  }
}

/** All values are texts in the table. */
function valueIn({ type }: CountedMember, value: Cell): Cell {
  return type === 'integer' || type === 'votes' ? Number(value) : value
}
