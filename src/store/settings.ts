/** How a database is opened and used. All but the address have defaults. */
import type { PostgresSettings } from './postgres.ts'

export interface DatabaseSettings extends PostgresSettings {
  /** How many threads read SQLite beside the main one; none when 0. */
  readonly threads: number
  /** How long a read that may be slow is tried on the main thread of SQLite first, in milliseconds. */
  readonly quickMs: number
}

const DEFAULTS = { connections: 10, namedStatements: true, waitSeconds: 5, threads: 2, quickMs: 5 }

/** Only the address is needed. */
export type GivenSettings = Partial<DatabaseSettings> & { readonly url: string }

export function databaseSettings(given: string | GivenSettings): DatabaseSettings {
  return { ...DEFAULTS, ...(typeof given === 'string' ? { url: given } : given) }
}
