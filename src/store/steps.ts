/**
 * Numbered steps, for what declarations cannot say, such as renaming or splitting a field. A step is frozen when it is
 * released. It uses the names and shapes that it was written for, and never sees the catalogue, which changes later. It
 * runs before the tables follow the declarations (sync.ts). A new database needs none of them.
 */
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'

export interface Step {
  readonly number: number
  readonly title: string
  /** Missing if the number only says that older programs can no longer use the tables. */
  run?(dialect: Dialect): Work<void>
}

/** Step 1 creates all tables. What the others add follows from the declarations. */
export const STEPS: readonly Step[] = [
  { number: 2, title: 'Words, terms and folded copies to find records by' },
  { number: 3, title: 'Generations, blocks to find the n-th record by, and records as they are shown' },
  { number: 4, title: 'What the tables were last brought in line with' },
  { number: 5, title: 'The log of changes, and hooks' },
  { number: 6, title: 'Smaller tables of words and terms, and counters of values', run: dropWordsAndTerms },
  { number: 7, title: 'Words of areas and realms, owners, and synonyms', run: dropWords },
  { number: 8, title: 'Recovery codes, mail addresses, and sessions that say when and where they were used' },
  { number: 9, title: 'Reports, hidden records, and blocked accounts' },
  { number: 10, title: 'Judgements whether texts read well with topics, and related words' },
  { number: 11, title: 'Rounds of games' },
  { number: 12, title: 'Boards of the day, what players did with them, and what people have contributed' },
]

/** Places have other numbers. The tables are built again from the records, which is faster than changing every row. */
function* dropWords(dialect: Dialect): Work<void> {
  const tables = Map.groupBy(yield* query(dialect.columns), (row) => String(row['table']))
  for (const [table, columns] of tables) {
    const names = columns.map((row) => String(row['name'])).sort()
    const isWords = names.join() === 'place,record,word' || names.join() === 'record,words'
    if (table.endsWith('_words') && isWords) yield* query(`DROP TABLE ${quoted(table)}`)
  }
}

/** They had foreign keys, which only a new table is without. They are built again from the records. */
function* dropWordsAndTerms(dialect: Dialect): Work<void> {
  const tables = Map.groupBy(yield* query(dialect.columns), (row) => String(row['table']))
  for (const [table, columns] of tables) {
    const names = columns
      .map((row) => row['name'])
      .sort()
      .join()
    const isWords = table.endsWith('_words') && names === 'place,record,word'
    const isTerms = table.endsWith('_terms') && names === 'member,record,term'
    if (isWords || isTerms) yield* query(`DROP TABLE ${quoted(table)}`)
  }
}
