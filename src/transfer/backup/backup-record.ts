/**
 * The files of a folder of backups: their names, and the record that each backup has next to it, which says what is in
 * it and when it was last found good. A file without a record was not made here, and stays as it is.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sync } from '../../store/index.ts'
import { type Counts, isObject } from './format.ts'

export interface BackupRecord {
  /** The name of the backup in its folder. */
  readonly file: string
  /** When the backup was made: it shows the database at this moment. */
  readonly at: string
  readonly bytes: number
  /** Of the file. */
  readonly sha256: string
  /** How long it took to make and to verify it. */
  readonly seconds: number
  readonly isEncrypted: boolean
  /** How many rows of each table it holds. */
  readonly counts: Counts
  /** How many records of the restored database were compared with those of the source. */
  readonly sampled: number
  /** When it was restored to verify it. */
  readonly verified: string
  /** When its checksum was last computed. */
  readonly checked: string
  /** Why it cannot be used. */
  readonly error?: string
}

/** What a record begins with. */
const KIND = 'backup record'
const MODE = 0o600

const BACKUP = /^nymdex-\d{8}T\d{6}\.\d{3}Z\.backup(\.age)?(\.failed)?$/
const UNFINISHED =
  /^nymdex-\d{8}T\d{6}\.\d{3}Z\.backup(\.age)?(\.unverified|(\.unverified|\.json|\.failed\.json)\.partial)$/

/** `nymdex-20260102T030405.678Z.backup` */
export function backupName(at: Date, isEncrypted: boolean): string {
  return `nymdex-${at.toISOString().replaceAll(/[-:]/g, '')}.backup${isEncrypted ? '.age' : ''}`
}

/** The name of a backup that is not good. */
export const failedName = (name: string) => `${name}.failed`
export const unverifiedName = (name: string) => `${name}.unverified`
export const recordName = (name: string) => `${name}.json`

export const isBackupName = (name: string) => BACKUP.test(name)
export const isFailedName = (name: string) => isBackupName(name) && name.endsWith('.failed')
/** What an interrupted run left. */
export const isUnfinishedName = (name: string) => UNFINISHED.test(name)

/** The name of the backup that a record is about. */
export function recordedName(name: string): string | undefined {
  const file = name.endsWith('.json') ? name.slice(0, -'.json'.length) : ''
  return isBackupName(file) ? file : undefined
}

export function writeRecord(folder: string, record: BackupRecord): void {
  const path = join(folder, recordName(record.file))
  const partial = `${path}.partial`
  rmSync(partial, { force: true })
  const file = openSync(partial, 'wx', MODE)
  try {
    writeFileSync(file, `${JSON.stringify({ nymdex: KIND, ...record }, undefined, 2)}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(partial, path)
  sync(folder)
}

/** The record of a backup; undefined if there is none. */
export async function readRecord(folder: string, name: string): Promise<BackupRecord | undefined> {
  let given: unknown
  try {
    given = JSON.parse(await readFile(join(folder, recordName(name)), 'utf8'))
  } catch {
    return undefined
  }
  if (!isObject(given) || given['nymdex'] !== KIND || given['file'] !== name) return undefined
  const text = (key: string) => (typeof given[key] === 'string' ? given[key] : '')
  const number = (key: string) => (typeof given[key] === 'number' ? given[key] : 0)
  const times = [text('at'), text('verified'), text('checked')]
  if (times.some((time) => Number.isNaN(Date.parse(time)))) return undefined
  const counts = isObject(given['counts']) ? Object.entries(given['counts']) : []
  return {
    file: name,
    at: text('at'),
    bytes: number('bytes'),
    sha256: text('sha256'),
    seconds: number('seconds'),
    isEncrypted: given['isEncrypted'] === true,
    counts: Object.fromEntries(counts.flatMap(([table, count]) => (typeof count === 'number' ? [[table, count]] : []))),
    sampled: number('sampled'),
    verified: text('verified'),
    checked: text('checked'),
    ...(text('error') !== '' && { error: text('error') }),
  }
}
