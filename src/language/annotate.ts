/**
 * Annotating: words of a body that are forms of the given quadranyms' terms become tokens. Every token is spun at once
 * in its place; a word that would not come back as it was stays text. So spinning with the same quadranyms gives back
 * the body byte for byte.
 */
import { withArticle } from './article.ts'
import { type Case, casesOf } from './capitals.ts'
import { type Reading, readingsOf, type TaggedQuadranym } from './match.ts'
import { type Piece, type Slot, type Token, tokens, write } from './qode.ts'
import { wordOf } from './spin.ts'
import { tag } from './tagger.ts'
import { isWord, splitWords, type Word } from './words.ts'

export interface AnnotatedToken {
  /** The word in the body, and where it stands. */
  readonly word: string
  readonly at: number
  readonly index: number
  readonly slot: Slot
  readonly tag: string
}

export interface Annotation {
  /** Empty when no word matched. */
  readonly qode: string
  readonly tokens: readonly AnnotatedToken[]
  /** Places, in the list given, of the quadranyms with exactly one word, with more, and with none. */
  readonly q1: readonly number[]
  readonly q2: readonly number[]
  readonly unmatched: readonly number[]
}

/** A word that is to become a token. */
interface Match {
  readonly word: Word
  readonly reading: Reading
  readonly tag: string
  capital: boolean
}

export function annotate(body: string, quadranyms: readonly TaggedQuadranym[]): Annotation {
  // What already holds a token must not be read twice.
  const matches = tokens(body, { untagged: true }).length > 0 ? [] : findMatches(body, quadranyms)
  const kept = verified(body, matches, quadranyms)
  const words = quadranyms.map(() => 0)
  for (const { reading } of kept) words[reading.place]!++
  const placesWith = (fits: (words: number) => boolean) => [...quadranyms.keys()].filter((place) => fits(words[place]!))
  const q2 = placesWith((words) => words > 1)
  const q1 = placesWith((words) => words === 1)
  const indexes = new Map([...q2, ...q1].map((place, i) => [place, i + 1]))
  const indexOf = ({ reading }: Match) => indexes.get(reading.place)!
  return {
    qode: kept.length === 0 ? '' : write(piecesOf(body, kept, indexOf)),
    tokens: kept.map((match) => {
      const { word, reading, tag } = match
      return { word: word.text, at: word.at, index: indexOf(match), slot: reading.slot, tag }
    }),
    q1,
    q2,
    unmatched: placesWith((words) => words === 0),
  }
}

function findMatches(body: string, quadranyms: readonly TaggedQuadranym[]): Match[] {
  const readings = readingsOf(quadranyms)
  const words = splitWords(body)
  const matches: Match[] = []
  for (const sentence of sentencesOf(words)) {
    const found = new Map<number, Reading>()
    sentence.forEach((word, i) => {
      // The first of the quadranyms, and of n e r o s.
      const [reading] = standsAlone(body, word) ? (readings.get(word.text.toLowerCase()) ?? []) : []
      if (reading) found.set(i, reading)
    })
    if (found.size === 0) continue
    const tags = needsTagger(found) ? tagsOf(sentence, found) : undefined
    for (const [i, reading] of found) {
      matches.push({ word: sentence[i]!, reading, tag: tags?.[i] ?? reading.tags[0]!, capital: false })
    }
  }
  return matches
}

/** A token must not run into what stands beside it: "do" of "don't" stays text. */
function standsAlone(body: string, { text, at }: Word): boolean {
  return (
    isWord(text) &&
    !JOINED_BEFORE.test(body.slice(Math.max(0, at - 2), at)) &&
    !JOINED_AFTER.test(body.slice(at + text.length, at + text.length + 2))
  )
}

const JOINED_BEFORE = /[\p{L}\p{M}\p{N}_]$/u
const JOINED_AFTER = /^[\p{L}\p{M}\p{N}_]/u

/** The best tags in context, among those that give the words back. */
function tagsOf(sentence: readonly Word[], found: ReadonlyMap<number, Reading>): string[] {
  return tag(
    sentence.map(({ text }) => text),
    (i) => found.get(i)?.tags,
  )
}

const needsTagger = (found: ReadonlyMap<number, Reading>) => [...found.values()].some(({ tags }) => tags.length > 1)

/** A sentence ends behind its full stop; the tagger looks no further. */
function* sentencesOf(words: readonly Word[]): Generator<readonly Word[]> {
  let start = 0
  for (let i = 0; i < words.length; i++) {
    if (/^[.!?…]+$/.test(words[i]!.text)) {
      yield words.slice(start, i + 1)
      start = i + 1
    }
  }
  if (start < words.length) yield words.slice(start)
}

/** How often words that do not come back are taken out; a text that is not settled by then is left plain. */
const ROUNDS = 6

/** The matches whose words come back when they are spun in their places, given that the others are tokens, too. */
function verified(body: string, matches: readonly Match[], quadranyms: readonly TaggedQuadranym[]): readonly Match[] {
  let kept = matches
  for (let round = 0; round < ROUNDS; round++) {
    const pieces = piecesOf(body, kept, () => 1, false)
    const cases = casesOf(pieces)
    const next = kept.filter((match, i) => comesBack(body, match, cases[i]!, quadranyms))
    if (next.length === kept.length) return kept
    kept = next
  }
  return []
}

/** Sets the mark for a capital when the word has one that the rule does not ask for. */
function comesBack(body: string, match: Match, wanted: Case, quadranyms: readonly TaggedQuadranym[]): boolean {
  const { word, tag } = match
  const { place, slot } = match.reading
  const become = (wanted: Case) => wordOf({ slot, tag }, quadranyms[place]!, wanted)
  match.capital = become(wanted) !== word.text
  if (match.capital && (wanted !== 'as it is' || become('Capital') !== word.text)) return false
  const before = body.slice(Math.max(0, word.at - ARTICLE_ROOM), word.at)
  return withArticle(before, word.text) === before
}

const ARTICLE_ROOM = 24

/** The body with the matches as tokens. */
function piecesOf(body: string, matches: readonly Match[], indexOf: (match: Match) => number, marked = true): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  const keepText = (to: number) => {
    if (to > done) pieces.push({ kind: 'text', at: done, length: to - done, text: body.slice(done, to) })
  }
  for (const match of matches) {
    const { word, reading, tag } = match
    keepText(word.at)
    const token: Token = {
      kind: 'token',
      at: word.at,
      length: word.text.length,
      index: indexOf(match),
      slot: reading.slot,
      tag,
      capital: marked && match.capital,
    }
    pieces.push(token)
    done = word.at + word.text.length
  }
  keepText(body.length)
  return pieces
}
