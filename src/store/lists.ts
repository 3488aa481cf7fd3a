/** Lists that are narrowed: by conditions, by a search, or to a few that chance has picked. */
import type { Cell, Row } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type Condition, type Narrowing, narrowed } from './narrow.ts'
import type { Records, Selection, Span } from './records.ts'
import { voteCount } from './schema.ts'

/** Up to so many are quickly put in order. */
const FEW = 2000

interface Found {
  readonly count: number
  readonly rows: readonly Row[]
}

export class Lists {
  readonly #dialect: Dialect
  readonly #records: Records

  constructor(dialect: Dialect, records: Records) {
    this.#dialect = dialect
    this.#records = records
  }

  *count({ resource }: Selection, narrowing: Narrowing): Work<number> {
    const { from, where, parameters } = yield* narrowed(this.#dialect, resource, narrowing)
    const [row] = yield* rareQuery(`SELECT count(*) AS count FROM ${from} WHERE ${where}`, parameters)
    return Number(row!['count'])
  }

  /** `count` is how many are left. */
  *page(
    selection: Selection,
    { limit, offset }: Span,
    { by, count }: { readonly by: Narrowing; readonly count: number },
  ): Work<readonly Row[]> {
    const sql = yield* narrowed(this.#dialect, selection.resource, by)
    const left = `SELECT t.*${sql.extra} FROM ${sql.from} WHERE ${sql.where}`
    // Few are found first and then put in order; of many, the first are found by going through the list in its order.
    // The limit keeps the engines, which guess how many there are, from doing it the other way.
    const found = count <= FEW ? `SELECT * FROM (${left} LIMIT ${count}) AS t` : left
    const span = `(${found} ORDER BY ${sql.order} LIMIT ? OFFSET ?)`
    return yield* rareQuery(`${this.#records.select(selection, span)} ORDER BY ${sql.order}`, [
      ...sql.extraParameters,
      ...sql.parameters,
      limit,
      offset,
    ])
  }

  /** The best matches of a search, and how many there are; a count of its own would search twice. */
  *found(selection: Selection, { limit, offset }: Span, search: Narrowing): Work<Found> {
    const sql = yield* narrowed(this.#dialect, selection.resource, search)
    const ids = yield* rareQuery(
      `SELECT t.id AS id, count(*) OVER () AS count${sql.extra} FROM ${sql.from} WHERE ${sql.where}
       ORDER BY ${sql.order} LIMIT ? OFFSET ?`,
      [...sql.extraParameters, ...sql.parameters, limit, offset],
    )
    const order = ids.map((row) => Number(row['id']))
    const rows = new Map((yield* this.#records.byIds(selection, order)).map((row) => [Number(row['id']), row]))
    return { count: Number(ids[0]?.['count'] ?? 0), rows: order.map((id) => rows.get(id)!) }
  }

  /** The first record from an id on, of those that are left. */
  *firstFrom(selection: Selection, id: number, narrowing: Narrowing): Work<readonly Row[]> {
    const { from, where, parameters } = yield* narrowed(this.#dialect, selection.resource, narrowing)
    const first = `(SELECT t.* FROM ${from} WHERE ${where} AND t.id >= ? ORDER BY t.id LIMIT 1)`
    return yield* rareQuery(this.#records.select(selection, first), [...parameters, id])
  }

  /** The ids that stand at some places, counted from 0, among the ids of those that are left. */
  *idsAt({ resource }: Selection, places: readonly number[], narrowing: Narrowing): Work<number[]> {
    if (places.length === 0) return []
    const { from, where, parameters } = yield* narrowed(this.#dialect, resource, narrowing)
    const ids = `SELECT t.id AS id FROM ${from} WHERE ${where} ORDER BY t.id LIMIT ?`
    const numbered = `SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM (${ids}) AS ids`
    const rows =
      places.length === 1
        ? yield* rareQuery(`${ids} OFFSET ?`, [...parameters, 1, places[0]!])
        : yield* rareQuery(
            `SELECT id FROM (${numbered}) AS numbered WHERE ${this.#dialect.among('place')} ORDER BY id`,
            [...parameters, Math.max(...places) + 1, this.#dialect.ids(places)],
          )
    return rows.map((row) => Number(row['id']))
  }

  /** How many records have each value, the most frequent first. */
  *facet(
    { resource }: Selection,
    { key, on }: Pick<Condition, 'key' | 'on'>,
    narrowing: Narrowing,
    limit: number,
  ): Work<{ readonly value: Cell; readonly count: number }[]> {
    const { from, where, parameters } = yield* narrowed(this.#dialect, resource, narrowing)
    const value = facetValue(key, on)
    const isText = on === 'owner' || (typeof on === 'object' && on.column.type === 'text')
    const rows = yield* rareQuery(
      `SELECT * FROM (SELECT ${value} AS value, count(*) AS count FROM ${from} WHERE ${where} GROUP BY ${value}) AS f
       ORDER BY count DESC, value${isText ? this.#dialect.byCodePoint : ''} LIMIT ?`,
      [...parameters, limit],
    )
    return rows.map((row) => ({ value: row['value'] ?? null, count: Number(row['count']) }))
  }
}

function facetValue(key: string, on: Condition['on']): string {
  if (on === 'owner') return '(SELECT name FROM account WHERE account.id = t.owner)'
  if (on === 'votes') return `t.${quoted(voteCount(key))}`
  return `t.${quoted(typeof on === 'object' ? on.column.name : key)}`
}
