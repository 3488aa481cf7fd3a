/** Settings from the command line, the environment and a file. An invalid one is refused with a clear line. */
import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Retention } from '../engine/index.ts'
import type { CacheSettings, Limit, SiteSettings, TracingSettings } from '../http/index.ts'
import type { DatabaseSettings } from '../store/index.ts'
import { ACCESS_LOG_FORMATS, type AccessLogSettings } from './access-log-settings.ts'
import {
  readBaseUrl,
  readDatabaseUrl,
  readFollow,
  readHost,
  readHosts,
  readMail,
  readMetrics,
  readProxies,
  readReplicas,
} from './address-settings.ts'
import { type BackupSettings, readBackups } from './backup-settings.ts'
import { BadSetting } from './bad-setting.ts'
import { isOn } from './setting-kinds.ts'
import { SETTINGS, type SettingName } from './setting-list.ts'
import { readTracing } from './tracing-settings.ts'

export { BadSetting }

export interface Settings {
  readonly port: number
  readonly host: string
  /** The file descriptor of a socket that listens already; then the port and the host do not count. */
  readonly socket?: number | undefined
  /** How many processes answer reads. */
  readonly workers: number
  readonly databaseUrl: string
  readonly database: Omit<DatabaseSettings, 'report' | 'quickMs' | 'replicas' | 'bulk'>
  /** The addresses of standbys that answer reads. */
  readonly replicas: readonly string[]
  readonly databaseSeconds: number
  readonly drainSeconds: number
  readonly holdMs: number
  readonly queueMs: number
  readonly streams: number
  readonly sample: boolean
  /** Whether all changes are refused, for maintenance. */
  readonly readOnly: boolean
  /** The address of the server to follow. */
  readonly follow: string | undefined
  readonly baseUrl: string | undefined
  readonly pageSize: number
  readonly querySeconds: number
  readonly trustedProxies: BlockList
  /** The hosts that requests may name; undefined for any. */
  readonly hosts: readonly string[] | undefined
  readonly forwardedHost: boolean
  readonly compress: boolean
  readonly signUpOpen: boolean
  readonly mail: SiteSettings['mail']
  readonly limits: SiteSettings['limits']
  readonly cache: CacheSettings
  readonly sharedCache: SiteSettings['sharedCache']
  /** How long the log of changes is kept. */
  readonly retention: Retention
  readonly hooks: SiteSettings['hooks']
  /** Where a server backs up to; undefined if it makes no backups. */
  readonly backups: BackupSettings | undefined
  /** The file with the key of encrypted backups. */
  readonly backupKey: string | undefined
  /** Where metrics are; undefined for none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  /** Undefined if nobody wants traces. */
  readonly traces: TracingSettings | undefined
  readonly accessLog: AccessLogSettings
  /** Undefined if slow queries are not logged. */
  readonly slowQueryMs: number | undefined
  readonly logLevel: string
}

export type Given = Readonly<Record<string, string | undefined>>

/** `where` says how the operator gave a setting, for the message about an invalid one. */
export function readSettings(given: Given, where: (name: string) => string = (name) => name): Settings {
  try {
    for (const { name, is, byDefault } of SETTINGS) {
      const value = given[name]?.trim() || byDefault
      if (value !== '' && !is.accepts(value)) throw new BadSetting(name, is.shown(value), is.wants)
    }
    return convert(given)
  } catch (error) {
    throw error instanceof BadSetting ? error.givenBy(where(error.setting)) : error
  }
}

/** Each value is what its kind accepts; lists and addresses are checked here. */
function convert(given: Given): Settings {
  const read = (name: SettingName) =>
    given[name]?.trim() || SETTINGS.find((setting) => setting.name === name)!.byDefault
  const number = (name: SettingName) => Number(read(name))
  const limit = (name: SettingName) => readLimit(read(name))
  const databaseUrl = readDatabaseUrl(read('DATABASE_URL'))
  const baseUrl = readBaseUrl(read('NYMDEX_BASE_URL'))
  const databaseSeconds = number('NYMDEX_DATABASE_SECONDS')
  return {
    database: {
      url: databaseUrl,
      connections: number('NYMDEX_PG_CONNECTIONS'),
      namedStatements: read('NYMDEX_PG_STATEMENTS') === 'named',
      waitSeconds: databaseSeconds,
      threads: number('NYMDEX_READING_THREADS'),
    },
    replicas: readReplicas(read('NYMDEX_REPLICA_URLS')),
    databaseSeconds,
    drainSeconds: number('NYMDEX_DRAIN_SECONDS'),
    holdMs: number('NYMDEX_HOLD_MS'),
    queueMs: number('NYMDEX_QUEUE_MS'),
    streams: number('NYMDEX_STREAMS'),
    port: number('PORT'),
    host: readHost(read('HOST')),
    workers: readWorkers(read('NYMDEX_WORKERS')),
    databaseUrl,
    sample: isOn(read('NYMDEX_SAMPLE') || (databaseUrl.startsWith('sqlite:') ? 'on' : 'off')),
    readOnly: isOn(read('NYMDEX_READ_ONLY')),
    follow: readFollow(read('NYMDEX_FOLLOW')),
    baseUrl,
    pageSize: number('NYMDEX_PAGE_SIZE'),
    querySeconds: number('NYMDEX_QUERY_SECONDS'),
    trustedProxies: readProxies(read('NYMDEX_TRUST_PROXY')),
    hosts: readHosts(read('NYMDEX_HOSTS'), baseUrl),
    forwardedHost: isOn(read('NYMDEX_FORWARDED_HOST')),
    compress: isOn(read('NYMDEX_COMPRESS')),
    signUpOpen: read('NYMDEX_SIGNUP') === 'open',
    mail: readMail(read('NYMDEX_SMTP_URL'), read('NYMDEX_MAIL_FROM'), baseUrl),
    limits: {
      signIns: limit('NYMDEX_SIGNIN_LIMIT'),
      signInsByAddress: limit('NYMDEX_SIGNIN_ADDRESS_LIMIT'),
      signInsByName: limit('NYMDEX_SIGNIN_NAME_LIMIT'),
      signUps: limit('NYMDEX_SIGNUP_LIMIT'),
      writes: limit('NYMDEX_WRITE_LIMIT'),
      newAccounts: limit('NYMDEX_NEW_ACCOUNT_LIMIT'),
      reads: limit('NYMDEX_READ_LIMIT'),
    },
    cache: readCache(read('NYMDEX_CACHE'), number('NYMDEX_CACHE_MB')),
    sharedCache: readSharedCache(read('NYMDEX_SHARED_CACHE')),
    retention: {
      entries: readOptional(read('NYMDEX_LOG_DAYS')),
      votes: readOptional(read('NYMDEX_LOG_VOTES_DAYS')),
    },
    hooks: readHooks(read('NYMDEX_HOOKS')),
    backups: readBackups(read),
    backupKey: read('NYMDEX_BACKUP_KEY') || undefined,
    metrics: readMetrics(read('NYMDEX_METRICS')),
    traces: readTracing(read, given),
    accessLog: {
      format: ACCESS_LOG_FORMATS.find((each) => each === read('NYMDEX_ACCESS_LOG')) ?? 'off',
      share: Number(read('NYMDEX_ACCESS_LOG_SHARE')),
    },
    slowQueryMs: readOptional(read('NYMDEX_SLOW_QUERY_MS')),
    logLevel: read('LOG_LEVEL'),
  }
}

/** No more than the setting allows. */
const MOST_WORKERS = 256

function readWorkers(value: string): number {
  return value === 'auto' ? Math.min(availableParallelism(), MOST_WORKERS) : Number(value)
}

function readOptional(value: string): number | undefined {
  return value === 'off' ? undefined : Number(value)
}

/** Half of the memory for responses, half for the records they are built from. */
function readCache(way: string, megabytes: number): CacheSettings {
  const half = megabytes * 512 * 1024
  if (way === 'off') return { answers: 0, records: 0, check: false }
  if (way === 'records') return { answers: 0, records: half, check: false }
  return { answers: half, records: half, check: way === 'check' }
}

const LONGEST_SHARED = 86_400

/** Seconds, and maybe how many more an old response may be sent. */
function readSharedCache(value: string): SiteSettings['sharedCache'] {
  if (value === 'off') return undefined
  const [, given, stale = '0'] = /^([1-9][0-9]{0,4})(?:,([0-9]{1,5}))?$/.exec(value) ?? []
  const [seconds, staleSeconds] = [Number(given), Number(stale)]
  if (seconds <= LONGEST_SHARED && staleSeconds <= LONGEST_SHARED) return { seconds, staleSeconds }
  throw new BadSetting('NYMDEX_SHARED_CACHE', value, `off or SECONDS or SECONDS,SECONDS, up to ${LONGEST_SHARED}`)
}

function readHooks(way: string): SiteSettings['hooks'] {
  return way === 'off' ? undefined : { allowsPrivate: way === 'private' }
}

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 }

function readLimit(value: string): Limit | undefined {
  const [, count, period] = /^([0-9]+)\/(second|minute|hour|day)$/.exec(value) ?? []
  return count === undefined ? undefined : { count: Number(count), seconds: SECONDS[period as keyof typeof SECONDS] }
}
