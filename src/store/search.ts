/**
 * The SQL of a search. It begins with the rarest word, so that a common one, such as "the", is looked up only for the
 * few remaining records. Neither database knows by itself which word that is.
 */
import type { AnyResource, Cell } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { NAME_WORDS, wordTable } from './schema.ts'
import { formsOf, phraseOf, wordsOf } from './words.ts'

export interface Sql {
  readonly sql: string
  readonly parameters: readonly Cell[]
}

export interface Matches {
  /** The records that have all words, as `matched`. */
  readonly from: Sql
  /** They are the rows `t`. */
  readonly where: string
  /** How good a match is; 0 is best. */
  readonly rank: Sql
}

interface SearchedWord {
  readonly typed: string
  /** A word that may be incomplete also matches all words that begin with it. */
  readonly begins: boolean
  readonly forms: readonly string[]
}

/** Greater than any letter, so that `word < prefix + HIGHEST` holds for all words with the prefix. */
export const HIGHEST = '\u{10ffff}'
/** Beyond this many a word is common; how common no longer matters. */
const COMMON = 2000

/** Undefined if the text has no word, so that nothing can be found. */
export function* matchesOf(dialect: Dialect, resource: AnyResource, text: string): Work<Matches | undefined> {
  const words = searchedWords(text)
  if (words.length === 0) return undefined
  const table = quoted(wordTable(resource))
  const [first, ...others] = words.length === 1 ? words : yield* rarestFirst(table, words)
  const rest = others.map((word) => joined` AND EXISTS (${lookUp(table, word, 'first.record', plain('1'))})`)
  const scores = others.map((word) => joined`(${lookUp(table, word, 't.id', joined`min(${scoreOf(word, 'w')})`)})`)
  const inTime = dialect.inTime ? ` AND ${dialect.inTime}` : ''
  return {
    from: joined`(SELECT first.record AS record, min(${scoreOf(first!, 'first')}) AS score FROM ${table} AS first
      WHERE ${isWord(first!, 'first')}${inTime}${all(rest, '')} GROUP BY first.record) AS matched`,
    where: 't.id = matched.record',
    rank: rankOf(dialect, phraseOf(text), [plain('matched.score'), ...scores]),
  }
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

function* rarestFirst(table: string, words: readonly SearchedWord[]): Work<SearchedWord[]> {
  const counts = words.map((word, i) => {
    const some = joined`SELECT 1 FROM ${table} AS w WHERE ${isWord(word, 'w')} LIMIT ${String(COMMON)}`
    return joined`(SELECT count(*) FROM (${some}) AS probe) AS n${String(i)}`
  })
  const { sql, parameters } = all(counts, ', ')
  const [row] = yield* rareQuery(`SELECT ${sql}`, parameters)
  return words
    .map((word, i) => ({ word, count: Number(row![`n${i}`]) }))
    .sort((a, b) => a.count - b.count)
    .map(({ word }) => word)
}

function isWord({ typed, begins, forms }: SearchedWord, alias: string): Sql {
  const listed = begins ? forms : [typed, ...forms]
  const among = `${alias}.word IN (${listed.map(() => '?').join(', ')})`
  if (!begins) return { sql: among, parameters: listed }
  const range = `${alias}.word >= ? AND ${alias}.word < ?`
  const bounds = [typed, typed + HIGHEST]
  return listed.length === 0
    ? { sql: range, parameters: bounds }
    : { sql: `(${range} OR ${among})`, parameters: [...bounds, ...listed] }
}

/** The word as typed ranks above a longer word, and above another form of it. */
function scoreOf({ typed }: SearchedWord, alias: string): Sql {
  return { sql: `${alias}.place * 2 + CASE WHEN ${alias}.word = ? THEN 0 ELSE 1 END`, parameters: [typed] }
}

/** Of the record's rows with the word. */
function lookUp(table: string, word: SearchedWord, record: string, value: Sql): Sql {
  return joined`SELECT ${value} FROM ${table} AS w WHERE w.record = ${record} AND ${isWord(word, 'w')}`
}

/** A match is as good as its worst word. */
function rankOf(dialect: Dialect, phrase: string, scores: readonly Sql[]): Sql {
  const worst = dialect.largest(scores.map(({ sql }) => sql))
  return {
    sql: `CASE WHEN t.${NAME_WORDS} = CAST(? AS TEXT) THEN 0
      WHEN substr(t.${NAME_WORDS}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT) THEN 1
      ELSE 2 + ${worst} END`,
    parameters: [phrase, phrase, phrase, ...scores.flatMap(({ parameters }) => parameters)],
  }
}

const plain = (sql: string): Sql => ({ sql, parameters: [] })

function all(parts: readonly Sql[], between = ' AND '): Sql {
  return {
    sql: parts.map(({ sql }) => sql).join(between),
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}

/** SQL parts joined, with their parameters in order. */
function joined(texts: TemplateStringsArray, ...parts: readonly (Sql | string)[]): Sql {
  return all(
    texts.flatMap((text, i) => {
      const part = parts[i] ?? ''
      return [plain(text), typeof part === 'string' ? plain(part) : part]
    }),
    '',
  )
}
