/** Spinning: each token is filled with the term of its slot, inflected for its tag and written as its place asks. */
import { withArticle } from './article.ts'
import { type Case, casesOf, inCase } from './capitals.ts'
import { inflect } from './inflect.ts'
import { type Grammar, type Piece, parse, type Slot, type Token } from './qode.ts'

/** Anything with a name and four terms. */
export interface Quadranym {
  readonly name: string
  readonly e: string
  readonly r: string
  readonly o: string
  readonly s: string
}

export interface Span {
  /** Where the word stands in the text, in UTF-16 units. */
  readonly at: number
  readonly length: number
  readonly index: number
  readonly slot: Slot
  /** The token as it stood in the qode. */
  readonly token: string
}

export interface Spun {
  readonly text: string
  readonly spans: readonly Span[]
}

export interface SpinOptions extends Grammar {
  /** Leaves a blank line in place of each word. */
  readonly blanks?: boolean
}

const BLANK = '_____'

/** `quadranyms` in the order of the distinct indexes: the k-th smallest index means the k-th of them. */
export function spin(qode: string, quadranyms: readonly Quadranym[], options: SpinOptions = {}): Spun {
  const pieces = parse(qode, options)
  const places = placesOf(pieces)
  const cases = casesOf(pieces)
  const spans: Span[] = []
  let text = ''
  let tokens = 0
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      text += piece.text
      continue
    }
    const wanted = cases[tokens++]!
    const quadranym = quadranyms[places.get(piece.index)!]
    const token = qode.slice(piece.at, piece.at + piece.length)
    // A token without its quadranym shows as it is: the reader sees what is missing.
    const word = quadranym ? (options.blanks ? BLANK : wordOf(piece, quadranym, wanted)) : token
    if (quadranym && !options.blanks) text = withArticle(text, word)
    spans.push({ at: text.length, length: word.length, index: piece.index, slot: piece.slot, token })
    text += word
  }
  return { text, spans }
}

/** Index -> place in the list of quadranyms. */
export function placesOf(pieces: readonly Piece[]): Map<number, number> {
  const indexes = new Set(pieces.flatMap((piece) => (piece.kind === 'token' ? [piece.index] : [])))
  return new Map([...indexes].sort((a, b) => a - b).map((index, place) => [index, place]))
}

/** The word that a token becomes. */
export function wordOf({ slot, tag }: Pick<Token, 'slot' | 'tag'>, quadranym: Quadranym, wanted: Case): string {
  const term = slot === 'n' ? quadranym.name : quadranym[slot]
  return inCase(tag === undefined ? term : inflect(term, tag), wanted)
}
