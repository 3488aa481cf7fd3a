/** Hooks and their deliveries. Processes take turns at a hook: one of them has a lease on it while it delivers. */
import type { Cell, Row } from '../declare/index.ts'
import { cell, query, touching, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { insertRows } from './insert-rows.ts'
import { HOOK_DELIVERY as deliveryTable, givenColumns, HOOK as hookTable } from './service-tables.ts'

export interface HookRow {
  readonly id: number
  readonly account: number
  readonly url: string
  /** Names; empty for all. */
  readonly resources: readonly string[]
  readonly actions: readonly string[]
  readonly lookups: string
  readonly active: boolean
  readonly created: string
  readonly secret: string
  readonly oldSecret: string | undefined
  readonly oldSecretUntil: string | undefined
  readonly cursor: number
  readonly revision: number
  readonly tries: number
  readonly failingSince: string | undefined
  readonly nextTry: string | undefined
  readonly lastError: string | undefined
  /** Why it was ended. */
  readonly ended: string | undefined
  readonly replay: { readonly cursor: number; readonly until: number } | undefined
}

export interface NewDelivery {
  readonly kind: 'change' | 'replay' | 'test'
  readonly seq: number | undefined
  readonly try: number
  readonly at: string
  readonly status: number | undefined
  readonly error: string | undefined
  readonly ms: number
}

export interface DeliveryRow extends NewDelivery {
  readonly id: number
}

interface Lease {
  readonly owner: string
  readonly ms: number
}

/** The hook as a process has leased it, or last saved it. */
interface LeasedHook extends Pick<HookRow, 'id' | 'cursor' | 'revision'> {
  readonly owner: string
}

/** Tells all processes that their lists of hooks are old. */
export const HOOKS_CHANGED = { resource: 'hook', ids: 'all' } as const

const MOST_DELIVERIES = 1000

const HOOK = givenColumns(hookTable)
const DELIVERY = givenColumns(deliveryTable)

export class Hooks {
  readonly #dialect: Dialect
  readonly #clock: string

  constructor(dialect: Dialect) {
    this.#dialect = dialect
    this.#clock = dialect.clock
  }

  /** Columns that are not given are empty. */
  *insert(columns: Row): Work<HookRow> {
    const names = Object.keys(columns)
    const [row] = yield* touching(
      HOOKS_CHANGED,
      `INSERT INTO hook (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING ${HOOK}`,
      ...Object.values(columns),
    )
    return hookOf(row ?? {})
  }

  *byId(id: number): Work<HookRow | undefined> {
    const [row] = yield* query(`SELECT ${HOOK} FROM hook WHERE id = ?`, id)
    return row && hookOf(row)
  }

  /** Those of an account, or all; oldest first. */
  *page(account: number | undefined, limit: number, offset: number): Work<HookRow[]> {
    const [where, parameters] = ofAccount(account)
    const sql = `SELECT ${HOOK} FROM hook${where} ORDER BY id LIMIT ? OFFSET ?`
    return (yield* query(sql, ...parameters, limit, offset)).map(hookOf)
  }

  *count(account: number | undefined): Work<number> {
    const [where, parameters] = ofAccount(account)
    const [row] = yield* query(`SELECT count(*) AS count FROM hook${where}`, ...parameters)
    return Number(cell(row, 'count'))
  }

  /** All that are active, or those of some ids. */
  *active(ids?: readonly number[]): Work<HookRow[]> {
    const { among, ids: listed } = this.#dialect
    const rows = yield* ids
      ? query(`SELECT ${HOOK} FROM hook WHERE active = 1 AND ${among('id')}`, listed(ids))
      : query(`SELECT ${HOOK} FROM hook WHERE active = 1 ORDER BY id`)
    return rows.map(hookOf)
  }

  /** A change by its owner. */
  *change(id: number, columns: Row): Work<HookRow> {
    const [row] = yield* touching(
      HOOKS_CHANGED,
      `UPDATE hook SET ${assigned(columns)}, revision = revision + 1 WHERE id = ? RETURNING ${HOOK}`,
      ...Object.values(columns),
      id,
    )
    return hookOf(row ?? {})
  }

  *remove(id: number): Work<void> {
    yield* touching(HOOKS_CHANGED, 'DELETE FROM hook WHERE id = ?', id)
  }

  /** The hook, if this process may deliver now; nobody else can until the lease ends. */
  *lease(id: number, now: string, { owner, ms }: Lease): Work<HookRow | undefined> {
    const [row] = yield* query(
      `UPDATE hook SET lease_owner = ?, lease_until = ${this.#clock} + ?
       WHERE id = ? AND active = 1 AND (lease_owner IS NULL OR lease_owner = ? OR lease_until <= ${this.#clock})
         AND (next_try IS NULL OR next_try <= ?) RETURNING ${HOOK}`,
      owner,
      ms,
      id,
      owner,
      now,
    )
    return row && hookOf(row)
  }

  /** All leases of a process. */
  *renewLeases({ owner, ms }: Lease): Work<void> {
    yield* query(`UPDATE hook SET lease_until = ${this.#clock} + ? WHERE lease_owner = ?`, ms, owner)
  }

  *release(id: number, owner: string): Work<void> {
    yield* query('UPDATE hook SET lease_owner = NULL, lease_until = 0 WHERE id = ? AND lease_owner = ?', id, owner)
  }

  /**
   * What a process that has the lease has done. Undefined if it has lost the lease, or the owner of the hook has moved
   * the cursor; otherwise the hook. `learned` is not stored if the owner has changed the hook since it was leased: it may
   * be about another receiver, or another replay.
   */
  *save(from: LeasedHook, done: Row, learned: Row): Work<HookRow | undefined> {
    const { id, owner, cursor, revision } = from
    const update = (columns: Row, more = '') =>
      `UPDATE hook SET ${assigned(columns)} WHERE id = ? AND lease_owner = ? AND cursor = ?${more} RETURNING ${HOOK}`
    const all = { ...done, ...learned }
    const sql = update(all, ' AND revision = ?')
    const parameters = [...Object.values(all), id, owner, cursor, revision]
    const [whole] =
      'active' in learned ? yield* touching(HOOKS_CHANGED, sql, ...parameters) : yield* query(sql, ...parameters)
    const [row] = whole ? [whole] : yield* query(update(done), ...Object.values(done), id, owner, cursor)
    return row && hookOf(row)
  }

  /** Nothing up to this number is wanted. Unless the hook was changed, or a process delivers. */
  *passOver(id: number, revision: number, cursor: number): Work<void> {
    yield* query(
      `UPDATE hook SET cursor = ? WHERE id = ? AND revision = ? AND cursor < ? AND lease_owner IS NULL`,
      cursor,
      id,
      revision,
      cursor,
    )
  }

  /** Only the newest ones stay. */
  *addDeliveries(hook: number, deliveries: readonly NewDelivery[]): Work<void> {
    // The hook may have been removed meanwhile.
    if (deliveries.length === 0 || (yield* query('SELECT id FROM hook WHERE id = ?', hook)).length === 0) return
    const rows = deliveries.map(({ seq = null, status = null, error = null, ...rest }) => {
      return { hook, ...rest, seq, status, error }
    })
    yield* insertRows('hook_delivery', rows)
    yield* query(
      `DELETE FROM hook_delivery WHERE hook = ? AND id <=
       (SELECT id FROM hook_delivery WHERE hook = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`,
      hook,
      hook,
      MOST_DELIVERIES,
    )
  }

  /** Newest first. */
  *deliveries(hook: number, limit: number, offset: number): Work<DeliveryRow[]> {
    const sql = `SELECT ${DELIVERY} FROM hook_delivery WHERE hook = ? ORDER BY id DESC LIMIT ? OFFSET ?`
    return (yield* query(sql, hook, limit, offset)).map(deliveryOf)
  }

  *countDeliveries(hook: number): Work<number> {
    const [row] = yield* query('SELECT count(*) AS count FROM hook_delivery WHERE hook = ?', hook)
    return Number(cell(row, 'count'))
  }

  /** Also forgets secrets that no longer sign. */
  *forgetBefore(time: string, now: string): Work<void> {
    yield* query('DELETE FROM hook_delivery WHERE at < ?', time)
    yield* query('UPDATE hook SET old_secret = NULL, old_secret_until = NULL WHERE old_secret_until <= ?', now)
  }
}

function ofAccount(account: number | undefined): [where: string, parameters: Cell[]] {
  return account === undefined ? ['', []] : [' WHERE account = ?', [account]]
}

function assigned(columns: Row): string {
  return Object.keys(columns)
    .map((name) => `${name} = ?`)
    .join(', ')
}

function hookOf(row: Row): HookRow {
  const replayUntil = numberIn(row, 'replay_until')
  return {
    id: Number(row['id']),
    account: Number(row['account']),
    url: String(row['url']),
    resources: JSON.parse(String(row['resources'])),
    actions: JSON.parse(String(row['actions'])),
    lookups: String(row['lookups']),
    active: Number(row['active']) === 1,
    created: String(row['created']),
    secret: String(row['secret']),
    oldSecret: textIn(row, 'old_secret'),
    oldSecretUntil: textIn(row, 'old_secret_until'),
    cursor: Number(row['cursor']),
    revision: Number(row['revision']),
    tries: Number(row['tries']),
    failingSince: textIn(row, 'failing_since'),
    nextTry: textIn(row, 'next_try'),
    lastError: textIn(row, 'last_error'),
    ended: textIn(row, 'ended'),
    replay: replayUntil === undefined ? undefined : { cursor: numberIn(row, 'replay_cursor') ?? 0, until: replayUntil },
  }
}

function deliveryOf(row: Row): DeliveryRow {
  const kind = String(row['kind'])
  return {
    id: Number(row['id']),
    kind: kind === 'test' || kind === 'replay' ? kind : 'change',
    seq: numberIn(row, 'seq'),
    try: Number(row['try']),
    at: String(row['at']),
    status: numberIn(row, 'status'),
    error: textIn(row, 'error'),
    ms: Number(row['ms']),
  }
}

function textIn(row: Row, column: string): string | undefined {
  const found = row[column] ?? null
  return found === null ? undefined : String(found)
}

function numberIn(row: Row, column: string): number | undefined {
  const found = row[column] ?? null
  return found === null ? undefined : Number(found)
}
