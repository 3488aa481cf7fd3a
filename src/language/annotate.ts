/**
 * Annotating: words of a body that are forms of the given quadranyms' terms become tokens. Every token is spun at once
 * in its place; a word that would not come back as it was stays text. So spinning with the same quadranyms gives back
 * the body byte for byte.
 */
import { ARTICLE_ROOM, withArticle } from './article.ts'
import { type Case, casesOf } from './capitals.ts'
import { type Reading, readingsOf, type TaggedQuadranym } from './match.ts'
import { type Piece, type Slot, tokens, write } from './qode.ts'
import { wordOf } from './spin.ts'
import { tag } from './tagger.ts'
import { isWord, splitWords, type Word } from './words.ts'

export interface AnnotatedToken {
  /** The word in the body, and where it stands. */
  readonly word: string
  readonly offset: number
  readonly index: number
  readonly slot: Slot
  readonly tag: string
}

export interface Annotation<Q> {
  /** Index i means the i-th of the quadranyms given. Empty when no word matched. */
  readonly qode: string
  readonly tokens: readonly AnnotatedToken[]
  /** The quadranyms with exactly one word in the text, with more, and with none, in the order given. */
  readonly q1: readonly Q[]
  readonly q2: readonly Q[]
  readonly unmatched: readonly Q[]
}

/** A word that is to become a token. */
interface Match {
  readonly word: Word
  readonly reading: Reading
  readonly tag: string
  capital: boolean
}

export function annotate<Q extends TaggedQuadranym>(body: string, quadranyms: readonly Q[]): Annotation<Q> {
  // What already holds a token must not be read twice.
  const matches = tokens(body).length > 0 ? [] : findMatches(body, quadranyms)
  const kept = verified(body, matches, quadranyms)
  const words = quadranyms.map(() => 0)
  for (const { reading } of kept) words[reading.place]!++
  const quadranymsWith = (fits: (words: number) => boolean) => quadranyms.filter((_, place) => fits(words[place]!))
  return {
    qode: kept.length === 0 ? '' : write(piecesOf(body, kept)),
    tokens: kept.map(({ word, reading: { place, slot }, tag }) => {
      return { word: word.text, offset: word.offset, index: place + 1, slot, tag }
    }),
    q1: quadranymsWith((words) => words === 1),
    q2: quadranymsWith((words) => words > 1),
    unmatched: quadranymsWith((words) => words === 0),
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
function standsAlone(body: string, { text, offset }: Word): boolean {
  return (
    isWord(text) &&
    !JOINED_BEFORE.test(body.slice(Math.max(0, offset - 2), offset)) &&
    !JOINED_AFTER.test(body.slice(offset + text.length, offset + text.length + 2))
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
    const cases = casesOf(piecesOf(body, kept, { marked: false }))
    const next = kept.filter((match, i) => comesBack(body, match, kept[i - 1], cases[i]!, quadranyms))
    if (next.length === kept.length) return kept
    kept = next
  }
  return []
}

/** Sets the mark for a capital when the word has one that the rule does not ask for. */
function comesBack(
  body: string,
  match: Match,
  previous: Match | undefined,
  wanted: Case,
  quadranyms: readonly TaggedQuadranym[],
): boolean {
  const { word, tag } = match
  const { place, slot } = match.reading
  const become = (wanted: Case) => wordOf({ slot, tag }, quadranyms[place]!, wanted)
  match.capital = become(wanted) !== word.text
  if (match.capital && (wanted !== 'as it is' || become('Capital') !== word.text)) return false
  // The article before it must be the right one, where there is text before it.
  const since = previous ? previous.word.offset + previous.word.text.length : 0
  const before = body.slice(Math.max(since, word.offset - ARTICLE_ROOM), word.offset)
  const shouted = wanted === 'SHOUTED'
  return withArticle(before, shouted ? become('as it is') : word.text, { shouted }) === before
}

/** The body with the matches as tokens; unmarked, while it is not known yet which capitals the rule explains. */
function piecesOf(body: string, matches: readonly Match[], { marked = true } = {}): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  const keepText = (to: number) => {
    if (to > done) pieces.push({ kind: 'text', offset: done, length: to - done, text: body.slice(done, to) })
  }
  for (const { word, reading, tag, capital } of matches) {
    keepText(word.offset)
    const { place, slot } = reading
    const length = word.text.length
    pieces.push({
      kind: 'token',
      offset: word.offset,
      length,
      index: place + 1,
      slot,
      tag,
      capital: marked && capital,
    })
    done = word.offset + length
  }
  keepText(body.length)
  return pieces
}
