/** The settings of backups: where they go, how often they are made, and which are kept. */
import { resolve } from 'node:path'
import type { Keep } from '../transfer/index.ts'
import { EVERY_EXAMPLES, KEEP_EXAMPLES, readEvery, readKeep } from './backup-times.ts'
import { BadSetting } from './bad-setting.ts'
import { list, type SettingEntry, text } from './setting-kinds.ts'
import type { SettingName } from './setting-list.ts'

export const BACKUP_SETTINGS = [
  {
    name: 'NYMDEX_BACKUP_TO',
    is: text('a folder'),
    option: 'backup-to',
    byDefault: '',
    does: 'a folder: make backups in it, verify them, and delete old ones',
  },
  {
    name: 'NYMDEX_BACKUP_EVERY',
    is: text(EVERY_EXAMPLES),
    option: 'backup-every',
    byDefault: '1h',
    does: 'time between backups, such as 30m, 1h or 1d',
  },
  {
    name: 'NYMDEX_BACKUP_KEEP',
    is: list(KEEP_EXAMPLES),
    option: 'backup-keep',
    byDefault: '24h,7d,4w',
    does: 'the hours, days and weeks of which one backup each is kept, such as 24h,7d,4w; all deletes none',
  },
  {
    name: 'NYMDEX_BACKUP_KEY',
    is: text('a file'),
    option: 'backup-key',
    byDefault: '',
    does: 'a file with a key of age, which encrypts backups: age1..., or AGE-SECRET-KEY-1..., which can also read them',
  },
] as const satisfies readonly SettingEntry[]

export interface BackupSettings {
  /** The folder of the backups. */
  readonly to: string
  /** In milliseconds. */
  readonly every: number
  readonly keep: Keep
  /** The file with the key that encrypts them. */
  readonly keyFile: string | undefined
  /** The environment of a process that makes backups with these settings. */
  readonly environment: Readonly<Record<string, string>>
}

/** Undefined if no backups are wanted. */
export function readBackups(read: (name: SettingName) => string): BackupSettings | undefined {
  const names = ['NYMDEX_BACKUP_TO', 'NYMDEX_BACKUP_EVERY', 'NYMDEX_BACKUP_KEEP', 'NYMDEX_BACKUP_KEY'] as const
  const [to, everyText, keepText, key] = [read(names[0]), read(names[1]), read(names[2]), read(names[3])]
  const every = readEvery(everyText)
  const keep = readKeep(keepText)
  if (every === undefined) throw new BadSetting(names[1], everyText, EVERY_EXAMPLES)
  if (keep === undefined) throw new BadSetting(names[2], keepText, KEEP_EXAMPLES)
  if (to === '') return undefined
  const environment = Object.fromEntries(names.map((name) => [name, read(name)]))
  return { to: resolve(to), every, keep, keyFile: key || undefined, environment }
}
