/** Statements as PostgreSQL takes them: numbered parameters, and a name under which a connection plans them once. */
import { createHash } from 'node:crypto'
import { changesSchema } from './database.ts'

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

  get isNamed(): boolean {
    return this.#named
  }

  /** One of a limited number: it is prepared under a name, if names are allowed. */
  named(sql: string): Prepared {
    const known = this.#known.get(sql)
    if (known) return known
    const { text } = this.unnamed(sql)
    const name = createHash('sha1').update(sql).digest('base64url')
    const statement = this.#named && !changesSchema(sql) ? { text, name } : { text }
    this.#known.set(sql, statement)
    return statement
  }

  unnamed(sql: string): Prepared {
    let place = 0
    return { text: sql.replaceAll('?', () => `$${++place}`) }
  }

  /** A pooler does not keep our names, so they are turned off. False if they already were. */
  unname(): boolean {
    if (!this.#named) return false
    this.#named = false
    this.#known.clear()
    return true
  }
}
