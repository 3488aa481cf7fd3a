/**
 * Lists that are ordered by one counted member: the counters tell which values a page has, so it starts at the right
 * value and skips no other record. Records with the same value are in the order of their ids, in both directions.
 */
import { type AnyResource, type Cell, foldForOrder, orderOf } from '../declare/index.ts'
import { compareKeys } from './compare-keys.ts'
import { query, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type CountedMember, countedMember } from './facet-members.ts'
import { knownTexts } from './known-texts.ts'
import type { Ordering } from './narrow.ts'
import { facetTable, foldColumn } from './schema.ts'
import type { Span } from './stretch.ts'
import { foldCase } from './words.ts'

/** Each takes a query. With more of them, sorting is no slower. */
const MOST_PIECES = 10

/** Values that the order does not tell apart: one, or spellings of a text. */
interface Place {
  readonly values: readonly Cell[]
  /** How many records have one of them. */
  readonly count: number
}

/** Records of a page that have the same place. */
interface Piece extends Place, Span {}

/** Whether an index has the records in this order, or the counters, which know whole lists only. */
export function isOrderKnown(
  resource: AnyResource,
  [first, second]: readonly Ordering[],
  hasCounters: boolean,
): boolean {
  if (!first || first.on === 'id') return true
  // Records with the same value are in the order of their ids anyway.
  if (second && (second.on !== 'id' || second.descending)) return false
  const { key, on } = first
  if (on === 'owner') return hasCounters
  return typeof on !== 'object' || orderOf(resource)[0]?.key === key || countedMember(resource, first) !== undefined
}

/** The ids of a page; undefined if the counters do not help. */
export function* pageByValue(
  dialect: Dialect,
  resource: AnyResource,
  { key, on, descending }: Ordering,
  span: Span,
): Work<number[] | undefined> {
  const member = countedMember(resource, { key, on })
  if (!member || member.type === 'day') return undefined
  const fold = member.type === 'text' ? foldOf(resource, member) : undefined
  const places = fold
    ? yield* textsInOrder(dialect, resource, member, { fold, descending })
    : yield* valuesInOrder(dialect, resource, member, descending)
  if (!places) return undefined
  const total = places.reduce((sum, { count }) => sum + count, 0)
  const pieces = piecesIn(places, span)
  if (pieces.length > MOST_PIECES) return undefined
  const ids: number[] = []
  for (const piece of pieces) ids.push(...(yield* idsOf(dialect, resource, member, { ...piece, total })))
  return ids
}

type Fold = (text: string) => string

/** How the order compares a text, if not as it is. */
function foldOf(resource: AnyResource, { name, isFolded }: CountedMember): Fold | undefined {
  if (orderOf(resource).some(({ key }) => key === name)) return foldForOrder
  return isFolded ? foldCase : undefined
}

function* valuesInOrder(
  { integer, byCodePoint }: Dialect,
  resource: AnyResource,
  { name, type }: CountedMember,
  descending: boolean,
): Work<Place[]> {
  const number = `CAST(value AS ${integer})`
  const owner = `(SELECT name_key FROM account WHERE id = ${number})`
  const order = type === 'text' ? `value${byCodePoint}` : type === 'owner' ? owner : number
  const rows = yield* query(
    `SELECT value, count FROM ${quoted(facetTable(resource))}
     WHERE given = '' AND member = '${name}' AND given_value = '' ORDER BY ${order}${descending ? ' DESC' : ''}`,
  )
  return rows.map(({ value = '', count }) => ({
    values: [type === 'text' ? value : Number(value)],
    count: Number(count),
  }))
}

/** Undefined if there are too many different texts. */
function* textsInOrder(
  dialect: Dialect,
  resource: AnyResource,
  member: CountedMember,
  { fold, descending }: { readonly fold: Fold; readonly descending: boolean },
): Work<Place[] | undefined> {
  const texts = yield* knownTexts(dialect, resource, member)
  if (!texts) return undefined
  return [...Map.groupBy(texts, ({ value }) => fold(value))]
    .sort(([a], [b]) => compareKeys([a], [b], [descending ? -1 : 1]))
    .map(([, alike]) => ({
      values: alike.map(({ value }) => value),
      count: alike.reduce((sum, { count }) => sum + count, 0),
    }))
}

function piecesIn(places: readonly Place[], { limit, offset }: Span): Piece[] {
  const pieces: Piece[] = []
  let before = 0
  for (const place of places) {
    const [from, to] = [Math.max(offset, before), Math.min(offset + limit, before + place.count)]
    if (from < to) pieces.push({ ...place, offset: from - before, limit: to - from })
    before += place.count
  }
  return pieces
}

/** From the nearer end. */
function* idsOf(
  dialect: Dialect,
  resource: AnyResource,
  { column, type, isFolded }: CountedMember,
  { values, count, limit, offset, total }: Piece & { readonly total: number },
): Work<number[]> {
  const behind = count - offset - limit
  const isBackwards = behind < offset
  const skipped = Math.min(offset, behind)
  // The likes have an index in this order. For others, a frequent value is found soon among all records.
  const isWalked = type !== 'votes' && ((skipped + limit) * total) / count < count
  const among = values.map(() => '?').join(', ')
  const compared = (name: string) => {
    return `${isWalked ? dialect.withoutIndex(quoted(name)) : quoted(name)} IN (${among})`
  }
  // A folded copy has the index.
  const folded = isFolded ? `${compared(foldColumn(column))} AND ` : ''
  const rows = yield* rareQuery(
    `SELECT id FROM ${quoted(resource.name)} WHERE ${dialect.inTime('id')} AND ${folded}${compared(column)}
     ORDER BY id${isBackwards ? ' DESC' : ''} LIMIT ? OFFSET ?`,
    [...(isFolded ? values.map((value) => foldCase(String(value))) : []), ...values, limit, skipped],
  )
  const ids = rows.map((row) => Number(row['id']))
  return isBackwards ? ids.reverse() : ids
}
