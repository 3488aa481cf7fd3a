/**
 * Makes a backup in a folder of backups that people can trust: it is restored into a scratch database, which is compared
 * with the source, before it counts as good. Then older backups are checked again, and those that are no longer wanted
 * are deleted.
 */
import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, engineOn } from '../../engine/index.ts'
import { messageOf, openStore, sync } from '../../store/index.ts'
import { backUp } from './backup.ts'
import {
  type BackupRecord,
  backupName,
  failedName,
  isUnfinishedName,
  recordName,
  unverifiedName,
  writeRecord,
} from './backup-record.ts'
import { backupState } from './backup-state.ts'
import { BadBackup, type Contents } from './format.ts'
import { lockFolder } from './lock.ts'
import { CHECK_EVERY_MS, isDue, type Keep, keptTimes } from './plan.ts'
import { restore } from './restore.ts'
import { differenceFrom, recordsIn, type Sample, takeSample } from './sample.ts'
import { inScratch } from './scratch.ts'

/** A backup that takes longer than this has failed. */
export const LONGEST_BACKUP_MS = 2 * 3_600_000
/** How many backups stay that cannot be used, so that people can look at them. */
const MOST_BAD = 3

export interface FolderOrder {
  readonly folder: string
  readonly keep: Keep
  /** Makes a backup only if the newest good one is older than this, in milliseconds. */
  readonly every?: number | undefined
}

/** What was found about older backups. */
export interface Tended {
  /** How many were checked again. */
  readonly checked: number
  readonly damaged: readonly BackupRecord[]
  /** The names of those that somebody else has deleted. */
  readonly missing: readonly string[]
  readonly deleted: readonly string[]
}

export interface Outcome extends Tended {
  /** Undefined if none was due. */
  readonly made: (Contents & { readonly record: BackupRecord }) | undefined
}

export async function backUpInto(engine: Engine, order: FolderOrder): Promise<Outcome> {
  return await locked(order.folder, async () => {
    const { folder, every } = order
    const { lastGood } = await backupState(folder)
    const now = engine.now()
    const isWanted = every === undefined || isDue(lastGood && Date.parse(lastGood.at), every, now.getTime())
    const made = isWanted ? await makeVerified(engine, folder, now) : undefined
    return { made, ...(await tend(order, engine.now())) }
  })
}

/** Checks the backups of a folder again, and makes none. */
export async function checkFolder(folder: string, now: Date): Promise<Tended> {
  return await locked(folder, () => tend({ folder, keep: 'all' }, now, 0))
}

async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder, LONGEST_BACKUP_MS)
  if (typeof lock !== 'function') {
    throw new FolderInUse(`process ${lock.pid} on ${lock.host} makes a backup in ${folder} at the moment`)
  }
  try {
    return await work()
  } finally {
    lock()
  }
}

export class FolderInUse extends BadBackup {}

async function makeVerified(engine: Engine, folder: string, now: Date): Promise<Outcome['made']> {
  const started = performance.now()
  const deadline = started + LONGEST_BACKUP_MS
  const name = backupName(now, false)
  const unverified = join(folder, unverifiedName(name))
  let sample: Sample = { counts: {}, runs: [] }
  const { at, counts } = await backUp(engine, unverified, {
    force: true,
    *alsoRead() {
      sample = yield* takeSample(engine)
    },
  })
  const fault = await faultOf(engine, unverified, sample, deadline)
  const isGood = fault === undefined
  const checked = engine.now().toISOString()
  const record: BackupRecord = {
    file: isGood ? name : failedName(name),
    at,
    bytes: statSync(unverified).size,
    sha256: await checksumOf(unverified),
    seconds: Math.round(performance.now() - started) / 1000,
    isEncrypted: false,
    counts,
    sampled: recordsIn(sample),
    verified: checked,
    checked,
    ...(isGood ? {} : { error: fault }),
  }
  // First the record: a backup without one would count as somebody else's file.
  writeRecord(folder, record)
  renameSync(unverified, join(folder, record.file))
  sync(folder)
  if (isGood) return { at, counts, record }
  deleteBackups(folder, (await backupState(folder)).failed.slice(MOST_BAD))
  throw new BadBackup(`${join(folder, record.file)} is not good: ${fault}`)
}

/** Restores the backup into a scratch database. Returns why it is not good; undefined if it is. */
async function faultOf(engine: Engine, file: string, sample: Sample, deadline: number): Promise<string | undefined> {
  const { catalogue } = engine
  try {
    return await inScratch(async (scratch) => {
      const url = `sqlite:${join(scratch, 'restored.db')}`
      await restore({ url, catalogue, file, force: false, deadline })
      const store = await openStore(url, catalogue)
      try {
        return await store.read(() => differenceFrom(engineOn(store, catalogue), sample))
      } finally {
        await store.close()
      }
    })
  } catch (error) {
    return messageOf(error)
  }
}

/** Checks older backups again, and deletes what is no longer wanted. */
async function tend({ folder, keep }: FolderOrder, now: Date, checkAfterMs = CHECK_EVERY_MS): Promise<Tended> {
  const damaged: BackupRecord[] = []
  let checks = 0
  const before = await backupState(folder)
  for (const record of [...before.good, ...before.damaged]) {
    if (now.getTime() - Date.parse(record.checked) < checkAfterMs) continue
    const checked = await checkAgain(folder, record, now)
    checks++
    if (checked.error !== undefined && record.error === undefined) damaged.push(checked)
  }
  for (const name of before.missing) rmSync(join(folder, recordName(name)), { force: true })
  const state = await backupState(folder)
  const times = state.good.map(({ at }) => Date.parse(at))
  const kept = keptTimes(times, keep, now.getTime())
  const old = [
    ...state.good.filter(({ at }) => !kept.has(Date.parse(at))),
    ...(keep === 'all' ? [] : [...state.damaged.slice(MOST_BAD), ...state.failed.slice(MOST_BAD)]),
  ]
  deleteBackups(folder, old)
  for (const name of readdirSync(folder)) if (isUnfinishedName(name)) rmSync(join(folder, name), { force: true })
  return { checked: checks, damaged, missing: before.missing, deleted: old.map(({ file }) => file) }
}

function deleteBackups(folder: string, records: readonly BackupRecord[]): void {
  for (const { file } of records) {
    rmSync(join(folder, file), { force: true })
    rmSync(join(folder, recordName(file)), { force: true })
  }
}

async function checkAgain(folder: string, record: BackupRecord, now: Date): Promise<BackupRecord> {
  const { error: _, ...rest } = record
  const fault = await damageOf(join(folder, record.file), record)
  const checked = { ...rest, checked: now.toISOString(), ...(fault !== undefined && { error: fault }) }
  writeRecord(folder, checked)
  return checked
}

async function damageOf(path: string, { bytes, sha256 }: BackupRecord): Promise<string | undefined> {
  try {
    const { size } = statSync(path)
    if (size !== bytes) return `it has ${size} bytes, and had ${bytes}`
    return (await checksumOf(path)) === sha256 ? undefined : 'its checksum has changed'
  } catch (error) {
    return `it cannot be read: ${messageOf(error)}`
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}
