/** Statements as PostgreSQL takes them: numbered parameters, and a name under which a connection plans them once. */
import { createHash } from 'node:crypto'
import type pg from 'pg'
import { changesSchema, type NewRows, type Statement } from './database.ts'
import { quoted } from './dialect.ts'
import { addingTo } from './insert-rows.ts'

interface Prepared {
  readonly text: string
  readonly name?: string
}

export class Statements {
  readonly #known = new Map<string, Prepared>()
  #named: boolean

  constructor(named: boolean) {
    this.#named = named
  }

  /** One of a limited number: it is prepared under a name, if names are allowed. */
  #prepared(sql: string): Prepared {
    const known = this.#known.get(sql)
    if (known) return known
    const { text } = this.#unnamed(sql)
    const name = createHash('sha1').update(sql).digest('base64url')
    const statement = this.#named && !changesSchema(sql) ? { text, name } : { text }
    this.#known.set(sql, statement)
    return statement
  }

  /** A statement with its parameters. */
  of({ sql, parameters, rare, inserts }: Statement): pg.QueryConfig {
    if (inserts) return { ...this.#inserting(inserts), values: [JSON.stringify(inserts.rows)] }
    return { ...(rare ? this.#unnamed(sql) : this.#prepared(sql)), values: [...parameters] }
  }

  /**
   * Inserts rows that are given as one JSON array, whatever their number. The table itself says their types, by a row that
   * is not there: its name alone could be that of a type, such as box.
   */
  #inserting({ table, columns, returning, adds }: NewRows): Prepared {
    const [name, list] = [quoted(table), columns.map(quoted).join(', ')]
    const end = returning
      ? ` ON CONFLICT DO NOTHING RETURNING ${returning.map(quoted).join(', ')}`
      : adds
        ? addingTo(table, adds)
        : ''
    return this.#prepared(
      `INSERT INTO ${name} (${list}) SELECT ${list}
       FROM json_populate_recordset((SELECT t FROM ${name} AS t WHERE false), ?)${end}`,
    )
  }

  #unnamed(sql: string): Prepared {
    let place = 0
    return { text: sql.replaceAll('?', () => `$${++place}`) }
  }

  /** A pooler does not keep our names, so they are turned off. What was sent under a name is worth another try. */
  unname(): void {
    if (!this.#named) return
    this.#named = false
    this.#known.clear()
  }
}
