/** Makes a backup whenever one is due, and checks those that exist, until it is told to stop. */
import { backupState } from './backup-state.ts'
import { latestBackup, nextStep, type Past, type Step } from './plan.ts'

export interface BackupKeeper {
  readonly folder: string
  /** Time between backups, in milliseconds. */
  readonly every: number
  now(): number
  /** Resolves after this many milliseconds, and sooner if it is told to stop. */
  wait(ms: number): Promise<void>
  run(does: Step['does']): Promise<void>
  /** Called with what went wrong; it is tried again after a pause. */
  failed(error: unknown): void
}

/** The clock may be set, and others may use the folder: it looks again after this time. */
const LONGEST_WAIT_MS = 10 * 60_000
/** After a failure, besides the time that the plan waits. */
const PAUSE_MS = 60_000

export async function keepBackups(keeper: BackupKeeper, signal: AbortSignal): Promise<void> {
  let lastFailure: number | undefined
  while (!signal.aborted) {
    let does: Step['does'] = 'backup'
    try {
      const step = await stepOf(keeper, lastFailure)
      does = step.does
      const early = step.at - keeper.now()
      if (early > 0) {
        await keeper.wait(Math.min(early, LONGEST_WAIT_MS))
        continue
      }
      await keeper.run(does)
      // Another process may be about to do the same.
      const next = await stepOf(keeper, undefined)
      const isDone = next.does !== does || next.at > keeper.now()
      lastFailure = isDone ? undefined : keeper.now()
    } catch (error) {
      if (signal.aborted) return
      // A check that finds damage must not put off the backup that is due now.
      if (does === 'backup') lastFailure = keeper.now()
      keeper.failed(error)
      // If the folder cannot be read, there is no next step to wait for.
      await keeper.wait(PAUSE_MS)
    }
  }
}

async function stepOf({ folder, every, now }: BackupKeeper, lastFailure: number | undefined): Promise<Step> {
  const time = now()
  const { lastGood, good, damaged } = await backupState(folder, latestBackup(every, time))
  const checks = [...good, ...damaged].map(({ checked }) => Date.parse(checked))
  const past: Past = {
    lastGood: lastGood && Date.parse(lastGood.at),
    lastFailure,
    // A check from the future was made with a wrong clock: it counts as one of long ago.
    lastCheck: checks.map((at) => (at > time ? 0 : at)).toSorted((a, b) => a - b)[0],
  }
  return nextStep(past, every, time)
}
