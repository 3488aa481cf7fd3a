/** A list narrowed by conditions and by a search, in an order of the client's choice: the SQL of it. */
import { type AnyResource, type Cell, type Filter, foldForOrder, type Lookup, orderOf } from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'
import {
  foldColumn,
  linkName,
  listOrder,
  NAME_WORDS,
  orderColumn,
  sortColumn,
  termTable,
  voteCount,
  wordTable,
} from './schema.ts'
import { phraseOf, termOf, wordsOf } from './words.ts'

export interface Condition {
  /** The field that is compared; for 'term', any slot. */
  readonly key: string
  readonly on: Filter['on'] | 'term'
  readonly lookup: Lookup
  readonly values: readonly Cell[]
}

export interface Ordering {
  readonly key: string
  readonly on: Filter['on'] | 'id'
  readonly descending: boolean
}

export interface Narrowing {
  readonly conditions: readonly Condition[]
  /** All words must be found, the last one as the beginning of a word. */
  readonly search?: string | undefined
  /** In place of the list's own order; with a search and without this, the best match comes first. */
  readonly ordering?: readonly Ordering[] | undefined
}

/** The narrowed rows as `t`, with what they are ordered by. */
export interface NarrowedSql {
  readonly from: string
  readonly where: string
  readonly parameters: readonly Cell[]
  /** Further columns that the order needs, and the order, of `t`. */
  readonly extra: string
  readonly extraParameters: readonly Cell[]
  readonly order: string
}

const HIGHEST = '\u{10ffff}'

class Builder {
  readonly #parts: string[] = []
  readonly parameters: Cell[] = []

  add(sql: string, ...parameters: Cell[]): void {
    this.#parts.push(sql)
    this.parameters.push(...parameters)
  }

  join(between: string): string {
    return this.#parts.join(between)
  }
}

export function narrowed(dialect: Dialect, resource: AnyResource, narrowing: Narrowing): NarrowedSql {
  const from = new Builder()
  from.add(`${quoted(resource.name)} AS t`)
  const search = narrowing.search === undefined ? undefined : searchOf(narrowing.search)
  if (search) addMatches(from, dialect, resource, search)
  const where = new Builder()
  for (const condition of narrowing.conditions) addCondition(where, dialect, resource, condition)
  if (dialect.inTime) where.add(dialect.inTime)
  const ranked = search && !narrowing.ordering
  return {
    from: from.join(' '),
    where: where.join(' AND ') || 'TRUE',
    parameters: [...from.parameters, ...where.parameters],
    extra: ranked
      ? `, CASE WHEN t.${NAME_WORDS} = CAST(? AS TEXT) THEN 0
           WHEN substr(t.${NAME_WORDS}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT) THEN 1
           ELSE 2 + matched.place END AS search_rank`
      : '',
    extraParameters: ranked ? [search.phrase, search.phrase, search.phrase] : [],
    order: orderSql(dialect, resource, narrowing, Boolean(ranked)),
  }
}

interface Search {
  readonly words: readonly string[]
  readonly prefix: string
  readonly phrase: string
}

/** Nothing to search for finds everything. */
function searchOf(text: string): Search | undefined {
  const words = wordsOf(text)
  const prefix = words.at(-1)
  if (prefix === undefined) return undefined
  const others = [...new Set(words.slice(0, -1))]
  // Long words are rare ones, so the first leaves least to look at.
  return { words: others.sort((a, b) => b.length - a.length), prefix, phrase: phraseOf(text) }
}

function addMatches(from: Builder, dialect: Dialect, resource: AnyResource, { words, prefix }: Search): void {
  const table = quoted(wordTable(resource))
  if (words.length === 0) {
    from.add(
      `JOIN (SELECT record, min(place) AS place FROM ${table} WHERE word >= ? AND word < ? GROUP BY record)
       AS matched ON matched.record = t.id`,
      prefix,
      prefix + HIGHEST,
    )
    return
  }
  const joined = words.map((_, i) => {
    return i === 0 ? `${table} AS w0` : `JOIN ${table} AS w${i} ON w${i}.record = w0.record AND w${i}.word = ?`
  })
  const last = `(SELECT min(place) FROM ${table} AS p WHERE p.record = w0.record AND p.word >= ? AND p.word < ?)`
  const places = [...words.map((_, i) => `w${i}.place`), 'COALESCE(last_place, 9)']
  from.add(
    `JOIN (SELECT record, place FROM (
       SELECT found.record, ${dialect.largest(['others', 'COALESCE(last_place, 9)'])} AS place FROM (
         SELECT w0.record AS record, ${dialect.largest(places.slice(0, -1))} AS others, ${last} AS last_place
         FROM ${joined.join(' ')} WHERE w0.word = ?
       ) AS found
     ) AS all_found WHERE place < 9) AS matched ON matched.record = t.id`,
    prefix,
    prefix + HIGHEST,
    ...words.slice(1),
    words[0]!,
  )
}

function addCondition(where: Builder, dialect: Dialect, resource: AnyResource, condition: Condition): void {
  const { key, on, lookup, values } = condition
  const [value] = values
  if (on === 'term') {
    const terms = `SELECT record FROM ${quoted(termTable(resource))} WHERE term = ?`
    where.add(`t.id IN (${terms})`, termOf(String(value)))
  } else if (on === 'owner') {
    where.add(
      `t.owner IN (SELECT id FROM account WHERE ${dialect.amongTexts('name_key')})`,
      dialect.texts(values.map(String)),
    )
  } else if (on === 'links') {
    const holders = `SELECT holder FROM ${quoted(linkName(resource, key))} WHERE ${dialect.among('target')}`
    where.add(`t.id IN (${holders})`, dialect.ids(values.map(Number)))
  } else if (on === 'reference' || on === 'votes') {
    compareNumber(where, dialect, `t.${quoted(on === 'votes' ? voteCount(key) : key)}`, lookup, values)
  } else if (on.column.type === 'integer') {
    compareNumber(where, dialect, `t.${quoted(on.column.name)}`, lookup, values)
  } else compareText(where, dialect, resource, condition, on.column)
}

const COMPARISONS = { exact: '=', gte: '>=', lte: '<=' } as const

function compareNumber(
  where: Builder,
  dialect: Dialect,
  column: string,
  lookup: Lookup,
  values: readonly Cell[],
): void {
  if (lookup === 'in') where.add(dialect.among(column), dialect.ids(values.map(Number)))
  else where.add(`${column} ${COMPARISONS[lookup as keyof typeof COMPARISONS]} ?`, values[0]!)
}

/** A folded copy has the index, and narrows to few; the text itself decides. */
function compareText(
  where: Builder,
  dialect: Dialect,
  resource: AnyResource,
  { key, lookup, values }: Condition,
  { name, folded }: { readonly name: string; readonly folded?: boolean },
): void {
  const column = `t.${quoted(name)}`
  const value = String(values[0] ?? '')
  const byOrder = orderOf(resource)[0]?.key === key
  const copy = byOrder ? sortColumn(key) : folded ? foldColumn(name) : undefined
  const fold = byOrder ? foldForOrder : (text: string) => text.toLowerCase()
  switch (lookup) {
    case 'exact':
      if (copy) where.add(`t.${quoted(copy)} = ?`, fold(value))
      where.add(`${column} = ?`, value)
      break
    case 'in':
      if (copy)
        where.add(dialect.amongTexts(`t.${quoted(copy)}`), dialect.texts(values.map((each) => fold(String(each)))))
      where.add(dialect.amongTexts(column), dialect.texts(values.map(String)))
      break
    case 'startswith':
      if (copy) where.add(`t.${quoted(copy)} >= ? AND t.${quoted(copy)} < ?`, fold(value), fold(value) + HIGHEST)
      where.add(`substr(${column}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT)`, value, value)
      break
    case 'icontains':
      where.add(dialect.holds(`t.${quoted(foldColumn(name))}`), value.toLowerCase())
      break
    case 'isnull':
      if (copy) where.add(`t.${quoted(copy)} ${value === 'true' ? '=' : '<>'} ''`)
      where.add(`${column} ${value === 'true' ? '=' : '<>'} ''`)
  }
}

/** What is ordered by, with the id last, so that no two records are equal. */
function orderSql(dialect: Dialect, resource: AnyResource, { ordering }: Narrowing, ranked: boolean): string {
  if (!ordering) {
    const list = listOrder(resource).replaceAll(/(?<=^|, )/g, 't.')
    return ranked ? `search_rank, ${list}` : list
  }
  const columns = ordering.map(
    ({ key, on, descending }) => `${orderedBy(dialect, resource, key, on)}${descending ? ' DESC' : ''}`,
  )
  return [...columns, 't.id'].join(', ')
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
