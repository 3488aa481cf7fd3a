/** How a database is opened and used. Everything but the address has a default. */
import type { PostgresSettings } from './postgres.ts'

export interface DatabaseSettings extends PostgresSettings {
  /** How many worker threads read SQLite; 0 for none. */
  readonly threads: number
  /** How long SQLite first tries a read that may be slow on the main thread, in milliseconds. */
  readonly quickMs: number
  /** Many records are to be written, so SQLite may use more memory for it. */
  readonly bulk: boolean
}

const DEFAULTS = { connections: 10, namedStatements: true, waitSeconds: 5, threads: 2, quickMs: 5, bulk: false }

/** Only the address is required. */
export type GivenSettings = Partial<DatabaseSettings> & { readonly url: string }

export function databaseSettings(given: string | GivenSettings): DatabaseSettings {
  return { ...DEFAULTS, ...(typeof given === 'string' ? { url: given } : given) }
}
