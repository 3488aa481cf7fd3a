/** Values of members that are what a search looks for, such as an area or an author. */
import type { AnyResource } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { generationOf, type Moment } from './generations.ts'
import { knownTexts } from './known-texts.ts'
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

/** A value of a column, with its words between spaces. */
interface Label {
  readonly value: string
  readonly count: number
  readonly words: string
}

/** Undefined if a column has too many different values. */
type Labels = readonly Label[] | undefined

export class FoundValues {
  readonly #dialect: Dialect
  readonly #language: SearchLanguage
  /** By resource and column, with the generation of the resource in which they were read. */
  readonly #labels = new Map<string, { readonly generation: number; readonly labels: Labels }>()

  constructor(dialect: Dialect, language: SearchLanguage) {
    this.#dialect = dialect
    this.#language = language
  }

  /**
   * The values of text columns that have all words, and how many records have each. If a column has many different
   * values, only those of the records that a search finds.
   */
  *of(places: readonly Labelled[], text: string, moment: Moment): Work<FoundValue[]> {
    const hasWords = this.#matcherOf(text)
    if (!hasWords) return []
    const found: FoundValue[] = []
    const searched: Labelled[] = []
    for (const { resource, columns } of places) {
      const left: string[] = []
      for (const member of columns) {
        const labels = yield* this.#labelsOf(resource, member, moment)
        if (!labels) left.push(member)
        for (const { value, count, words } of labels ?? []) {
          if (hasWords(words)) found.push({ resource: resource.name, member, value, count })
        }
      }
      if (left.length > 0) searched.push({ resource, columns: left })
    }
    return searched.length === 0 ? found : [...found, ...(yield* this.#search(searched, text, hasWords))]
  }

  *#labelsOf(resource: AnyResource, column: string, moment: Moment): Work<Labels> {
    const [key, generation] = [`${resource.name} ${column}`, generationOf(moment, resource.name).number]
    const known = this.#labels.get(key)
    if (known?.generation === generation) return known.labels
    const texts = yield* knownTexts(this.#dialect, resource, { name: column })
    const labels = texts?.map(({ value, count }) => ({ value, count, words: spaced(wordsOf(value)) }))
    this.#labels.set(key, { generation, labels })
    return labels
  }

  *#search(places: readonly Labelled[], text: string, hasWords: (words: string) => boolean): Work<FoundValue[]> {
    const others = yield* otherWords(this.#language, text)
    const found: FoundValue[] = []
    for (const labelled of places) found.push(...(yield* this.#in(labelled, text, others)))
    return found.filter(({ value }) => hasWords(spaced(wordsOf(value))))
  }

  *#in({ resource, columns }: Labelled, text: string, others: OtherWords): Work<FoundValue[]> {
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

  /** Whether a value has the words that are looked for. Undefined if the text has no word. */
  #matcherOf(text: string): ((words: string) => boolean) | undefined {
    const words = wordsOf(text)
    const telling = words.filter((word) => this.#language.ignoredFrom(word) === undefined)
    const looked = searchedWords(this.#language, telling.length > 0 ? telling : words)
    if (looked.length === 0) return undefined
    const ways = looked.map(({ typed, begins, forms }) => [
      begins ? ` ${typed}` : spaced([typed]),
      ...forms.map((form) => spaced([form])),
    ])
    return (there) => ways.every((each) => each.some((way) => there.includes(way)))
  }
}

function spaced(words: readonly string[]): string {
  return ` ${words.join(' ')} `
}
