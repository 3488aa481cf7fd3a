/**
 * Counters of what each account has contributed: records made, votes given and scores, in each resource, and the points
 * of all together. Every write updates them at the end of its own transaction, with the other counters of the resource.
 */
import { type AnyResource, keyStoredIn, ownerLookup, type Row } from '../declare/index.ts'
import { cell, execute, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { addLater } from './insert-rows.ts'
import { voteName } from './schema.ts'
import type { ServiceTable } from './service-tables.ts'
import type { CountChange } from './touched.ts'

/** The row with an empty resource has the points of all. */
export const CONTRIBUTION: ServiceTable = {
  name: 'contribution',
  columns: [
    { name: 'account', type: 'integer', references: { table: 'account' } },
    { name: 'resource', type: 'key' },
    // made, votes, score or points.
    { name: 'part', type: 'key' },
    { name: 'count', type: 'integer' },
  ],
  key: ['account', 'resource', 'part'],
  indexes: [{ name: 'contribution_points', on: 'resource, part, count DESC, account' }],
}

type Part = 'made' | 'votes' | 'score'

export interface Contribution {
  readonly account: number
  /** Empty for the points of all. */
  readonly resource: string
  readonly part: Part | 'points'
  readonly count: number
}

export interface Ranked {
  readonly account: number
  readonly name: string
}

const ALL = { resource: '', part: 'points' } as const
const COLUMNS = 'account, resource, part, count'
const KEY = ['account', 'resource', 'part'] as const
const WITH_POINTS = `FROM contribution AS c JOIN account AS a ON a.id = c.account
  WHERE c.resource = '' AND c.part = 'points' AND a.removed = 0 AND a.blocked = 0`
/** In front of the counters of accounts, which are noted together with those of values. No name of a member is like it. */
const SIGN = '\0account\0'

/** A record was added, removed or changed. */
export function contributed(
  resource: AnyResource,
  { before, after }: { readonly before: Row | undefined; readonly after: Row | undefined },
): CountChange[] {
  if (ownerLookup(resource) === undefined) return []
  const { worth } = resource
  const of = (row: Row | undefined, sign: number): CountChange[] => {
    if (!row) return []
    const count = worth === undefined ? 1 : Math.max(0, Number(row[worth]))
    return [[counter(Number(row['owner']), worth === undefined ? 'made' : 'score'), sign * count]]
  }
  return [...of(before, -1), ...of(after, 1)]
}

/** Accounts voted for a record (1), or their votes are gone (-1). */
export function voted(accounts: readonly number[], by: 1 | -1): CountChange[] {
  return accounts.map((account) => [counter(account, 'votes'), by])
}

const counter = (account: number, part: Part) => `${SIGN}${account}\0${part}`

export const isOfAccount = (counter: string) => counter.startsWith(SIGN)

/** One statement for all counters, and one that deletes those that count nothing now. */
export function* applyContributions(
  { each }: Dialect,
  { name }: AnyResource,
  changes: readonly CountChange[],
): Work<void> {
  const rows: Row[] = []
  const totals = new Map<number, number>()
  for (const [counter, by] of changes) {
    const [account = '', part = ''] = counter.slice(SIGN.length).split('\0')
    rows.push({ account: Number(account), resource: name, part, count: by })
    totals.set(Number(account), (totals.get(Number(account)) ?? 0) + by)
  }
  for (const [account, count] of totals) if (count !== 0) rows.push({ account, ...ALL, count })
  yield* addLater(CONTRIBUTION.name, rows, { key: KEY, sum: 'count' })
  const fewer = rows.filter((row) => Number(row['count']) < 0).map((row) => KEY.map((column) => row[column]))
  if (fewer.length === 0) return
  const given = 'CAST(value ->> 0 AS BIGINT), value ->> 1, value ->> 2'
  yield* execute(`DELETE FROM contribution WHERE count = 0 AND (${KEY}) IN (SELECT ${given} FROM ${each})`, [
    JSON.stringify(fewer),
  ])
}

export class Contributions {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** How many people have points, up to a number. Blocked and deleted accounts do not count. */
  *count(most: number): Work<number> {
    const sql = `SELECT count(*) AS count FROM (SELECT c.account ${WITH_POINTS} LIMIT ?) AS people`
    const [row] = yield* query(sql, most)
    return Number(cell(row, 'count'))
  }

  /** Those with most points first; of the same points, those who joined first. */
  *ranked({ limit, offset }: { readonly limit: number; readonly offset: number }): Work<Ranked[]> {
    const rows = yield* query(
      `SELECT c.account AS account, a.name AS name ${WITH_POINTS} ORDER BY c.count DESC, c.account LIMIT ? OFFSET ?`,
      limit,
      offset,
    )
    return rows.map((row) => ({ account: Number(row['account']), name: String(row['name']) }))
  }

  *of(accounts: readonly number[]): Work<Contribution[]> {
    if (accounts.length === 0) return []
    const sql = `SELECT ${COLUMNS} FROM contribution WHERE ${this.#dialect.among('account')} ORDER BY resource, part`
    return (yield* query(sql, this.#dialect.ids(accounts))).map((row) => ({
      account: Number(row['account']),
      resource: String(row['resource']),
      part: partIn(row),
      count: Number(row['count']),
    }))
  }
}

const PARTS = ['made', 'votes', 'score'] as const

function partIn(row: Row): Contribution['part'] {
  return PARTS.find((part) => part === row['part']) ?? 'points'
}

/** Counts all records and votes of a resource again. */
export function* rebuildContributions(resource: AnyResource): Work<void> {
  yield* query('DELETE FROM contribution WHERE resource = ?', resource.name)
  for (const counted of countingSql(resource)) yield* query(`INSERT INTO contribution (${COLUMNS}) ${counted}`)
  yield* addUp()
}

export function* clearContributions({ name }: Pick<AnyResource, 'name'>): Work<void> {
  yield* query('DELETE FROM contribution WHERE resource = ?', name)
  yield* addUp()
}

/** Resources that are no longer declared count for nothing until they are declared again. */
export function* clearUndeclared(catalogue: readonly AnyResource[]): Work<void> {
  const declared = new Set(catalogue.map(({ name }) => name))
  const counted = (yield* query("SELECT DISTINCT resource FROM contribution WHERE resource > ''")).map((row) =>
    String(row['resource']),
  )
  for (const name of counted) {
    if (!declared.has(name)) yield* clearContributions({ name })
  }
}

const TOTALS = `SELECT account, '', 'points', sum(count) FROM contribution WHERE resource > '' GROUP BY account`

function* addUp(): Work<void> {
  yield* query("DELETE FROM contribution WHERE resource = ''")
  yield* query(`INSERT INTO contribution (${COLUMNS}) ${TOTALS}`)
}

function countingSql(resource: AnyResource): string[] {
  const { name, worth } = resource
  const score = worth === undefined ? '' : `sum(CASE WHEN ${quoted(worth)} > 0 THEN ${quoted(worth)} ELSE 0 END)`
  const made = `SELECT owner, '${name}', 'made', count(*) FROM ${quoted(name)} GROUP BY owner`
  const scored = `SELECT owner, '${name}', 'score', ${score} FROM ${quoted(name)} GROUP BY owner HAVING ${score} > 0`
  const votes = `SELECT account, '${name}', 'votes', count(*) FROM ${quoted(voteName(resource))} GROUP BY account`
  return [
    ...(ownerLookup(resource) === undefined ? [] : [worth === undefined ? made : scored]),
    ...(keyStoredIn(resource, 'votes') === undefined ? [] : [votes]),
  ]
}

/** How many counters are wrong. */
export function* countWrongContributions(catalogue: readonly AnyResource[]): Work<number> {
  const counted = catalogue.flatMap(countingSql)
  if (counted.length === 0) return 0
  const stored = `SELECT ${COLUMNS} FROM contribution`
  let wrong = 0
  for (const [these, those] of [
    [counted.join(' UNION ALL '), `${stored} WHERE resource > ''`],
    [TOTALS, `${stored} WHERE resource = ''`],
  ]) {
    for (const [one, other] of [
      [these, those],
      [those, these],
    ]) {
      const sql = `SELECT count(*) AS count FROM (SELECT * FROM (${one}) AS one EXCEPT SELECT * FROM (${other}) AS other) AS wrong`
      const [row] = yield* query(sql)
      wrong += Number(cell(row, 'count'))
    }
  }
  return wrong
}
