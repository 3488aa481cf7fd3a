/**
 * Counters: how many records have each value of a member, and each pair of values of two members. Every write updates
 * them at the end of its own transaction, so facets and the counts of many narrowed lists need not read the records.
 */
import type { AnyResource, Cell, Row } from '../declare/index.ts'
import {
  applyContributions,
  clearContributions,
  contributed,
  isOfAccount,
  rebuildContributions,
  voted,
} from './contributions.ts'
import { cell, execute, note, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import {
  type CountedMember,
  cellsOfCounter,
  countedMembers,
  countedSql,
  countersOf,
  createdCounter,
  likesCounter,
  likesIn,
  NAME_WORDS_COUNTED,
  nameMember,
  pairsOf,
} from './facet-members.ts'
import { wordIndexOf } from './finding.ts'
import { addLater } from './insert-rows.ts'
import type { Records } from './records.ts'
import { facetTable } from './schema.ts'
import type { CountChange } from './touched.ts'

const COLUMNS = ['given', 'member', 'given_value', 'value'] as const
const KEY = COLUMNS.join(', ')

/** A record was added, removed, or changed: notes what the counters have to follow. */
export function* noteCounts(
  dialect: Dialect,
  resource: AnyResource,
  { before, after }: { readonly before?: Row; readonly after?: Row },
): Work<void> {
  // A change of members leaves the votes and the time of creation as they are.
  const likes = before ? likesIn(resource, before) : 0
  const changes = new Map<string, number>()
  if (before) for (const counter of countersOf(resource, before, likes)) changes.set(counter, -1)
  if (after) {
    const created = before?.['created'] ?? after['created'] ?? 0
    for (const counter of countersOf(resource, { ...after, created }, likes)) {
      if (changes.has(counter)) changes.delete(counter)
      else changes.set(counter, 1)
    }
  }
  yield* noteChanges(dialect, resource, [...changes, ...contributed(resource, { before, after })])
}

/** Accounts voted for a record, or their votes are gone. */
export function* noteVotes(
  dialect: Dialect,
  resource: AnyResource,
  { given = [], gone = [] }: { readonly given?: readonly number[]; readonly gone?: readonly number[] },
): Work<void> {
  yield* noteChanges(dialect, resource, [...voted(given, 1), ...voted(gone, -1)])
}

/** The number of votes of a record has changed. */
export function* noteLikes(
  dialect: Dialect,
  resource: AnyResource,
  key: string,
  { before, after }: { readonly before: number; readonly after: number },
): Work<void> {
  if (before === after) return
  yield* noteChanges(dialect, resource, [
    [likesCounter(key, before), -1],
    [likesCounter(key, after), 1],
  ])
}

/** The time of creation of a record has become another: a copy has that of its source. */
export function* noteCreated(
  dialect: Dialect,
  resource: AnyResource,
  { before, after }: { readonly before: Cell; readonly after: Cell },
): Work<void> {
  const [old, current] = [createdCounter(before), createdCounter(after)]
  if (old === current) return
  yield* noteChanges(dialect, resource, [
    [old, -1],
    [current, 1],
  ])
}

function* noteChanges(dialect: Dialect, resource: AnyResource, list: readonly CountChange[]): Work<void> {
  if (list.length === 0) return
  const settle = (changes: ReadonlyMap<string, number>) => applyChanges(dialect, resource, changes)
  yield* note({ resource: resource.name, ids: [], counts: { list, settle } })
}

function* applyChanges(dialect: Dialect, resource: AnyResource, changes: ReadonlyMap<string, number>): Work<void> {
  const list = [...changes].filter(([, by]) => by !== 0)
  const ofAccounts = list.filter(([counter]) => isOfAccount(counter))
  if (ofAccounts.length > 0) yield* applyContributions(dialect, resource, ofAccounts)
  const ofValues = list.filter(([counter]) => !isOfAccount(counter))
  if (ofValues.length > 0) yield* applyToValues(dialect, resource, ofValues)
}

/** One statement for all counters, and one that deletes those that count nothing now. */
function* applyToValues({ each }: Dialect, resource: AnyResource, list: readonly CountChange[]): Work<void> {
  const table = quoted(facetTable(resource))
  const rows = list.map(([counter, by]): Row => ({ ...cellsOfCounter(counter), count: by }))
  yield* addLater(facetTable(resource), rows, { key: COLUMNS, sum: 'count' })
  const fewer = list.filter(([, by]) => by < 0).map(([counter]) => Object.values(cellsOfCounter(counter)))
  if (fewer.length === 0) return
  const given = COLUMNS.map((_, place) => `value ->> ${place}`).join(', ')
  yield* execute(`DELETE FROM ${table} WHERE count = 0 AND (${KEY}) IN (SELECT ${given} FROM ${each})`, [
    JSON.stringify(fewer),
  ])
}

/** Counts all records again. */
export function* rebuildCounts(dialect: Dialect, resource: AnyResource): Work<void> {
  yield* clearCounts(resource)
  for (const counted of countingSql(dialect, resource)) {
    yield* query(`INSERT INTO ${quoted(facetTable(resource))} (${KEY}, count) ${counted}`)
  }
  yield* rebuildContributions(resource)
}

export function* clearCounts(resource: AnyResource): Work<void> {
  yield* query(`DELETE FROM ${quoted(facetTable(resource))}`)
  yield* clearContributions(resource)
}

/** How many counters are wrong. */
export function* countWrongCounts({ dialect }: Pick<Records, 'dialect'>, resource: AnyResource): Work<number> {
  const counted = countingSql(dialect, resource).join(' UNION ALL ')
  const stored = `SELECT ${KEY}, count FROM ${quoted(facetTable(resource))}`
  if (counted === '') return 0
  let wrong = 0
  for (const [these, those] of [
    [counted, stored],
    [stored, counted],
  ]) {
    const [row] = yield* query(
      `SELECT count(*) AS count FROM (SELECT * FROM (${these}) AS these EXCEPT SELECT * FROM (${those}) AS those) AS wrong`,
    )
    wrong = Math.max(wrong, Number(cell(row, 'count')))
  }
  return wrong
}

function countingSql(dialect: Dialect, resource: AnyResource): string[] {
  const table = quoted(resource.name)
  const text = (member: CountedMember) => `CAST(${countedSql(member)} AS TEXT)`
  const plain = countedMembers(resource).map(
    (member) =>
      `SELECT '' AS given, '${member.name}' AS member, '' AS given_value, ${text(member)} AS value, count(*) AS count
       FROM ${table} GROUP BY ${countedSql(member)}`,
  )
  const pairs = pairsOf(resource).map(
    ([given, member]) =>
      `SELECT '${given.name}', '${member.name}', ${text(given)}, ${text(member)}, count(*)
       FROM ${table} GROUP BY ${countedSql(given)}, ${countedSql(member)}`,
  )
  const names =
    nameMember(resource) === undefined
      ? []
      : [
          `SELECT '', '${NAME_WORDS_COUNTED}', '', word, count FROM (${wordIndexOf(dialect).countInNames(resource)}) AS names`,
        ]
  return [...plain, ...pairs, ...names]
}
