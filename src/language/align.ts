/**
 * Checks whether a qode is a tokenised form of a body. The text must be the same except for spacing, and each token
 * replaces one word. Tokenisers split contractions ("do n't", "it 's"), so a word may end where one of those begins.
 */
import type { Piece, Token } from './qode.ts'

export interface AlignedToken {
  readonly token: Token
  /** The word of the body that it replaces, and where that begins. */
  readonly word: string
  readonly offset: number
}

export type Alignment =
  | { readonly aligned: readonly AlignedToken[] }
  /** Where in the qode the first fault is, and why. */
  | { readonly offset: number; readonly why: string }

/** A token's word: where it begins, where we assume it ends, and where else it might end. */
interface Choice {
  readonly piece: number
  readonly start: number
  end: number
  readonly otherEnds: number[]
}

export function align(body: string, pieces: readonly Piece[]): Alignment {
  let fault = { offset: 0, why: '' }
  const failAt = (offset: number, why: string) => {
    if (fault.why === '' || offset > fault.offset) fault = { offset, why }
  }
  const choices: Choice[] = []
  // Adversarial texts can be read in too many ways to try them all; the search gives up on these.
  let patience = PATIENCE * (body.length + endOf(pieces) + 1)
  // A place from which everything was tried is not tried again: this keeps the work linear.
  const hopeless = new Set<string>()
  let piece = 0
  let at = 0
  while (piece < pieces.length || skipSpace(body, at) < body.length) {
    const current = pieces[piece]
    let next: number | undefined
    patience -= 1 + (current?.kind === 'text' ? current.text.length : 0)
    if (patience < 0) return fault.why === '' ? { offset: 0, why: 'it can be read in too many ways' } : fault
    if (!current) {
      failAt(endOf(pieces), `the body continues with "${excerpt(body, skipSpace(body, at))}"`)
    } else if (current.kind === 'text') {
      next = matchText(body, at, current.text, (offset, why) => failAt(current.offset + offset, why))
    } else {
      const start = skipSpace(body, at)
      const ends = hopeless.has(`${piece} ${start}`) ? [] : wordEnds(body, start)
      // If the qode continues inside a word, the first part of the word is most likely, otherwise the whole word.
      const [end, ...otherEnds] = goesOnInside(pieces[piece + 1]) ? ends.reverse() : ends
      if (end === undefined) failAt(current.offset, `no word of the body begins here: it has "${excerpt(body, start)}"`)
      else choices.push({ piece, start, end, otherEnds })
      next = end
    }
    if (next === undefined) {
      const choice = lastOpenChoice(choices, hopeless)
      if (!choice) return fault
      choice.end = choice.otherEnds.shift()!
      piece = choice.piece
      next = choice.end
    }
    piece++
    at = next
  }
  return {
    aligned: choices.map(({ piece, start, end }) => ({
      token: pieces[piece] as Token,
      word: body.slice(start, end),
      offset: start,
    })),
  }
}

const PATIENCE = 20

function goesOnInside(next: Piece | undefined): boolean {
  return next?.kind === 'text' && /^(?:[-'’]|\s*n['’]t\b|\s*not\b)/i.test(next.text)
}

/** Backtracks to the last token whose word might end elsewhere, and drops the tokens after it. */
function lastOpenChoice(choices: Choice[], hopeless: Set<string>): Choice | undefined {
  for (let choice = choices.at(-1); choice; choice = choices.at(-1)) {
    if (choice.otherEnds.length > 0) return choice
    hopeless.add(`${choice.piece} ${choice.start}`)
    choices.pop()
  }
  return undefined
}

/** The position in the body after the text, ignoring spacing; undefined if they differ. */
function matchText(
  body: string,
  from: number,
  text: string,
  failAt: (offset: number, why: string) => void,
): number | undefined {
  let at = from
  for (let i = skipSpace(text, 0); i < text.length; i = skipSpace(text, i + 1)) {
    at = skipSpace(body, at)
    if (body[at] !== text[i]) {
      const instead = at < body.length ? `the body has "${excerpt(body, at)}"` : 'the body ends'
      failAt(i, `the qode has "${excerpt(text, i)}", but ${instead}`)
      return undefined
    }
    at++
  }
  return at
}

const WORD = /[\p{L}\p{M}\p{N}]+(?:[-'’][\p{L}\p{M}\p{N}]+)*/uy
const MOST_ENDS = 20
const INSIDE_WORD = /[\p{L}\p{M}\p{N}]$/u

/** Where a word that begins here may end, the whole word first. None in the middle of a word. */
function wordEnds(body: string, start: number): number[] {
  const before = body.slice(Math.max(0, start - 2), start)
  if (INSIDE_WORD.test(before)) return []
  WORD.lastIndex = start
  const word = WORD.exec(body)?.[0]
  if (word === undefined) return []
  const ends = [word.length]
  for (const { index } of word.matchAll(/[-'’]/g)) if (ends.push(index) > MOST_ENDS) break
  const contraction = /n['’]t$|(?<=^can)not$/i.exec(word)
  if (contraction) ends.push(contraction.index)
  return [...new Set(ends)].sort((a, b) => b - a).map((length) => start + length)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && SPACE.test(text[at]!)) at++
  return at
}

const SPACE = /\s/
const EXCERPT_LENGTH = 20

function excerpt(text: string, at: number): string {
  const rest = [...text.slice(at, at + 2 * EXCERPT_LENGTH)]
  return rest.length > EXCERPT_LENGTH ? `${rest.slice(0, EXCERPT_LENGTH).join('')}…` : rest.join('')
}

function endOf(pieces: readonly Piece[]): number {
  const last = pieces.at(-1)
  return last ? last.offset + last.length : 0
}
