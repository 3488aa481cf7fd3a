/** The sets that boards are made of, and for each word the sets that have it. Nothing compares all sets with each other. */
import type { PlayLanguage, WordSet } from '../../declare/index.ts'
import { GROUP_SIZE } from './board.ts'
import { groupsWithin, sizeOf } from './partitions.ts'

const MOST_WORDS = 3
const MOST_LETTERS = 20
const FEWEST_LETTERS = 2
/** Letters, joined by spaces, hyphens and apostrophes; no digits and no other signs. */
const WORD = /^[\p{L}\p{M}]+(?:[ '’-][\p{L}\p{M}]+)*$/u
/** Two terms of a group may share these: "clerk of works" and "court of law". */
const SMALL_WORDS = new Set(['of', 'the', 'and', 'in', 'on', 'to', 'at', 'a', 'an'])

/** A term that can be on a board. */
export interface PlayTerm {
  readonly text: string
  readonly key: string
  /** The keys of its single words, without "of", "the" and the like. */
  readonly parts: readonly string[]
}

export interface PlaySet extends WordSet {
  /** Its terms that can be on a board, each once. */
  readonly words: readonly PlayTerm[]
}

export function isPlayable(term: string): boolean {
  const letters = term.match(/\p{L}/gu)?.length ?? 0
  return letters >= FEWEST_LETTERS && letters <= MOST_LETTERS && WORD.test(term) && term.split(' ').length <= MOST_WORDS
}

export class BoardIndex {
  readonly language: PlayLanguage
  /** The sets that can be a group of a board, in the order of their ids. */
  readonly playable: PlaySet[] = []
  /** By the key of a term: the places of the sets that have it. */
  readonly #places = new Map<string, number[]>()
  /** By place: the set, if it can be a group. */
  readonly #playableAt: (PlaySet | undefined)[] = []
  /** By place: which words of a board the set has. It is all zeros between two boards. */
  #masks = new Uint16Array(0)

  /** `others` are groups that players may see as well, such as those of a dictionary; no board hides them. */
  constructor(sets: readonly WordSet[], language: PlayLanguage, others: readonly (readonly string[])[] = []) {
    this.language = language
    this.add(sets.toSorted((a, b) => a.id - b.id))
    this.addOthers(others)
  }

  addOthers(others: readonly (readonly string[])[]): void {
    for (const terms of others) this.#add(terms, undefined)
  }

  /** Further sets, with higher ids. */
  add(sets: readonly WordSet[]): void {
    for (const set of sets) {
      const words = this.#wordsOf(set.terms)
      const playable = canFill(words) ? { ...set, words } : undefined
      if (playable) this.playable.push(playable)
      this.#add(set.terms, playable)
    }
  }

  /** The sets with this term that can be a group. */
  *playableWith(key: string): Generator<PlaySet> {
    for (const place of this.#places.get(key) ?? []) {
      const set = this.#playableAt[place]
      if (set) yield set
    }
  }

  /** What each set has of these words, as masks: only those with at least `least` of them, each mask once. */
  masksOf(words: readonly string[], least: number): number[] {
    if (this.#masks.length < this.#playableAt.length) this.#masks = new Uint16Array(this.#playableAt.length)
    const touched: number[] = []
    for (const [bit, word] of words.entries()) {
      for (const place of this.#places.get(this.language.keyOf(word)) ?? []) {
        const mask = this.#masks[place] ?? 0
        if (mask === 0) touched.push(place)
        this.#masks[place] = mask | (1 << bit)
      }
    }
    const found = new Set<number>()
    for (const place of touched) {
      const mask = this.#masks[place] ?? 0
      if (sizeOf(mask) >= least) found.add(mask)
      this.#masks[place] = 0
    }
    return [...found]
  }

  /** Every group of four that a set can make of these words, as masks. */
  groupsAmong(words: readonly string[]): Set<number> {
    return new Set(this.masksOf(words, GROUP_SIZE).flatMap((mask) => groupsWithin(mask, GROUP_SIZE)))
  }

  #wordsOf(terms: readonly string[]): PlayTerm[] {
    const byKey = new Map<string, PlayTerm>()
    for (const text of terms.filter(isPlayable)) {
      const key = this.language.keyOf(text)
      const parts = key.split(' ').filter((part) => !SMALL_WORDS.has(part))
      if (key !== '' && !byKey.has(key)) byKey.set(key, { text, key, parts })
    }
    return [...byKey.values()]
  }

  #add(terms: readonly string[], set: PlaySet | undefined): void {
    const place = this.#playableAt.push(set) - 1
    for (const key of new Set(terms.map((term) => this.language.keyOf(term)))) {
      const places = this.#places.get(key)
      if (places) places.push(place)
      else this.#places.set(key, [place])
    }
  }
}

/** Four terms of a group share no word: "polar bear" and "brown bear" would give it away. */
export function fitsInGroup(term: PlayTerm, group: readonly PlayTerm[]): boolean {
  return group.every(({ parts }) => !parts.some((part) => term.parts.includes(part)))
}

function canFill(words: readonly PlayTerm[]): boolean {
  const group: PlayTerm[] = []
  for (const word of words) if (fitsInGroup(word, group)) group.push(word)
  return group.length >= GROUP_SIZE
}
