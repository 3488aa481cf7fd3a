/** Checks whether the backups of this installation are new, whole and private. */
import { accessSync, constants, existsSync } from 'node:fs'
import { counted } from '../../language/index.ts'
import { type BackupState, backupState, latestBackup, readBackupKey } from '../../transfer/index.ts'
import { lineOf } from '../backup.ts'
import type { BackupSettings } from '../backup-settings.ts'
import type { Settings } from '../settings.ts'
import { type Finding, type Findings, fail, ok, warn, wordsOf } from './finding.ts'

const HOUR_MS = 3_600_000

export async function* checkBackups({ backups }: Settings): Findings {
  if (!backups) return
  if (backups.keyFile !== undefined) yield await findingOfKey(backups.keyFile)
  if (!existsSync(backups.to)) {
    yield warn(`there is no folder ${backups.to} yet: the first backup creates it`)
    return
  }
  try {
    accessSync(backups.to, constants.R_OK | constants.W_OK | constants.X_OK)
    const now = Date.now()
    yield* findingsOf(await backupState(backups.to, latestBackup(backups.every, now)), backups, now)
  } catch (error) {
    yield fail(`${backups.to} cannot be used for backups (${wordsOf(error)}): give it to the user who runs Nymdex`)
  }
}

async function findingOfKey(path: string): Promise<Finding> {
  try {
    const { identities } = await readBackupKey(path)
    const does =
      identities.length > 0 ? 'encrypts backups, and can read them' : 'encrypts backups, and cannot read them'
    return ok(`the key ${path} ${does}`)
  } catch (error) {
    return fail(`NYMDEX_BACKUP_KEY: ${lineOf(error) ?? wordsOf(error)}`)
  }
}

function* findingsOf(state: BackupState, { every }: BackupSettings, now: number): Generator<Finding> {
  const { folder, lastGood, good, damaged, failed, tooOpen } = state
  if (!lastGood) yield warn(`${folder} has no good backup: run nymdex backup --to ${folder}`)
  else {
    const age = now - Date.parse(lastGood.at)
    const last = `the last good backup is ${lastGood.file}, ${ageOf(age)} old`
    if (age > 2 * every)
      yield warn(`${last}, although one is due every ${ageOf(every).replace(/^1 /, '')}: see the log of the server`)
    else yield ok(`${last}, of ${counted(good.length, 'good backup')}`)
  }
  for (const { file, error } of damaged) {
    yield fail(`the backup ${file} is damaged: ${error}; check the disk, and delete the file and its record`)
  }
  for (const { file, error } of failed) {
    const isOver = lastGood !== undefined && lastGood.file > file
    yield (isOver ? warn : fail)(`the backup ${file} could not be restored: ${error}`)
  }
  for (const path of tooOpen) {
    const mode = path === folder ? '700' : '600'
    yield warn(`${path} can be read or changed by others, and backups hold password hashes: chmod ${mode} ${path}`)
  }
}

function ageOf(ms: number): string {
  const hours = ms / HOUR_MS
  if (hours >= 48) return counted(Math.floor(hours / 24), 'day')
  return hours >= 1 ? counted(Math.floor(hours), 'hour') : counted(Math.max(0, Math.floor(hours * 60)), 'minute')
}
