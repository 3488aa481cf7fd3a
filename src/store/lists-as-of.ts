/** Narrowed lists as they were: the same SQL, on the tables as they were. */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { Lists } from './lists.ts'
import type { Narrowing } from './narrow.ts'
import type { Past } from './past.ts'
import type { Records, Selection } from './records.ts'
import { ShadowTables } from './shadow-tables.ts'

interface AsOf {
  readonly past: Past
  readonly catalogue: readonly AnyResource[]
}

export class ListsAsOf extends Lists {
  readonly #dialect: Dialect
  readonly #records: Records
  readonly #past: Past
  readonly #tables: ShadowTables

  constructor(dialect: Dialect, records: Records, { past, catalogue }: AsOf) {
    super(dialect, records)
    this.#dialect = dialect
    this.#records = records
    this.#past = past
    this.#tables = new ShadowTables(dialect, catalogue, past)
  }

  override *count(selection: Selection, narrowing: Narrowing): Work<number> {
    if (narrowing.conditions.length === 0 && narrowing.search === undefined) return yield* this.#countAll(selection)
    return yield* this.#tables.over(super.count(selection, narrowing))
  }

  /** The blocks of the list count what is there now; only what was changed since is counted again. */
  *#countAll({ resource }: Selection): Work<number> {
    const changed = this.#past.of(resource.name)
    const existed = [...changed.values()].filter((record) => record !== undefined).length
    const ids = this.#dialect.ids([...changed.keys()])
    const now = yield* this.#records.count({ resource })
    const [row] = yield* query(
      `SELECT count(*) AS count FROM ${quoted(resource.name)} WHERE ${this.#dialect.among('id')}`,
      ids,
    )
    return now - Number(cell(row, 'count')) + existed
  }

  override page(...given: Parameters<Lists['page']>): ReturnType<Lists['page']> {
    return this.#tables.over(super.page(...given))
  }

  override found(...given: Parameters<Lists['found']>): ReturnType<Lists['found']> {
    return this.#tables.over(super.found(...given))
  }

  override allIds(...given: Parameters<Lists['allIds']>): ReturnType<Lists['allIds']> {
    return this.#tables.over(super.allIds(...given))
  }

  override matching(...given: Parameters<Lists['matching']>): ReturnType<Lists['matching']> {
    return this.#tables.over(super.matching(...given))
  }
}
