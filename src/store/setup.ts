/** Databases that can be reached but are not set up correctly: what is wrong, in one line for the operator. */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { cell, query, Unavailable, Unusable, type Work } from './database.ts'
import { codeOf, messageOf } from './error-code.ts'
import { sqliteFile } from './inspect.ts'
import { openReason } from './sqlite-errors.ts'

/** What a database error says about the setup; undefined if it is about something else. */
export function setupFault(error: unknown, file?: string): string | undefined {
  // The reason for an unavailable database says more here.
  const raw = error instanceof Unavailable ? error.cause : error
  const [code, message] = [codeOf(raw), messageOf(raw)]
  // PostgreSQL's code for missing permissions.
  if (code === '42501') return `PostgreSQL says "${message}": ${/schema/.test(message) ? GRANT : OWN}`
  // No schema in search_path is usable.
  if (code === '3F000') return `PostgreSQL says "${message}": ${GRANT}`
  if (code === '25006') return 'the database is read-only, or a standby: set DATABASE_URL to the primary server'
  if (/^SQLITE_(READONLY|CANTOPEN|BUSY|CORRUPT|NOTADB|IOERR|FULL|PERM)/.test(code)) {
    return openReason(raw, file ?? 'the database')
  }
  return undefined
}

const GRANT =
  'GRANT USAGE, CREATE ON SCHEMA public to the user of DATABASE_URL, or make that user the owner of the database'
const OWN = 'make the user of DATABASE_URL the owner of the tables'

/** For commands that write: SQLite itself reports this only at the first write. */
export function refuseReadOnlyFile(url: string): void {
  const file = sqliteFile(url)
  if (file === undefined || !existsSync(file)) return
  for (const path of [file, dirname(file)]) {
    try {
      accessSync(path, constants.W_OK)
    } catch {
      throw new Unusable(`${path} is not writable`)
    }
  }
}

/** PostgreSQL with another encoding stores what it cannot return, or refuses single letters. */
export function* refuseEncoding(): Work<void> {
  const [row] = yield* query("SELECT current_setting('server_encoding') AS encoding")
  const encoding = String(cell(row, 'encoding'))
  if (encoding !== 'UTF8') {
    throw new Unusable(`the encoding of the database is ${encoding}: make a database with ENCODING 'UTF8'`)
  }
}
