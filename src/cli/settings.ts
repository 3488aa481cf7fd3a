/** Settings from the environment and the command line. An invalid one is refused with a clear line. */
import type { BlockList } from 'node:net'
import { availableParallelism } from 'node:os'
import { LIMITS, type Retention } from '../engine/index.ts'
import type { CacheSettings, Limit, SiteSettings } from '../http/index.ts'
import type { DatabaseSettings } from '../store/index.ts'
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
import { BadSetting } from './bad-setting.ts'
import { SETTINGS, type SettingName } from './setting-list.ts'

export { BadSetting }

export interface Settings {
  readonly port: number
  readonly host: string
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
  /** Where metrics are; undefined for none. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined
  readonly logLevel: string
}

export type Given = Readonly<Record<string, string | undefined>>

export function readSettings(given: Given): Settings {
  const read = (name: SettingName) =>
    given[name]?.trim() || SETTINGS.find((setting) => setting.name === name)!.byDefault
  const databaseUrl = readDatabaseUrl(read('DATABASE_URL'))
  const baseUrl = readBaseUrl(read('NYMDEX_BASE_URL'))
  const number = (name: SettingName, from: number, to: number) => readNumber(name, read(name), from, to)
  const databaseSeconds = number('NYMDEX_DATABASE_SECONDS', 1, 60)
  return {
    database: {
      url: databaseUrl,
      connections: number('NYMDEX_PG_CONNECTIONS', 4, 1000),
      namedStatements: readChoice('NYMDEX_PG_STATEMENTS', read('NYMDEX_PG_STATEMENTS'), 'named', 'unnamed'),
      waitSeconds: databaseSeconds,
      threads: number('NYMDEX_READING_THREADS', 0, 16),
    },
    replicas: readReplicas(read('NYMDEX_REPLICA_URLS')),
    databaseSeconds,
    drainSeconds: number('NYMDEX_DRAIN_SECONDS', 0, 600),
    holdMs: number('NYMDEX_HOLD_MS', 10, 60_000),
    queueMs: number('NYMDEX_QUEUE_MS', 10, 60_000),
    streams: number('NYMDEX_STREAMS', 0, 100_000),
    port: readNumber('PORT', read('PORT'), 0, 65535),
    host: readHost(read('HOST')),
    workers: readWorkers(read('NYMDEX_WORKERS')),
    databaseUrl,
    sample: readSwitch('NYMDEX_SAMPLE', read('NYMDEX_SAMPLE') || (databaseUrl.startsWith('sqlite:') ? 'on' : 'off')),
    readOnly: readSwitch('NYMDEX_READ_ONLY', read('NYMDEX_READ_ONLY')),
    follow: readFollow(read('NYMDEX_FOLLOW')),
    baseUrl,
    pageSize: readNumber('NYMDEX_PAGE_SIZE', read('NYMDEX_PAGE_SIZE'), 1, LIMITS.largestPage),
    querySeconds: readNumber('NYMDEX_QUERY_SECONDS', read('NYMDEX_QUERY_SECONDS'), 1, 60),
    trustedProxies: readProxies(read('NYMDEX_TRUST_PROXY')),
    hosts: readHosts(read('NYMDEX_HOSTS'), baseUrl),
    forwardedHost: readSwitch('NYMDEX_FORWARDED_HOST', read('NYMDEX_FORWARDED_HOST')),
    compress: readSwitch('NYMDEX_COMPRESS', read('NYMDEX_COMPRESS')),
    signUpOpen: readChoice('NYMDEX_SIGNUP', read('NYMDEX_SIGNUP'), 'open', 'closed'),
    mail: readMail(read('NYMDEX_SMTP_URL'), read('NYMDEX_MAIL_FROM'), baseUrl),
    limits: {
      signIns: readLimit('NYMDEX_SIGNIN_LIMIT', read('NYMDEX_SIGNIN_LIMIT')),
      signInsByAddress: readLimit('NYMDEX_SIGNIN_ADDRESS_LIMIT', read('NYMDEX_SIGNIN_ADDRESS_LIMIT')),
      signInsByName: readLimit('NYMDEX_SIGNIN_NAME_LIMIT', read('NYMDEX_SIGNIN_NAME_LIMIT')),
      signUps: readLimit('NYMDEX_SIGNUP_LIMIT', read('NYMDEX_SIGNUP_LIMIT')),
      writes: readLimit('NYMDEX_WRITE_LIMIT', read('NYMDEX_WRITE_LIMIT')),
      newAccounts: readLimit('NYMDEX_NEW_ACCOUNT_LIMIT', read('NYMDEX_NEW_ACCOUNT_LIMIT')),
      reads: readLimit('NYMDEX_READ_LIMIT', read('NYMDEX_READ_LIMIT')),
    },
    cache: readCache(read('NYMDEX_CACHE'), readNumber('NYMDEX_CACHE_MB', read('NYMDEX_CACHE_MB'), 0, 65_536)),
    sharedCache: readSharedCache(read('NYMDEX_SHARED_CACHE')),
    retention: {
      entries: readDays('NYMDEX_LOG_DAYS', read('NYMDEX_LOG_DAYS')),
      votes: readDays('NYMDEX_LOG_VOTES_DAYS', read('NYMDEX_LOG_VOTES_DAYS')),
    },
    hooks: readHooks(read('NYMDEX_HOOKS')),
    metrics: readMetrics(read('NYMDEX_METRICS')),
    logLevel: readLevel(read('LOG_LEVEL')),
  }
}

function readNumber(name: SettingName, value: string, from: number, to: number): number {
  const number = Number(value)
  if (!/^[0-9]+$/.test(value) || number < from || number > to) {
    throw new BadSetting(name, value, `a whole number from ${from} to ${to}`)
  }
  return number
}

const MOST_WORKERS = 256

function readWorkers(value: string): number {
  if (value === 'auto') return Math.min(availableParallelism(), MOST_WORKERS)
  const count = Number(value)
  if (/^[0-9]+$/.test(value) && count >= 1 && count <= MOST_WORKERS) return count
  throw new BadSetting('NYMDEX_WORKERS', value, `auto or a whole number from 1 to ${MOST_WORKERS}`)
}

const MOST_DAYS = 36_500

function readDays(name: SettingName, value: string): number | undefined {
  if (value === 'off') return undefined
  const days = Number(value)
  if (!/^[0-9]+$/.test(value) || days < 1 || days > MOST_DAYS)
    throw new BadSetting(name, value, `off or a whole number from 1 to ${MOST_DAYS}`)
  return days
}

function readSwitch(name: SettingName, value: string): boolean {
  if (/^(on|true|yes|1)$/i.test(value)) return true
  if (/^(off|false|no|0)$/i.test(value)) return false
  throw new BadSetting(name, value, 'on or off')
}

/** One of two words; true for the first. */
function readChoice(name: SettingName, value: string, yes: string, no: string): boolean {
  if (value === yes || value === no) return value === yes
  throw new BadSetting(name, value, `${yes} or ${no}`)
}

/** Half of the memory for responses, half for the records they are built from. */
function readCache(way: string, megabytes: number): CacheSettings {
  const half = megabytes * 512 * 1024
  if (way === 'off') return { answers: 0, records: 0, check: false }
  if (way === 'on' || way === 'check') return { answers: half, records: half, check: way === 'check' }
  if (way === 'records') return { answers: 0, records: half, check: false }
  throw new BadSetting('NYMDEX_CACHE', way, 'on, off, records or check')
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
  if (way === 'off') return undefined
  if (way === 'on' || way === 'private') return { allowsPrivate: way === 'private' }
  throw new BadSetting('NYMDEX_HOOKS', way, 'on, off or private')
}

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 }

function readLimit(name: SettingName, value: string): Limit | undefined {
  if (value === 'off') return undefined
  const [, count, period] = /^([1-9][0-9]{0,8})\/(second|minute|hour|day)$/.exec(value) ?? []
  if (!count) throw new BadSetting(name, value, 'off or a rate such as 10/minute')
  return { count: Number(count), seconds: SECONDS[period as keyof typeof SECONDS] }
}

function readLevel(value: string): string {
  if (/^(fatal|error|warn|info|debug|trace|silent)$/.test(value)) return value
  throw new BadSetting('LOG_LEVEL', value, 'one of fatal, error, warn, info, debug, trace and silent')
}
