/** The settings that the environment, the command line and a settings file give. */
import { LIMITS } from '../engine/index.ts'
import { BACKUP_SETTINGS } from './backup-settings.ts'
import { address, choice, list, number, numberOrText, onOrOff, rate, type SettingEntry, text } from './setting-kinds.ts'
import { WATCHING_SETTINGS } from './watching-settings.ts'

const MAIL_ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/

function limit<Name extends string>(name: Name, option: string, byDefault: string, does: string) {
  return { name, is: rate, option, byDefault, does: `${does}; off for no limit` }
}

/** Name, what it may be, purpose and default; `nymdex serve --help` and docs/operations.md list them. */
export const SETTINGS = [
  {
    name: 'PORT',
    is: number(0, 65_535),
    option: 'port',
    byDefault: '8000',
    does: 'port to listen on (0 picks a free one)',
  },
  {
    name: 'HOST',
    is: text('an address or a host name, such as 127.0.0.1, ::1 or 0.0.0.0'),
    option: 'host',
    byDefault: '127.0.0.1',
    does: 'address to listen on',
  },
  {
    name: 'DATABASE_URL',
    is: address('sqlite:PATH or postgres://...'),
    option: 'database-url',
    byDefault: 'sqlite:var/nymdex.db',
    does: 'sqlite:PATH or postgres://...',
  },
  {
    name: 'NYMDEX_WORKERS',
    is: number(1, 256, 'auto'),
    option: 'workers',
    byDefault: '1',
    does: 'processes that answer reads, 1 to 256, or auto for one on each core; with more than one, another process does all writes',
  },
  {
    name: 'NYMDEX_DATABASE_SECONDS',
    is: number(1, 60),
    option: 'database-seconds',
    byDefault: '5',
    does: 'seconds that a request waits for the database before it gets 503, 1 to 60',
  },
  {
    name: 'NYMDEX_PG_CONNECTIONS',
    is: number(4, 1000),
    option: 'pg-connections',
    byDefault: '10',
    does: 'connections of a process to PostgreSQL, 4 to 1000, and two more while whole lists are sent',
  },
  {
    name: 'NYMDEX_PG_STATEMENTS',
    is: choice('named', 'unnamed'),
    option: 'pg-statements',
    byDefault: 'named',
    does: 'named or unnamed: unnamed for a pooler in transaction mode that does not keep prepared statements',
  },
  {
    name: 'NYMDEX_REPLICA_URLS',
    is: list('postgres://...', { ofAddresses: true }),
    option: 'replica-urls',
    byDefault: '',
    does: 'standbys of the database, postgres://..., separated by commas or spaces: they answer reads',
  },
  {
    name: 'NYMDEX_READING_THREADS',
    is: number(0, 16),
    option: 'reading-threads',
    byDefault: '2',
    does: 'extra threads for slow queries on SQLite, 0 to 16',
  },
  {
    name: 'NYMDEX_DRAIN_SECONDS',
    is: number(0, 600),
    option: 'drain-seconds',
    byDefault: '3',
    does: 'seconds that the server still accepts requests after SIGTERM, 0 to 600',
  },
  {
    name: 'NYMDEX_HOLD_MS',
    is: number(10, 60_000),
    option: 'hold-ms',
    byDefault: '200',
    does: 'log a request that blocks the event loop for more milliseconds than this, 10 to 60000',
  },
  {
    name: 'NYMDEX_QUEUE_MS',
    is: number(10, 60_000),
    option: 'queue-ms',
    byDefault: '1000',
    does: 'when requests wait more milliseconds than this, new ones get 503, 10 to 60000',
  },
  {
    name: 'NYMDEX_STREAMS',
    is: number(0, 100_000),
    option: 'streams',
    byDefault: '2000',
    does: 'live streams of changes that the server sends at a time; others get 503, 0 to 100000',
  },
  {
    name: 'NYMDEX_SAMPLE',
    is: onOrOff,
    option: 'sample',
    byDefault: '',
    does: 'on or off: put the sample catalogue into an empty database (default: on for SQLite, off for PostgreSQL)',
  },
  {
    name: 'NYMDEX_READ_ONLY',
    is: onOrOff,
    option: 'read-only',
    byDefault: 'off',
    does: 'on or off: refuse all changes with 503, for maintenance',
  },
  {
    name: 'NYMDEX_FOLLOW',
    is: address('an address such as https://nymdex.example/'),
    option: 'follow',
    byDefault: '',
    does: 'the address of another server: be its copy, and send writes there',
  },
  {
    name: 'NYMDEX_SIGNUP',
    is: choice('open', 'closed'),
    option: 'signup',
    byDefault: 'open',
    does: 'open or closed: whether people may create accounts',
  },
  {
    name: 'NYMDEX_SMTP_URL',
    is: address('an address such as smtp://user:password@mail.example:587'),
    option: 'smtp-url',
    byDefault: '',
    does: 'an SMTP server to send mail for the recovery of accounts with: smtp://user:password@host:587 or smtps://...; needs NYMDEX_MAIL_FROM and NYMDEX_BASE_URL',
  },
  {
    name: 'NYMDEX_MAIL_FROM',
    is: text('an address such as nymdex@mail.example', MAIL_ADDRESS),
    option: 'mail-from',
    byDefault: '',
    does: 'the sender of mail: an address',
  },
  limit('NYMDEX_SIGNIN_LIMIT', 'signin-limit', '10/minute', 'tries to sign in, for each address and name'),
  limit('NYMDEX_SIGNIN_ADDRESS_LIMIT', 'signin-address-limit', '60/minute', 'wrong tries to sign in, for each address'),
  limit(
    'NYMDEX_SIGNIN_NAME_LIMIT',
    'signin-name-limit',
    '30/minute',
    'wrong tries to sign in, for each name, from addresses that never signed in as it',
  ),
  limit('NYMDEX_SIGNUP_LIMIT', 'signup-limit', '20/hour', 'new accounts, for each address'),
  limit('NYMDEX_WRITE_LIMIT', 'write-limit', '3000/minute', 'writes, for each user'),
  limit(
    'NYMDEX_NEW_ACCOUNT_LIMIT',
    'new-account-limit',
    '100/day',
    'new records, for each account younger than a day that is not staff',
  ),
  limit('NYMDEX_READ_LIMIT', 'read-limit', 'off', 'requests of any kind, for each address'),
  {
    name: 'NYMDEX_BASE_URL',
    is: address('an address such as https://nymdex.example'),
    option: 'base-url',
    byDefault: '',
    does: 'what links begin with (default: as requested)',
  },
  {
    name: 'NYMDEX_PAGE_SIZE',
    is: number(1, LIMITS.largestPage),
    option: 'page-size',
    byDefault: `${LIMITS.pageSize}`,
    does: `records a page, 1 to ${LIMITS.largestPage}`,
  },
  {
    name: 'NYMDEX_QUERY_SECONDS',
    is: number(1, 60),
    option: 'query-seconds',
    byDefault: '2',
    does: 'seconds that all filters and searches of a request may take before it gets 503, 1 to 60',
  },
  {
    name: 'NYMDEX_TRUST_PROXY',
    is: list('off, loopback, an address or a network such as 10.0.0.0/8'),
    option: 'trust-proxy',
    byDefault: 'off',
    does: 'off, or the addresses and networks, comma-separated, whose forwarded headers count ("loopback" for this machine)',
  },
  {
    name: 'NYMDEX_HOSTS',
    is: list('a host name without a port, such as nymdex.example or *.nymdex.example'),
    option: 'hosts',
    byDefault: '',
    does: 'the host names that requests may name, comma-separated, such as nymdex.example,*.nymdex.example; * for any (default: any, or the host of NYMDEX_BASE_URL and this machine)',
  },
  {
    name: 'NYMDEX_FORWARDED_HOST',
    is: onOrOff,
    option: 'forwarded-host',
    byDefault: 'off',
    does: 'on or off: accept the X-Forwarded-Host header of a trusted proxy',
  },
  { name: 'NYMDEX_COMPRESS', is: onOrOff, option: 'compress', byDefault: 'off', does: 'on or off: compress responses' },
  {
    name: 'NYMDEX_CACHE_MB',
    is: number(0, 65_536),
    option: 'cache-mb',
    byDefault: '48',
    does: 'megabytes for cached responses and records, 0 for no cache',
  },
  {
    name: 'NYMDEX_CACHE',
    is: choice('on', 'off', 'records', 'check'),
    option: 'cache',
    byDefault: 'on',
    does: 'on, off, records (no finished responses) or check (compare with fresh responses, to find bugs)',
  },
  {
    name: 'NYMDEX_SHARED_CACHE',
    is: numberOrText('off or SECONDS or SECONDS,SECONDS, up to 86400'),
    option: 'shared-cache',
    byDefault: 'off',
    does: 'off, or the seconds that proxies may cache responses without asking, such as 60, or 60,300: for 300 more while they ask',
  },
  {
    name: 'NYMDEX_HOOKS',
    is: choice('on', 'off', 'private'),
    option: 'hooks',
    byDefault: 'on',
    does: 'on, off, or private: also to private addresses',
  },
  {
    name: 'NYMDEX_LOG_DAYS',
    is: number(1, 36_500, 'off'),
    option: 'log-days',
    byDefault: 'off',
    does: 'days that the log of changes keeps an entry, 1 to 36500; off for ever',
  },
  {
    name: 'NYMDEX_LOG_VOTES_DAYS',
    is: number(1, 36_500, 'off'),
    option: 'log-votes-days',
    byDefault: '30',
    does: 'days after which only the last vote of each user on each record stays in the log, 1 to 36500; off for never',
  },
  ...BACKUP_SETTINGS,
  ...WATCHING_SETTINGS,
] as const satisfies readonly SettingEntry[]

export type SettingName = (typeof SETTINGS)[number]['name']

export type Setting = (typeof SETTINGS)[number]
