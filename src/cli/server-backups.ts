/**
 * The backups of a server. Another process makes and verifies each of them, with a low priority, because the work would
 * block the event loop, and readers would wait.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'
import type { MeasuredBackups } from '../http/index.ts'
import { inTime, messageOf } from '../store/index.ts'
import {
  backupState,
  keepBackups,
  LONGEST_BACKUP_MS,
  latestBackup,
  readBackupKey,
  removeScratchOf,
  unlockFor,
} from '../transfer/index.ts'
import { lineOf } from './backup.ts'
import { Mistake } from './desk.ts'
import type { Settings } from './settings.ts'

export interface RunningBackups extends MeasuredBackups {
  stop(): Promise<void>
}

/** Not the program that runs: a program that starts a server itself would be started again. */
const PROGRAM = join(import.meta.dirname, '../../bin/nymdex.js')
/** As the program `nice` does by default. */
const LOW_PRIORITY = 10
const END_MS = 5000
const MOST_OUTPUT = 1024 * 1024
const run = promisify(execFile)

/** With a key that cannot be read, every backup would fail. */
export async function refuseBadKey({ backups }: Settings): Promise<void> {
  if (backups?.keyFile === undefined) return
  try {
    await readBackupKey(backups.keyFile)
  } catch (error) {
    throw new Mistake(`NYMDEX_BACKUP_KEY: ${lineOf(error) ?? messageOf(error)}`)
  }
}

/** Undefined if no backups are wanted. */
export function startBackups({ backups, databaseUrl }: Settings, log: Logger): RunningBackups | undefined {
  if (!backups) return undefined
  const { to: folder, every, environment } = backups
  const stopping = new AbortController()
  const { signal } = stopping
  let failures = 0
  const env = { ...process.env, ...environment, DATABASE_URL: databaseUrl }
  const runCommand = async (...options: string[]) => {
    const args = [PROGRAM, 'backup', '--once', ...options]
    const limits = { timeout: LONGEST_BACKUP_MS, killSignal: 'SIGKILL', maxBuffer: MOST_OUTPUT, signal } as const
    const running = run(process.execPath, args, { env, ...limits })
    lowerPriority(running.child.pid)
    try {
      const { stdout, stderr } = await running
      for (const line of linesOf(stdout)) log.info(line)
      for (const line of linesOf(stderr)) log.warn(line)
    } finally {
      await hasEnded(running.child)
      // If it was killed, others would wait for it: in a container, the next server has another host name.
      unlockFor(folder, running.child.pid)
      removeScratchOf(running.child.pid)
    }
  }
  const ended = keepBackups(
    {
      folder,
      every,
      now: Date.now,
      wait: (ms) => sleep(ms, undefined, { signal, ref: false }).catch(() => {}),
      run: (does) => (does === 'backup' ? runCommand() : runCommand('--check')),
      failed(error) {
        failures++
        log.error(`backup: ${reasonOf(error)}`)
      },
    },
    signal,
  )
  return {
    failures: () => failures,
    async measure() {
      try {
        const { lastGood, good, damaged } = await backupState(folder, latestBackup(every, Date.now()))
        return { lastGood, good: good.length, damaged: damaged.length }
      } catch {
        // The folder cannot be read: the log says why, and no backup is known.
        return { lastGood: undefined, good: 0, damaged: 0 }
      }
    },
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

/** A process that is told to end may write until it has ended. One that the system cannot end is not awaited. */
async function hasEnded(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await inTime(once(child, 'exit'), END_MS)
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LOW_PRIORITY)
  } catch {
    // It has ended already.
  }
}

/** The last line that the command printed, if it did; otherwise how it ended. */
function reasonOf(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? linesOf(String(error.stderr)) : []
  if (error instanceof Error && 'killed' in error && error.killed) return 'it took too long, and was ended'
  return said.join('; ').replaceAll('nymdex: ', '') || (lineOf(error) ?? messageOf(error))
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}
