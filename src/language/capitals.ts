/**
 * When a word is written with a capital: at the start of a sentence, as a proper noun, among shouted words.
 * The rule looks only at the text around the token, with other tokens blanked out, so that annotating and spinning
 * judge alike whatever the tokens are filled with.
 */
import type { Piece, Token } from './qode.ts'

export type Case = 'as it is' | 'Capital' | 'SHOUTED'

/** What the place and the tag of each token ask for, in the order of the tokens. */
export function casesOf(pieces: readonly Piece[]): Case[] {
  const cases: Case[] = []
  let before = ''
  pieces.forEach((piece, i) => {
    if (piece.kind === 'text') {
      before = (before + piece.text).slice(-LOOK_BACK)
      return
    }
    const shouted = isShouted(pieces, i)
    cases.push(shouted ? 'SHOUTED' : asksForCapital(piece, before) ? 'Capital' : 'as it is')
    before = `${before}${BLANK}`.slice(-LOOK_BACK)
  })
  return cases
}

/** How much of the text before a token can matter. */
const LOOK_BACK = 40
/** Stands for a token whose word is not known yet: a letter, so that no sentence begins behind it. */
const BLANK = 'x'

const SENTENCE_START = /(?:^\s*|[.!?…]["'”’)\]]*\s+|\n\s*\n\s*|[,:;]\s+["“‘])["'“‘([]*$/

function asksForCapital({ tag, capital }: Token, before: string): boolean {
  return capital || tag === 'NNP' || tag === 'NNPS' || SENTENCE_START.test(before)
}

/** Both nearest words of the text are shouted, or the only one there is. */
function isShouted(pieces: readonly Piece[], place: number): boolean {
  const before = nearestWord(pieces, place, -1)
  const after = nearestWord(pieces, place, 1)
  if (before === undefined && after === undefined) return false
  return [before, after].every((word) => word === undefined || SHOUTED.test(word))
}

const SHOUTED = /^\p{Lu}[\p{Lu}\p{M}\p{N}]+$/u
const FIRST_WORD = /^[^\p{L}\p{N}]*([\p{L}\p{M}\p{N}]+)/u
const LAST_WORD = /([\p{L}\p{M}\p{N}]+)[^\p{L}\p{N}]*$/u

/** Only the text next to the token is looked at: this keeps the work linear. */
function nearestWord(pieces: readonly Piece[], place: number, step: 1 | -1): string | undefined {
  const neighbour = pieces[place + step]
  if (neighbour?.kind !== 'text') return undefined
  if (step === 1) return FIRST_WORD.exec(neighbour.text.slice(0, 2 * LOOK_BACK))?.[1]
  return LAST_WORD.exec(neighbour.text.slice(-2 * LOOK_BACK))?.[1]
}

/** The word in the case asked for; capitals of its own are kept. */
export function inCase(word: string, wanted: Case): string {
  if (wanted === 'SHOUTED') return word.toUpperCase()
  if (wanted === 'as it is' || word === '') return word
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}
