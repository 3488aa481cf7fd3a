/** Words that mean the same: search tries them if it finds little. */
import type { AnyResource } from '../declare/index.ts'
import { note, query, type Work } from './database.ts'
import { insertRows } from './insert-rows.ts'
import { SYNONYM } from './service-tables.ts'

/** A word, and another that means the same. Words are as search compares them. */
export type SynonymPair = readonly [word: string, other: string]

const AT_ONCE = 5000

/** Writes all synonyms again. Any search may find something else then. */
export function* replaceSynonyms(catalogue: readonly AnyResource[], pairs: readonly SynonymPair[]): Work<void> {
  yield* query(`DELETE FROM ${SYNONYM.name}`)
  for (let i = 0; i < pairs.length; i += AT_ONCE) {
    const rows = pairs.slice(i, i + AT_ONCE).map(([word, other]) => ({ word, other }))
    yield* insertRows(SYNONYM.name, rows)
  }
  for (const { name } of catalogue) yield* note({ resource: name, ids: 'all' })
}
