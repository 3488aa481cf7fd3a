/** A folder for files that are needed for a moment, in the place of the system for such files (TMPDIR). */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './lock.ts'

const NAME = /^nymdex-verify-(\d+)-/

/** Only its owner can look into it. It is removed at the end, or by the next run if this one is killed. */
export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeScratch((pid) => !isRunning(pid))
  const folder = mkdtempSync(join(tmpdir(), `nymdex-verify-${process.pid}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Removes what a process has left that was killed: it may be data that backups encrypt. */
export function removeScratchOf(killed: number | undefined): void {
  removeScratch((pid) => pid === killed)
}

function removeScratch(isLeft: (pid: number) => boolean): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid && isLeft(Number(pid))) removeOwn(join(tmpdir(), name))
  }
}

/** All users share the place: what another one left there must neither be followed nor end a backup. */
function removeOwn(path: string): void {
  try {
    const own = process.getuid?.()
    if (own !== undefined && lstatSync(path).uid !== own) return
    rmSync(path, { recursive: true, force: true })
  } catch {
    // It stays, or another process has removed it.
  }
}
