/**
 * The ids that new records get on PostgreSQL. Who has the lock reads which ids were given last, and gives the next ones
 * itself, so no write waits for the answer to its INSERT only to learn an id.
 */
import type { Row } from '../declare/index.ts'
import { execute, type Statement, statementOf, type Work } from './database.ts'
import { lastId, postgresDialect } from './dialect.ts'

/** The highest id that each table has given, as far as it is known. */
export type LastIds = ReadonlyMap<string, number>

const NONE: LastIds = new Map()

export class NewIds {
  readonly #before: LastIds
  readonly #wanted = new Set<string>()
  readonly #taken = new Map<string, number>()
  readonly #returned = new Map<string, number>()

  constructor(before: LastIds = NONE) {
    this.#before = before
  }

  /** The next id of a table; undefined if it is not known: then the table gives one. */
  take(table: string): number | undefined {
    this.#wanted.add(table)
    const last = this.#taken.get(table) ?? this.#before.get(table)
    if (last === undefined) return undefined
    this.#taken.set(table, last + 1)
    return last + 1
  }

  /** Whether a new record of the table wanted one. */
  isWanted(table: string): boolean {
    return this.#wanted.has(table)
  }

  /** The table has given this one. */
  learn(table: string, id: number): void {
    this.#returned.set(table, Math.max(id, this.#returned.get(table) ?? 0))
  }

  get areTaken(): boolean {
    return this.#taken.size > 0
  }

  /** Whether those that were taken come after these. */
  follow(shown: LastIds): boolean {
    return [...this.#taken.keys()].every((table) => shown.get(table) === this.#before.get(table))
  }

  /** Once all are taken: the tables continue after them. */
  *settle(): Work<void> {
    for (const [table, last] of this.#taken)
      for (const sql of postgresDialect.raiseIds(table)) yield* execute(sql, [last])
  }

  /** For the next transaction. */
  get after(): LastIds {
    return new Map([...this.#before, ...this.#taken, ...this.#returned])
  }
}

/** Asks for the highest ids of some tables. */
export function readLastIds(tables: Iterable<string>): Statement[] {
  const parts = Array.from(tables, (table) => `SELECT '${table}' AS name, (${lastId(table)}) AS last`)
  return parts.length === 0 ? [] : [statementOf(parts.join(' UNION ALL '))]
}

export function lastIdsIn(rows: readonly Row[]): LastIds {
  return new Map(rows.flatMap(({ name, last }) => (last === null ? [] : [[String(name), Number(last)]])))
}
