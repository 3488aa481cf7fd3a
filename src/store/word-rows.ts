/**
 * Words on SQLite: a row for each word of a record. A search begins with the rarest word, so that a common one, such as
 * "the", is looked up only for the few remaining records. SQLite does not know by itself which word that is.
 */
import { cell, rareQuery, type Work } from './database.ts'
import { quoted, sqliteDialect } from './dialect.ts'
import { wordTable } from './schema.ts'
import { all, HIGHEST, joined, plain, type Sql } from './sql.ts'
import { MOST_FOUND, type SearchedWord, SYNONYM_SCORE, type WordIndex, wordOf } from './word-index.ts'

/** A record may have several words with a prefix. */
const ROWS_FOUND = 4 * MOST_FOUND

const { inTime, amongTexts, texts, withoutIndex } = sqliteDialect
/** Found by the words: in the order of the records, SQLite would read the whole table. */
const RECORD = `${withoutIndex('w.record')} AS record`

export const wordRows: WordIndex = {
  rows: (record, places) => Array.from(places, ([word, place]) => ({ record, word, place })),

  entries: (rows) =>
    rows.map((row) => ({ record: Number(row['record']), word: String(row['word']), place: Number(row['place']) })),

  *prepare(resource, words, counted = 0) {
    const table = quoted(wordTable(resource))
    const [first, ...others] = yield* rarestFirst(table, words)
    if (!first) throw new Error('a search needs a word')
    const rest = all(
      others.map(({ word }) => joined` AND EXISTS (${lookUp(table, word, 'w.record', plain('1'))})`),
      '',
    )
    const each = (columns: string) => entriesOf(table, first.word, columns, joined` AND ${inTime('w.record')}${rest}`)
    const isCounted = counted > 0 && first.count > 0 && others.length > 0
    return {
      count: isCounted ? yield* countRecords(each(RECORD), counted) : first.count,
      find() {
        const found = first.count > MOST_FOUND ? bounded(table, first.word, rest) : undefined
        const rows = found ?? each('record, word, place')
        // Those with the word in their names come first.
        const best = found ? ` ORDER BY min(place), record LIMIT ${MOST_FOUND}` : ''
        return {
          from: joined`(SELECT record, min(${scoreOf(first.word, 'w')}) AS score FROM (${rows}) AS w
            GROUP BY record${best}) AS matched`,
          scores: [plain('matched.score'), ...others.map(({ word }) => bestScore(table, word))],
        }
      },
    }
  },

  holding: (resource, words, atLeast) => ({
    sql: `SELECT record FROM ${quoted(wordTable(resource))} WHERE ${amongTexts('word')} AND ${inTime('record')}
      GROUP BY record HAVING count(*) >= ?`,
    parameters: [texts(words), atLeast],
  }),

  inNames: (resource, words) => ({
    sql: `SELECT record FROM ${quoted(wordTable(resource))} WHERE ${amongTexts('word')} AND place = 0 AND ${inTime('record')}`,
    parameters: [texts(words)],
  }),

  countNamed(resource, [{ word, count }, ...others]) {
    const known = wordRows.inNames(resource, [word])
    const these = wordRows.inNames(resource, others.map(wordOf))
    return joined`SELECT ${{ sql: '?', parameters: [count] }} + count(*) AS number FROM (${these} EXCEPT ${known})`
  },

  countInNames: (resource) =>
    `SELECT word, count(*) AS count FROM ${quoted(wordTable(resource))} WHERE word GLOB '*[a-z*+]*' AND place = 0 GROUP BY word`,

  counts(resources, words, most) {
    const counts = resources.map(
      (resource): Sql => ({
        sql: `SELECT * FROM (SELECT value AS term, (SELECT count(*) FROM (SELECT 1 FROM ${quoted(wordTable(resource))}
          WHERE word = each.value AND ${inTime('record')} LIMIT ${most})) AS count FROM ${sqliteDialect.each} AS each) WHERE count > 0`,
        parameters: [texts(words)],
      }),
    )
    return all(counts, ' UNION ALL ')
  },
}

interface Counted {
  readonly word: SearchedWord
  /** At most one more than a search finds. */
  readonly count: number
}

function* rarestFirst(table: string, words: readonly SearchedWord[]): Work<Counted[]> {
  const counts = words.map((word, i) => {
    const some = firstRecords(entriesOf(table, word, RECORD, plain('')), MOST_FOUND + 1)
    return joined`(SELECT count(*) FROM (${some}) AS probe) AS n${String(i)}`
  })
  const { sql, parameters } = all(counts, ', ')
  const [row] = yield* rareQuery(`SELECT ${sql}`, parameters)
  return words.map((word, i) => ({ word, count: Number(cell(row, `n${i}`)) })).sort((a, b) => a.count - b.count)
}

function* countRecords(entries: Sql, most: number): Work<number> {
  const { sql, parameters } = firstRecords(entries, most)
  const [row] = yield* rareQuery(`SELECT count(*) AS count FROM (${sql}) AS some`, parameters)
  return Number(cell(row, 'count'))
}

function firstRecords(entries: Sql, most: number): Sql {
  return joined`SELECT DISTINCT record FROM (${entries}) AS entries LIMIT ${String(most)}`
}

/**
 * The entries of the word in the index. A part for each way to match: with OR, SQLite would also look up each entry in
 * the table itself, which takes ten times as long, and more if the table is not in memory.
 */
function entriesOf(table: string, word: SearchedWord, columns: string, rest: Sql): Sql {
  return all(
    waysToMatch(word, 'w').map((is) => joined`SELECT ${columns} FROM ${table} AS w WHERE ${is}${rest}`),
    ' UNION ALL ',
  )
}

/**
 * The first records of the word, of its forms and of its synonyms, in the order of the index, those with it in their
 * names before all others. Each part has words of one score.
 */
function bounded(table: string, { typed, begins, forms, synonyms }: SearchedWord, rest: Sql): Sql {
  const others = [forms, synonyms].filter(({ length }) => length > 0).map((words) => isAmong(words, 'w'))
  const ranges = [begins ? range(typed, 'w') : isAmong([typed], 'w'), ...others]
  const parts = ranges.flatMap((is) =>
    ['w.place = 0', 'w.place > 0'].map(
      (where) => joined`SELECT * FROM (SELECT record, min(word) AS word, min(place) AS place FROM (
        SELECT record, word, place FROM ${table} AS w WHERE ${is} AND ${where} AND ${inTime('w.record')}${rest} LIMIT ${String(ROWS_FOUND)}
      ) GROUP BY record LIMIT ${String(MOST_FOUND)})`,
    ),
  )
  return all(parts, ' UNION ALL ')
}

function waysToMatch({ typed, begins, forms, synonyms }: SearchedWord, alias: string): Sql[] {
  const whole = [...(begins ? [] : [typed]), ...forms, ...synonyms]
  return [...(begins ? [range(typed, alias)] : []), ...(whole.length > 0 ? [isAmong(whole, alias)] : [])]
}

function isAmong(words: readonly string[], alias: string): Sql {
  return { sql: `${alias}.word IN (${words.map(() => '?').join(', ')})`, parameters: words }
}

function range(prefix: string, alias: string): Sql {
  return { sql: `${alias}.word >= ? AND ${alias}.word < ?`, parameters: [prefix, prefix + HIGHEST] }
}

/** The word as typed ranks above a longer word, and above another form of it. */
function scoreOf({ typed, synonyms }: SearchedWord, alias: string): Sql {
  const score = { sql: `${alias}.place * 2 + CASE WHEN ${alias}.word = ? THEN 0 ELSE 1 END`, parameters: [typed] }
  if (synonyms.length === 0) return score
  return joined`CASE WHEN ${isAmong(synonyms, alias)} THEN ${String(SYNONYM_SCORE)} ELSE ${score} END`
}

function bestScore(table: string, word: SearchedWord): Sql {
  return joined`(${lookUp(table, word, 't.id', joined`min(${scoreOf(word, 'other')})`)})`
}

/** Of the record's rows with the word. */
function lookUp(table: string, word: SearchedWord, record: string, value: Sql): Sql {
  return joined`SELECT ${value} FROM ${table} AS other WHERE other.record = ${record} AND (${all(waysToMatch(word, 'other'), ' OR ')})`
}
