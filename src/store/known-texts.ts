/** The different texts of a counted member, such as all sources. */
import type { AnyResource } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import type { CountedMember } from './facet-members.ts'
import { facetTable } from './schema.ts'

export interface KnownText {
  readonly value: string
  /** How many records have it. */
  readonly count: number
}

/** With more different texts, records are compared one by one. */
const MOST_TEXTS = 3000

/** Undefined if there are too many. */
export function* knownTexts(
  resource: AnyResource,
  { name }: Pick<CountedMember, 'name'>,
): Work<KnownText[] | undefined> {
  const rows = yield* query(
    `SELECT value, count FROM ${quoted(facetTable(resource))}
     WHERE given = '' AND member = '${name}' AND given_value = '' LIMIT ${MOST_TEXTS + 1}`,
  )
  if (rows.length > MOST_TEXTS) return undefined
  return rows.map(({ value, count }) => ({ value: String(value), count: Number(count) }))
}
