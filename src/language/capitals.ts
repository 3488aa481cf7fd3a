/**
 * When a word has a capital: at the start of a sentence, as a proper noun, among shouted words. The rule looks only at
 * the text around a token, with other tokens blanked out, so that annotating and spinning agree whatever fills the
 * tokens.
 */
import type { Piece, Token } from './qode.ts'

export type Case = 'as it is' | 'Capital' | 'SHOUTED'

/** The letter case that the place and tag of each token require, in token order. */
export function casesOf(pieces: readonly Piece[]): Case[] {
  const wordsAfter = nearestWords(pieces.toReversed(), firstWord).toReversed()
  const wordsBefore = nearestWords(pieces, lastWord)
  const cases: Case[] = []
  let before = ''
  pieces.forEach((piece, i) => {
    if (piece.kind === 'text') {
      before = (before + piece.text).slice(-LOOK_BACK)
      return
    }
    const shouted = isShouted(wordsBefore[i], wordsAfter[i])
    cases.push(shouted ? 'SHOUTED' : asksForCapital(piece, before) ? 'Capital' : 'as it is')
    before = `${before}${BLANK}`.slice(-LOOK_BACK)
  })
  return cases
}

/** How much of the text before a token can matter. */
export const LOOK_BACK = 40
/** Placeholder for a token whose word is not known yet: a letter, so that no sentence begins after it. */
const BLANK = 'x'

const SENTENCE_START = /(?:^\s*|[.!?…]["'”’)\]]*\s+|\n\s*\n\s*|[,:;]\s+["“‘])["'“‘([]*$/

function asksForCapital({ tag, capital }: Token, before: string): boolean {
  return capital || isProper(tag) || endsBeforeSentence(before)
}

export const isProper = (tag: string | undefined) => tag === 'NNP' || tag === 'NNPS'

/** Whether a sentence begins after this text. Its last `LOOK_BACK` units decide. */
export const endsBeforeSentence = (before: string) => SENTENCE_START.test(before)

// "A" and "I" are always capitals, so they say nothing.
export const WORDS = /\p{L}[\p{L}\p{M}\p{N}]+/gu
/** How much of the text next to a token can contain the neighbouring word. */
export const LOOK_ASIDE = 60

const WORD = new RegExp(WORDS.source, 'u')

export const firstWord = (text: string) => WORD.exec(text.slice(0, LOOK_ASIDE))?.[0]
export const lastWord = (text: string) => text.slice(-LOOK_ASIDE).match(WORDS)?.at(-1)

/** For each piece the nearest word in the texts before it, skipping tokens. */
function nearestWords(pieces: readonly Piece[], nearest: (text: string) => string | undefined): (string | undefined)[] {
  let known: string | undefined
  return pieces.map((piece) => {
    const found = known
    if (piece.kind === 'text') known = nearest(piece.text) ?? known
    return found
  })
}

/** Both neighbours are shouted, or the only one there is. */
function isShouted(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined && after === undefined) return false
  return [before, after].every((word) => word === undefined || isShoutedWord(word))
}

const SHOUTED = /^[\p{Lu}\p{M}\p{N}]{2,}$/u

export const isShoutedWord = (word: string) => SHOUTED.test(word)

/** The word in the required case; its own capitals are kept. */
export function inCase(word: string, wanted: Case): string {
  if (wanted === 'SHOUTED') return word.toUpperCase()
  if (wanted === 'as it is' || word === '') return word
  const [first = ''] = word
  return first.toUpperCase() + word.slice(first.length)
}
