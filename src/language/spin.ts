/** Spinning: fills each token with the term of its slot, inflected for its tag and in the letter case of its place. */
import { agree, type FilledWord, type Repair } from './agreement/index.ts'
import { type Case, casesOf, inCase } from './capitals.ts'
import { fitOfTerm, wordFor } from './derive.ts'
import { inflect } from './inflect.ts'
import { type Grammar, type Piece, parse, type Slot, type Token } from './qode.ts'
import { type Quadranym, type TaggedQuadranym, tagStart, termOf } from './quadranym.ts'

export interface Span {
  /** The position of the word in the text, in UTF-16 units. */
  readonly offset: number
  readonly length: number
  readonly index: number
  readonly slot: Slot
  /** The token as it is in the qode. */
  readonly token: string
  /** Only where the term, and every word derived from it, is of another part of speech than the tag. */
  readonly fits?: false
}

export interface Spun {
  readonly text: string
  readonly spans: readonly Span[]
  /** What was changed beyond the tokens, in order. Undone from the last to the first, they give the text as it was filled. */
  readonly repairs: readonly Repair[]
}

export interface SpinOptions extends Grammar {
  /** Fills the terms themselves, without deriving other words, and chooses between "a" and "an"; all else stays. */
  readonly strict?: boolean
  /** Puts a blank line in place of each word. */
  readonly blanks?: boolean
}

const BLANK = '_____'

/**
 * Index i means the i-th of the quadranyms. A text whose indexes have gaps may come with just those that it needs: the
 * k-th smallest index then means the k-th of them.
 */
export function spin(qode: string, quadranyms: readonly TaggedQuadranym[], options: SpinOptions = {}): Spun {
  const pieces = parse(qode, options)
  const places = placesOf(pieces, quadranyms.length)
  const cases = casesOf(pieces)
  const filled: FilledWord[] = []
  // Most texts repeat words, and inflecting is the expensive part.
  const words = new Map<string, string>()
  const filledWord = (piece: Token, place: number): string => {
    const key = `${place}${piece.slot}${piece.tag}`
    const word = words.get(key) ?? wordOf(piece, quadranyms[place]!, 'as it is', options)
    words.set(key, word)
    return word
  }
  let text = ''
  let tokens = 0
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      text += piece.text
      continue
    }
    const wanted = cases[tokens++]!
    const place = places.get(piece.index)!
    // A token without its quadranym stays as it is: the reader sees what is missing.
    const isFilled = quadranyms[place] !== undefined && !options.blanks
    const plain = isFilled ? filledWord(piece, place) : ''
    const word = isFilled ? inCase(plain, wanted) : quadranyms[place] ? BLANK : tokenIn(qode, piece)
    const isVerb = isFilled && isVerbAsNoun(plain, quadranyms[place]!, piece)
    filled.push({ token: piece, offset: text.length, length: word.length, plain, wanted, isFilled, isVerb })
    text += word
  }
  const agreed = agree(text, filled, options)
  const spans = agreed.words.map(({ token, offset, length }) => {
    const { index, slot } = token
    return {
      offset,
      length,
      index,
      slot,
      token: tokenIn(qode, token),
      ...misfit(token, quadranyms[places.get(index)!]),
    }
  })
  return { text: agreed.text, spans, repairs: agreed.repairs }
}

const tokenIn = (qode: string, { offset, length }: Token) => qode.slice(offset, offset + length)

/** Index -> place in a list of this many quadranyms. */
export function placesOf(pieces: readonly Piece[], count: number): Map<number, number> {
  const indexes = [...new Set(pieces.flatMap((piece) => (piece.kind === 'token' ? [piece.index] : [])))]
  const hasPlace = indexes.every((index) => index <= count)
  return new Map(indexes.sort((a, b) => a - b).map((index, rank) => [index, hasPlace ? index - 1 : rank]))
}

/** The word that a token becomes. */
export function wordOf(
  { slot, tag }: Pick<Token, 'slot' | 'tag'>,
  quadranym: Quadranym,
  wanted: Case,
  { strict = false }: SpinOptions = {},
): string {
  const term = termOf(quadranym, slot)
  return inCase(tag === undefined ? term : strict ? inflect(term, tag) : wordFor(term, tag), wanted)
}

/** Whether a verb is put in without a change where the token asks for a noun. */
export function isVerbAsNoun(
  word: string,
  quadranym: TaggedQuadranym,
  { slot, tag }: Pick<Token, 'slot' | 'tag'>,
): boolean {
  return tag === 'NN' && word === termOf(quadranym, slot) && tagStart(quadranym, slot) === 'VB'
}

function misfit({ slot, tag }: Token, quadranym: Quadranym | undefined): Pick<Span, 'fits'> {
  const isMisfit = tag !== undefined && quadranym !== undefined && fitOfTerm(termOf(quadranym, slot), tag) === 'no'
  return isMisfit ? { fits: false } : {}
}
