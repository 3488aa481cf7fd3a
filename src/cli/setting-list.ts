/** The settings that the environment and the command line give. */
import { LIMITS } from '../engine/index.ts'

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
    name: 'NYMDEX_WORKERS',
    option: 'workers',
    byDefault: '1',
    does: 'processes that answer reads, 1 to 256, or auto for one on each core; with more than one, another process does all writes',
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
    name: 'NYMDEX_REPLICA_URLS',
    option: 'replica-urls',
    byDefault: '',
    does: 'standbys of the database, postgres://..., separated by commas or spaces: they answer reads',
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
    name: 'NYMDEX_STREAMS',
    option: 'streams',
    byDefault: '2000',
    does: 'live streams of changes that the server sends at a time; others get 503, 0 to 100000',
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
    name: 'NYMDEX_SHARED_CACHE',
    option: 'shared-cache',
    byDefault: 'off',
    does: 'off, or the seconds that proxies may cache responses without asking, such as 60, or 60,300: for 300 more while they ask',
  },
  { name: 'NYMDEX_HOOKS', option: 'hooks', byDefault: 'on', does: 'on, off, or private: also to private addresses' },
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

export type SettingName = (typeof SETTINGS)[number]['name']
