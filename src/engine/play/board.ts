/** A board of the game Sets of the day: sixteen words that hide four sets of four terms. */
import { hash } from 'node:crypto'
import { canonicalJson } from '../canonical-json.ts'

export const GROUPS = 4
export const GROUP_SIZE = 4

export interface BoardGroup {
  /** The id of the set that the terms come from. */
  readonly id: number
  readonly name: string
  readonly mode: string
  readonly terms: readonly string[]
  /** From 0; a larger number is harder. */
  readonly difficulty: number
}

export interface Board {
  /** In the order in which players first see them. */
  readonly words: readonly string[]
  /** The solution, the easiest group first. */
  readonly groups: readonly BoardGroup[]
  /** How many words of the board also fit into another group of it. */
  readonly nearWords: number
}

/** What the hash of a board is made of. */
export interface PublishedBoard {
  readonly words: readonly string[]
  readonly groups: readonly Pick<BoardGroup, 'id' | 'name' | 'mode' | 'terms'>[]
}

/**
 * Published before the board is played, so that nobody can change the board afterwards. The salt must be random and
 * long, otherwise a player could find the board by trying.
 */
export function boardHash(board: PublishedBoard, salt: string): string {
  const groups = board.groups.map(({ id, name, mode, terms }) => ({ id, name, mode, terms: [...terms] }))
  return hash('sha256', canonicalJson({ salt, words: [...board.words], groups }), 'hex')
}

/** Whether this is the board whose hash was published. */
export function verifyBoard(board: PublishedBoard, salt: string, published: string): boolean {
  return boardHash(board, salt) === published.toLowerCase()
}
