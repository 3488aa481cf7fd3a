/**
 * Words on PostgreSQL: a tsvector for each record, with a GIN index. It takes a fifth of the space of rows, and inserting
 * it takes a fifth of the time. The weights A to D are the places. A word of the name is in it twice, the second time
 * marked, because the index does not know weights.
 */
import type { AnyResource, Cell } from '../declare/index.ts'
import { postgresDialect, quoted } from './dialect.ts'
import { firstMatches } from './first-matches.ts'
import { wordTable } from './schema.ts'
import { joined, type Sql } from './sql.ts'
import { MOST_FOUND, type SearchedWord, type WordIndex, wordOf } from './word-index.ts'

/** No word begins with it. */
const IN_NAME = '='
/** PostgreSQL reads a table of this many records in a few milliseconds. */
const FEW_RECORDS = 500
const COSTLY = `to_tsvector('simple', CAST(record AS TEXT)) IS NOT NULL`
const WEIGHTS = ['A', 'B', 'C', 'D'] as const
/** As PostgreSQL prints them: 'river':1A. It does not print D. */
const LEXEME = /'([^']+)'(?::(\S+))?/g

export const wordVectors: WordIndex = {
  rows: (record, places) => (places.size === 0 ? [] : [{ record, words: vectorOf(places) }]),

  entries: (rows) =>
    rows.flatMap((row) =>
      Array.from(String(row['words']).matchAll(LEXEME), ([, word = '', at]) => ({
        record: Number(row['record']),
        word,
        place: at === '1' ? WEIGHTS.indexOf('D') : WEIGHTS.findIndex((weight) => at === `1${weight}`),
      })),
    ),

  *prepare(resource, words) {
    const [everywhere, inNames] = [matches(queryOf(words, '')), matches(queryOf(words, IN_NAME))]
    const table = quoted(wordTable(resource))
    const whole = words.filter(({ begins }) => !begins)
    const candidates = whole.length > 0 ? matches(queryOf(whole, '')) : undefined
    const { count, rows } = yield* firstMatches({ table, candidates, everywhere, inNames }, MOST_FOUND)
    return { count, find: () => ({ from: joined`(${rows}) AS matched`, scores: words.map(scoreOf) }) }
  },

  holding(resource, words, atLeast) {
    const isAll = atLeast === words.length
    const query = words.map(lexeme).join(isAll ? ' & ' : ' | ')
    const found = joined`SELECT record FROM ${quoted(wordTable(resource))} WHERE ${matches(query)}`
    if (isAll || atLeast === 1) return found
    const some: Sql = { sql: postgresDialect.amongTexts('lexeme'), parameters: [postgresDialect.texts(words)] }
    return joined`${found} AND (SELECT count(*) FROM unnest(words) WHERE ${some}) >= ${{ sql: '?', parameters: [atLeast] }}`
  },

  inNames: (resource, words) => joined`SELECT record FROM ${named(resource, words)}`,

  countNamed: (resource, [{ word, count }, ...others]) =>
    joined`SELECT CAST(${parameter(count)} AS BIGINT) + count(DISTINCT record) AS number
      FROM ${named(resource, others.map(wordOf))} AND NOT ${matches(lexeme(IN_NAME + word))}`,

  countInNames: (resource) =>
    `SELECT substr(lexeme, 2) AS word, count(*) AS count FROM ${quoted(wordTable(resource))}, unnest(words)
     WHERE lexeme LIKE '${IN_NAME}%' AND lexeme COLLATE "C" ~ '[a-z*+]' GROUP BY lexeme`,

  // A small table is read once: PostgreSQL would read it once for each of the words. In a larger one, the index finds
  // each word: for a query of many words, PostgreSQL would read the whole table. A condition that is always true, but
  // costs much by PostgreSQL's reckoning, keeps it from reading a table of middle size for each word. All tables share
  // the words, because the planner would look at each of them for each table.
  counts(resources, words, most) {
    const tables = resources.map((resource) => quoted(wordTable(resource)))
    const isSmall = tables.map(
      (table, i) =>
        `small_${i} AS MATERIALIZED (SELECT (SELECT TRUE FROM ${table} OFFSET ${FEW_RECORDS} LIMIT 1) IS NULL AS yes)`,
    )
    const counts = tables.map((table, i) => {
      // Without its limit, PostgreSQL would prepare to read a large table in parallel.
      const few = `(SELECT words FROM ${table} LIMIT ${FEW_RECORDS}) AS few`
      const found = `SELECT 1 FROM ${table} WHERE words @@ query AND ${COSTLY} LIMIT ${most}`
      return `SELECT lexeme AS term, least(count(*), ${most}) AS count FROM ${few}, unnest(few.words)
        WHERE lexeme IN (SELECT term FROM wanted) AND (SELECT yes FROM small_${i}) GROUP BY lexeme
        UNION ALL SELECT term, count FROM wanted, LATERAL (SELECT count(*) AS count FROM (${found}) AS found) AS counted
        WHERE count > 0 AND NOT (SELECT yes FROM small_${i})`
    })
    return {
      sql: `WITH wanted AS MATERIALIZED
        (SELECT value ->> 0 AS term, CAST(value ->> 1 AS tsquery) AS query FROM ${postgresDialect.each}),
        ${isSmall.join(', ')} ${counts.join(' UNION ALL ')}`,
      parameters: [JSON.stringify(words.map((word) => [word, lexeme(word)]))],
    }
  },
}

function vectorOf(places: ReadonlyMap<string, number>): string {
  const lexemes = Array.from(places, ([word, place]) => {
    const entry = (text: string) => `${lexeme(text)}:1${WEIGHTS[place]}`
    return place === 0 ? `${entry(word)} ${entry(IN_NAME + word)}` : entry(word)
  })
  return lexemes.join(' ')
}

/** All words must match. */
function queryOf(words: readonly SearchedWord[], mark: string): string {
  return words.map((word) => `(${alternatives(word, { mark, others: word.synonyms })})`).join(' & ')
}

/** Looked up one by one: for a query with many alternatives, the index would compare each record with all of them. */
function named(resource: AnyResource, words: readonly string[]): Sql {
  const lexemes = parameter(postgresDialect.texts(words.map((word) => lexeme(IN_NAME + word))))
  return joined`unnest(CAST(${lexemes} AS TEXT[])) AS wanted (lexeme), ${quoted(wordTable(resource))} WHERE words @@ CAST(wanted.lexeme AS tsquery)`
}

interface Alternatives {
  readonly mark?: string
  readonly weight?: string
  readonly others?: readonly string[]
}

function alternatives(
  { typed, begins, forms }: SearchedWord,
  { mark = '', weight = '', others = [] }: Alternatives,
): string {
  const suffix = (flags: string) => (flags === '' ? '' : `:${flags}`)
  const first = lexeme(mark + typed) + suffix((begins ? '*' : '') + weight)
  return [first, ...[...forms, ...others].map((form) => lexeme(mark + form) + suffix(weight))].join(' | ')
}

/** The word as typed ranks above a longer word, and above another form of it; a synonym comes last. */
function scoreOf(word: SearchedWord): Sql {
  const tests = WEIGHTS.flatMap((weight) => [`${lexeme(word.typed)}:${weight}`, alternatives(word, { weight })])
  // Whatever is left is the last one.
  const parameters = word.synonyms.length > 0 ? tests : tests.slice(0, -1)
  const cases = parameters.map((_, score) => `WHEN matched.words @@ CAST(? AS tsquery) THEN ${score}`)
  return { sql: `CASE ${cases.join(' ')} ELSE ${parameters.length} END`, parameters }
}

function matches(query: string): Sql {
  return joined`words @@ CAST(${parameter(query)} AS tsquery)`
}

function parameter(value: Cell): Sql {
  return { sql: '?', parameters: [value] }
}

/** Quoted for tsvector and tsquery. */
function lexeme(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '$&$&')}'`
}
