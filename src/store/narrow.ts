/** The SQL of a list with filters and a search, in an order that the client chooses. */
import { type AnyResource, type Cell, type Filter, foldForOrder, type Lookup, orderOf } from '../declare/index.ts'
import type { Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { foldColumn, linkName, orderColumn, sortColumn, termTable, voteCount, voteName } from './schema.ts'
import { matchesOf, NO_LANGUAGE, type OtherWords, type SearchLanguage } from './search.ts'
import { HIGHEST } from './sql.ts'
import { foldCase, storedTerm, termOf } from './words.ts'

/** A sort key that is shorter is whole. */
const LONGEST_KEY = 200

export interface Condition {
  /** The field that is compared; for 'term', any slot. */
  readonly key: string
  readonly on: Filter['on'] | 'term'
  readonly lookup: Lookup
  readonly values: readonly Cell[]
}

export interface Ordering {
  readonly key: string
  readonly on: Filter['on']
  readonly descending: boolean
}

export interface Narrowing {
  readonly conditions: readonly Condition[]
  /** A record must contain all words; the last one may be a prefix. */
  readonly search?: string | undefined
  /** Only these records. */
  readonly among?: readonly number[] | undefined
  /** Replaces the list's own order; with a search and without this, the best match comes first. */
  readonly ordering?: readonly Ordering[] | undefined
}

/** The matching rows as `t`, with their sort keys. */
export interface NarrowedSql {
  readonly from: string
  readonly where: string
  readonly parameters: readonly Cell[]
  /** Further columns that the order needs, and the order, of `t`. */
  readonly extra: string
  readonly extraParameters: readonly Cell[]
  readonly order: readonly OrderedBy[]
  /** Whether it is known that there are none. */
  readonly isEmpty: boolean
}

/** A column, or an expression for one, and its direction. */
export interface OrderedBy {
  readonly sql: string
  readonly descending: boolean
}

class Builder {
  readonly #parts: string[] = []
  readonly parameters: Cell[] = []
  /** How the next conditions name a column. */
  column = (name: string) => `t.${quoted(name)}`

  add(sql: string, ...parameters: Cell[]): void {
    this.#parts.push(sql)
    this.parameters.push(...parameters)
  }

  join(between: string): string {
    return this.#parts.join(between)
  }
}

export interface NarrowOptions {
  /** The list is read in its order until enough records were found. */
  readonly isWalked?: boolean
  readonly language?: SearchLanguage
  /** What the words of the search stand for, if that was read before. */
  readonly others?: OtherWords
}

export function* narrowed(
  dialect: Dialect,
  resource: AnyResource,
  narrowing: Narrowing,
  { isWalked = false, language = NO_LANGUAGE, others }: NarrowOptions = {},
): Work<NarrowedSql> {
  const table = `${quoted(resource.name)} AS t`
  const where = new Builder()
  const { search } = narrowing
  const matches = search === undefined ? undefined : yield* matchesOf({ dialect, language, others }, resource, search)
  // First, so that it runs for every row that is read, not only for matches.
  where.add(dialect.inTime('t.id'))
  if (matches) where.add(matches.where)
  else if (search !== undefined) where.add('FALSE')
  if (narrowing.among) where.add(dialect.among('t.id'), dialect.ids(narrowing.among))
  // One is enough to leave few rows, and more would take PostgreSQL long to plan.
  const looked = isWalked ? undefined : narrowing.conditions.find((condition) => isLookedUp(resource, condition))
  for (const condition of narrowing.conditions) {
    // In another order, the list is not read from that index.
    if (dialect.readsIndexFirst && !narrowing.among && !(isWalked && narrowing.ordering)) {
      addCandidates(where, dialect, resource, { condition, isWalked })
    }
    if (condition === looked) addTerms(where, resource, condition)
    const hidesIndex = isWalked && !keepsOrder(resource, narrowing, condition)
    where.column = (name) => (hidesIndex ? dialect.withoutIndex(`t.${quoted(name)}`) : `t.${quoted(name)}`)
    addCondition(where, dialect, resource, condition)
  }
  const rank = narrowing.ordering ? undefined : matches?.rank
  return {
    // SQLite keeps the tables of a CROSS JOIN in their order: the matches come first.
    from: matches ? `${matches.from.sql} CROSS JOIN ${table}` : table,
    where: where.join(' AND ') || 'TRUE',
    parameters: [...(matches?.from.parameters ?? []), ...where.parameters],
    extra: rank ? `, ${rank.sql} AS search_rank` : '',
    extraParameters: rank?.parameters ?? [],
    order: orderOfRows(dialect, resource, narrowing, rank !== undefined),
    isEmpty: search !== undefined && (matches?.isEmpty ?? true),
  }
}

/** Whether the index for the condition has the matching records in the order of the list. With others, all are sorted. */
export function keepsOrder(resource: AnyResource, { ordering }: Narrowing, { key, on, lookup }: Condition): boolean {
  if (ordering) return false
  if (typeof on === 'object' && orderOf(resource)[0]?.key === key) return true
  return (
    lookup === 'exact' &&
    (on === 'owner' || on === 'reference' || (typeof on === 'object' && on.column.indexed === true))
  )
}

/**
 * What a text contains cannot be looked up. But if the list is ordered by it, its index has a small copy of the text:
 * reading the index takes a fraction of the time that the records take. A long copy is cut, and has final sigmas.
 */
function addCandidates(
  where: Builder,
  dialect: Dialect,
  resource: AnyResource,
  { condition, isWalked }: { readonly condition: Condition; readonly isWalked: boolean },
): void {
  const { key, lookup, values } = condition
  const value = foldCase(String(values[0] ?? ''))
  if (lookup !== 'icontains' || orderOf(resource)[0]?.key !== key || value.includes('σ')) return
  const isCandidate = (copy: string) => `(${dialect.holds(copy)} OR length(${copy}) >= ${LONGEST_KEY})`
  const copy = quoted(sortColumn(key))
  // A list that is walked reads the index already.
  if (isWalked) where.add(isCandidate(`t.${copy}`), value)
  else {
    const ids = `SELECT id FROM ${quoted(resource.name)} WHERE ${dialect.inTime('id')} AND ${isCandidate(copy)}`
    where.add(`t.id IN (${ids})`, value)
  }
}

/** More are compared row by row. */
const MOST_TERMS = 20

/** A slot has no index of its own, but its terms are looked up as those of any slot. */
function isLookedUp(resource: AnyResource, { key, on, lookup, values }: Condition): boolean {
  if (typeof on !== 'object' || resource.fields[key].searches !== 'term') return false
  if (lookup !== 'exact' && lookup !== 'in') return false
  return values.length <= MOST_TERMS && values.every((value) => storedTerm(String(value)) !== undefined)
}

function addTerms(where: Builder, resource: AnyResource, { on, values }: Condition): void {
  if (typeof on !== 'object') return
  const records = `SELECT record FROM ${quoted(termTable(resource))} WHERE ${among('term', values)} AND member = ?`
  where.add(`t.id IN (${records})`, ...values.map((value) => termOf(String(value))), on.column.name)
}

function addCondition(where: Builder, dialect: Dialect, resource: AnyResource, condition: Condition): void {
  const { key, on, lookup, values } = condition
  const [value] = values
  if (on === 'term') {
    const terms = `SELECT record FROM ${quoted(termTable(resource))} WHERE term = ?`
    where.add(`${where.column('id')} IN (${terms})`, termOf(String(value)))
  } else if (on === 'owner') {
    const owners = `SELECT id FROM account WHERE ${among('name_key', values)}`
    // With one owner the index returns the list in its order.
    where.add(`${where.column('owner')} ${values.length === 1 ? '=' : 'IN'} (${owners})`, ...values)
  } else if (on === 'voters') {
    const voters = `SELECT id FROM account WHERE ${among('name_key', values)}`
    where.add(
      `${where.column('id')} IN (SELECT record FROM ${quoted(voteName(resource))} WHERE account IN (${voters}))`,
      ...values,
    )
  } else if (on === 'links') {
    const holders = `SELECT holder FROM ${quoted(linkName(resource, key))} WHERE ${among('target', values)}`
    where.add(`${where.column('id')} IN (${holders})`, ...values)
  } else if (on === 'time') {
    // 0 is unknown, and matches nothing. One condition at each end: SQLite uses only the first in its index.
    const isUpper = lookup === 'lte' || lookup === 'lt'
    if (isUpper) where.add(`${where.column(key)} > 0`)
    const least = lookup === 'gte' ? 1 : 0
    compareNumber(where, where.column(key), lookup, isUpper ? values : [Math.max(Number(value), least)])
  } else if (on === 'id') {
    compareNumber(where, where.column('id'), lookup, values)
  } else if (on === 'reference' || on === 'votes') {
    compareNumber(where, where.column(on === 'votes' ? voteCount(key) : key), lookup, values)
  } else if (on.column.type === 'integer') {
    compareNumber(where, where.column(on.column.name), lookup, values)
  } else compareText(where, dialect, resource, condition, on.column)
}

/** One by one: without statistics the planners assume many values, and read the whole table. */
function among(column: string, values: readonly Cell[]): string {
  if (values.length === 0) return 'FALSE'
  return `${column} IN (${values.map(() => '?').join(', ')})`
}

const COMPARISONS = { exact: '=', gte: '>=', lte: '<=', gt: '>', lt: '<' } as const

function compareNumber(where: Builder, column: string, lookup: Lookup, values: readonly Cell[]): void {
  if (lookup === 'in') where.add(among(column, values), ...values)
  else where.add(`${column} ${COMPARISONS[lookup as keyof typeof COMPARISONS]} ?`, values[0]!)
}

/** A folded copy has the index, and leaves few rows; the text itself decides. */
function compareText(
  where: Builder,
  dialect: Dialect,
  resource: AnyResource,
  { key, lookup, values }: Condition,
  { name, folded }: { readonly name: string; readonly folded?: boolean },
): void {
  const column = where.column(name)
  const value = String(values[0] ?? '')
  const byOrder = orderOf(resource)[0]?.key === key
  const copy = byOrder ? sortColumn(key) : folded ? foldColumn(name) : undefined
  const fold = byOrder ? foldForOrder : foldCase
  switch (lookup) {
    case 'exact':
      if (copy) where.add(`${where.column(copy)} = ?`, fold(value))
      where.add(`${column} = ?`, value)
      break
    case 'in':
      if (copy) where.add(among(where.column(copy), values), ...values.map((each) => fold(String(each))))
      where.add(among(column, values), ...values)
      break
    case 'startswith':
      if (copy) where.add(`${where.column(copy)} >= ? AND ${where.column(copy)} < ?`, ...beginnings(fold(value)))
      where.add(`substr(${column}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT)`, value, value)
      break
    case 'icontains':
      where.add(dialect.holds(`t.${quoted(foldColumn(name))}`), foldCase(value))
      break
    case 'isnull':
      // A range, so that an index works on both databases; a copy is empty if the text is.
      where.add(`${copy ? where.column(copy) : column} ${value === 'true' ? '=' : '>'} ''`)
  }
}

/** All folded texts with that prefix. A sigma has another form at the end of a word, so it is left out. */
function beginnings(folded: string): [from: string, below: string] {
  const safe = folded.replace(/[σς]$/, '')
  return [safe, safe + HIGHEST]
}

/** The sort columns, with the id last, so that no two records are equal. */
export function orderOfRows(
  dialect: Dialect,
  resource: AnyResource,
  { ordering }: Narrowing,
  ranked: boolean,
): readonly OrderedBy[] {
  const columns = ordering
    ? ordering.map(({ key, on, descending }) => ({ sql: orderedBy(dialect, resource, key, on), descending }))
    : orderOf(resource).map(({ key, descending }) => ({ sql: `t.${quoted(orderColumn(resource, key))}`, descending }))
  const best = ranked ? [{ sql: 'search_rank', descending: false }] : []
  return [...best, ...columns, { sql: 't.id', descending: false }]
}

export function orderSql(order: readonly OrderedBy[], { backwards = false } = {}): string {
  return order.map(({ sql, descending }) => `${sql}${descending === backwards ? '' : ' DESC'}`).join(', ')
}

/** Matches the rows at a key or after it. Each column of the order has its cell in the key. */
export function standsFrom(order: readonly OrderedBy[], key: readonly Cell[]): { sql: string; parameters: Cell[] } {
  const [first, ...others] = order
  if (order.every(({ descending }) => descending === first!.descending)) {
    const columns = order.map(({ sql }) => sql).join(', ')
    const compared = `(${columns}) ${first!.descending ? '<=' : '>='} (${order.map(() => '?').join(', ')})`
    return { sql: compared, parameters: [...key] }
  }
  const beyond = `${first!.sql} ${first!.descending ? '<' : '>'}`
  if (others.length === 0) return { sql: `${beyond}= ?`, parameters: [key[0]!] }
  const rest = standsFrom(others, key.slice(1))
  return {
    // The first part lets the database enter the index.
    sql: `${beyond}= ? AND (${beyond} ? OR ${rest.sql})`,
    parameters: [key[0]!, key[0]!, ...rest.parameters],
  }
}

/** Texts without a sort key are compared by code point, whatever the database's collation. */
function orderedBy(dialect: Dialect, resource: AnyResource, key: string, on: Ordering['on']): string {
  if (on === 'id') return 't.id'
  if (on === 'votes') return `t.${quoted(voteCount(key))}`
  if (on === 'owner') return '(SELECT name_key FROM account WHERE account.id = t.owner)'
  if (typeof on === 'string') return `t.${quoted(key)}`
  if (on.column.type === 'integer') return `t.${quoted(on.column.name)}`
  const isKey = orderOf(resource).some((each) => each.key === key)
  if (isKey) return `t.${quoted(orderColumn(resource, key))}`
  return on.column.folded
    ? `t.${quoted(foldColumn(on.column.name))}`
    : `t.${quoted(on.column.name)}${dialect.byCodePoint}`
}
