/** Values of members that are what a search looks for, such as an area or an author. */
import type { AnyResource } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { narrowed } from './narrow.ts'
import { type OtherWords, otherWords, type SearchLanguage, searchedWords } from './search.ts'
import { wordsOf } from './words.ts'

/** A resource, and columns whose values many records share. */
interface Labelled {
  readonly resource: AnyResource
  readonly columns: readonly string[]
}

export interface FoundValue {
  /** The name of the resource. */
  readonly resource: string
  /** The column. */
  readonly member: string
  readonly value: string
  readonly count: number
}

export class FoundValues {
  readonly #dialect: Dialect
  readonly #language: SearchLanguage

  constructor(dialect: Dialect, language: SearchLanguage) {
    this.#dialect = dialect
    this.#language = language
  }

  /** Of the records that a search finds: the values of text columns that have all words, and how many records have each. */
  *of(places: readonly Labelled[], text: string): Work<FoundValue[]> {
    const hasWords = this.#matcherOf(text)
    if (!hasWords) return []
    const others = yield* otherWords(this.#language, text)
    const found: FoundValue[] = []
    for (const labelled of places) found.push(...(yield* this.#in(labelled, text, others)))
    return found.filter(({ value }) => hasWords(value))
  }

  *#in({ resource, columns }: Labelled, text: string, others: OtherWords): Work<FoundValue[]> {
    if (columns.length === 0) return []
    const search = { conditions: [], search: text }
    const options = { language: this.#language, others }
    const { from, where, parameters, isEmpty } = yield* narrowed(this.#dialect, resource, search, options)
    if (isEmpty) return []
    const values = columns.map((column) => `t.${quoted(column)}`).join(', ')
    const rows = yield* rareQuery(
      `SELECT ${values}, count(*) AS count FROM ${from} WHERE ${where} GROUP BY ${values}`,
      parameters,
    )
    return columns.flatMap((member) => {
      const counts = new Map<string, number>()
      for (const row of rows) {
        const value = String(row[member])
        counts.set(value, (counts.get(value) ?? 0) + Number(row['count']))
      }
      return Array.from(counts, ([value, count]) => ({ resource: resource.name, member, value, count }))
    })
  }

  /** Undefined if the text has no word. */
  #matcherOf(text: string): ((value: string) => boolean) | undefined {
    const words = wordsOf(text)
    const telling = words.filter((word) => this.#language.ignoredFrom(word) === undefined)
    const looked = searchedWords(this.#language, telling.length > 0 ? telling : words)
    if (looked.length === 0) return undefined
    return (value) => {
      const there = wordsOf(value)
      return looked.every(({ typed, begins, forms }) =>
        there.some((word) => (begins ? word.startsWith(typed) : word === typed) || forms.includes(word)),
      )
    }
  }
}
