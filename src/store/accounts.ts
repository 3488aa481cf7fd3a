/** Accounts: who owns records and votes. */
import { query, type Work } from './database.ts'

export class Accounts {
  /** The account of that name, made if there is none; an account made here cannot sign in. */
  *named(name: string): Work<number> {
    const key = name.toLowerCase()
    const [found] = yield* query('SELECT id FROM account WHERE name_key = ?', key)
    if (found) return Number(found['id'])
    const [made] = yield* query('INSERT INTO account (name, name_key) VALUES (?, ?) RETURNING id', name, key)
    return Number(made!['id'])
  }
}
