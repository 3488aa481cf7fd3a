/**
 * What was filled in must agree with what stays. Each rule looks at the words next to a filled word, and changes them, or
 * the word, only where the text is certainly wrong; a rule that cannot be sure leaves it as it is.
 */
import { itemAt } from '../at.ts'
import { aOrAn } from './a-or-an.ts'
import { bareNouns } from './bare-nouns.ts'
import { comparison } from './comparison.ts'
import { derivedForms } from './derived-forms.ts'
import { doubledWords } from './doubled-words.ts'
import { Draft, type Edits, type FilledWord } from './draft.ts'
import { formsOfBe } from './forms-of-be.ts'
import { gerunds } from './gerunds.ts'
import { massNouns } from './mass-nouns.ts'
import { names } from './names.ts'
import { objects } from './objects.ts'
import { Place } from './place.ts'
import { pluralNouns } from './plural-nouns.ts'
import { possessives } from './possessives.ts'
import { pronouns } from './pronouns.ts'
import { quantities } from './quantities.ts'
import { relatives } from './relatives.ts'

export type { FilledWord, Repair } from './draft.ts'

export interface Rule {
  readonly name: string
  /** The tags of the tokens that it looks at; all, if none are given. */
  readonly tags?: ReadonlySet<string>
  /** The edits that repair this place, if they are certain. */
  repair(place: Place): Edits | undefined
}

/** In order: what one rule changes, the next ones see. The last is the only one for a strict filling. */
const RULES: readonly Rule[] = [
  massNouns,
  pluralNouns,
  quantities,
  bareNouns,
  names,
  relatives,
  pronouns,
  comparison,
  gerunds,
  formsOfBe,
  derivedForms,
  objects,
  possessives,
  doubledWords,
  aOrAn,
]

/** Repairs a text. If it is `strict`, only "a" and "an". */
export function agree(text: string, words: readonly FilledWord[], { strict = false } = {}): Draft {
  const draft = new Draft(text, words)
  const last = RULES.length - 1
  // Most texts need no repair: one look at every place tells so.
  for (let from = strict ? last : 0; from <= last; ) {
    const found = findEdits(draft, from)
    if (!found) break
    draft.make(found.edits, itemAt(RULES, found.rule).name)
    from = found.rule + 1
  }
  return draft
}

/** The edits of the first rule that has any, among those from this one on. */
function findEdits(
  draft: Draft,
  from: number,
): { readonly rule: number; readonly edits: readonly Edits[] } | undefined {
  let first = RULES.length
  let edits: Edits[] = []
  for (const place of placesIn(draft)) {
    for (const number of rulesFor(place.tag)) {
      if (number < from) continue
      if (number > first) break
      const found = itemAt(RULES, number).repair(place)
      if (!found) continue
      if (number < first) edits = []
      first = number
      edits.push(found)
    }
  }
  return edits.length > 0 ? { rule: first, edits } : undefined
}

const MOST_TAGS = 100
const byTag = new Map<string, readonly number[]>()

/** The rules that look at a token with this tag, by number. */
function rulesFor(tag: string): readonly number[] {
  const known = byTag.get(tag)
  if (known) return known
  const numbers = RULES.flatMap(({ tags }, number) => (!tags || tags.has(tag) ? [number] : []))
  // Anybody can write a tag, so not all of them are remembered.
  if (byTag.size < MOST_TAGS) byTag.set(tag, numbers)
  return numbers
}

/** The places of the words that were filled in. */
function placesIn(draft: Draft): Place[] {
  const places: Place[] = []
  draft.words.forEach((word, i) => {
    if (word.isFilled) places.push(new Place(draft, i, word))
  })
  return places
}

/** The words, by number, in whose places a text would be repaired. */
export function repairedWords(text: string, words: readonly FilledWord[]): ReadonlySet<number> {
  const isRepaired = (place: Place) => rulesFor(place.tag).some((number) => itemAt(RULES, number).repair(place))
  return new Set(placesIn(new Draft(text, words)).flatMap((place) => (isRepaired(place) ? [place.index] : [])))
}
