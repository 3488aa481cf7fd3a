/** The words next to a word of a text, for rules that ask what a word means in its sentence. */
import { forms } from './inflect.ts'
import type { Passage } from './passage.ts'
import type { Slot } from './qode.ts'
import type { Word } from './words.ts'

/** A word of a text that is a form of a term. */
export interface Found {
  readonly word: Word
  /** Which of the text's words. */
  readonly place: number
  readonly tag: string
  /** The quadranym and the slot. */
  readonly reading: { readonly place: number; readonly slot: Slot }
}

/** How far the verb of an auxiliary may be. */
const MOST_BETWEEN = 4

/** The tag of the next word, or of the first after it that does not have one of these tags; none of a sign. */
export function tagAfter(passage: Passage, place: number, passed: readonly string[] = []): string {
  for (let next = place + 1; next <= place + 1 + MOST_BETWEEN && next < passage.words.length; next++) {
    const tag = passage.freeTag(next)
    if (!passed.includes(tag)) return tag
  }
  return ''
}

export function wordBefore(passage: Passage, place: number): string | undefined {
  return passage.words[place - 1]?.text.toLowerCase()
}

export function wordAfter(passage: Passage, place: number): string | undefined {
  return passage.words[place + 1]?.text.toLowerCase()
}

export function isBeforeInfinitive(passage: Passage, place: number): boolean {
  return wordAfter(passage, place) === 'to' && tagAfter(passage, place + 1) === 'VB'
}

/** All forms of these verbs. */
export const formsOf = (verbs: string): ReadonlySet<string> =>
  new Set(verbs.split(/\s+/).flatMap((verb) => [verb, ...forms(verb).map(({ form }) => form)]))
