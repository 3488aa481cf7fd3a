/** Words that have to do with a word, and how: those of an import of WordNet, or the few that come with the server. */
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { insertRows } from './insert-rows.ts'
import { shippedWords } from './shipped-words.ts'

/**
 * How another word relates to a word: its letter in the table, and how close it is, in hundredths. `back` is how the word
 * relates to the other one, if that differs.
 */
export const RELATIONS = {
  same: { letter: 's', weight: 95 },
  family: { letter: 'f', weight: 90 },
  like: { letter: 'l', weight: 75 },
  quality: { letter: 'q', weight: 70 },
  kind: { letter: 'k', weight: 60, back: 'example' },
  part: { letter: 'p', weight: 50 },
  example: { letter: 'e', weight: 45, back: 'kind' },
  told: { letter: 't', weight: 45, back: 'tells' },
  tells: { letter: 'd', weight: 35, back: 'told' },
} as const

export type Relation = keyof typeof RELATIONS

export interface Related {
  readonly word: string
  readonly how: Relation
  /** From 1, for a word that has to do with very many others, to 9. */
  readonly rarity: number
}

export interface RelatedWord {
  readonly word: string
  readonly rarity: number
  readonly others: readonly Related[]
}

/** By their words. */
export type RelatedWordsFound = ReadonlyMap<string, RelatedWord>

export function backOf(how: Relation): Relation {
  const relation = RELATIONS[how]
  return 'back' in relation ? relation.back : how
}

/** The closest first. */
export function relationNames(): Relation[] {
  return [...BY_LETTER.values()].sort((a, b) => RELATIONS[b].weight - RELATIONS[a].weight)
}

const BY_LETTER = new Map<string, Relation>(
  Object.entries(RELATIONS).flatMap(([how, { letter }]) => (isRelation(how) ? [[letter, how]] : [])),
)

function isRelation(how: string): how is Relation {
  return how in RELATIONS
}

const AT_ONCE = 2000

/** A word as the table has it. */
export interface RelatedRow {
  readonly word: string
  readonly others: string
}

/** "4 water:k3 sea:s9": its rarity and its relations. One text for each word takes a fraction of the space of rows. */
export function relatedRow({ word, rarity, others }: RelatedWord): RelatedRow {
  const relations = others.map((other) => `${other.word}:${RELATIONS[other.how].letter}${other.rarity}`)
  return { word, others: [rarity, ...relations].join(' ') }
}

/** Writes all of them again. */
export function* replaceRelatedWords(rows: readonly RelatedRow[]): Work<void> {
  yield* query('DELETE FROM related_word')
  for (let i = 0; i < rows.length; i += AT_ONCE) {
    yield* insertRows(
      'related_word',
      rows.slice(i, i + AT_ONCE).map((row) => ({ ...row })),
    )
  }
}

/** The words of an import, or the few that come with the server. */
export interface RelatedTable {
  readonly isImported: boolean
  /** `among`: relations to other words are left out. */
  of(words: readonly string[], among?: Among): Work<RelatedWordsFound>
}

interface Among {
  has(word: string): boolean
}

export class RelatedWords {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  *open(): Work<RelatedTable> {
    const isImported = (yield* query('SELECT word FROM related_word LIMIT 1')).length > 0
    return { isImported, of: (words, among) => (isImported ? this.#imported(words, among) : shipped(words, among)) }
  }

  *#imported(words: readonly string[], among?: Among): Work<RelatedWordsFound> {
    if (words.length === 0) return new Map()
    const sql = `SELECT word, others FROM related_word WHERE ${this.#dialect.amongTexts('word')}`
    const rows = yield* query(sql, this.#dialect.texts([...new Set(words)]))
    return found(
      rows.map((row) => [String(row['word']), String(row['others'])]),
      among,
    )
  }
}

/** It needs no query, and is used like the one that does. */
function* shipped(words: readonly string[], among?: Among): Work<RelatedWordsFound> {
  const known = shippedWords()
  const rows = [...new Set(words)].map((word) => [word, known.get(word) ?? ''] as const)
  return found(
    rows.filter(([, others]) => others !== ''),
    among,
  )
}

function found(rows: readonly (readonly [word: string, others: string])[], among?: Among): RelatedWordsFound {
  return new Map(rows.map(([word, others]) => [word, read(word, others, among)]))
}

/** Each relation ends with a colon, a letter and a digit. Splitting the row would leave twice as much garbage behind. */
function read(word: string, row: string, among?: Among): RelatedWord {
  const others: Related[] = []
  const first = endOfPart(row, 0)
  for (let end = first; end < row.length; ) {
    const start = end + 1
    end = endOfPart(row, start)
    const how = BY_LETTER.get(row.charAt(end - 2))
    const other = row.slice(start, end - 3)
    if (how && (!among || among.has(other))) others.push({ word: other, how, rarity: Number(row.charAt(end - 1)) })
  }
  return { word, rarity: Number(row.slice(0, first)), others }
}

function endOfPart(row: string, start: number): number {
  const end = row.indexOf(' ', start)
  return end < 0 ? row.length : end
}
