/** A cache of account names by id. They never change and are never reused; a restore clears the cache. */
import { PEOPLE_CHANGED } from './accounts.ts'
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { Generations } from './generations.ts'

const MOST = 100_000

export class Names {
  readonly #dialect: Dialect
  readonly #known = new Map<number, string>()

  constructor(dialect: Dialect, generations: Generations) {
    this.#dialect = dialect
    generations.listen(({ resource, ids }) => {
      if (ids === 'all' && resource !== PEOPLE_CHANGED.resource) this.#known.clear()
    })
  }

  /** The names of these accounts, and possibly others. */
  *of(ids: ReadonlySet<number>): Work<ReadonlyMap<number, string>> {
    const missing = [...ids].filter((id) => !this.#known.has(id))
    if (missing.length === 0) return this.#known
    const rows = yield* query(
      `SELECT id, name FROM account WHERE ${this.#dialect.among('id')}`,
      this.#dialect.ids(missing),
    )
    if (this.#known.size + rows.length > MOST) this.#known.clear()
    for (const row of rows) this.#known.set(Number(row['id']), String(row['name']))
    return this.#known
  }
}
