/** Classifies SQLite errors, in one line each, and what they mean for a request. */
import { dirname } from 'node:path'
import { ReadOnly, Taken, Unavailable } from './database.ts'
import { codeOf, messageOf } from './error-code.ts'

/** The error as the rest of the program knows it. */
export function translated(error: unknown): unknown {
  const code = codeOf(error)
  const unique = /^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(code) && /failed: (\w+)\.(\w+)/.exec(messageOf(error))
  if (unique) return new Taken(unique[1]!, unique[2]!)
  const reason = REASONS.find(([start]) => code.startsWith(start))?.[1]
  if (reason === undefined) return error
  return new (code.startsWith(READ_ONLY) ? ReadOnly : Unavailable)(reason, { cause: error })
}

const READ_ONLY = 'SQLITE_READONLY'

/** By the beginning of the code. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
  ['SQLITE_BUSY', 'another process has locked the database'],
  ['SQLITE_LOCKED', 'another process has locked the database'],
  ['SQLITE_FULL', 'the disk is full'],
  [READ_ONLY, 'the database file is read-only'],
  ['SQLITE_IOERR', 'the disk cannot be read or written'],
  ['SQLITE_CANTOPEN', 'the database file cannot be opened'],
  ['SQLITE_PROTOCOL', 'the locks of the database file do not work'],
  ['SQLITE_CORRUPT', 'the database file is damaged'],
  ['SQLITE_NOTADB', 'the database file is damaged'],
]

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Why a file cannot be opened, for the operator. */
export function openReason(error: unknown, path: string): string {
  const code = codeOf(error)
  if (code === 'SQLITE_NOTADB') return `${path} is not an SQLite database`
  if (code === 'SQLITE_CORRUPT') return `${path} is damaged`
  if (code.startsWith('SQLITE_READONLY')) return `${path} is not writable`
  if (code.startsWith('SQLITE_CANTOPEN')) return `${path} cannot be opened for writing`
  if (code === 'SQLITE_FULL') return `the disk of ${path} is full`
  if (code.startsWith('SQLITE_BUSY')) return `${path} is locked by another program`
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return `${dirname(path)} is not writable`
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dirname(path)} is not a folder`
  return `${path} cannot be opened: ${messageOf(error)}`
}
