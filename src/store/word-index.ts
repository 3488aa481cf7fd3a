/** How the words of records are stored and looked up: each database has its own way, and both give the same answers. */
import type { AnyResource, Row } from '../declare/index.ts'
import type { Work } from './database.ts'
import type { Sql } from './sql.ts'

/** A word of a query. */
export interface SearchedWord {
  readonly typed: string
  /** A word that may be incomplete also matches all words that begin with it. */
  readonly begins: boolean
  readonly forms: readonly string[]
}

/** The records that have all words of a query, as `matched`, and for each word how good the match is; 0 is best. */
export interface Matched {
  readonly from: Sql
  readonly scores: readonly Sql[]
}

export interface WordIndex {
  /** The rows of a record, from its words and the best place of each: 0 for the name, 1 for a term, 2 for other text. */
  rows(record: number, places: ReadonlyMap<string, number>): Row[]
  /** The opposite: the words in some rows. */
  entries(rows: readonly Row[]): { readonly record: number; readonly word: string; readonly place: number }[]
  /** Finds at most `MOST_FOUND` records. */
  find(resource: AnyResource, words: readonly SearchedWord[]): Work<Matched>
  /** Selects `record` of the records with at least this many of the words. */
  holding(resource: AnyResource, words: readonly string[], atLeast: number): Sql
  /** Selects those of the words that records have, as `term`, with the number of records, as `count`. */
  counts(resource: AnyResource, words: readonly string[]): Sql
}

/** If more records match a search, it finds this many of them, and those with the words in their names come first. */
export const MOST_FOUND = 5_000
