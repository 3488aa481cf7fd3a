/** The SQL of a search: which records have all its words, and how good each match is. */
import type { AnyResource, Cell } from '../declare/index.ts'
import type { Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { wordIndexOf } from './finding.ts'
import { NAME_WORDS } from './schema.ts'
import type { Sql } from './sql.ts'
import type { SearchedWord } from './word-index.ts'
import { formsOf, phraseOf, wordsOf } from './words.ts'

export interface Matches {
  /** The records that have all words, as `matched`. */
  readonly from: Sql
  /** They are the rows `t`. */
  readonly where: string
  /** How good a match is; 0 is best. */
  readonly rank: Sql
}

/** Undefined if the text has no word, so that nothing can be found. */
export function* matchesOf(dialect: Dialect, resource: AnyResource, text: string): Work<Matches | undefined> {
  const words = searchedWords(text)
  if (words.length === 0) return undefined
  const { from, scores } = yield* wordIndexOf(dialect).find(resource, words)
  return { from, where: 't.id = matched.record', rank: rankOf(dialect, phraseOf(text), scores) }
}

/** Each word once; the last one as a prefix. */
function searchedWords(text: string): SearchedWord[] {
  const words = wordsOf(text)
  const last = words.pop()
  if (last === undefined) return []
  return [
    ...[...new Set(words)].map((typed) => ({ typed, begins: false, forms: formsOf(typed) })),
    { typed: last, begins: true, forms: formsOf(last).filter((form) => !form.startsWith(last)) },
  ]
}

/** A match is as good as its worst word. */
function rankOf(dialect: Dialect, phrase: string, scores: readonly Sql[]): Sql {
  const worst = dialect.largest(scores.map(({ sql }) => sql))
  const phrases: Cell[] = [phrase, phrase, phrase]
  return {
    sql: `CASE WHEN t.${NAME_WORDS} = CAST(? AS TEXT) THEN 0
      WHEN substr(t.${NAME_WORDS}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT) THEN 1
      ELSE 2 + ${worst} END`,
    parameters: [...phrases, ...scores.flatMap(({ parameters }) => parameters)],
  }
}
