/** The different texts of a counted member, such as all sources. */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import type { CountedMember } from './facet-members.ts'
import { facetTable } from './schema.ts'

export interface KnownText {
  readonly value: string
  /** How many records have it. */
  readonly count: number
}

/** With more different texts, records are compared one by one. */
const MOST_TEXTS = 3000

/** Undefined if there are too many. They come as one text: thousands of rows would take PostgreSQL's driver milliseconds. */
export function* knownTexts(
  dialect: Dialect,
  resource: AnyResource,
  { name }: Pick<CountedMember, 'name'>,
): Work<KnownText[] | undefined> {
  const counters = `(SELECT value, count FROM ${quoted(facetTable(resource))}
    WHERE given = '' AND member = '${name}' AND given_value = '' LIMIT ${MOST_TEXTS + 1}) AS counters`
  const [row] = yield* query(`SELECT ${dialect.list("CAST(count AS TEXT) || ' ' || value", counters)} AS texts`)
  const texts: string[] = JSON.parse(String(cell(row, 'texts') ?? '[]'))
  if (texts.length > MOST_TEXTS) return undefined
  return texts.map((text) => {
    const end = text.indexOf(' ')
    return { value: text.slice(end + 1), count: Number(text.slice(0, end)) }
  })
}
