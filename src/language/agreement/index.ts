/**
 * What was filled in must agree with what stays. Each rule looks at the words next to a filled word, and changes them, or
 * the word, only where the text is certainly wrong; a rule that cannot be sure leaves it as it is.
 */
import { aOrAn } from './a-or-an.ts'
import { comparison } from './comparison.ts'
import { doubledWords } from './doubled-words.ts'
import { Draft, type Edits, type FilledWord } from './draft.ts'
import { formsOfBe } from './forms-of-be.ts'
import { gerunds } from './gerunds.ts'
import { objects } from './objects.ts'
import { Place } from './place.ts'
import { possessives } from './possessives.ts'

export type { FilledWord, Repair } from './draft.ts'

export interface Rule {
  readonly name: string
  /** The tags of the tokens that it looks at; all, if none are given. */
  readonly tags?: ReadonlySet<string>
  /** The edits that repair this place, if they are certain. */
  repair(place: Place): Edits | undefined
}

/** In order: what one rule changes, the next ones see. */
const RULES: readonly Rule[] = [comparison, gerunds, formsOfBe, objects, possessives, doubledWords, aOrAn]
const STRICT: readonly Rule[] = [aOrAn]

/** Repairs a text. If it is `strict`, only "a" and "an". */
export function agree(text: string, words: readonly FilledWord[], { strict = false } = {}): Draft {
  const draft = new Draft(text, words)
  for (const { name, tags, repair } of strict ? STRICT : RULES) {
    const found: Edits[] = []
    for (let i = 0; i < draft.words.length; i++) {
      const word = draft.words[i]
      if (!word?.isFilled || (tags && !tags.has(word.token.tag ?? ''))) continue
      const edits = repair(new Place(draft, i, word))
      if (edits) found.push(edits)
    }
    if (found.length > 0) draft.make(found, name)
  }
  return draft
}

/** The words, by number, in whose places a text would be repaired. */
export function repairedWords(text: string, words: readonly FilledWord[]): ReadonlySet<number> {
  const draft = new Draft(text, words)
  const repaired = new Set<number>()
  for (const { tags, repair } of RULES) {
    words.forEach((word, i) => {
      if (!tags || tags.has(word.token.tag ?? '')) if (repair(new Place(draft, i, word))) repaired.add(i)
    })
  }
  return repaired
}
