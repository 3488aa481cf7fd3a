/**
 * The tables that belong to no resource. Each column is declared here once: CREATE TABLE, upgrades, backups and the
 * queries for accounts all use it. Times are ISO 8601 text in UTC, which sorts by time.
 */
import { CONTRIBUTION } from './contributions.ts'
import { quoted } from './dialect.ts'
import { FIT_TABLES } from './fit-tables.ts'
import { PLAY_TABLES } from './play-tables.ts'
import type { Table, TableColumn, TableIndex } from './table.ts'

/** `copied`: its rows are part of a backup, without computed columns. */
export interface ServiceTable extends Table {
  readonly copied?: true
}

const id: TableColumn = { name: 'id', type: 'identity' }
const account: TableColumn = { name: 'account', type: 'integer', references: { table: 'account' } }
const text = (name: string, rest: Partial<TableColumn> = {}): TableColumn => ({ name, type: 'text', ...rest })
const key = (name: string, rest: Partial<TableColumn> = {}): TableColumn => ({ name, type: 'key', ...rest })
const integer = (name: string): TableColumn => ({ name, type: 'integer' })
const index = (table: string, column: string): TableIndex => ({ name: `${table}_${column}`, on: quoted(column) })

export const ACCOUNT: ServiceTable = {
  name: 'account',
  columns: [
    id,
    text('name'),
    // Names are unique ignoring letter case, and a removed account keeps its name.
    key('name_key', { unique: true, worked: true }),
    // Empty for an account that cannot sign in.
    text('password'),
    integer('staff'),
    integer('removed'),
    // 1 if staff have locked it out.
    integer('blocked'),
    text('joined'),
  ],
  indexes: [],
  copied: true,
}

export const TOKEN: ServiceTable = {
  name: 'token',
  columns: [
    id,
    account,
    text('name'),
    key('hash', { unique: true }),
    text('created'),
    text('expires', { optional: true }),
    text('last_used', { optional: true }),
  ],
  indexes: [index('token', 'account')],
  copied: true,
}

const SESSION: ServiceTable = {
  name: 'session',
  columns: [
    key('hash', { primary: true }),
    account,
    text('expires'),
    // Missing in sessions of earlier versions.
    text('created', { optional: true }),
    text('last_used', { optional: true }),
    // In words, such as "Firefox on Linux".
    text('browser', { optional: true }),
  ],
  indexes: [index('session', 'account'), index('session', 'expires')],
}

/** Each is deleted when it is used. */
const RECOVERY_CODE: ServiceTable = {
  name: 'recovery_code',
  columns: [account, key('hash')],
  key: ['account', 'hash'],
  indexes: [],
  copied: true,
}

/** Confirmed addresses, one for an account, to recover it. */
const MAIL_ADDRESS: ServiceTable = {
  name: 'mail_address',
  columns: [account, text('address')],
  key: ['account'],
  indexes: [],
  copied: true,
}

/** Links sent by mail. Each is deleted when it is used. */
const MAIL_LINK: ServiceTable = {
  name: 'mail_link',
  columns: [key('hash', { primary: true }), account, text('purpose'), text('address'), text('expires')],
  indexes: [index('mail_link', 'account'), index('mail_link', 'expires')],
}

const KEPT_ANSWER: ServiceTable = {
  name: 'kept_answer',
  columns: [account, key('request'), text('fingerprint'), text('answer'), text('at')],
  key: ['account', 'request'],
  indexes: [index('kept_answer', 'at')],
  copied: true,
}

/** How often each resource was written. */
const GENERATION: ServiceTable = {
  name: 'generation',
  columns: [
    key('resource', { primary: true }),
    integer('number'),
    // The generation in which the blocks were last rebuilt, and in which a record was last added, removed or moved.
    integer('layout'),
    integer('moved'),
  ],
  indexes: [],
}

/** The declarations that the tables follow, for each resource; the empty name is for all of them together. */
const DECLARATION: ServiceTable = {
  name: 'declaration',
  columns: [
    key('resource', { primary: true }),
    // A hash of everything that the stored values depend on.
    text('fingerprint'),
    // JSON: the columns, and the resources that references and links point to.
    text('shape'),
    // The version of the program that did it, and when.
    text('program'),
    text('at'),
  ],
  indexes: [],
}

/** The log of changes. Old values of members are JSON. */
export const CHANGE: ServiceTable = {
  name: 'change',
  columns: [
    // Numbered by the writer, in the order of the commits.
    integer('seq'),
    integer('changeset'),
    text('at'),
    { ...account, optional: true },
    text('action'),
    key('resource'),
    integer('record'),
    text('old', { optional: true }),
    // 1 if old values were blanked.
    integer('forgotten'),
  ],
  key: ['seq'],
  indexes: [{ name: 'change_record', on: 'resource, record, seq' }],
  copied: true,
}

/**
 * One row: the id of the log. It is replaced when records change without entries, as a restore and new declarations do,
 * so that a client that followed the log until then does not continue in another one.
 */
const LOG: ServiceTable = { name: 'log', columns: [key('id', { primary: true })], indexes: [] }

/** Where changes are posted to. A signature needs the secrets themselves, not hashes of them. */
export const HOOK: ServiceTable = {
  name: 'hook',
  columns: [
    id,
    account,
    text('url'),
    // JSON: names; an empty list means all.
    text('resources'),
    text('actions'),
    text('lookups'),
    integer('active'),
    text('created'),
    text('secret'),
    // The secret before the last rotation, which signs for some time.
    text('old_secret', { optional: true }),
    text('old_secret_until', { optional: true }),
    // Everything up to this entry of the log was delivered, or is not wanted.
    integer('cursor'),
    // How often its owner has changed it.
    integer('revision'),
    // Failed tries of the next delivery.
    integer('tries'),
    text('failing_since', { optional: true }),
    text('next_try', { optional: true }),
    text('last_error', { optional: true }),
    text('ended', { optional: true }),
    { name: 'replay_cursor', type: 'integer', optional: true },
    { name: 'replay_until', type: 'integer', optional: true },
    // The process that delivers, and until when, by the clock of the database in milliseconds.
    text('lease_owner', { optional: true }),
    integer('lease_until'),
  ],
  indexes: [index('hook', 'account')],
  copied: true,
}

/** Tries to deliver. */
export const HOOK_DELIVERY: ServiceTable = {
  name: 'hook_delivery',
  columns: [
    id,
    { name: 'hook', type: 'integer', references: { table: 'hook', cascades: true } },
    text('kind'),
    // The entry; none for a test.
    { name: 'seq', type: 'integer', optional: true },
    integer('try'),
    text('at'),
    { name: 'status', type: 'integer', optional: true },
    text('error', { optional: true }),
    integer('ms'),
  ],
  indexes: [{ name: 'hook_delivery_hook', on: 'hook, id' }, index('hook_delivery', 'at')],
}

/** What people say is wrong with records. It names the record without a foreign key, because records come and go. */
const REPORT: ServiceTable = {
  name: 'report',
  columns: [
    id,
    key('resource'),
    integer('record'),
    { ...account, optional: true },
    text('reason'),
    text('note'),
    text('at'),
    // Empty while it waits.
    key('done'),
    { name: 'done_by', type: 'integer', optional: true, references: { table: 'account' } },
  ],
  indexes: [{ name: 'report_done', on: 'done, id' }],
  copied: true,
}

/** Old values of entries of the log that belong to hidden records. One row of each hidden record is its head. */
const HIDDEN: ServiceTable = {
  name: 'hidden',
  columns: [
    integer('seq'),
    // The set that removed the record.
    integer('changeset'),
    key('resource'),
    integer('record'),
    text('old', { optional: true }),
    integer('forgotten'),
    integer('head'),
    account,
    text('at'),
  ],
  key: ['seq'],
  indexes: [
    { name: 'hidden_head', on: 'head, resource, record' },
    { name: 'hidden_changeset', on: 'changeset' },
  ],
  copied: true,
}

/** At most one row: the server that this database is a copy of, and how far the copy is. */
const FOLLOW: ServiceTable = {
  name: 'follow',
  columns: [
    key('source', { primary: true }),
    // The id of its log, and the entry after which this is its exact copy.
    text('log'),
    integer('seq'),
    // The newest entry that is known of.
    integer('latest'),
    // While everything is copied for the first time: JSON that says how far; otherwise empty.
    text('copying'),
  ],
  indexes: [],
}

/** Other words that mean the same as a word: what search tries if it finds little. An import of WordNet fills it. */
export const SYNONYM: ServiceTable = {
  name: 'synonym',
  columns: [key('word'), key('other')],
  key: ['word', 'other'],
  indexes: [],
  copied: true,
}

/** For each word the words that have to do with it, as one text (related-words.ts). An import of WordNet fills it. */
const RELATED_WORD: ServiceTable = {
  name: 'related_word',
  columns: [key('word'), text('others')],
  key: ['word'],
  indexes: [],
  copied: true,
}

export const SERVICE_TABLES: readonly ServiceTable[] = [
  ACCOUNT,
  TOKEN,
  SESSION,
  RECOVERY_CODE,
  MAIL_ADDRESS,
  MAIL_LINK,
  KEPT_ANSWER,
  GENERATION,
  DECLARATION,
  CHANGE,
  LOG,
  HOOK,
  HOOK_DELIVERY,
  FOLLOW,
  SYNONYM,
  REPORT,
  HIDDEN,
  ...FIT_TABLES,
  ...PLAY_TABLES,
  RELATED_WORD,
  CONTRIBUTION,
]

/** The columns of a row that its writer gives, as a list for SELECT. */
export function givenColumns(table: Table, alias = ''): string {
  return table.columns
    .filter(({ worked }) => !worked)
    .map(({ name }) => alias + name)
    .join(', ')
}
