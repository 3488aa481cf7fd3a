/** Verifies the stored search and sort data of records. Only a bug makes it wrong. */
import { type AnyResource, fieldsOf, type Row } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type FindingRows, findingRows, ownedBy, wordIndexOf } from './finding.ts'
import { valuesOf } from './pack.ts'
import type { Records } from './records.ts'
import { hasTerms, searches, termTable, voteCount, voteName, wordTable } from './schema.ts'

const SPAN = 200
const LAST_ID = Number.MAX_SAFE_INTEGER

/** How many records have other rows in the tables of words and terms than their texts produce. */
export function* countWrongFinding(records: Records, resource: AnyResource): Work<number> {
  if (!searches(resource)) return 0
  let wrong = 0
  for (let last = 0; ; ) {
    const rows = yield* records.after({ resource }, last, SPAN)
    const to = rows.length < SPAN ? LAST_ID : Number(rows.at(-1)!['id'])
    const found = rows.map((row) => findingRows(records.dialect, resource, ownedBy(row), valuesOf(resource, row, '')))
    wrong += (yield* wrongFinding(records.dialect, resource, found, { after: last, to })).length
    if (to === LAST_ID) return wrong
    last = to
  }
}

/** The records of a span of ids whose words and terms in the tables are not these. */
export function* wrongFinding(
  dialect: Dialect,
  resource: AnyResource,
  found: readonly FindingRows[],
  { after, to }: { readonly after: number; readonly to: number },
): Work<number[]> {
  const { entries } = wordIndexOf(dialect)
  const expected = new Tally()
  for (const { words, terms } of found) {
    expected.add('word', entries(words), ['word', 'place'])
    expected.add('term', terms, ['member', 'term'])
  }
  const stored = new Tally()
  stored.add('word', entries(yield* rowsBetween(wordTable(resource), after, to)), ['word', 'place'])
  if (hasTerms(resource)) stored.add('term', yield* rowsBetween(termTable(resource), after, to), ['member', 'term'])
  return expected.differencesFrom(stored)
}

function rowsBetween(table: string, after: number, to: number): Work<readonly Row[]> {
  return query(`SELECT * FROM ${quoted(table)} WHERE record > ? AND record <= ?`, after, to)
}

/** The rows of each record, to compare in any order. */
class Tally {
  readonly #rows = new Map<number, string[]>()

  add(kind: string, rows: readonly Row[], columns: readonly string[]): void {
    for (const row of rows) {
      const record = Number(row['record'])
      const list = this.#rows.get(record) ?? []
      list.push(JSON.stringify([kind, ...columns.map((column) => row[column])]))
      this.#rows.set(record, list)
    }
  }

  differencesFrom(other: Tally): number[] {
    const textOf = (tally: Tally, record: number) => (tally.#rows.get(record) ?? []).sort().join()
    const all = new Set([...this.#rows.keys(), ...other.#rows.keys()])
    return [...all].filter((record) => textOf(this, record) !== textOf(other, record))
  }
}

/** How many records have a wrong stored number of votes. */
export function* countWrongVotes(resource: AnyResource): Work<number> {
  let wrong = 0
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'votes') continue
    const [row] = yield* query(
      `SELECT count(*) AS count FROM ${quoted(resource.name)} AS t WHERE ${quoted(voteCount(key))} <>
       (SELECT count(*) FROM ${quoted(voteName(resource))} AS v WHERE v.record = t.id)`,
    )
    wrong += Number(cell(row, 'count'))
  }
  return wrong
}
