/** One process at a time makes backups in a folder, also if several machines share it. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../store/index.ts'
import { isObject } from './format.ts'

const NAME = '.nymdex-backup.lock'

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
      writeFileSync(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    const holder = holderOf(path)
    if (tries > 0 || !isStale(path, holder, staleMs)) return holder
    // Two processes could both get here. Then there are two backups, which does no harm.
    rmSync(path, { force: true })
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
  if (!made || Date.now() - made.mtimeMs > staleMs) return true
  return host === hostname() && pid !== process.pid && !isRunning(pid)
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It runs as another user.
    return codeOf(error) === 'EPERM'
  }
}
