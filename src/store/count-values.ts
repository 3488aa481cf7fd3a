/** Counts the values of members in records that no counter has. Several members are counted in one reading. */
import type { Cell } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import type { ValueCount } from './facet-reading.ts'
import type { Condition } from './narrow.ts'
import { voteCount } from './schema.ts'
import type { Sql } from './sql.ts'

/** A member of which the values are counted. */
export type CountedBy = Pick<Condition, 'key' | 'on'>

export interface CountedValues {
  /** The most frequent first. */
  readonly values: readonly ValueCount[]
  /** How many records were counted. */
  readonly read: number
}

/** `records` is what follows FROM, with the records as `t`. */
export function* countValues(
  dialect: Dialect,
  records: Sql,
  members: readonly CountedBy[],
  limit: number,
): Work<Map<CountedBy, CountedValues>> {
  const columns = members.map((member, i) => `${columnOf(member)} AS value_${i}`)
  const counts = members.map((member, i) => countsOf(dialect, member, i))
  const rows = yield* rareQuery(
    `SELECT * FROM (WITH counted AS (SELECT ${columns.join(', ')} FROM ${records.sql})
     ${counts.join(' UNION ALL ')}) AS c`,
    [...records.parameters, ...members.map(() => limit)],
  )
  const byMember = Map.groupBy(rows, (row) => Number(row['member']))
  return new Map(
    members.map((member, i) => {
      const own = byMember.get(i) ?? []
      const values = own.map((row) => ({ value: valueIn(member, row['value']), count: Number(row['count']) }))
      return [member, { values, read: Number(own[0]?.['total'] ?? 0) }]
    }),
  )
}

/** Values are texts, so that numbers can be in one result with them. */
function countsOf({ byCodePoint }: Dialect, member: CountedBy, number: number): string {
  const column = `value_${number}`
  const counts = `(SELECT ${column} AS value, count(*) AS count FROM counted GROUP BY ${column}) AS f`
  // Owners are counted by id, which has an index; their names are looked up afterwards.
  const named =
    member.on === 'owner'
      ? `(SELECT a.name AS value, f.count AS count FROM ${counts} JOIN account AS a ON a.id = f.value) AS f`
      : counts
  const order = `count DESC, value${isText(member) ? byCodePoint : ''}`
  return `SELECT ${number} AS member, CAST(value AS TEXT) AS value, count, total FROM
    (SELECT value, count, sum(count) OVER () AS total FROM ${named} ORDER BY ${order} LIMIT ?) AS m`
}

function columnOf({ key, on }: CountedBy): string {
  if (on === 'owner') return 't.owner'
  if (on === 'votes') return `t.${quoted(voteCount(key))}`
  return `t.${quoted(typeof on === 'object' ? on.column.name : key)}`
}

function isText({ on }: CountedBy): boolean {
  return on === 'owner' || (typeof on === 'object' && on.column.type === 'text')
}

function valueIn(member: CountedBy, value: Cell | undefined): Cell {
  if (value === null || value === undefined) return null
  return isText(member) ? value : Number(value)
}
