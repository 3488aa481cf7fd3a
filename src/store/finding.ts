/** The search data of records: folded copies, words and terms, rebuilt with every change. */
import { type AnyResource, type Cell, fieldsOf, type Row, type SearchText } from '../declare/index.ts'
import { execute, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { insertLater } from './insert-rows.ts'
import { foldColumn, hasTerms, NAME_WORDS, searches, termTable, wordTable } from './schema.ts'
import type { WordIndex } from './word-index.ts'
import { wordRows } from './word-rows.ts'
import { wordVectors } from './word-vectors.ts'
import { foldCase, isTerm, phraseOf, termOf, wordsInside } from './words.ts'

interface Values {
  readonly [key: string]: any
}

/** A name ranks above a term, and a term above other text. */
const PLACES = { name: 0, term: 1, text: 2 } as const
/** Longer ones are found by their words. */
const LONGEST_TERM = 200
const LONGEST_NAME = 200

/** The search columns of a record, from its row. */
export function findingCells(
  resource: AnyResource,
  values: Values,
  row: Readonly<Record<string, Cell>>,
): Record<string, Cell> {
  const cells: Record<string, Cell> = {}
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in !== 'columns') continue
    for (const { name, folded } of storage.columns) {
      if (folded) cells[foldColumn(name)] = foldCase(String(row[name]))
    }
  }
  if (searches(resource)) cells[NAME_WORDS] = nameWords(searchedTexts(resource, values))
  return cells
}

/** Writes the words and terms of a record that has none yet. */
export function* insertFinding(dialect: Dialect, resource: AnyResource, id: number, values: Values): Work<void> {
  const { words, terms } = findingRows(dialect, resource, id, values)
  yield* insertLater(wordTable(resource), words)
  yield* insertLater(termTable(resource), terms)
}

export interface FindingRows {
  readonly words: readonly Row[]
  readonly terms: readonly Row[]
}

/** The same rows, for callers that insert many records at once. */
export function findingRows(dialect: Dialect, resource: AnyResource, id: number, values: Values): FindingRows {
  if (!searches(resource)) return { words: [], terms: [] }
  const texts = searchedTexts(resource, values)
  return {
    words: wordIndexOf(dialect).rows(id, placesOfWords(texts)),
    terms: hasTerms(resource) ? termsOf(texts).map(([member, term]) => ({ record: id, member, term })) : [],
  }
}

/** Writes them again, unless the texts that they come from are as they were. */
export function* replaceFinding(
  dialect: Dialect,
  resource: AnyResource,
  id: number,
  { before, after }: { readonly before: Values; readonly after: Values },
): Work<void> {
  if (!searches(resource)) return
  const [old, texts] = [before, after].map((values) => JSON.stringify(searchedTexts(resource, values)))
  if (old === texts) return
  yield* deleteFinding(dialect, resource, [id])
  yield* insertFinding(dialect, resource, id, after)
}

export function* deleteFinding(dialect: Dialect, resource: AnyResource, ids: readonly number[]): Work<void> {
  for (const table of findingTables(resource)) {
    yield* execute(`DELETE FROM ${quoted(table)} WHERE ${dialect.among('record')}`, [dialect.ids(ids)])
  }
}

/** The names of the tables with the words and the terms of records. */
export function findingTables(resource: AnyResource): string[] {
  return [...(searches(resource) ? [wordTable(resource)] : []), ...(hasTerms(resource) ? [termTable(resource)] : [])]
}

export function wordIndexOf({ hasVectors }: Dialect): WordIndex {
  return hasVectors ? wordVectors : wordRows
}

function searchedTexts(resource: AnyResource, values: Values): SearchText[] {
  return fieldsOf(resource).flatMap(([key, field]) => field.searched(values[key], key))
}

/** A record without a name uses its beginning. */
function nameWords(texts: readonly SearchText[]): string {
  const called = texts.find(({ as }) => as === 'name') ?? texts[0]
  const words = phraseOf(called?.text ?? '')
  return words.length <= LONGEST_NAME ? words : [...words].slice(0, LONGEST_NAME).join('')
}

/** Each word once, with the best place where it occurs. */
function placesOfWords(texts: readonly SearchText[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const { as, text } of texts) {
    for (const word of wordsInside(text)) places.set(word, Math.min(PLACES[as], places.get(word) ?? PLACES[as]))
  }
  return places
}

function termsOf(texts: readonly SearchText[]): [member: string, term: string][] {
  return texts
    .filter(({ as, text }) => as !== 'text' && text.length <= LONGEST_TERM)
    .map(({ member, text }): [string, string] => [member, termOf(text)])
    .filter(([, term]) => isTerm(term))
}
