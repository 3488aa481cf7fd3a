/**
 * Narrowed lists as they were: the same SQL, on the tables as they were. All changed records of the resource must be
 * known (`PastReader.extend`).
 */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { FEW, isWhole, Lists } from './lists.ts'
import { type Narrowing, orderOfRows } from './narrow.ts'
import type { Past, PastReader } from './past.ts'
import { PastOrder } from './past-order.ts'
import type { Records } from './records.ts'
import type { SearchLanguage } from './search.ts'
import type { Selection } from './select-records.ts'
import { type Nearby, ShadowTables } from './shadow-tables.ts'
import type { Span } from './stretch.ts'
import { wayTo } from './walk.ts'

interface AsOf {
  readonly past: Past
  readonly reader: PastReader
  readonly catalogue: readonly AnyResource[]
  readonly language: SearchLanguage
}

type PageOf = Parameters<Lists['page']>[2]

export class ListsAsOf extends Lists {
  readonly #dialect: Dialect
  readonly #records: Records
  readonly #past: Past
  readonly #reader: PastReader
  readonly #tables: ShadowTables

  constructor(dialect: Dialect, records: Records, { past, reader, catalogue, language }: AsOf) {
    super(dialect, records, language)
    this.#dialect = dialect
    this.#records = records
    this.#past = past
    this.#reader = reader
    this.#tables = new ShadowTables(dialect, catalogue, past)
  }

  override *count(selection: Selection, narrowing: Narrowing): Work<number> {
    if (isWhole(narrowing)) return yield* this.#countAll(selection)
    return yield* this.#tables.over(super.count(selection, narrowing))
  }

  /** The blocks of the list count what is there now; only what was changed since is counted again. */
  *#countAll({ resource }: Selection): Work<number> {
    const { byId, existed } = this.#past.of(resource.name)
    const [then, ids] = [existed.length, this.#dialect.ids([...byId.keys()])]
    const now = yield* this.#records.count({ resource })
    const [row] = yield* query(
      `SELECT count(*) AS count FROM ${quoted(resource.name)} WHERE ${this.#dialect.among('id')}`,
      ids,
    )
    return now - Number(cell(row, 'count')) + then
  }

  override page(selection: Selection, span: Span, given: PageOf): ReturnType<Lists['page']> {
    const nearby = isWhole(given.by) ? this.#nearby(selection.resource, span, given) : undefined
    return this.#tables.over(super.page(selection, span, given), nearby)
  }

  /** The only past records of a whole list that can be on the page: as many from its start as are read there. */
  #nearby(resource: AnyResource, span: Span, { by, count, from }: PageOf): Nearby | undefined {
    if (count <= FEW) return undefined
    const order = PastOrder.of(this.#past.of(resource.name), orderOfRows(this.#dialect, resource, by, false))
    const { limit, offset, backwards } = wayTo(span, count, from)
    const most = limit + offset
    return order && { table: resource.name, records: backwards ? order.last(most) : order.from(from?.key, most) }
  }

  override fewFound(...given: Parameters<Lists['fewFound']>): ReturnType<Lists['fewFound']> {
    return this.#tables.over(super.fewFound(...given))
  }

  override found(...given: Parameters<Lists['found']>): ReturnType<Lists['found']> {
    return this.#tables.over(super.found(...given))
  }

  override allIds(...given: Parameters<Lists['allIds']>): ReturnType<Lists['allIds']> {
    return this.#tables.over(super.allIds(...given))
  }

  /** Only these records need to be known. */
  override *matching(selection: Selection, ids: readonly number[], narrowing: Narrowing): Work<Set<number>> {
    yield* this.#reader.learn(this.#past, selection.resource, ids)
    return yield* this.#tables.over(super.matching(selection, ids, narrowing))
  }
}
