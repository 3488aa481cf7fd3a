/** The door to the database: open a URL, get a store whose tables fit the catalogue. */
import type { AnyResource } from '../declare/index.ts'
import { Accounts } from './accounts.ts'
import { Answers } from './answers.ts'
import { Copies } from './copy.ts'
import { type Database, query, Unusable } from './database.ts'
import { Lists } from './lists.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres.ts'
import { Records } from './records.ts'
import { openSqlite } from './sqlite.ts'
import { Terms } from './terms.ts'

export interface Store extends Pick<Database, 'read' | 'write' | 'close'> {
  readonly records: Records
  readonly lists: Lists
  readonly accounts: Accounts
  readonly answers: Answers
  readonly copies: Copies
  readonly terms: Terms
  /** Does the database answer? */
  ping(): Promise<boolean>
}

export async function openStore(url: string, catalogue: readonly AnyResource[]): Promise<Store> {
  const database = await openDatabase(url)
  try {
    await migrate(database, catalogue)
  } catch (error) {
    await database.close()
    throw error
  }
  return storeOn(database)
}

export function storeOn(database: Database): Store {
  const records = new Records(database.dialect)
  return {
    read: database.read,
    write: database.write,
    close: database.close,
    records,
    lists: new Lists(database.dialect, records),
    accounts: new Accounts(database.dialect),
    answers: new Answers(),
    copies: new Copies(database.dialect),
    terms: new Terms(database.dialect),
    ping: () =>
      database
        .read(() => query('SELECT 1 AS one'))
        .then(
          () => true,
          () => false,
        ),
  }
}

export async function openDatabase(url: string): Promise<Database> {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length))
  if (/^postgres(ql)?:\/\//.test(url)) return openPostgres(url)
  throw new Unusable(`"${url}" is neither sqlite:PATH nor postgres://...`)
}

export type { AccountRow, TokenRow } from './accounts.ts'
export { type Copied, type CopiedTable, copiedTables, type Holdings } from './copy.ts'
export { type Database, Taken, TooSlow, Unusable, undoable, type Work } from './database.ts'
export {
  damageOf,
  Foreign,
  hasStaff,
  inspectDatabase,
  journalMode,
  type PostgresFacts,
  postgresFacts,
  sqliteFile,
  versionOf,
} from './inspect.ts'
export { migrate, NEWEST_VERSION } from './migrate.ts'
export type { Condition, Narrowing, Ordering } from './narrow.ts'
export type { Selection } from './records.ts'
export { hasTerms, inDependencyOrder } from './schema.ts'
export { Scratch } from './scratch.ts'
export type { Step } from './steps.ts'
export { removeLeftover, standAlone, swapIn, sync } from './swap.ts'
export { isTerm, phraseOf, termOf } from './words.ts'
