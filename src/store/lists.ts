/** Narrowed lists: by filters, by a search, or to a few random records. */
import type { AnyResource, Row } from '../declare/index.ts'
import { type CountedBy, countValues } from './count-values.ts'
import { cell, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import type { FacetReader, ValueCount } from './facet-reading.ts'
import { NameParts } from './name-parts.ts'
import {
  type Condition,
  keepsOrder,
  type NarrowedSql,
  type Narrowing,
  narrowed,
  orderOfRows,
  orderSql,
  standsFrom,
} from './narrow.ts'
import type { Records } from './records.ts'
import { recordsIn, type Sample } from './samples.ts'
import type { SearchLanguage } from './search.ts'
import { type Selection, selectRecords } from './select-records.ts'
import { joined } from './sql.ts'
import type { Span } from './stretch.ts'
import { isOrderKnown, pageByValue } from './value-order.ts'
import { type Mark, wayTo } from './walk.ts'

/** Up to this many rows sort quickly. */
export const FEW = 2000
/** More are never sorted. */
const MOST_SORTED = 100_000

/** All records, perhaps in another order. */
export function isWhole({ conditions, search, among }: Narrowing): boolean {
  return conditions.length === 0 && search === undefined && among === undefined
}

interface Found {
  readonly count: number
  /** Only if the matches are few. */
  readonly ids?: readonly number[]
}

interface Facet {
  readonly values: readonly ValueCount[]
  /** How many records were counted, if these are not all. */
  readonly read?: number
}

interface PageOptions {
  readonly by: Narrowing
  readonly count: number
  readonly from?: Mark | undefined
  /** Whether the key of the last row is wanted: those of many rows may be long. */
  readonly hasEnd?: boolean
}

export class Lists {
  readonly #dialect: Dialect
  readonly #records: Records
  readonly #language: SearchLanguage
  readonly #facets: FacetReader | undefined

  /** Without `facets`, everything is counted from the records: the counters only know what is there now. */
  constructor(dialect: Dialect, records: Records, language: SearchLanguage, facets?: FacetReader) {
    this.#dialect = dialect
    this.#records = records
    this.#language = language
    this.#facets = facets
  }

  *#narrowed(resource: AnyResource, narrowing: Narrowing, { isWalked = false } = {}): Work<NarrowedSql> {
    return yield* this.#sqlOf(resource, yield* this.resolved({ resource }, narrowing), { isWalked })
  }

  #sqlOf(resource: AnyResource, narrowing: Narrowing, { isWalked = false } = {}): Work<NarrowedSql> {
    return narrowed(this.#dialect, resource, narrowing, { isWalked, language: this.#language })
  }

  /**
   * What a text contains is looked for in the texts and the words of names that the counters know, and then these are
   * looked up. A narrowing that has its records already is as it was.
   */
  *resolved(
    { resource }: Selection,
    narrowing: Narrowing,
    { names = new NameParts(this.#dialect, resource), isWalked = false } = {},
  ): Work<Narrowing> {
    const { conditions, among } = narrowing
    if (!this.#facets || among || !conditions.some(isInside)) return narrowing
    const known: Condition[] = []
    let records: readonly number[] | undefined
    for (const condition of conditions) {
      const values = isInside(condition) ? yield* this.#facets.textsWith(resource, condition) : undefined
      // One is enough to leave few records. If a list is walked, these would be looked up and sorted.
      if (isInside(condition) && !isWalked) records ??= yield* names.records(condition)
      known.push(values ? { ...condition, lookup: 'in', values } : condition)
    }
    return { ...narrowing, conditions: known, ...(records && { among: records }) }
  }

  *count({ resource }: Selection, given: Narrowing): Work<number> {
    const names = new NameParts(this.#dialect, resource)
    const named = yield* this.#countNames(names, given)
    if (named !== undefined) return named
    const narrowing = yield* this.resolved({ resource }, given, { names })
    // It is the whole list, in another order.
    if (isWhole(narrowing)) return yield* this.#records.count({ resource })
    const known = yield* this.#countKnown(resource, narrowing)
    if (known !== undefined) return known
    const { from, where, parameters } = yield* this.#sqlOf(resource, narrowing)
    const [row] = yield* rareQuery(`SELECT count(*) AS count FROM ${from} WHERE ${where}`, parameters)
    return Number(cell(row, 'count'))
  }

  *#countKnown(resource: AnyResource, narrowing: Narrowing): Work<number | undefined> {
    return this.#facets && (yield* this.#facets.count(resource, narrowing))
  }

  /** If the only condition is what names contain, and the counters tell how many do; few are found in less time. */
  *#countNames(names: NameParts, given: Narrowing): Work<number | undefined> {
    const condition = this.#onlyCondition(given)
    const atMost = (condition && (yield* names.atMost(condition))) ?? 0
    return condition && atMost > FEW ? yield* names.count(condition) : undefined
  }

  /** If the counters can tell anything about it. */
  #onlyCondition({ conditions, search, among }: Narrowing): Condition | undefined {
    const [condition, ...others] = conditions
    return this.#facets && others.length === 0 && search === undefined && !among ? condition : undefined
  }

  /** Whether no index has the order of many matches, so that each page sorts all of them. */
  sortsEachPage({ resource }: Selection, { by, count }: { by: Narrowing; count: number }): boolean {
    const { ordering } = by
    const hasCounters = this.#facets !== undefined && isWhole(by)
    return ordering !== undefined && count > FEW && !isOrderKnown(resource, ordering, hasCounters)
  }

  /** The ids of a page; `count` is the number of matches. */
  *page(
    { resource }: Selection,
    span: Span,
    { by: given, count, from, hasEnd = true }: PageOptions,
  ): Work<{ readonly ids: number[]; readonly end?: Mark }> {
    const isFew = count <= FEW
    const maySort = isFew || (!isWhole(given) && (yield* this.#sortsFaster(resource, span, { count, from })))
    const by = yield* this.resolved({ resource }, given, { isWalked: !maySort })
    const [ordering, ...others] = by.ordering ?? []
    if (this.#facets && ordering && others.length === 0 && isWhole(by)) {
      const ids = yield* pageByValue(this.#dialect, resource, ordering, span)
      if (ids) return { ids }
    }
    const isInOrder = !by.among && by.conditions.some((condition) => keepsOrder(resource, by, condition))
    // Without conditions, there is nothing to find first.
    const isSortedFirst = !isWhole(by) && (isFew || (maySort && !isInOrder))
    const sql = yield* this.#sqlOf(resource, by, { isWalked: !isSortedFirst })
    if (isSortedFirst || sql.extra !== '') return { ids: yield* this.#few(sql, span, count) }
    const { backwards, ...part } = wayTo(span, count, from)
    return yield* this.#stretch(sql, part, { span, backwards, hasEnd, ...(backwards ? {} : { from }) })
  }

  /** If no index has the matches in the order of the list: whether sorting all of them reads less than walking. */
  *#sortsFaster(
    resource: AnyResource,
    span: Span,
    { count, from }: { readonly count: number; readonly from?: Mark | undefined },
  ): Work<boolean> {
    if (count > MOST_SORTED) return false
    const { limit, offset } = wayTo(span, count, from)
    return count < ((offset + limit) * (yield* this.#records.count({ resource }))) / count
  }

  /**
   * The same with the number of matches, for conditions that no index helps: if few records match, they are found in
   * one pass. Undefined if there are more and they were not counted, or if the conditions are others.
   */
  *fewFound({ resource }: Selection, span: Span, given: Narrowing): Work<Found | undefined> {
    const { limit, offset } = span
    const names = new NameParts(this.#dialect, resource)
    const condition = this.#onlyCondition(given)
    const atMost = (condition && (yield* names.atMost(condition))) ?? 0
    if (condition && atMost > FEW && !(yield* this.#sortsFaster(resource, span, { count: atMost }))) {
      const count = yield* names.count(condition)
      if (count !== undefined && count > FEW) return { count }
    }
    const by = yield* this.resolved({ resource }, given, { names })
    if (by.search !== undefined) return undefined
    if (!by.conditions.some(isInside)) {
      // If texts were found, the counters may tell how many records have them.
      const count = by === given ? undefined : yield* this.#countKnown(resource, by)
      return count === undefined ? undefined : { count }
    }
    const sql = yield* this.#sqlOf(resource, by)
    if (by.among) return yield* this.#foundAmong(sql, { limit, offset })
    const rows = yield* rareQuery(`SELECT t.id AS id FROM ${sql.from} WHERE ${sql.where} LIMIT ?`, [
      ...sql.parameters,
      FEW + 1,
    ])
    if (rows.length > FEW) return undefined
    const page = yield* rareQuery(
      `SELECT t.id AS id FROM ${quoted(resource.name)} AS t
       WHERE ${this.#dialect.among('t.id')} AND ${this.#dialect.inTime('t.id')} ORDER BY ${orderSql(sql.order)} LIMIT ? OFFSET ?`,
      [this.#dialect.ids(rows.map((row) => Number(row['id']))), limit, offset],
    )
    return { count: rows.length, ids: page.map((row) => Number(row['id'])) }
  }

  /** All of them are read anyway. Undefined behind the last one, because only rows tell how many there are. */
  *#foundAmong({ from, where, parameters, order }: NarrowedSql, { limit, offset }: Span): Work<Found | undefined> {
    const rows = yield* rareQuery(
      `SELECT t.id AS id, count(*) OVER () AS count FROM ${from} WHERE ${where} ORDER BY ${orderSql(order)} LIMIT ? OFFSET ?`,
      [...parameters, limit, offset],
    )
    const [first] = rows
    if (!first && offset > 0) return undefined
    return { count: Number(first?.['count'] ?? 0), ids: rows.map((row) => Number(row['id'])) }
  }

  /**
   * A few matches, or the matches of a search, are found first and then sorted. The limit keeps the query planners from
   * choosing the opposite order.
   */
  *#few(sql: NarrowedSql, { limit, offset }: Span, count: number): Work<number[]> {
    const left = `SELECT t.*${sql.extra} FROM ${sql.from} WHERE ${sql.where} LIMIT ?`
    const rows = yield* rareQuery(
      `SELECT t.id AS id FROM (${left}) AS t ORDER BY ${orderSql(sql.order)} LIMIT ? OFFSET ?`,
      [...sql.extraParameters, ...sql.parameters, count, limit, offset],
    )
    return rows.map((row) => Number(row['id']))
  }

  /** With many matches, a page is found by walking the list in order: from its nearer end, or from a known key. */
  *#stretch(
    { from: tables, where, parameters, order }: NarrowedSql,
    { limit, offset }: Span,
    { span, from, backwards, hasEnd }: { span: Span; from?: Mark | undefined; backwards: boolean; hasEnd: boolean },
  ): Work<{ readonly ids: number[]; readonly end?: Mark }> {
    const behind = from && standsFrom(order, from.key)
    const keys = hasEnd ? order.map(({ sql }, i) => `, ${sql} AS key_${i}`).join('') : ''
    const rows = yield* rareQuery(
      `SELECT t.id AS id${keys} FROM ${tables} WHERE ${where}${behind ? ` AND ${behind.sql}` : ''}
       ORDER BY ${orderSql(order, { backwards })} LIMIT ? OFFSET ?`,
      [...parameters, ...(behind?.parameters ?? []), limit, offset],
    )
    const inOrder = backwards ? rows.toReversed() : rows
    const last = inOrder.at(-1)
    const ids = inOrder.map((row) => Number(row['id']))
    if (!last || !hasEnd) return { ids }
    return { ids, end: { offset: span.offset + rows.length - 1, key: order.map((_, i) => last[`key_${i}`]!) } }
  }

  /** The ids of all matches of a search, the best first: it finds a limited number. */
  *found({ resource }: Selection, search: Narrowing): Work<number[]> {
    const sql = yield* this.#narrowed(resource, search)
    if (sql.isEmpty) return []
    const rows = yield* rareQuery(
      `SELECT t.id AS id${sql.extra} FROM ${sql.from} WHERE ${sql.where} ORDER BY ${orderSql(sql.order)}`,
      [...sql.extraParameters, ...sql.parameters],
    )
    return rows.map((row) => Number(row['id']))
  }

  /** The same in no order, which takes less. */
  *idsFound({ resource }: Selection, search: Narrowing): Work<number[]> {
    const { from, where, parameters, isEmpty } = yield* this.#narrowed(resource, search)
    if (isEmpty) return []
    return (yield* rareQuery(`SELECT t.id AS id FROM ${from} WHERE ${where}`, parameters)).map((row) =>
      Number(row['id']),
    )
  }

  /** All ids in order, separated by commas: a million of them are one text of a few megabytes. */
  *allIds({ resource }: Selection, narrowing: Narrowing): Work<string> {
    const sql = yield* this.#narrowed(resource, narrowing)
    const left = `SELECT t.*${sql.extra} FROM ${sql.from} WHERE ${sql.where}`
    const [row] = yield* rareQuery(
      `SELECT string_agg(CAST(t.id AS TEXT), ',' ORDER BY ${orderSql(sql.order)}) AS ids FROM (${left}) AS t`,
      [...sql.extraParameters, ...sql.parameters],
    )
    return String(cell(row, 'ids') ?? '')
  }

  /** Which of these ids match. */
  *matching({ resource }: Selection, ids: readonly number[], narrowing: Narrowing): Work<Set<number>> {
    const { from, where, parameters } = yield* this.#narrowed(resource, narrowing)
    const rows = yield* rareQuery(`SELECT t.id AS id FROM ${from} WHERE ${where} AND ${this.#dialect.among('t.id')}`, [
      ...parameters,
      this.#dialect.ids(ids),
    ])
    return new Set(rows.map((row) => Number(row['id'])))
  }

  /** The first matching record from an id on. */
  *firstFrom(selection: Selection, id: number, narrowing: Narrowing): Work<readonly Row[]> {
    const { from, where, parameters } = yield* this.#narrowed(selection.resource, narrowing)
    const first = `(SELECT t.* FROM ${from} WHERE ${where} AND t.id >= ? ORDER BY t.id LIMIT 1)`
    return yield* rareQuery(selectRecords(this.#dialect, selection, first), [...parameters, id])
  }

  /** The ids at some positions of the list, counted from 0 and ascending; `count` is the number of matches. */
  *idsAt(
    { resource }: Selection,
    places: readonly number[],
    { by: { conditions, search }, count }: { readonly by: Narrowing; readonly count: number },
  ): Work<number[]> {
    if (places.length === 0) return []
    const by = { conditions, search }
    const { from, where, parameters } = yield* this.#narrowed(resource, by, { isWalked: count > FEW })
    const order = orderSql(orderOfRows(this.#dialect, resource, by, false))
    const ids = `SELECT t.id AS id, row_number() OVER (ORDER BY ${order}) - 1 AS place FROM ${from} WHERE ${where}
      ORDER BY ${order} LIMIT ?`
    const rows = yield* rareQuery(
      `SELECT id FROM (${ids}) AS numbered WHERE ${this.#dialect.among('place')} ORDER BY place`,
      [...parameters, Math.max(...places) + 1, this.#dialect.ids(places)],
    )
    return rows.map((row) => Number(row['id']))
  }

  /**
   * How many records have each value of each member, the most frequent value first. If the counters do not tell, `sampled` may
   * give the records that are read in place of all.
   */
  *facets<Member extends CountedBy>(
    { resource }: Selection,
    members: readonly Member[],
    narrowing: Narrowing,
    { limit, sampled }: { readonly limit: number; sampled?(): Work<Sample> },
  ): Work<Map<Member, Facet>> {
    const known = new Map<CountedBy, Facet>()
    for (const member of members) {
      const values = this.#facets && (yield* this.#facets.values(resource, member, narrowing, limit))
      if (values) known.set(member, { values })
    }
    const others = members.filter((member) => !known.has(member))
    if (others.length > 0) {
      const sample = this.#facets && sampled ? recordsIn(this.#dialect, resource, yield* sampled()) : undefined
      const { from, where, parameters } = yield* this.#narrowed(resource, narrowing)
      const records = joined`${sample ? joined`(${sample}) AS t` : from} WHERE ${{ sql: where, parameters }}`
      const counted = yield* countValues(this.#dialect, records, others, limit)
      for (const [member, { values, read }] of counted) known.set(member, sample ? { values, read } : { values })
    }
    return new Map(members.map((member) => [member, known.get(member) ?? { values: [] }]))
  }
}

function isInside({ lookup }: Condition): boolean {
  return lookup === 'icontains'
}
