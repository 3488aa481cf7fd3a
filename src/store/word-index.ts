/** How the words of records are stored and looked up: each database has its own way, and both give the same answers. */
import type { AnyResource, Row } from '../declare/index.ts'
import type { Work } from './database.ts'
import type { Sql } from './sql.ts'

/** A word of a query. */
export interface SearchedWord {
  readonly typed: string
  /** A word that may be incomplete also matches all words that begin with it. */
  readonly begins: boolean
  /** A record with one of them matches too. */
  readonly forms: readonly string[]
  /** The same, but such a record comes after all others. */
  readonly synonyms: readonly string[]
}

/** A word of names, and how many records have it there. */
export interface NameWord {
  readonly word: string
  readonly count: number
}

/** The records that have all words of a query, as `matched`, and for each word how good the match is; 0 is best. */
export interface Matched {
  readonly from: Sql
  readonly scores: readonly Sql[]
}

export interface PreparedSearch {
  /** How many records have all words, counted at least up to the limit that was asked for. */
  readonly count: number
  /** At most `MOST_FOUND` of them. */
  find(): Matched
}

export interface WordIndex {
  /**
   * The rows of a record, from its words and the best place of each: 0 for the name, 1 for the subject area, 2 for a
   * term, 3 for other text.
   */
  rows(record: number, places: ReadonlyMap<string, number>): Row[]
  /** The opposite: the words in some rows. */
  entries(rows: readonly Row[]): { readonly record: number; readonly word: string; readonly place: number }[]
  /** Looks how common the words are. `counted` is how far matches are counted; by default they need not be. */
  prepare(resource: AnyResource, words: readonly SearchedWord[], counted?: number): Work<PreparedSearch>
  /** Selects `record` of the records with at least this many of the words. */
  holding(resource: AnyResource, words: readonly string[], atLeast: number): Sql
  /** Selects `record` of the records with one of the words in their names; a record with several may come several times. */
  inNames(resource: AnyResource, words: readonly string[]): Sql
  /** Selects the `number` of these records. It is known how many have the most frequent word, which comes first. */
  countNamed(resource: AnyResource, words: readonly [NameWord, ...NameWord[]]): Sql
  /** Selects `word` and `count` of all words that names are looked up by parts of, with the number of records. */
  countInNames(resource: AnyResource): string
  /**
   * Selects those of the words that records have, as `term`, with the number of records, up to `most`, as `count`: a row for
   * each resource.
   */
  counts(resources: readonly AnyResource[], words: readonly string[], most: number): Sql
}

export function wordOf({ word }: NameWord): string {
  return word
}

/** If more records match a search, it finds this many of them, and those with the words in their names come first. */
export const MOST_FOUND = 2_000

/** How many places there are. */
export const PLACES = 4
/** The score of a match by a synonym. In each place, a word as typed has an even score, and another form an odd one. */
export const SYNONYM_SCORE = 2 * PLACES
