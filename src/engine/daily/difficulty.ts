/** How hard a board is, from 1 to 5: by what players did, before that by rare words and words that fit into two groups. */
import type { Tally } from '../../store/index.ts'
import type { Board } from '../play/board.ts'
import { MOST_MISTAKES } from './board-state.ts'

/** Fewer rounds say little. */
const ENOUGH_ROUNDS = 10
/** A board whose groups have a higher sum of difficulties is one level harder. They divide the sample into five parts. */
const LEVELS = [22, 26, 30, 34]

export interface BoardFacts {
  /** Rounds that ended, and those of them that were won. */
  readonly rounds: number
  readonly won: number
  /** For each group: how often it was the first that was found. */
  readonly first: readonly number[]
  readonly difficulty: number
}

export function factsOf(board: Board, tallies: readonly Tally[]): BoardFacts {
  const ends = tallies.filter(({ what }) => what === 'end')
  const rounds = ends.reduce((sum, { times }) => sum + times, 0)
  const mistakes = ends.reduce((sum, { value, times }) => sum + value * times, 0)
  const sum = board.groups.reduce((all, { difficulty }) => all + difficulty, 0)
  return {
    rounds,
    won: ends.reduce((all, { value, times }) => all + (value < MOST_MISTAKES ? times : 0), 0),
    first: board.groups.map((_, i) => tallies.find(({ what, value }) => what === 'first' && value === i)?.times ?? 0),
    difficulty:
      rounds >= ENOUGH_ROUNDS ? 1 + Math.round(mistakes / rounds) : 1 + LEVELS.filter((level) => sum > level).length,
  }
}
