/**
 * The grammar of qode: text in which tokens such as q1e_NN replace words. Anything that is not exactly a token is plain
 * text; parsing never fails and never loses a character.
 */

export type Slot = 'n' | 'e' | 'r' | 'o' | 's'

export interface Token {
  readonly kind: 'token'
  /** Its position in the parsed qode, in UTF-16 units. */
  readonly offset: number
  readonly length: number
  /** Which quadranym: 1 for the first. */
  readonly index: number
  /** Which of its words: its name (n) or one of its four terms. */
  readonly slot: Slot
  /** The part of speech the word is inflected for; tokens of phrases and fables may have none. */
  readonly tag: string | undefined
  /** Capitalised although neither its place nor its tag asks for it. */
  readonly capital: boolean
}

export interface Text {
  readonly kind: 'text'
  readonly offset: number
  readonly length: number
  readonly text: string
}

export type Piece = Token | Text

export interface Grammar {
  /** Whether q1e, without a tag, is a token, as in phrases and fables. */
  readonly untagged?: boolean
}

/** The highest index that a text may be written with. Larger ones in older data are still read. */
export const MOST_INDEX = 999

const WORD = '\\p{L}\\p{M}\\p{N}_'
const HEAD = `(?<![${WORD}])([qQ])([1-9][0-9]{0,8})([neros])`
const TAGGED = `([_^])([A-Z]+)(?![${WORD}])`
// A caret after an untagged token would be a broken tag, so it is not a boundary there.
const PATTERNS = {
  tagged: new RegExp(`${HEAD}${TAGGED}`, 'gu'),
  any: new RegExp(`${HEAD}(?:${TAGGED}|(?![${WORD}^]))`, 'gu'),
}

/** Splits qode into tokens and the text between them, in order and without a gap. */
export function parse(qode: string, grammar: Grammar = {}): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  const keepText = (to: number) => {
    if (to > done) pieces.push({ kind: 'text', offset: done, length: to - done, text: qode.slice(done, to) })
  }
  for (const match of qode.matchAll(grammar.untagged ? PATTERNS.any : PATTERNS.tagged)) {
    const [whole, letter, index, slot, separator, tag] = match
    keepText(match.index)
    pieces.push({
      kind: 'token',
      offset: match.index,
      length: whole.length,
      index: Number(index),
      slot: slot as Slot,
      tag,
      capital: letter === 'Q' || separator === '^',
    })
    done = match.index + whole.length
  }
  keepText(qode.length)
  return pieces
}

/** The qode of the pieces. Older spellings (Q1e_NN) become the current one (q1e^NN). */
export function write(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'text' ? piece.text : writeToken(piece))).join('')
}

function writeToken({ index, slot, tag, capital }: Omit<Token, 'kind' | 'offset' | 'length'>): string {
  if (tag === undefined) return `${capital ? 'Q' : 'q'}${index}${slot}`
  return `q${index}${slot}${capital ? '^' : '_'}${tag}`
}

export function tokens(qode: string, grammar: Grammar = {}): Token[] {
  return parse(qode, grammar).filter((piece) => piece.kind === 'token')
}

/** The tokens' slot letters, in order. */
export function subs(qode: string, grammar: Grammar = {}): string {
  return tokens(qode, grammar)
    .map((token) => token.slot)
    .join('')
}

/** The highest index; 0 without tokens. */
export function depth(qode: string, grammar: Grammar = {}): number {
  return tokens(qode, grammar).reduce((highest, { index }) => Math.max(highest, index), 0)
}

/** The indexes that occur, each once, ascending. The text bounds their number, but not their size. */
export function indexes(qode: string, grammar: Grammar = {}): number[] {
  return [...new Set(tokens(qode, grammar).map(({ index }) => index))].sort((a, b) => a - b)
}

/** The number of tokens. */
export function width(qode: string, grammar: Grammar = {}): number {
  return tokens(qode, grammar).length
}
