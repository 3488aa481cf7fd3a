/** Settings from the environment and the command line. An invalid one is refused with a clear line. */
import type { BlockList } from 'node:net'
import { LIMITS, type Retention } from '../engine/index.ts'
import type { CacheSettings, Limit, SiteSettings } from '../http/index.ts'
import { type DatabaseSettings, redactUrl } from '../store/index.ts'
import { readBaseUrl, readFollow, readHost, readHosts, readProxies } from './address-settings.ts'
import { BadSetting } from './bad-setting.ts'

export { BadSetting }

export interface Settings {
  readonly port: number
  readonly host: string
  readonly databaseUrl: string
  readonly database: Omit<DatabaseSettings, 'report' | 'quickMs'>
  readonly databaseSeconds: number
  readonly drainSeconds: number
  readonly holdMs: number
  readonly queueMs: number
  readonly sample: boolean
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
  readonly limits: SiteSettings['limits']
  readonly cache: CacheSettings
  /** How long the log of changes is kept. */
  readonly retention: Retention
  readonly logLevel: string
}

/** Name, purpose and default; `nymdex serve --help` and docs/operations.md list them. */
export const SETTINGS = [
  { name: 'PORT', option: 'port', byDefault: '8000', does: 'port to listen on (0 picks a free one)' },
  { name: 'HOST', option: 'host', byDefault: '127.0.0.1', does: 'address to listen on' },
  {
    name: 'DATABASE_URL',
    option: 'database-url',
    byDefault: 'sqlite:var/nymdex.db',
    does: 'sqlite:PATH or postgres://...',
  },
  {
    name: 'NYMDEX_DATABASE_SECONDS',
    option: 'database-seconds',
    byDefault: '5',
    does: 'seconds that a request waits for the database before it gets 503, 1 to 60',
  },
  {
    name: 'NYMDEX_PG_CONNECTIONS',
    option: 'pg-connections',
    byDefault: '10',
    does: 'connections of a process to PostgreSQL, 4 to 1000, and two more while whole lists are sent',
  },
  {
    name: 'NYMDEX_PG_STATEMENTS',
    option: 'pg-statements',
    byDefault: 'named',
    does: 'named or unnamed: unnamed for a pooler in transaction mode that does not keep prepared statements',
  },
  {
    name: 'NYMDEX_READING_THREADS',
    option: 'reading-threads',
    byDefault: '2',
    does: 'extra threads for slow queries on SQLite, 0 to 16',
  },
  {
    name: 'NYMDEX_DRAIN_SECONDS',
    option: 'drain-seconds',
    byDefault: '3',
    does: 'seconds that the server still accepts requests after SIGTERM, 0 to 600',
  },
  {
    name: 'NYMDEX_HOLD_MS',
    option: 'hold-ms',
    byDefault: '200',
    does: 'log a request that blocks the event loop for more milliseconds than this, 10 to 60000',
  },
  {
    name: 'NYMDEX_QUEUE_MS',
    option: 'queue-ms',
    byDefault: '1000',
    does: 'when requests wait more milliseconds than this, new ones get 503, 10 to 60000',
  },
  {
    name: 'NYMDEX_SAMPLE',
    option: 'sample',
    byDefault: '',
    does: 'on or off: put the sample catalogue into an empty database (default: on for SQLite, off for PostgreSQL)',
  },
  {
    name: 'NYMDEX_FOLLOW',
    option: 'follow',
    byDefault: '',
    does: 'the address of another server: be its copy, and send writes there',
  },
  {
    name: 'NYMDEX_SIGNUP',
    option: 'signup',
    byDefault: 'open',
    does: 'open or closed: whether people may create accounts',
  },
  {
    name: 'NYMDEX_SIGNIN_LIMIT',
    option: 'signin-limit',
    byDefault: '10/minute',
    does: 'tries to sign in, for each address and name; off for no limit',
  },
  {
    name: 'NYMDEX_SIGNIN_ADDRESS_LIMIT',
    option: 'signin-address-limit',
    byDefault: '60/minute',
    does: 'wrong tries to sign in, for each address; off for no limit',
  },
  {
    name: 'NYMDEX_SIGNIN_NAME_LIMIT',
    option: 'signin-name-limit',
    byDefault: '30/minute',
    does: 'wrong tries to sign in, for each name, from addresses that never signed in as it; off for no limit',
  },
  {
    name: 'NYMDEX_SIGNUP_LIMIT',
    option: 'signup-limit',
    byDefault: '20/hour',
    does: 'new accounts, for each address; off for no limit',
  },
  {
    name: 'NYMDEX_WRITE_LIMIT',
    option: 'write-limit',
    byDefault: '3000/minute',
    does: 'writes, for each user; off for no limit',
  },
  {
    name: 'NYMDEX_READ_LIMIT',
    option: 'read-limit',
    byDefault: 'off',
    does: 'requests of any kind, for each address; off for no limit',
  },
  { name: 'NYMDEX_BASE_URL', option: 'base-url', byDefault: '', does: 'what links begin with (default: as requested)' },
  {
    name: 'NYMDEX_PAGE_SIZE',
    option: 'page-size',
    byDefault: `${LIMITS.pageSize}`,
    does: `records a page, 1 to ${LIMITS.largestPage}`,
  },
  {
    name: 'NYMDEX_QUERY_SECONDS',
    option: 'query-seconds',
    byDefault: '2',
    does: 'seconds that all filters and searches of a request may take before it gets 503, 1 to 60',
  },
  {
    name: 'NYMDEX_TRUST_PROXY',
    option: 'trust-proxy',
    byDefault: 'off',
    does: 'off, or the addresses and networks, comma-separated, whose forwarded headers count ("loopback" for this machine)',
  },
  {
    name: 'NYMDEX_HOSTS',
    option: 'hosts',
    byDefault: '',
    does: 'the host names that requests may name, comma-separated, such as nymdex.example,*.nymdex.example; * for any (default: any, or the host of NYMDEX_BASE_URL and this machine)',
  },
  {
    name: 'NYMDEX_FORWARDED_HOST',
    option: 'forwarded-host',
    byDefault: 'off',
    does: 'on or off: accept the X-Forwarded-Host header of a trusted proxy',
  },
  { name: 'NYMDEX_COMPRESS', option: 'compress', byDefault: 'off', does: 'on or off: compress responses' },
  {
    name: 'NYMDEX_CACHE_MB',
    option: 'cache-mb',
    byDefault: '48',
    does: 'megabytes for cached responses and records, 0 for no cache',
  },
  {
    name: 'NYMDEX_CACHE',
    option: 'cache',
    byDefault: 'on',
    does: 'on, off, records (no finished responses) or check (compare with fresh responses, to find bugs)',
  },
  {
    name: 'NYMDEX_LOG_DAYS',
    option: 'log-days',
    byDefault: 'off',
    does: 'days that the log of changes keeps an entry, 1 to 36500; off for ever',
  },
  {
    name: 'NYMDEX_LOG_VOTES_DAYS',
    option: 'log-votes-days',
    byDefault: '30',
    does: 'days after which only the last vote of each user on each record stays in the log, 1 to 36500; off for never',
  },
  {
    name: 'LOG_LEVEL',
    option: 'log-level',
    byDefault: 'info',
    does: 'fatal, error, warn, info, debug, trace or silent',
  },
] as const

type Name = (typeof SETTINGS)[number]['name']
export type Given = Readonly<Record<string, string | undefined>>

export function readSettings(given: Given): Settings {
  const read = (name: Name) => given[name]?.trim() || SETTINGS.find((setting) => setting.name === name)!.byDefault
  const databaseUrl = readDatabaseUrl(read('DATABASE_URL'))
  const baseUrl = readBaseUrl(read('NYMDEX_BASE_URL'))
  const number = (name: Name, from: number, to: number) => readNumber(name, read(name), from, to)
  const databaseSeconds = number('NYMDEX_DATABASE_SECONDS', 1, 60)
  return {
    database: {
      url: databaseUrl,
      connections: number('NYMDEX_PG_CONNECTIONS', 4, 1000),
      namedStatements: readChoice('NYMDEX_PG_STATEMENTS', read('NYMDEX_PG_STATEMENTS'), 'named', 'unnamed'),
      waitSeconds: databaseSeconds,
      threads: number('NYMDEX_READING_THREADS', 0, 16),
    },
    databaseSeconds,
    drainSeconds: number('NYMDEX_DRAIN_SECONDS', 0, 600),
    holdMs: number('NYMDEX_HOLD_MS', 10, 60_000),
    queueMs: number('NYMDEX_QUEUE_MS', 10, 60_000),
    port: readNumber('PORT', read('PORT'), 0, 65535),
    host: readHost(read('HOST')),
    databaseUrl,
    sample: readSwitch('NYMDEX_SAMPLE', read('NYMDEX_SAMPLE') || (databaseUrl.startsWith('sqlite:') ? 'on' : 'off')),
    follow: readFollow(read('NYMDEX_FOLLOW')),
    baseUrl,
    pageSize: readNumber('NYMDEX_PAGE_SIZE', read('NYMDEX_PAGE_SIZE'), 1, LIMITS.largestPage),
    querySeconds: readNumber('NYMDEX_QUERY_SECONDS', read('NYMDEX_QUERY_SECONDS'), 1, 60),
    trustedProxies: readProxies(read('NYMDEX_TRUST_PROXY')),
    hosts: readHosts(read('NYMDEX_HOSTS'), baseUrl),
    forwardedHost: readSwitch('NYMDEX_FORWARDED_HOST', read('NYMDEX_FORWARDED_HOST')),
    compress: readSwitch('NYMDEX_COMPRESS', read('NYMDEX_COMPRESS')),
    signUpOpen: readChoice('NYMDEX_SIGNUP', read('NYMDEX_SIGNUP'), 'open', 'closed'),
    limits: {
      signIns: readLimit('NYMDEX_SIGNIN_LIMIT', read('NYMDEX_SIGNIN_LIMIT')),
      signInsByAddress: readLimit('NYMDEX_SIGNIN_ADDRESS_LIMIT', read('NYMDEX_SIGNIN_ADDRESS_LIMIT')),
      signInsByName: readLimit('NYMDEX_SIGNIN_NAME_LIMIT', read('NYMDEX_SIGNIN_NAME_LIMIT')),
      signUps: readLimit('NYMDEX_SIGNUP_LIMIT', read('NYMDEX_SIGNUP_LIMIT')),
      writes: readLimit('NYMDEX_WRITE_LIMIT', read('NYMDEX_WRITE_LIMIT')),
      reads: readLimit('NYMDEX_READ_LIMIT', read('NYMDEX_READ_LIMIT')),
    },
    cache: readCache(read('NYMDEX_CACHE'), readNumber('NYMDEX_CACHE_MB', read('NYMDEX_CACHE_MB'), 0, 65_536)),
    retention: {
      entries: readDays('NYMDEX_LOG_DAYS', read('NYMDEX_LOG_DAYS')),
      votes: readDays('NYMDEX_LOG_VOTES_DAYS', read('NYMDEX_LOG_VOTES_DAYS')),
    },
    logLevel: readLevel(read('LOG_LEVEL')),
  }
}

function readNumber(name: Name, value: string, from: number, to: number): number {
  const number = Number(value)
  if (!/^[0-9]+$/.test(value) || number < from || number > to) {
    throw new BadSetting(name, value, `a whole number from ${from} to ${to}`)
  }
  return number
}

const MOST_DAYS = 36_500

function readDays(name: Name, value: string): number | undefined {
  if (value === 'off') return undefined
  const days = Number(value)
  if (!/^[0-9]+$/.test(value) || days < 1 || days > MOST_DAYS)
    throw new BadSetting(name, value, `off or a whole number from 1 to ${MOST_DAYS}`)
  return days
}

function readSwitch(name: Name, value: string): boolean {
  if (/^(on|true|yes|1)$/i.test(value)) return true
  if (/^(off|false|no|0)$/i.test(value)) return false
  throw new BadSetting(name, value, 'on or off')
}

/** One of two words; true for the first. */
function readChoice(name: Name, value: string, yes: string, no: string): boolean {
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

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 }

function readLimit(name: Name, value: string): Limit | undefined {
  if (value === 'off') return undefined
  const [, count, period] = /^([1-9][0-9]{0,8})\/(second|minute|hour|day)$/.exec(value) ?? []
  if (!count) throw new BadSetting(name, value, 'off or a rate such as 10/minute')
  return { count: Number(count), seconds: SECONDS[period as keyof typeof SECONDS] }
}

function readDatabaseUrl(value: string): string {
  if (/^sqlite:./.test(value) || /^postgres(ql)?:\/\/./.test(value)) return value
  throw new BadSetting('DATABASE_URL', redactUrl(value), 'sqlite:PATH or postgres://...')
}

function readLevel(value: string): string {
  if (/^(fatal|error|warn|info|debug|trace|silent)$/.test(value)) return value
  throw new BadSetting('LOG_LEVEL', value, 'one of fatal, error, warn, info, debug, trace and silent')
}
