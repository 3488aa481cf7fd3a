/**
 * Lists that are ordered by one counted member: the counters tell which values a page has, so it starts at the right
 * value and skips no other record. Records with the same value are in the order of their ids, in both directions.
 */
import { type AnyResource, type Cell, orderOf } from '../declare/index.ts'
import { query, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type CountedMember, countedMember } from './facet-members.ts'
import type { Ordering } from './narrow.ts'
import { facetTable } from './schema.ts'
import type { Span } from './stretch.ts'

/** Each takes a query. With more of them, sorting is no slower. */
const MOST_VALUES = 10

/** Records of a page that have the same value. */
interface Piece extends Span {
  readonly value: Cell
  /** How many records have it. */
  readonly count: number
}

/** The ids of a page; undefined if the counters do not help. */
export function* pageByValue(
  dialect: Dialect,
  resource: AnyResource,
  { key, on, descending }: Ordering,
  span: Span,
): Work<number[] | undefined> {
  const member = countedMember(resource, { key, on })
  if (!member || !isInValueOrder(resource, member)) return undefined
  const values = yield* valuesInOrder(dialect, resource, member, descending)
  const total = values.reduce((sum, { count }) => sum + count, 0)
  const pieces = piecesIn(values, span)
  if (pieces.length > MOST_VALUES) return undefined
  const ids: number[] = []
  for (const piece of pieces) ids.push(...(yield* idsOf(dialect, resource, member, { ...piece, total })))
  return ids
}

/** Some texts are ordered by their folded copies. */
function isInValueOrder(resource: AnyResource, { name, type, isPaired }: CountedMember): boolean {
  return type === 'votes' || type === 'owner' || (isPaired && !orderOf(resource).some(({ key }) => key === name))
}

function* valuesInOrder(
  { integer, byCodePoint }: Dialect,
  resource: AnyResource,
  { name, type }: CountedMember,
  descending: boolean,
): Work<{ readonly value: Cell; readonly count: number }[]> {
  const number = `CAST(value AS ${integer})`
  const owner = `(SELECT name_key FROM account WHERE id = ${number})`
  const order = type === 'text' ? `value${byCodePoint}` : type === 'owner' ? owner : number
  const rows = yield* query(
    `SELECT value, count FROM ${quoted(facetTable(resource))}
     WHERE given = '' AND member = '${name}' AND given_value = '' ORDER BY ${order}${descending ? ' DESC' : ''}`,
  )
  return rows.map(({ value = '', count }) => ({
    value: type === 'text' ? value : Number(value),
    count: Number(count),
  }))
}

function piecesIn(
  values: readonly { readonly value: Cell; readonly count: number }[],
  { limit, offset }: Span,
): Piece[] {
  const pieces: Piece[] = []
  let before = 0
  for (const { value, count } of values) {
    const [from, to] = [Math.max(offset, before), Math.min(offset + limit, before + count)]
    if (from < to) pieces.push({ value, count, offset: from - before, limit: to - from })
    before += count
  }
  return pieces
}

/** From the nearer end. */
function* idsOf(
  dialect: Dialect,
  resource: AnyResource,
  { column, type }: CountedMember,
  { value, count, limit, offset, total }: Piece & { readonly total: number },
): Work<number[]> {
  const behind = count - offset - limit
  const isBackwards = behind < offset
  const skipped = Math.min(offset, behind)
  // The likes have an index in this order. For others, a frequent value is found soon among all records.
  const isWalked = type !== 'votes' && ((skipped + limit) * total) / count < count
  const compared = isWalked ? dialect.withoutIndex(quoted(column)) : quoted(column)
  const rows = yield* rareQuery(
    `SELECT id FROM ${quoted(resource.name)} WHERE ${dialect.inTime ? `${dialect.inTime} AND ` : ''}${compared} = ?
     ORDER BY id${isBackwards ? ' DESC' : ''} LIMIT ? OFFSET ?`,
    [value, limit, skipped],
  )
  const ids = rows.map((row) => Number(row['id']))
  return isBackwards ? ids.reverse() : ids
}
