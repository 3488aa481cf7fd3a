/** A cache of the names of accounts by id. They change only when an account is renamed, or everything is restored. */
import { NAMES_CHANGED } from './accounts.ts'
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type Generations, generationOf } from './generations.ts'

const MOST = 100_000

export class Names {
  readonly #dialect: Dialect
  readonly #known = new Map<number, string>()
  /** The generation to which they belong. */
  #number = 0

  constructor(dialect: Dialect, generations: Generations) {
    this.#dialect = dialect
    generations.listen(({ resource }) => {
      if (resource === NAMES_CHANGED.resource) this.#begin(generationOf(generations.now, resource).number)
    })
  }

  /** The names of these accounts, and possibly others. */
  *of(ids: ReadonlySet<number>): Work<ReadonlyMap<number, string>> {
    const missing = [...ids].filter((id) => !this.#known.has(id))
    if (missing.length === 0) return this.#known
    // The generation comes from the same snapshot as the names, which may be older than the newest one.
    const generation = `(SELECT number FROM generation WHERE resource = '${NAMES_CHANGED.resource}')`
    const rows = yield* query(
      `SELECT id, name, ${generation} AS number FROM account WHERE ${this.#dialect.among('id')}`,
      this.#dialect.ids(missing),
    )
    const names = rows.map((row): [number, string] => [Number(row['id']), String(row['name'])])
    const number = Number(rows[0]?.['number'] ?? 0)
    if (number < this.#number) return new Map([...this.#known, ...names])
    if (number > this.#number) {
      this.#begin(number)
      return yield* this.of(ids)
    }
    if (this.#known.size + names.length > MOST) {
      const wanted = [...this.#known].filter(([id]) => ids.has(id))
      this.#known.clear()
      for (const [id, name] of wanted) this.#known.set(id, name)
    }
    for (const [id, name] of names) this.#known.set(id, name)
    return this.#known
  }

  #begin(number: number): void {
    this.#known.clear()
    this.#number = number
  }
}
