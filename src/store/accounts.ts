/** Accounts and their credentials. Secrets arrive hashed and are never stored in plain text. */
import type { Row } from '../declare/index.ts'
import { cell, note, query, queryByIds, touching, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { forgetJudge } from './fit-counts.ts'
import { HOOKS_CHANGED } from './hooks.ts'
import type { Recovery } from './recovery.ts'
import { forgetPlayer } from './rounds.ts'
import { ACCOUNT as accountTable, givenColumns, TOKEN as tokenTable } from './service-tables.ts'
import { HIGHEST } from './sql.ts'
import { STANDINGS_CHANGED } from './standings.ts'

export interface AccountRow {
  readonly id: number
  readonly name: string
  /** Empty if the account cannot sign in. */
  readonly password: string
  readonly staff: boolean
  readonly removed: boolean
  /** Staff have locked it out. */
  readonly blocked: boolean
  readonly joined: string
}

export interface TokenRow {
  readonly id: number
  readonly name: string
  readonly created: string
  readonly expires: string | undefined
  lastUsed: string | undefined
}

export interface SessionRow {
  readonly hash: string
  readonly expires: string
  readonly created: string | undefined
  lastUsed: string | undefined
  readonly browser: string
}

interface NewSession {
  readonly hash: string
  readonly account: number
  readonly expires: string
  readonly created: string
  readonly browser: string
}

interface NewToken {
  readonly account: number
  readonly name: string
  readonly hash: string
  readonly created: string
  readonly expires: string | undefined
}

/** The generation of accounts tells caches of identities whether they are still valid. */
export const PEOPLE_CHANGED = { resource: 'account', ids: 'all' } as const
/** The name of an account id has changed; new accounts have new ids. */
export const NAMES_CHANGED = { resource: 'account name', ids: 'all' } as const

const ACCOUNT = givenColumns(accountTable, 'a.')
const TOKEN = givenColumns(tokenTable)

export class Accounts {
  readonly #dialect: Dialect
  readonly #recovery: Recovery

  constructor(dialect: Dialect, recovery: Recovery) {
    this.#dialect = dialect
    this.#recovery = recovery
  }

  /** By the key that names are compared by. */
  *byKey(key: string): Work<AccountRow | undefined> {
    // No name contains U+0000, and PostgreSQL refuses it even in a comparison.
    if (key.includes('\0')) return undefined
    const [row] = yield* query(`SELECT ${ACCOUNT} FROM account AS a WHERE name_key = ?`, key)
    return row && account(row)
  }

  /** Those that exist. */
  *byKeys(keys: readonly string[]): Work<AccountRow[]> {
    const possible = keys.filter((key) => !key.includes('\0'))
    if (possible.length === 0) return []
    const sql = `SELECT ${ACCOUNT} FROM account AS a WHERE ${this.#dialect.amongTexts('name_key')}`
    return (yield* query(sql, this.#dialect.texts(possible))).map(account)
  }

  /** The first of those whose keys begin like this. */
  *beginning(key: string, limit: number): Work<{ readonly name: string; readonly key: string }[]> {
    const rows = yield* query(
      'SELECT name, name_key FROM account WHERE name_key >= ? AND name_key < ? ORDER BY name_key LIMIT ?',
      key,
      key + HIGHEST,
      limit,
    )
    return rows.map((row) => ({ name: String(row['name']), key: String(row['name_key']) }))
  }

  *byId(id: number, dependsOn?: string): Work<AccountRow | undefined> {
    const sql = `SELECT ${ACCOUNT} FROM account AS a WHERE ${this.#dialect.among('a.id')}`
    const [row] = yield* queryByIds(this.#dialect, sql, [id], dependsOn)
    return row && account(row)
  }

  /** The same, as the first step of a write. */
  *current(id: number): Work<AccountRow | undefined> {
    return yield* this.byId(id, PEOPLE_CHANGED.resource)
  }

  /** Those that are neither blocked nor deleted. */
  *openAmong(ids: readonly number[]): Work<Set<number>> {
    const sql = `SELECT id FROM account WHERE ${this.#dialect.among('id')} AND removed = 0 AND blocked = 0`
    return new Set((yield* query(sql, this.#dialect.ids(ids))).map((row) => Number(row['id'])))
  }

  /** Locks the account's belongings until the transaction ends. */
  *lock(id: number): Work<void> {
    yield* query(`SELECT id FROM account WHERE id = ?${this.#dialect.forUpdate}`, id)
  }

  *all(): Work<AccountRow[]> {
    return (yield* query(`SELECT ${ACCOUNT} FROM account AS a ORDER BY name_key`)).map(account)
  }

  /** Those whose keys begin like this, in the order of their names. */
  *page(key: string, limit: number, offset: number): Work<AccountRow[]> {
    if (key.includes('\0')) return []
    const sql = `SELECT ${ACCOUNT} FROM account AS a WHERE name_key >= ? AND name_key < ? ORDER BY name_key LIMIT ? OFFSET ?`
    return (yield* query(sql, key, key + HIGHEST, limit, offset)).map(account)
  }

  *count(key: string): Work<number> {
    if (key.includes('\0')) return 0
    const sql = 'SELECT count(*) AS count FROM account WHERE name_key >= ? AND name_key < ?'
    const [row] = yield* query(sql, key, key + HIGHEST)
    return Number(cell(row, 'count'))
  }

  /** The names of accounts with a password. */
  *ableToSignIn(): Work<string[]> {
    const rows = yield* query("SELECT name FROM account WHERE password <> '' AND removed = 0")
    return rows.map((row) => String(row['name']))
  }

  *insert(name: string, key: string, password: string, staff: boolean, joined: string): Work<number> {
    const [row] = yield* touching(
      PEOPLE_CHANGED,
      `INSERT INTO account (name, name_key, password, staff, removed, joined) VALUES (?, ?, ?, ?, 0, ?) RETURNING id`,
      name,
      key,
      password,
      Number(staff),
      joined,
    )
    return Number(cell(row, 'id'))
  }

  *setPassword(id: number, password: string): Work<void> {
    yield* touching(PEOPLE_CHANGED, 'UPDATE account SET password = ? WHERE id = ?', password, id)
  }

  *setStaff(id: number, staff: boolean): Work<void> {
    yield* touching(PEOPLE_CHANGED, 'UPDATE account SET staff = ? WHERE id = ?', Number(staff), id)
  }

  /** The name stays taken, and the records stay under it. */
  *remove(id: number): Work<void> {
    yield* touching(PEOPLE_CHANGED, "UPDATE account SET removed = 1, staff = 0, password = '' WHERE id = ?", id)
    yield* this.endSessions(id)
    yield* this.deleteTokens(id)
    yield* touching(HOOKS_CHANGED, 'DELETE FROM hook WHERE account = ?', id)
    yield* this.#recovery.deleteAll(id)
    yield* forgetJudge(id)
    yield* forgetPlayer(id)
  }

  /** A blocked account cannot sign in or write. Its records, votes and name stay, and its hooks pause. */
  *setBlocked(id: number, blocked: boolean): Work<void> {
    yield* touching(PEOPLE_CHANGED, 'UPDATE account SET blocked = ? WHERE id = ?', Number(blocked), id)
    yield* note(STANDINGS_CHANGED)
    if (!blocked) return
    yield* this.endSessions(id)
    yield* this.deleteTokens(id)
    yield* touching(HOOKS_CHANGED, 'UPDATE hook SET active = 0 WHERE account = ?', id)
  }

  *insertSession({ hash, account, expires, created, browser }: NewSession): Work<void> {
    yield* touching(
      PEOPLE_CHANGED,
      'INSERT INTO session (hash, account, expires, created, browser) VALUES (?, ?, ?, ?, ?)',
      hash,
      account,
      expires,
      created,
      browser,
    )
  }

  *bySession(hash: string): Work<{ readonly account: AccountRow; readonly session: SessionRow } | undefined> {
    const [row] = yield* query(
      `SELECT ${ACCOUNT}, s.hash, s.expires, s.created, s.last_used, s.browser
       FROM session AS s JOIN account AS a ON a.id = s.account WHERE s.hash = ?`,
      hash,
    )
    return row && { account: account(row), session: session(row) }
  }

  /** Those that have not expired, the newest first. */
  *sessions(account: number, now: string): Work<SessionRow[]> {
    const rows = yield* query(
      `SELECT hash, expires, created, last_used, browser FROM session
       WHERE account = ? AND expires > ? ORDER BY expires DESC, hash`,
      account,
      now,
    )
    return rows.map(session)
  }

  /** If many run at the same time, one of them writes. */
  *touchSession(hash: string, now: string, unlessSince: string): Work<void> {
    yield* query(
      'UPDATE session SET last_used = ? WHERE hash = ? AND (last_used IS NULL OR last_used <= ?)',
      now,
      hash,
      unlessSince,
    )
  }

  *keepNewestSessions(account: number, count: number): Work<void> {
    yield* touching(
      PEOPLE_CHANGED,
      `DELETE FROM session WHERE account = ? AND hash NOT IN
       (SELECT hash FROM session WHERE account = ? ORDER BY expires DESC LIMIT ?)`,
      account,
      account,
      count,
    )
  }

  *endSession(hash: string): Work<void> {
    yield* touching(PEOPLE_CHANGED, 'DELETE FROM session WHERE hash = ?', hash)
  }

  /** All of them, or all but one. */
  *endSessions(account: number, kept = ''): Work<void> {
    yield* touching(PEOPLE_CHANGED, 'DELETE FROM session WHERE account = ? AND hash <> ?', account, kept)
  }

  *forgetExpired(now: string): Work<void> {
    yield* query('DELETE FROM session WHERE expires <= ?', now)
  }

  *insertToken({ account, name, hash, created, expires }: NewToken): Work<number> {
    const [row] = yield* touching(
      PEOPLE_CHANGED,
      'INSERT INTO token (account, name, hash, created, expires) VALUES (?, ?, ?, ?, ?) RETURNING id',
      account,
      name,
      hash,
      created,
      expires ?? null,
    )
    return Number(cell(row, 'id'))
  }

  /** The owner of the token, which may have expired. */
  *byToken(hash: string): Work<{ readonly account: AccountRow; readonly token: TokenRow } | undefined> {
    const [row] = yield* query(
      `SELECT ${ACCOUNT}, t.id AS token_id, t.name AS token_name, t.created, t.expires, t.last_used
       FROM token AS t JOIN account AS a ON a.id = t.account WHERE t.hash = ?`,
      hash,
    )
    return row && { account: account(row), token: token({ ...row, id: row['token_id']!, name: row['token_name']! }) }
  }

  *tokens(account: number): Work<TokenRow[]> {
    return (yield* query(`SELECT ${TOKEN} FROM token WHERE account = ? ORDER BY id`, account)).map(token)
  }

  /** For writes: on PostgreSQL, it is remembered as long as no account, session or token changes. */
  *hasToken(account: number, hash: string): Work<boolean> {
    const sql = 'SELECT id FROM token WHERE hash = ? AND account = ?'
    return (yield { sql, parameters: [hash, account], dependsOn: PEOPLE_CHANGED.resource }).length > 0
  }

  /** If many run at the same time, one of them writes. */
  *touchToken(id: number, now: string, unlessSince: string): Work<void> {
    yield* query(
      'UPDATE token SET last_used = ? WHERE id = ? AND (last_used IS NULL OR last_used <= ?)',
      now,
      id,
      unlessSince,
    )
  }

  *renameToken(account: number, id: number, name: string): Work<boolean> {
    const sql = 'UPDATE token SET name = ? WHERE account = ? AND id = ? RETURNING id'
    return (yield* touching(PEOPLE_CHANGED, sql, name, account, id)).length > 0
  }

  /** How many there were. */
  *deleteTokens(account: number): Work<number> {
    return (yield* touching(PEOPLE_CHANGED, 'DELETE FROM token WHERE account = ? RETURNING id', account)).length
  }

  *deleteToken(account: number, id: number): Work<boolean> {
    return (
      (yield* touching(PEOPLE_CHANGED, 'DELETE FROM token WHERE account = ? AND id = ? RETURNING id', account, id))
        .length > 0
    )
  }
}

function account(row: Row): AccountRow {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    password: String(row['password']),
    staff: Number(row['staff']) === 1,
    removed: Number(row['removed']) === 1,
    blocked: Number(row['blocked']) === 1,
    joined: String(row['joined']),
  }
}

function session(row: Row): SessionRow {
  return {
    hash: String(row['hash']),
    expires: String(row['expires']),
    created: row['created'] === null ? undefined : String(row['created']),
    lastUsed: row['last_used'] === null ? undefined : String(row['last_used']),
    browser: String(row['browser'] ?? ''),
  }
}

function token(row: Row): TokenRow {
  return {
    id: Number(row['id']),
    name: String(row['name']),
    created: String(row['created']),
    expires: row['expires'] === null ? undefined : String(row['expires']),
    lastUsed: row['last_used'] === null ? undefined : String(row['last_used']),
  }
}
