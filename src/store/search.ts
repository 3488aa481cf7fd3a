/** The SQL of a search: which records have all its words, and how good each match is. */
import type { AnyResource, Cell } from '../declare/index.ts'
import { rareQuery, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { ownerWord, wordIndexOf } from './finding.ts'
import { NAME_WORDS } from './schema.ts'
import { SYNONYM } from './service-tables.ts'
import type { Sql } from './sql.ts'
import { MOST_FOUND, type PreparedSearch, type SearchedWord } from './word-index.ts'
import { pluralsOf, wordsOf } from './words.ts'

/** What a search knows of the language in which people search. */
export interface SearchLanguage {
  /** Other forms and spellings of a word. */
  formsOf(word: string): readonly string[]
  /** If no record has all words, some are ignored: from which attempt on this one is. The first one has all words. */
  ignoredFrom(word: string): number | undefined
}

/** For catalogues in any language. */
export const NO_LANGUAGE: SearchLanguage = { formsOf: () => [], ignoredFrom: () => undefined }

export interface Matches {
  /** The records that have all words, as `matched`. */
  readonly from: Sql
  /** They are the rows `t`. */
  readonly where: string
  /** How good a match is; 0 is best. */
  readonly rank: Sql
  /** Whether it is known that no record matches. */
  readonly isEmpty: boolean
}

export interface Searching {
  readonly dialect: Dialect
  readonly language: SearchLanguage
  /** What other words the text stands for, if that was read before. */
  readonly others?: OtherWords | undefined
}

/** If fewer records match, those with synonyms follow. */
const FEW = 10
/** The first forms of a word are those it is a form of. */
const FORMS_WITH_SYNONYMS = 2

/** Undefined if the text has no word, so that nothing can be found. */
export function* matchesOf(searching: Searching, resource: AnyResource, text: string): Work<Matches | undefined> {
  const words = wordsOf(text)
  if (words.length === 0) return undefined
  const others = searching.others ?? (yield* otherWords(searching.language, text))
  const { search, phrase } = yield* bestSearch(searching, resource, words, others)
  const { from, scores } = search.find()
  return {
    from,
    where: 't.id = matched.record',
    rank: rankOf(searching.dialect, phrase, scores),
    isEmpty: search.count === 0,
  }
}

export interface OtherWords {
  /** The owners that a word names, as words. */
  readonly owners: ReadonlyMap<string, readonly string[]>
  readonly synonyms: ReadonlyMap<string, readonly string[]>
}

interface Best {
  readonly search: PreparedSearch
  /** The words that it looks for. */
  readonly phrase: string
}

/** With all words; if no record has them, without those that can be ignored; if there are few, with synonyms too. */
function* bestSearch(
  { dialect, language }: Searching,
  resource: AnyResource,
  words: readonly string[],
  { owners, synonyms }: OtherWords,
): Work<Best> {
  const index = wordIndexOf(dialect)
  const attempts = attemptsOf(language, words)
  const counted = synonyms.size > 0 ? FEW : attempts.length > 1 ? 1 : 0
  let [used = words, ...others] = attempts
  let search = yield* index.prepare(resource, searchedWords(language, used, owners), counted)
  for (; search.count === 0 && others[0]; others = others.slice(1)) {
    used = others[0]
    search = yield* index.prepare(resource, searchedWords(language, used, owners), counted)
  }
  if (synonyms.size > 0 && search.count < FEW) {
    const wider = yield* index.prepare(resource, searchedWords(language, used, owners, synonyms), MOST_FOUND + 1)
    // With more, the few better matches could be among those that are left out.
    if (search.count === 0 || wider.count <= MOST_FOUND) search = wider
  }
  return { search, phrase: used.join(' ') }
}

/** All words, then fewer and fewer, but at least one. */
function attemptsOf(language: SearchLanguage, words: readonly string[]): (readonly string[])[] {
  const from = words.map((word) => language.ignoredFrom(word) ?? Number.POSITIVE_INFINITY)
  const steps = [...new Set(from)].filter(Number.isFinite).sort()
  const fewer = steps.map((step) => words.filter((_, i) => (from[i] ?? step) > step))
  return [words, ...fewer.filter(({ length }) => length > 0)]
}

/** Each word once; the last one as a prefix. */
export function searchedWords(
  language: SearchLanguage,
  given: readonly string[],
  owners: OtherWords['owners'] = new Map(),
  synonyms: OtherWords['synonyms'] = new Map(),
): SearchedWord[] {
  const last = given.at(-1)
  return [...new Set(given.slice(0, -1)), ...(last === undefined ? [] : [last])].map((typed, i, all) => {
    const begins = i === all.length - 1
    const isNew = (word: string) => (begins ? !word.startsWith(typed) : word !== typed)
    const forms = new Set([...pluralsOf(typed), ...language.formsOf(typed), ...(owners.get(typed) ?? [])].filter(isNew))
    const alike = (synonyms.get(typed) ?? []).filter((word) => isNew(word) && !forms.has(word))
    return { typed, begins, forms: [...forms], synonyms: alike }
  })
}

/** The accounts that words name, and the synonyms of words, in one statement. */
export function* otherWords(language: SearchLanguage, text: string): Work<OtherWords> {
  const names = Map.groupBy(text.split(/\s+/), accountKey)
  const byForm = Map.groupBy(
    wordsOf(text).flatMap((word) =>
      [word, ...language.formsOf(word).slice(0, FORMS_WITH_SYNONYMS)].map((form) => ({ word, form })),
    ),
    ({ form }) => form,
  )
  const among = (values: Iterable<string>) => Array.from(values, () => '?').join(', ')
  const rows = yield* rareQuery(
    `SELECT 0 AS synonym, name_key AS word, CAST(id AS TEXT) AS other FROM account WHERE name_key IN (${among(names.keys())})
     UNION ALL SELECT 1, word, other FROM ${SYNONYM.name} WHERE word IN (${among(byForm.keys())})`,
    [...names.keys(), ...byForm.keys()],
  )
  const [owners, synonyms] = [new Map<string, string[]>(), new Map<string, string[]>()]
  const add = (to: Map<string, string[]>, word: string, other: string) => to.set(word, [...(to.get(word) ?? []), other])
  for (const row of rows) {
    const [found, other] = [String(row['word']), String(row['other'])]
    if (Number(row['synonym']) === 1) for (const { word } of byForm.get(found) ?? []) add(synonyms, word, other)
    // A name may have several words, such as mary-ann.
    else for (const word of (names.get(found) ?? []).flatMap(wordsOf)) add(owners, word, ownerWord(Number(other)))
  }
  return { owners, synonyms }
}

/** As names of accounts are compared. */
function accountKey(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

/** A match is as good as its worst word. */
function rankOf(dialect: Dialect, phrase: string, scores: readonly Sql[]): Sql {
  const worst = dialect.largest(scores.map(({ sql }) => sql))
  const phrases: Cell[] = [phrase, phrase, phrase]
  return {
    sql: `CASE WHEN t.${NAME_WORDS} = CAST(? AS TEXT) THEN 0
      WHEN substr(t.${NAME_WORDS}, 1, length(CAST(? AS TEXT))) = CAST(? AS TEXT) THEN 1
      ELSE 2 + ${worst} END`,
    parameters: [...phrases, ...scores.flatMap(({ parameters }) => parameters)],
  }
}
