/** What players show to others: squares in the colours of the sets, and the same in words. Neither tells the solution. */
import { type Board, GROUP_SIZE } from '../play/board.ts'
import { type BoardState, groupsOfWords, wordsOf } from './board-state.ts'

/** By the place of the group, the easiest first. */
const SQUARES = ['🟨', '🟩', '🟦', '🟪']
const RANKS = ['easiest', 'second', 'third', 'hardest']
/** The colours of wrong guesses would tell which words belong together. */
const UNTOLD = { near: '⬜⬜⬜⬛', wrong: '⬛⬛⬛⬛' } as const
const OUTCOMES = { near: 'three of four', wrong: 'no three together' } as const

export interface ShareText {
  readonly signs: string
  readonly words: string
}

interface Shared {
  readonly title: string
  readonly number: number
  readonly board: Board
  readonly state: BoardState
  readonly isWon: boolean
  /** Whether the player knows the solution. */
  readonly isTold: boolean
}

export function shareText({ title, number, board, state: { fours, mistakes }, isWon, isTold }: Shared): ShareText {
  const groups = groupsOfWords(board)
  const placesOf = (mask: number) => wordsOf(board, mask).map((word) => groups[board.words.indexOf(word)] ?? 0)
  const rows = fours.map(({ mask, outcome }) => {
    if (!isTold && outcome !== 'right') return UNTOLD[outcome]
    return placesOf(mask)
      .map((place) => SQUARES[place])
      .join('')
  })
  const told = fours.map(({ mask, outcome }, i) => {
    const rank = RANKS[placesOf(mask)[0] ?? 0]
    return `Guess ${i + 1}: ${outcome === 'right' ? `the ${rank} set` : OUTCOMES[outcome]}.`
  })
  const end = isWon ? `solved with ${mistakes === 0 ? 'no mistake' : counted(mistakes)}` : 'not solved'
  return {
    signs: [`${title} ${number}`, ...(rows.length > 0 ? rows : ['⬜'.repeat(GROUP_SIZE)])].join('\n'),
    words: [`${title} ${number}, ${end}.`, ...told].join(' '),
  }
}

const counted = (count: number) => `${count} mistake${count === 1 ? '' : 's'}`
