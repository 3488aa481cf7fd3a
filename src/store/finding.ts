/** The search data of records: folded copies, words and terms, rebuilt with every change. */
import { type AnyResource, type Cell, fieldsOf, keyStoredIn, type Row, type SearchText } from '../declare/index.ts'
import { execute, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { insertLater } from './insert-rows.ts'
import { foldColumn, hasTerms, NAME_WORDS, searches, termTable, wordTable } from './schema.ts'
import type { WordIndex } from './word-index.ts'
import { wordRows } from './word-rows.ts'
import { wordVectors } from './word-vectors.ts'
import { foldCase, phraseOf, storedTerm, wordsInName, wordsInside } from './words.ts'

interface Values {
  readonly [key: string]: any
}

/**
 * How good a match in each is. An area of one word ranks above terms: a user who looks for music wants everything of
 * that area. Words of a longer area are like other text.
 */
const PLACES = { name: 0, area: 1, term: 2, text: 3 } as const
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

/** Whose words and terms they are: the record, and the account that owns it. */
export interface Owned {
  readonly id: number
  readonly owner: number
}

export function ownedBy(row: Row): Owned {
  return { id: Number(row['id']), owner: Number(row['owner']) }
}

/**
 * In place of a word: everything of this owner. The name itself is not stored, because people change their names. No
 * word begins like this.
 */
export function ownerWord(account: number): string {
  return `@${account}`
}

/** Writes the words and terms of a record that has none yet. */
export function* insertFinding(dialect: Dialect, resource: AnyResource, record: Owned, values: Values): Work<void> {
  const { words, terms } = findingRows(dialect, resource, record, values)
  yield* insertLater(wordTable(resource), words)
  yield* insertLater(termTable(resource), terms)
}

export interface FindingRows {
  readonly words: readonly Row[]
  readonly terms: readonly Row[]
}

/** The same rows, for callers that insert many records at once. */
export function findingRows(dialect: Dialect, resource: AnyResource, record: Owned, values: Values): FindingRows {
  if (!searches(resource)) return { words: [], terms: [] }
  const texts = searchedTexts(resource, values)
  const { id, owner } = record
  const places = placesOfWords(texts)
  // Records of some resources do not show who owns them.
  if (keyStoredIn(resource, 'owner') !== undefined) places.set(ownerWord(owner), PLACES.text)
  return {
    words: wordIndexOf(dialect).rows(id, places),
    terms: hasTerms(resource) ? termsOf(texts).map(([member, term]) => ({ record: id, member, term })) : [],
  }
}

interface Version {
  readonly owner: number
  readonly values: Values
}

/** Writes them again, unless the texts that they come from are as they were. */
export function* replaceFinding(
  dialect: Dialect,
  resource: AnyResource,
  id: number,
  { before, after }: { readonly before: Version; readonly after: Version },
): Work<void> {
  if (!searches(resource)) return
  const [old, texts] = [before, after].map(({ values, owner }) =>
    JSON.stringify([owner, ...searchedTexts(resource, values)]),
  )
  if (old === texts) return
  yield* deleteFinding(dialect, resource, [id])
  yield* insertFinding(dialect, resource, { id, owner: after.owner }, after.values)
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
  const called = texts.find(({ as }) => as === 'name') ?? texts.find(({ as }) => as === 'text')
  const words = phraseOf(called?.text ?? '')
  return words.length <= LONGEST_NAME ? words : [...words].slice(0, LONGEST_NAME).join('')
}

/** Each word once, with the best place where it occurs. */
function placesOfWords(texts: readonly SearchText[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const { as, text } of texts) {
    const words = as === 'name' ? wordsInName(text) : wordsInside(text)
    const place = PLACES[as === 'area' && words.length > 1 ? 'text' : as]
    for (const word of words) places.set(word, Math.min(place, places.get(word) ?? place))
  }
  return places
}

function termsOf(texts: readonly SearchText[]): [member: string, term: string][] {
  return texts.flatMap(({ as, member, text }): [string, string][] => {
    const term = as === 'name' || as === 'term' ? storedTerm(text) : undefined
    return term === undefined ? [] : [[member, term]]
  })
}
