/** What a player sees of a board in a round. */
import type { RoundRow } from '../../store/index.ts'
import type { Board } from '../play/board.ts'
import { type BoardState, type FourOutcome, MOST_MISTAKES, stateOf, wordsOf } from './board-state.ts'
import { type ShownGroup, shownGroups } from './calendar.ts'
import { type ShareText, shareText } from './share-text.ts'

export interface SeenBoard {
  readonly words: readonly string[]
  readonly guesses: readonly { readonly words: readonly string[]; readonly outcome: FourOutcome }[]
  readonly mistakes: number
  /** Those that were found, in that order; when the round is over and the solution may be told, the others follow. */
  readonly groups: readonly ShownGroup[]
  /** Whether its board is no longer shown: it has no words, guesses and groups. */
  readonly withdrawn: boolean
}

const NO_BOARD: Board = { words: [], groups: [], nearWords: 0 }

interface SeenWith {
  readonly title: string
  /** Whether the player may see the solution when the round is over. */
  readonly isTold: boolean
}

/** `found` is undefined if the board is no longer shown. */
export function seenBoard(
  found: Board | undefined,
  row: RoundRow,
  { title, isTold }: SeenWith,
): SeenBoard & { readonly share: ShareText } {
  const board = found ?? NO_BOARD
  const state = found ? stateOf(found, guessesIn(row)) : unseenState(row)
  const isWon = row.outcome === 'won'
  const isSolved = row.ended !== undefined && isTold
  const rest = isSolved ? [...board.groups.keys()].filter((i) => !state.found.includes(i)) : []
  return {
    words: board.words,
    guesses: state.fours.map((four) => ({ words: wordsOf(board, four.mask), outcome: four.outcome })),
    mistakes: state.mistakes,
    groups: [...state.found, ...rest].flatMap((i) => shownGroups(board)[i] ?? []),
    withdrawn: found === undefined,
    share: shareText({ title, number: row.run, board, state, isWon, isTold: isTold || isWon }),
  }
}

/** How the round ended is known without its board. */
function unseenState({ ended, points }: RoundRow): BoardState {
  const isOver = ended !== undefined
  return { fours: [], found: [], mistakes: isOver ? MOST_MISTAKES - points : 0, isOver }
}

export const guessesIn = ({ guess }: RoundRow): readonly number[] => (guess === '' ? [] : JSON.parse(guess))
