/** One process at a time makes backups in a folder, also if several machines share it. */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../store/index.ts'
import { isObject } from './format.ts'

const NAME = '.nymdex-backup.lock'
/** The locks that this process has. */
const held = new Set<string>()

interface Holder {
  readonly host: string
  readonly pid: number
}

/** Returns the function that gives the lock back, or who has it. After `staleMs`, the lock of another machine is ignored. */
export function lockFolder(folder: string, staleMs: number): (() => void) | Holder {
  const path = join(folder, NAME)
  const mine: Holder = { host: hostname(), pid: process.pid }
  for (let tries = 0; ; tries++) {
    try {
      writeNew(path, JSON.stringify(mine))
      held.add(path)
      return () => {
        held.delete(path)
        // After a very long time, another process may have taken it over.
        unlockFor(folder, mine.pid)
      }
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = holderOf(path)
    if (tries > 0 || !isStale(path, holder, staleMs)) return holder
    // Two processes could both get here. Then there are two backups, which does no harm.
    rmSync(path, { force: true })
  }
}

/** On a disk that is full, no empty lock stays, for which others would wait. */
function writeNew(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(file, text)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

/** Removes the lock of a process of this machine that has ended before it could give the lock back. */
export function unlockFor(folder: string, pid: number | undefined): void {
  const path = join(folder, NAME)
  const holder = holderOf(path)
  if (holder.host === hostname() && holder.pid === pid) rmSync(path, { force: true })
}

function holderOf(path: string): Holder {
  try {
    const given: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isObject(given)) return { host: String(given['host']), pid: Number(given['pid']) }
  } catch {
    // It was given back a moment ago, or is being written.
  }
  return { host: 'another machine', pid: 0 }
}

function isStale(path: string, { host, pid }: Holder, staleMs: number): boolean {
  const made = statSync(path, { throwIfNoEntry: false })
  // A lock from the far future was made with a wrong clock.
  if (!made || Math.abs(Date.now() - made.mtimeMs) > staleMs) return true
  if (host !== hostname()) return false
  // In a container, the next process often has the number of the one that was killed.
  return pid === process.pid ? !held.has(path) : !isRunning(pid)
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === 'EPERM'
  }
}
