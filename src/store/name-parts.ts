/**
 * Which names contain a text. The counters know the words of names: those with the text are few, and lead to the records.
 */
import type { AnyResource } from '../declare/index.ts'
import { cell, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { NAME_WORDS_COUNTED, nameMember } from './facet-members.ts'
import { wordIndexOf } from './finding.ts'
import type { Condition } from './narrow.ts'
import { facetTable, foldColumn } from './schema.ts'
import { joined, type Sql } from './sql.ts'
import { type NameWord, wordOf } from './word-index.ts'
import { foldCase, longestPart, OTHER_PART, OTHER_SPELLING } from './words.ts'

/** With more words, all names are read. */
const MOST_WORDS = 200
/** Of more records, reading all names takes no longer. */
const MOST_LOOKED_UP = 10_000
/** The same if they are only counted. How many have the most frequent word is known. */
const MOST_COUNTED = 30_000

/** For one question: the counters are read once for each part of a name. */
export class NameParts {
  readonly #dialect: Dialect
  readonly #resource: AnyResource
  readonly #known = new Map<string, readonly NameWord[] | undefined>()

  constructor(dialect: Dialect, resource: AnyResource) {
    this.#dialect = dialect
    this.#resource = resource
  }

  /** What `count` is not above; undefined if that is not known. */
  *atMost(condition: Condition): Work<number | undefined> {
    const words = yield* this.#wordsOf(condition)
    return words && sumOf(words)
  }

  /** The records with a word that each name with the text has. Undefined if that is not known, or if they are too many. */
  *records(condition: Condition): Work<number[] | undefined> {
    const words = yield* this.#wordsOf(condition)
    if (!words || sumOf(words) > MOST_LOOKED_UP) return undefined
    if (words.length === 0) return []
    const { sql, parameters } = wordIndexOf(this.#dialect).inNames(this.#resource, words.map(wordOf))
    return [...new Set((yield* rareQuery(sql, parameters)).map((row) => Number(row['record'])))]
  }

  /**
   * How many names contain the text: those with one of its words, but names that are written otherwise than their words
   * are compared. Undefined if that is not known, or if they are too many.
   */
  *count(condition: Condition): Work<number | undefined> {
    const text = this.#textOf(condition)
    // What is more than a part of a word is not in each name with its words.
    const words = longestPart(text) === text ? yield* this.#wordsWith(text) : undefined
    if (!words) return undefined
    const [most, ...others] = words
    if (!most) return 0
    const marks = words.filter(({ word }) => word === OTHER_PART || word === OTHER_SPELLING)
    if (others.length === 0 && marks.length === 0) return most.count
    if (sumOf(others) > MOST_COUNTED || sumOf(marks) > MOST_LOOKED_UP) return undefined
    const index = wordIndexOf(this.#dialect)
    const count = yield* numberOf(index.countNamed(this.#resource, [most, ...others]))
    if (marks.length === 0) return count
    const compared = index.inNames(this.#resource, marks.map(wordOf))
    const contains = this.#dialect.holds(`t.${quoted(foldColumn(condition.key))}`)
    const without = yield* numberOf(
      joined`SELECT count(*) AS number FROM ${quoted(this.#resource.name)} AS t
        WHERE t.id IN (${compared}) AND NOT ${{ sql: contains, parameters: [text] }}`,
    )
    return count - without
  }

  /** One of which each name with the text has. */
  *#wordsOf(condition: Condition): Work<readonly NameWord[] | undefined> {
    const part = longestPart(this.#textOf(condition))
    const words = part === undefined ? undefined : yield* this.#wordsWith(part)
    return words?.filter(({ word }) => word !== OTHER_SPELLING)
  }

  /** Folded; empty if the condition is another one. */
  #textOf({ key, lookup, values }: Condition): string {
    return lookup === 'icontains' && nameMember(this.#resource) === key ? foldCase(String(values[0] ?? '')) : ''
  }

  /** The most frequent first, with the marks of names that their words say too little of. */
  *#wordsWith(part: string): Work<readonly NameWord[] | undefined> {
    if (!this.#known.has(part)) {
      const rows = yield* rareQuery(
        `SELECT value, count FROM ${quoted(facetTable(this.#resource))} WHERE given = '' AND member = '${NAME_WORDS_COUNTED}'
         AND given_value = '' AND ${this.#dialect.inTimeOf('value')}
         AND (${this.#dialect.holds('value')} OR value IN ('${OTHER_PART}', '${OTHER_SPELLING}')) LIMIT ?`,
        [part, MOST_WORDS + 1],
      )
      const words = rows.map(({ value, count }) => ({ word: String(value), count: Number(count) }))
      const isKnown = words.length <= MOST_WORDS
      this.#known.set(part, isKnown ? words.sort((a, b) => b.count - a.count) : undefined)
    }
    return this.#known.get(part)
  }
}

function sumOf(words: readonly NameWord[]): number {
  return words.reduce((sum, { count }) => sum + count, 0)
}

function* numberOf({ sql, parameters }: Sql): Work<number> {
  const [row] = yield* rareQuery(sql, parameters)
  return Number(cell(row, 'number'))
}
