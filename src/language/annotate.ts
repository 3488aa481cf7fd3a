/**
 * Annotating: words of a body that are forms of the given quadranyms' terms become tokens. Each token is spun in its
 * place at once; if the word would not come back unchanged, it stays text. So spinning with the same quadranyms gives
 * back the body byte for byte.
 */
import { type FilledWord, repairedWords } from './agreement/index.ts'
import { articleFor } from './article.ts'
import { itemAt } from './at.ts'
import { inCase, isProper } from './capitals.ts'
import { isMeant } from './kinds.ts'
import { type Reading, readingsOf } from './match.ts'
import { Passage } from './passage.ts'
import { type Piece, type Slot, type Token, write } from './qode.ts'
import { type TaggedQuadranym, termOf } from './quadranym.ts'
import { withMeaning } from './small-words.ts'
import { isVerbAsNoun, wordOf } from './spin.ts'
import type { TaggedWord } from './tagger.ts'
import { placesInTerms } from './terms-of-several-words.ts'
import type { Word } from './words.ts'

export interface AnnotatedToken {
  /** The word in the body, and its position. */
  readonly word: string
  readonly offset: number
  readonly index: number
  readonly slot: Slot
  readonly tag: string
  /** How sure the tag is, see `TaggedWord`. */
  readonly margin: number
}

export interface Annotation<Q> {
  /** Index i means the i-th given quadranym. Empty if no word matched. */
  readonly qode: string
  readonly tokens: readonly AnnotatedToken[]
  /** The quadranyms with exactly one word in the text, with more, and with none, in the order given. */
  readonly q1: readonly Q[]
  readonly q2: readonly Q[]
  readonly unmatched: readonly Q[]
}

/** A word of the text that is a form of a quadranym's term, with the best tag among those that give the word back. */
interface Match extends TaggedWord {
  readonly word: Word
  /** Which of the text's words. */
  readonly place: number
  readonly reading: Reading
}

/** A match that becomes a token. */
interface Mark {
  readonly match: Match
  /** The word has a capital that the rule does not ask for. */
  readonly capital: boolean
}

/** A term, inflected for a tag, in each case that a place can ask for. */
interface Written {
  readonly plain: string
  readonly capital: string
  readonly shouted: string
}

/** A caller that tries many quadranyms on one text passes a `Passage`, which caches what it computes. */
export function annotate<Q extends TaggedQuadranym>(text: string | Passage, quadranyms: readonly Q[]): Annotation<Q> {
  const passage = typeof text === 'string' ? new Passage(text) : text
  const marks = mark(passage, quadranyms)
  const tokens = marks.map(tokenOf)
  const words = new Map<number, number>()
  for (const { index } of tokens) words.set(index, (words.get(index) ?? 0) + 1)
  const quadranymsWith = (fits: (words: number) => boolean) =>
    quadranyms.filter((_, place) => fits(words.get(place + 1) ?? 0))
  return {
    qode: tokens.length === 0 ? '' : write(piecesOf(passage.body, marks)),
    tokens,
    q1: quadranymsWith((words) => words === 1),
    q2: quadranymsWith((words) => words > 1),
    unmatched: quadranymsWith((words) => words === 0),
  }
}

/** The tokens of `annotate` alone. */
export function annotatedTokens(passage: Passage, quadranyms: readonly TaggedQuadranym[]): AnnotatedToken[] {
  return mark(passage, quadranyms).map(tokenOf)
}

function tokenOf({ match: { word, reading, tag, margin } }: Mark): AnnotatedToken {
  return { word: word.text, offset: word.offset, index: reading.place + 1, slot: reading.slot, tag, margin }
}

/** How many words mean a term of a quadranym, whether or not a token could give them back unchanged. */
export function countMeant(passage: Passage, quadranyms: readonly TaggedQuadranym[]): number {
  return findMatches(passage, readingsIn(passage, quadranyms), placesInTerms(passage, quadranyms)).length
}

type FormReadings = readonly [form: string, readings: readonly Reading[]]

function readingsIn(passage: Passage, quadranyms: readonly TaggedQuadranym[]): readonly FormReadings[] {
  // A text that already holds a token must not be annotated again.
  return passage.holdsToken ? [] : [...readingsOf(quadranyms, (form) => passage.placesOf(form).length > 0)]
}

function mark(passage: Passage, quadranyms: readonly TaggedQuadranym[]): readonly Mark[] {
  const found = readingsIn(passage, quadranyms)
  const taken = placesInTerms(passage, quadranyms)
  // Quadranyms with the same words in the text have the same marks.
  const key = found.map(([form, readings]) => {
    const keys = readings.map(({ place, slot, tags, isAnyKind }) =>
      [place, slot, termOf(itemAt(quadranyms, place), slot), isAnyKind, ...tags].join(' '),
    )
    return [form, ...keys].join('|')
  })
  key.push([...taken].join(' '))
  return passage.remember(key.join('\n'), () => verify(passage, findMatches(passage, found, taken), quadranyms))
}

function findMatches(passage: Passage, found: readonly FormReadings[], taken: ReadonlySet<number>): Match[] {
  const matches = found.flatMap(([form, readings]) =>
    passage.placesOf(form).flatMap((place) => (taken.has(place) ? [] : (matchAt(passage, place, readings) ?? []))),
  )
  return withMeaning(
    passage,
    matches.sort((a, b) => a.place - b.place),
  )
}

/** The first reading that is meant, with the best of its tags. */
function matchAt(passage: Passage, place: number, readings: readonly Reading[]): Match | undefined {
  const free = passage.freeTag(place)
  for (const reading of readings) {
    const tagged = passage.bestTag(place, reading.tags)
    if (isMeant(reading, tagged, free)) return { word: itemAt(passage.words, place), place, reading, ...tagged }
  }
  return undefined
}

/** Inflects each term for each tag once, however often it occurs in the text. */
class Writing {
  readonly #quadranyms: readonly TaggedQuadranym[]
  readonly #known = new Map<Reading, Map<string, Written>>()

  constructor(quadranyms: readonly TaggedQuadranym[]) {
    this.#quadranyms = quadranyms
  }

  of(reading: Reading, tag: string): Written {
    let byTag = this.#known.get(reading)
    if (!byTag) {
      byTag = new Map()
      this.#known.set(reading, byTag)
    }
    let written = byTag.get(tag)
    if (!written) {
      written = this.#write(reading, tag)
      byTag.set(tag, written)
    }
    return written
  }

  #write({ place, slot }: Reading, tag: string): Written {
    const plain = wordOf({ slot, tag }, itemAt(this.#quadranyms, place), 'as it is')
    return { plain, capital: inCase(plain, 'Capital'), shouted: inCase(plain, 'SHOUTED') }
  }
}

/** How often words that do not come back are removed; a text that is not stable by then stays plain. */
const ROUNDS = 6

/**
 * The matches whose words come back when they are spun in their places, if all the others are tokens too. `casesOf`
 * decides the letter case of each place.
 */
function verify(passage: Passage, matches: readonly Match[], quadranyms: readonly TaggedQuadranym[]): readonly Mark[] {
  const writing = new Writing(quadranyms)
  let kept = matches
  for (let round = 0; round < ROUNDS; round++) {
    const shouted = passage.shouted(kept.map(({ place }) => place))
    const marks: Mark[] = []
    let end = 0
    kept.forEach((match, i) => {
      const { place, reading, tag } = match
      const { text, offset } = match.word
      const { plain, capital, shouted: loud } = writing.of(reading, tag)
      const isShouted = shouted[i] === 1
      const isCapital = !isShouted && (isProper(tag) || passage.beginsSentence(place))
      const isAsWanted = text === (isShouted ? loud : isCapital ? capital : plain)
      const comesBack = isAsWanted || (!isShouted && !isCapital && text === capital)
      if (comesBack && hasRightArticle(passage, place, end, isShouted ? plain : text)) {
        marks.push({ match, capital: !isAsWanted })
      }
      end = offset + text.length
    })
    // A place where spinning would repair something cannot come back either: "they was".
    const repaired =
      marks.length === kept.length ? repairedWords(passage.body, filledBy(marks, shouted, writing, quadranyms)) : NONE
    if (marks.length === kept.length && repaired.size === 0) return marks
    kept = marks.filter((_, i) => !repaired.has(i)).map(({ match }) => match)
  }
  return []
}

const NONE: ReadonlySet<number> = new Set()

/** The words as spinning would fill them in. */
function filledBy(
  marks: readonly Mark[],
  shouted: Uint8Array,
  writing: Writing,
  quadranyms: readonly TaggedQuadranym[],
): FilledWord[] {
  return marks.map(({ match: { word, reading, tag }, capital }, i) => ({
    token: tokenAt(word, reading, tag, capital),
    offset: word.offset,
    length: word.text.length,
    plain: writing.of(reading, tag).plain,
    // Rules only ask whether a word is shouted.
    wanted: shouted[i] === 1 ? 'SHOUTED' : 'as it is',
    isFilled: true,
    isVerb: isVerbAsNoun(writing.of(reading, tag).plain, itemAt(quadranyms, reading.place), {
      slot: reading.slot,
      tag,
    }),
  }))
}

/**
 * Whether the article before a word is right. An article before `since` belongs to another token, and may be anything.
 */
function hasRightArticle(passage: Passage, place: number, since: number, word: string): boolean {
  const found = passage.articleBefore(place)
  return !found || found.offset < since || found.article.toLowerCase() === articleFor(word)
}

/** The body with the tokens in it. */
function piecesOf(body: string, marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  const keepText = (to: number) => {
    if (to > done) pieces.push({ kind: 'text', offset: done, length: to - done, text: body.slice(done, to) })
  }
  for (const { match, capital } of marks) {
    const { reading, tag } = match
    const { text, offset } = match.word
    keepText(offset)
    pieces.push(tokenAt(match.word, reading, tag, capital))
    done = offset + text.length
  }
  keepText(body.length)
  return pieces
}

function tokenAt({ text, offset }: Word, { place, slot }: Reading, tag: string, capital: boolean): Token {
  return { kind: 'token', offset, length: text.length, index: place + 1, slot, tag, capital }
}
