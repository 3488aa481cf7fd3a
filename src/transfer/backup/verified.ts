/**
 * Makes a backup in a folder of backups that people can trust: it is restored into a scratch database, which is compared
 * with the source, before it counts as good. Then older backups are checked again, and those that are no longer wanted
 * are deleted.
 */
import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, engineOn } from '../../engine/index.ts'
import { makeFolder, messageOf, openStore, sync, Unusable } from '../../store/index.ts'
import { type BackupKey, encryptFile } from './age.ts'
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
import { isCheckDue, isDue, type Keep, keptTimes, latestBackup } from './plan.ts'
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
  /** Encrypts the backup. */
  readonly key?: BackupKey | undefined
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
    const { folder, every, key } = order
    const now = engine.now()
    const time = now.getTime()
    const { lastGood } = await backupState(folder, every && latestBackup(every, time))
    const isWanted = every === undefined || isDue(lastGood && Date.parse(lastGood.at), every, time)
    const made = isWanted ? await makeVerified(engine, folder, key, now) : undefined
    return { made, ...(await tend(order, engine.now())) }
  })
}

/** Checks the backups of a folder again, and makes none. `isRoutine`: damage that is known already is not told again. */
export async function checkFolder(folder: string, now: Date, isRoutine: boolean): Promise<Tended> {
  return await locked(folder, () => tend({ folder, keep: 'all' }, now, { checkAfterMs: 0, isRoutine }))
}

async function locked<T>(folder: string, work: () => Promise<T>): Promise<T> {
  makeFolder(folder, 0o700)
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

async function makeVerified(
  engine: Engine,
  folder: string,
  key: BackupKey | undefined,
  now: Date,
): Promise<Outcome['made']> {
  const started = performance.now()
  const name = backupName(now, key !== undefined)
  const unverified = join(folder, unverifiedName(name))
  const order = { engine, path: unverified, deadline: started + LONGEST_BACKUP_MS }
  const { at, counts, sample, fault } = key ? await writeEncrypted(order, key) : await writePlain(order)
  const isGood = fault === undefined
  const checked = engine.now().toISOString()
  const record: BackupRecord = {
    file: isGood ? name : failedName(name),
    at,
    bytes: statSync(unverified).size,
    sha256: await checksumOf(unverified),
    seconds: Math.round(performance.now() - started) / 1000,
    isEncrypted: key !== undefined,
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

interface WriteOrder {
  readonly engine: Engine
  readonly path: string
  readonly deadline: number
}

interface WrittenBackup extends Contents {
  readonly sample: Sample
  readonly fault: string | undefined
}

async function writePlain(order: WriteOrder): Promise<WrittenBackup> {
  const written = await writeSampled(order)
  return { ...written, fault: await faultOf(order, written.sample) }
}

/** The folder may be on another machine, so it gets no plain text, not even for a moment. */
async function writeEncrypted(order: WriteOrder, key: BackupKey): Promise<WrittenBackup> {
  return await inScratch(async (scratch) => {
    const plain = { ...order, path: join(scratch, 'plain.backup') }
    const written = await writeSampled(plain)
    const { identities } = key
    // Without the secret key, what is verified is the backup before it is encrypted.
    const before = identities.length === 0 ? await faultOf(plain, written.sample) : undefined
    rmSync(order.path, { force: true })
    await encryptFile(plain.path, order.path, key)
    rmSync(plain.path)
    const after = identities.length > 0 ? await faultOf(order, written.sample, identities) : undefined
    return { ...written, fault: before ?? after }
  })
}

async function writeSampled({ engine, path }: WriteOrder): Promise<Contents & { readonly sample: Sample }> {
  let sample: Sample = { counts: {}, runs: [] }
  const { at, counts } = await backUp(engine, path, {
    force: true,
    *alsoRead() {
      sample = yield* takeSample(engine)
    },
  })
  return { at, counts, sample }
}

/** Restores the backup into a scratch database. Returns why it is not good; undefined if it is. */
async function faultOf(
  { engine, path: file, deadline }: WriteOrder,
  sample: Sample,
  identities?: readonly string[],
): Promise<string | undefined> {
  const { catalogue } = engine
  try {
    return await inScratch(async (scratch) => {
      const url = `sqlite:${join(scratch, 'restored.db')}`
      await restore({ url, catalogue, file, force: false, deadline, identities })
      const store = await openStore(url, catalogue)
      try {
        return await store.read(() => differenceFrom(engineOn(store, catalogue), sample))
      } finally {
        await store.close()
      }
    })
  } catch (error) {
    const isItsFault = error instanceof BadBackup || error instanceof Unusable
    return isItsFault ? error.message : `it could not be verified: ${messageOf(error)}`
  }
}

/** Checks older backups again, and deletes what is no longer wanted. */
async function tend(
  { folder, keep }: FolderOrder,
  now: Date,
  { checkAfterMs, isRoutine = true }: { readonly checkAfterMs?: number; readonly isRoutine?: boolean } = {},
): Promise<Tended> {
  const damaged: BackupRecord[] = []
  let checks = 0
  const before = await backupState(folder)
  for (const record of [...before.good, ...before.damaged]) {
    if (!isCheckDue(Date.parse(record.checked), now.getTime(), checkAfterMs)) continue
    const checked = await checkAgain(folder, record, now)
    checks++
    if (checked.error !== undefined && !(isRoutine && record.error !== undefined)) damaged.push(checked)
  }
  for (const name of before.missing) rmSync(join(folder, recordName(name)), { force: true })
  const state = await backupState(folder)
  const times = state.good.map(({ at }) => Date.parse(at))
  const kept = keptTimes(times, keep, now.getTime())
  const old = [
    ...state.good.filter(({ at }) => !kept.has(Date.parse(at))),
    ...(keep === 'all' ? [] : [...state.damaged.filter(isLegible).slice(MOST_BAD), ...state.failed.slice(MOST_BAD)]),
  ]
  deleteBackups(folder, old)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    // Nymdex makes no folders here, so one with such a name belongs to somebody else.
    if (isUnfinishedName(entry.name) && !entry.isDirectory()) rmSync(join(folder, entry.name), { force: true })
  }
  return { checked: checks, damaged, missing: before.missing, deleted: old.map(({ file }) => file) }
}

const ILLEGIBLE = 'it cannot be read: '

/** A disk that is away or fails for a moment must not cost the backups on it. */
const isLegible = ({ error }: BackupRecord) => error === undefined || !error.startsWith(ILLEGIBLE)

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
    return `${ILLEGIBLE}${messageOf(error)}`
  }
}

async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece)
  return hash.digest('hex')
}
