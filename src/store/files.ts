/**
 * File permissions of a database. The files hold hashes of passwords, tokens and sessions, so only their owner can read
 * them, or a group if the operator allows it, but never everyone.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'
import { codeOf } from './error-code.ts'

const OWNER_ONLY = 0o600
const OTHERS = 0o007

/** SQLite gives these the mode of the database, but only when it creates them. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/** Creates a file that does not exist yet, for its owner only. Called before SQLite opens it. */
export function makePrivate(path: string): void {
  // Windows has other permissions, which a folder passes on to its files.
  if (process.platform !== 'win32' && !existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY))
}

/** Removes the permissions of others from a database. Call it only on a file that is known to be ours. */
export function keepPrivate(path: string): void {
  for (const each of ['', ...COMPANIONS]) closeToOthers(`${path}${each}`)
}

/**
 * Closes one of our files that everyone can read to all but its owner. Group permissions were given on purpose, and
 * another user's file is not ours to change; doctor warns about it.
 */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32' || !isOpenToOthers(path) || statSync(path).uid !== process.getuid?.()) return
  try {
    chmodSync(path, OWNER_ONLY)
  } catch (error) {
    // On a read-only disk, the next step reports it.
    if (!['EPERM', 'EROFS'].includes(codeOf(error))) throw error
  }
}

/** The mode of a file that replaces one with this mode. */
export function privateMode(mode: number): number {
  return mode & OTHERS ? OWNER_ONLY : mode & 0o7777
}

export function isOpenToOthers(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && (stat.mode & OTHERS) !== 0
}
