/** A folder for files that are needed for a moment, in the place of the system for such files (TMPDIR). */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './lock.ts'

const NAME = /^nymdex-verify-(\d+)-/

/** Only its owner can look into it. It is removed at the end, or by the next run if this one is killed. */
export async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid && !isRunning(Number(pid))) rmSync(join(tmpdir(), name), { recursive: true, force: true })
  }
  const folder = mkdtempSync(join(tmpdir(), `nymdex-verify-${process.pid}-`))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
