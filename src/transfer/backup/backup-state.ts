/** What is in a folder of backups: for the schedule, for metrics, for doctor, and for people. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '../../store/index.ts'
import { type BackupRecord, isBackupName, isFailedName, readRecord, recordedName } from './backup-record.ts'

/** All lists have the newest first. */
export interface BackupState {
  readonly folder: string
  /** Undefined if there is none. One that was made with a clock far ahead is not meant. */
  readonly lastGood: BackupRecord | undefined
  readonly good: readonly BackupRecord[]
  /** They were good once, and their files have changed since. */
  readonly damaged: readonly BackupRecord[]
  /** They could not be restored when they were made. */
  readonly failed: readonly BackupRecord[]
  /** The names of backups that have a record and no file. */
  readonly missing: readonly string[]
  /** The folder or files that other users can read or change. */
  readonly tooOpen: readonly string[]
}

/** Permissions of everyone except the owner. */
const OTHERS = 0o077

/**
 * A folder that does not exist has no backups. Those later than `latest`, in milliseconds since 1970, were made with a
 * wrong clock: they would hide that no other backup is new.
 */
export async function backupState(folder: string, latest = Number.POSITIVE_INFINITY): Promise<BackupState> {
  const names = (await namesIn(folder)).toSorted().toReversed()
  const existing = new Set(names)
  const [records, missing, tooOpen]: [BackupRecord[], string[], string[]] = [[], [], []]
  if (await isTooOpen(folder)) tooOpen.push(folder)
  for (const name of names) {
    const backup = recordedName(name)
    if ((isBackupName(name) || backup) && (await isTooOpen(join(folder, name)))) tooOpen.push(join(folder, name))
    const record = backup && (await readRecord(folder, backup))
    if (!record) continue
    if (existing.has(record.file)) records.push(record)
    else missing.push(record.file)
  }
  const failed = records.filter(({ file }) => isFailedName(file))
  const finished = records.filter(({ file }) => !isFailedName(file))
  const good = finished.filter(({ error }) => error === undefined)
  const damaged = finished.filter(({ error }) => error !== undefined)
  const lastGood = good.find(({ at }) => Date.parse(at) <= latest)
  return { folder, lastGood, good, damaged, failed, missing, tooOpen }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

async function isTooOpen(path: string): Promise<boolean> {
  // Windows has other permissions.
  if (process.platform === 'win32') return false
  try {
    return ((await stat(path)).mode & OTHERS) !== 0
  } catch {
    // It was deleted meanwhile, or is a link that leads nowhere: one odd file must not stop all backups.
    return false
  }
}
