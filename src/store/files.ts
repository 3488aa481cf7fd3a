/**
 * Who may read the files of a database. They hold hashes of passwords, tokens and sessions, so they are for their owner,
 * and for a group if the operator says so, but never for everybody.
 */
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

const OWNER_ONLY = 0o600
const OTHERS = 0o007

/** SQLite gives these the mode of the database, but only when it makes them. */
const COMPANIONS = ['-wal', '-shm', '-journal']

/** Makes a file that is not there yet, for its owner only. Before SQLite opens it. */
export function makePrivate(path: string): void {
  // Windows has other rights, which a folder hands down to its files.
  if (process.platform !== 'win32' && !existsSync(path)) closeSync(openSync(path, 'a', OWNER_ONLY))
}

/** Takes the rights of others away from a database. Only when it is known to be ours: it could be any file. */
export function keepPrivate(path: string): void {
  for (const each of ['', ...COMPANIONS]) closeToOthers(`${path}${each}`)
}

/**
 * A file of ours that everybody may use is closed to all but its owner. Rights that only a group has were given on purpose,
 * and a file of another user is not ours to change; doctor warns about it.
 */
export function closeToOthers(path: string): void {
  if (process.platform === 'win32' || !isOpenToOthers(path) || statSync(path).uid !== process.getuid?.()) return
  try {
    chmodSync(path, OWNER_ONLY)
  } catch (error) {
    // On a disk that cannot be written to, the next step says so.
    if (!['EPERM', 'EROFS'].includes((error as { code?: string }).code ?? '')) throw error
  }
}

/** The mode that a file gets which takes the place of one of this mode. */
export function privateMode(mode: number): number {
  return mode & OTHERS ? OWNER_ONLY : mode & 0o7777
}

export function isOpenToOthers(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true && (stat.mode & OTHERS) !== 0
}
