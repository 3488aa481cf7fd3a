/**
 * Games: how a question is made from records. A game is pure; the engine draws the records, keeps the answer and the
 * clock, and counts the points.
 */
import type { JsonObject, Row } from './field.ts'
import type { AnyResource } from './resource.ts'

/** A whole number from 0 up to, but not including, `below`. */
export type Chance = (below: number) => number

/** What a player sees. A term that is null is the blank. */
export interface ShownQuestion {
  readonly terms?: readonly (string | null)[]
  /** The terms of a second set, which has the same blank. */
  readonly crossing?: readonly (string | null)[]
  readonly topic?: string
  /** A word about where the question comes from, such as a subject area. */
  readonly hint?: string
  readonly text?: string
  readonly options?: readonly string[]
}

export interface Question {
  readonly shown: ShownQuestion
  /** A text, or the number of an option, from 1. */
  readonly answer: string
  /** The points of a hit. */
  readonly stake: number
  /** The records that the question is made from, the main one first. */
  readonly from: readonly { readonly resource: string; readonly id: number }[]
}

/** A record as the API shows it. */
export interface Drawn {
  readonly id: number
  readonly shown: JsonObject
}

export interface Game {
  /** In addresses: /api/play/polypuzzle/. */
  readonly name: string
  readonly title: string
  /** What a player does, in a sentence. */
  readonly does: string
  /** What a hit is worth, in a sentence. */
  readonly stakes: string
  /** Whether players type their answers; otherwise they choose one of the options. */
  readonly isTyped: boolean
  /** What its questions are made from. */
  readonly of: AnyResource
  /** The further records that a question needs: sets that share a term with the first one, or any of a resource. */
  readonly beside?: 'crossing' | AnyResource
  /** Undefined if these records make no good question: the engine draws others. */
  ask(drawn: Drawn, beside: readonly Drawn[], chance: Chance): Question | undefined
}

/** How answers that people type are compared. */
export interface AnswerLanguage {
  /** Whether the guess is the answer, apart from what does not matter. */
  isSame(guess: string, answer: string): boolean
  /** Whether the words of the guess are forms of those of the answer. */
  isOtherForm(guess: string, answer: string): boolean
  /** The words of an answer that matter. */
  wordsOf(answer: string): readonly string[]
  /** The other forms of such a word, and what it may be a form of. */
  formsOf(word: string): readonly string[]
}

/** A record whose terms belong together. */
export interface WordSet {
  readonly id: number
  readonly name: string
  readonly mode: string
  readonly terms: readonly string[]
}

/** What a board of words needs to know about their language. */
export interface PlayLanguage {
  /** Equal terms have the same key, whatever their letter case, accents, articles and plural. */
  readonly keyOf: (term: string) => string
  /** How well people know a term: 0 to `mostFamiliar`. */
  readonly familiarityOf: (term: string) => number
  readonly mostFamiliar: number
}

/** A game with one board of words a day, the same for all players. */
export interface DailyGame extends Pick<Game, 'name' | 'title' | 'does' | 'stakes' | 'of'> {
  readonly language: PlayLanguage
  /** The fields that a set is made from. */
  readonly reads: readonly string[]
  setOf(row: Row): WordSet
}

/** The games of a catalogue, and the resource that has the best score of each player. */
export interface Games {
  readonly list: readonly Game[]
  readonly daily: DailyGame
  readonly language: AnswerLanguage
  readonly winners: {
    readonly resource: AnyResource
    /** The member that has the score, and those that a player's record keeps. */
    readonly score: string
    readonly keeps: readonly string[]
    /** The member that names the game. */
    readonly game: string
    write(best: BestScore): JsonObject
  }
}

export interface BestScore {
  readonly user: string
  readonly game: string
  readonly score: number
  /** The number of the round in which the score was reached. */
  readonly round: number
}
