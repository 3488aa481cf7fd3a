/** nymdex backup: everything in one file, while servers run; or a folder of backups that are verified. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getSystemErrorMessage } from 'node:util'
import type { Command } from 'commander'
import type { Engine } from '../engine/index.ts'
import { counted, plural } from '../language/index.ts'
import { COPIED_SERVICE_TABLES, Taken } from '../store/index.ts'
import {
  BadBackup,
  backUp,
  backUpInto,
  type Contents,
  checkFolder,
  FolderInUse,
  keepBackups,
  type Outcome,
  readBackupKey,
  removeScratchOf,
  type Tended,
} from '../transfer/index.ts'
import type { BackupSettings } from './backup-settings.ts'
import { gatherSettings, settingsOf } from './config/gather.ts'
import { atDesk, Mistake } from './desk.ts'
import { explain } from './explain.ts'
import type { Settings } from './settings.ts'
import { say, sayAside } from './terminal.ts'
import { toldToStop } from './told-to-stop.ts'

interface Options {
  readonly force?: true
  readonly to?: string
  readonly every?: string
  readonly keep?: string
  readonly key?: string
  readonly once?: true
  readonly check?: true
}

export function addBackup(program: Command): void {
  program
    .command('backup [file]')
    .description('Write all records, users and tokens to a file, or to a folder of backups. Servers may keep running.')
    .option('--force', 'replace the file if it exists')
    .option('--to <folder>', 'make a backup in this folder, verify it, and delete old ones [NYMDEX_BACKUP_TO]')
    .option('--every <time>', 'with --to: stay, and make one this often, such as 30m, 1h or 1d')
    .option('--keep <times>', 'with --to: what is kept, such as 24h,7d,4w (default), or all [NYMDEX_BACKUP_KEEP]')
    .option('--key <file>', 'with --to: encrypt with this key of age [NYMDEX_BACKUP_KEY]')
    .option('--once', 'with --to: make one only if it is due, by --every or NYMDEX_BACKUP_EVERY')
    .option('--check', 'with --to: check the backups of the folder, and make none')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((file: string | undefined, options: Options, command: Command) =>
      inOneLine(async () => {
        const backups = settingsWith(command, options).backups
        if (file !== undefined) {
          const only = (['to', 'every', 'keep', 'key', 'once', 'check'] as const).find(
            (name) => options[name] !== undefined,
          )
          if (only) throw new Mistake(`--${only} is for a folder of backups: leave out ${file}`)
          await atDesk(command, ({ engine }) => backUpTo(engine, file, options))
        } else if (!backups) {
          throw new Mistake('give a file, such as nymdex.backup, or a folder of backups: --to /var/backups/nymdex')
        } else if (options.every !== undefined && !options.once && !options.check) await stayAndBackUp(command, backups)
        else await endedCleanly(() => work(command, backups, options))
      }),
    )
}

/** The options replace the settings of the environment and the file. */
function settingsWith(command: Command, { to, every, keep, key }: Options): Settings {
  const { config, databaseUrl } = command.optsWithGlobals()
  const given = { backupTo: to, backupEvery: every, backupKeep: keep, backupKey: key }
  const gathered = gatherSettings({ config, databaseUrl, ...given })
  // They have shorter names here than those of a server.
  const places = [...gathered.places].map(([name, { from, where }]) => {
    return [name, { from, where: where.replace(/^--backup-/, '--') }] as const
  })
  return settingsOf({ ...gathered, places: new Map(places) })
}

async function backUpTo(engine: Engine, file: string, { force }: Options): Promise<void> {
  const made = await backUp(engine, file, { force: force === true })
  say(`backed up ${summary(made)} to ${file} (${size(made.bytes)})`)
}

/** A signal ends the process as usual, but what a check has unpacked, which may be encrypted elsewhere, does not stay. */
async function endedCleanly(work: () => Promise<void>): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const end = (signal: NodeJS.Signals) => {
    for (const each of signals) process.off(each, end)
    removeScratchOf(process.pid)
    process.kill(process.pid, signal)
  }
  for (const signal of signals) process.on(signal, end)
  try {
    await work()
  } finally {
    for (const signal of signals) process.off(signal, end)
  }
}

/** Makes a backup, or checks those that exist. */
async function work(command: Command, backups: BackupSettings, options: Options): Promise<void> {
  try {
    if (options.check) await checkAll(backups, options)
    else await backUpIntoFolder(command, backups, options)
  } catch (error) {
    // The other process does what is due.
    if (!options.once || !(error instanceof FolderInUse)) throw error
    say(error.message)
  }
}

async function backUpIntoFolder(command: Command, backups: BackupSettings, { once }: Options): Promise<void> {
  const { to: folder, keep, every, keyFile } = backups
  const key = keyFile === undefined ? undefined : await readBackupKey(keyFile)
  await atDesk(command, async ({ engine }) => {
    const outcome = await backUpInto(engine, { folder, keep, key, every: once ? every : undefined })
    if (outcome.made) sayMade(folder, outcome.made)
    else say(`no backup is due in ${folder}`)
    sayTended(folder, outcome)
  })
}

function sayMade(folder: string, made: NonNullable<Outcome['made']>): void {
  const { file, bytes, seconds } = made.record
  say(`backed up ${summary(made)} to ${join(folder, file)} (${size(bytes)}), and verified it, in ${seconds} s`)
}

async function checkAll({ to: folder }: BackupSettings, { once }: Options): Promise<void> {
  const tended = await checkFolder(folder, new Date(), once === true)
  say(`checked ${counted(tended.checked, 'backup')} in ${folder}`)
  sayTended(folder, tended)
}

/** Until a signal ends the process. The database is open only while a backup is made. */
async function stayAndBackUp(command: Command, backups: BackupSettings): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  void toldToStop().then(() => stopping.abort())
  await keepBackups(
    {
      folder: backups.to,
      every: backups.every,
      now: Date.now,
      wait: (ms) => sleep(ms, undefined, { signal }).catch(() => {}),
      run: (does) => work(command, backups, does === 'check' ? { once: true, check: true } : { once: true }),
      failed: (error) => sayAside(`nymdex: ${lineOf(error) ?? explain(error)}`),
    },
    signal,
  )
}

/** Damage makes the command fail, when all else is done. */
function sayTended(folder: string, { damaged, missing, deleted }: Tended): void {
  if (deleted.length > 0) say(`deleted ${counted(deleted.length, 'old backup')}: ${deleted.join(', ')}`)
  for (const name of missing) sayAside(`warning: ${join(folder, name)} was deleted, and not by Nymdex`)
  const [first, ...more] = damaged.map(({ file, error }) => `${join(folder, file)} is damaged: ${error}`)
  for (const line of more) sayAside(`nymdex: ${line}`)
  if (first) throw new Mistake(first)
}

/** Failures of the disk, the database or the file are the operator's business, not bugs. */
export async function inOneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const line = lineOf(error)
    throw line === undefined ? error : new Mistake(line)
  }
}

/** Undefined if it is a bug. */
export function lineOf(error: unknown): string | undefined {
  if (error instanceof BadBackup) return error.message
  const { code, errno, path, message } = error as NodeJS.ErrnoException
  // Node makes some errors itself, with a number that the system does not have.
  if (errno !== undefined && errno < 0 && path) return `${path}: ${getSystemErrorMessage(errno)}`
  return typeof code === 'string' || error instanceof Taken ? message.replaceAll('\n', ' ') : undefined
}

export function summary({ counts }: Contents): string {
  const records = Object.entries(counts).filter(([name]) => !COPIED_SERVICE_TABLES.includes(name))
  const total = records.reduce((sum, [, count]) => sum + count, 0)
  return `${number(total, 'record')}, ${number(counts['account']!, 'account')} and ${number(counts['token']!, 'token')}`
}

/** Without commas, so that scripts can read it. */
function number(count: number, what: string): string {
  return `${count} ${count === 1 ? what : plural(what)}`
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
