/**
 * Replaces one SQLite file with another. At every moment the path names a whole database, the old one or the new one;
 * the old one is kept under another name.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import SQLite from 'better-sqlite3'
import { Unusable } from './database.ts'
import { codeOf } from './error-code.ts'
import { closeToOthers, privateMode } from './files.ts'
import { openReason } from './sqlite-errors.ts'

/** The files next to a database while it is in use, or after a crash. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/**
 * Moves everything into the one database file, which fails while another process has it open. A damaged file stays as
 * it is.
 */
export function standAlone(path: string, inUse = `${path} is in use: stop the server first`): void {
  let connection: SQLite.Database | undefined
  try {
    connection = new SQLite(path, { fileMustExist: true, timeout: 300 })
    if (connection.pragma('journal_mode = DELETE', { simple: true }) !== 'delete') throw new Unusable(inUse)
  } catch (error) {
    const code = codeOf(error)
    if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) throw new Unusable(inUse)
    if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) return
    throw error instanceof Unusable ? error : new Unusable(openReason(error, path))
  } finally {
    connection?.close()
  }
}

/** Removes what an interrupted run left; a running one is not disturbed. */
export function removeLeftover(path: string): void {
  if (existsSync(path)) standAlone(path, `${path} is in use: another restore is under way`)
  for (const each of ['', ...COMPANIONS]) rmSync(`${path}${each}`, { force: true })
}

/** `fresh` replaces `path`; the old file becomes `kept`. */
export function swapIn(fresh: string, path: string, kept: string): void {
  sync(fresh)
  if (existsSync(path)) {
    forgetInterrupted(path)
    standAlone(path)
    keepOwner(path, fresh)
    keep(path, kept)
  }
  // SQLite would replay another file's log into the new one.
  for (const each of COMPANIONS) if (existsSync(`${path}${each}`)) renameSync(`${path}${each}`, `${kept}${each}`)
  renameSync(fresh, path)
  sync(dirname(path))
}

/** A second name for the file, because the path must never be missing. */
function keep(path: string, kept: string): void {
  try {
    linkSync(path, kept)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    copyFileSync(path, kept)
    sync(kept)
  }
  closeToOthers(kept)
  sync(dirname(kept))
}

/** A run that ended between its last two steps has left a second name for the database. */
function forgetInterrupted(path: string): void {
  const { ino, dev, nlink } = statSync(path)
  if (nlink < 2) return
  for (const name of readdirSync(dirname(path))) {
    const other = join(dirname(path), name)
    if (!name.startsWith(`${basename(path)}.before-restore-`)) continue
    const its = statSync(other)
    if (its.ino === ino && its.dev === dev) rmSync(other)
  }
}

/** The server, which may run as another user, must be able to open the new file like the old one. */
function keepOwner(from: string, to: string): void {
  const { mode, uid, gid } = statSync(from)
  chmodSync(to, privateMode(mode))
  const its = statSync(to)
  if (its.uid === uid && its.gid === gid) return
  try {
    chownSync(to, uid, gid)
  } catch {
    if (its.uid !== uid) throw new Unusable(`${from} belongs to another user: restore as that user`)
  }
}

/** Flushes the file or folder to disk. */
export function sync(path: string): void {
  const folder = statSync(path).isDirectory()
  // Windows neither needs nor allows this for folders.
  if (folder && process.platform === 'win32') return
  const file = openSync(path, folder ? 'r' : 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
