/** What the guesses of a round have found so far. Everything follows from the board and the guesses. */
import { type Board, GROUP_SIZE, GROUPS } from '../play/board.ts'
import { sizeOf } from '../play/partitions.ts'
import { problems } from '../problem.ts'

export const MOST_MISTAKES = 4

/** Near: three of the four words belong together. */
export type FourOutcome = 'right' | 'near' | 'wrong'

export interface TriedFour {
  /** Bit n stands for word n of the board. */
  readonly mask: number
  readonly outcome: FourOutcome
}

export interface BoardState {
  readonly fours: readonly TriedFour[]
  /** The places of the groups, in the order in which they were found. */
  readonly found: readonly number[]
  readonly mistakes: number
  readonly isOver: boolean
}

export function stateOf(board: Board, guesses: readonly number[]): BoardState {
  const masks = groupMasks(board)
  const fours: TriedFour[] = []
  const found: number[] = []
  for (const mask of guesses) {
    const shared = masks.map((group) => sizeOf(group & mask))
    const best = Math.max(...shared)
    const outcome = best === GROUP_SIZE ? 'right' : best === GROUP_SIZE - 1 ? 'near' : 'wrong'
    fours.push({ mask, outcome })
    if (outcome === 'right') found.push(shared.indexOf(best))
  }
  const mistakes = fours.length - found.length
  return { fours, found, mistakes, isOver: found.length === GROUPS || mistakes >= MOST_MISTAKES }
}

function groupMasks({ words, groups }: Board): number[] {
  return groups.map(({ terms }) => terms.reduce((mask, term) => mask | (1 << words.indexOf(term)), 0))
}

/** For each word of the board: the place of its group. */
export function groupsOfWords({ words, groups }: Board): number[] {
  return words.map((word) => groups.findIndex(({ terms }) => terms.includes(word)))
}

export function wordsOf({ words }: Board, mask: number): string[] {
  return words.filter((_, i) => mask & (1 << i))
}

/** Four different words of the board, which are not in a group that was found. */
export function maskOf(board: Board, guess: readonly string[], { found }: BoardState): number {
  const wrong = (message: string) => problems.invalid({ guess: [message] })
  const known = board.words.map((word) => word.toLowerCase())
  let mask = 0
  for (const word of guess) {
    const place = known.indexOf(word.toLowerCase())
    if (place < 0) throw wrong(`The board has no word "${word}".`)
    mask |= 1 << place
  }
  if (guess.length !== GROUP_SIZE || sizeOf(mask) !== GROUP_SIZE) throw wrong('Guess four different words.')
  const masks = groupMasks(board)
  if (found.some((group) => (masks[group] ?? 0) & mask))
    throw wrong('One of these words is in a set that you have found.')
  return mask
}
