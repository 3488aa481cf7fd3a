/** The way back from a word of a text to the terms it may be a form of; each is proved by inflecting it again. */
import { DEGREES, GERUNDS, PLURALS, THIRD_PERSONS, VERBS } from './irregular.ts'
import { matchable } from './match.ts'

/** Lower-case form -> the irregular words it belongs to. */
const IRREGULAR = new Map<string, string[]>([['are', ['be']]])
for (const [base, forms] of [...VERBS, ...DEGREES, ...GERUNDS, ...THIRD_PERSONS, ...PLURALS]) {
  for (const form of [forms].flat()) IRREGULAR.set(form, [...(IRREGULAR.get(form) ?? []), base])
}
const IRREGULAR_ENDS = [...IRREGULAR.keys()].filter((form) => form.length > 2)

/** What an ending may have been before: houses -> house, hous. */
const ENDINGS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/ies$/, ['y', 'ie']],
  [/ves$/, ['f', 'fe', 've']],
  [/ses$/, ['sis', 's', 'se']],
  [/es$/, ['', 'e']],
  [/s$/, ['']],
  [/men$/, ['man']],
  [/ied$/, ['y', 'ie']],
  [/cked$/, ['c']],
  [/ed$/, ['', 'e']],
  [/ying$/, ['ie', 'y']],
  [/cking$/, ['c']],
  [/ing$/, ['', 'e']],
  [/ier$/, ['y']],
  [/iest$/, ['y']],
  [/er$/, ['', 'e']],
  [/est$/, ['', 'e']],
]
const DOUBLED = /([bdfgklmnprstvz])\1$/

/** In small letters, the word itself first. */
export function baseForms(word: string): string[] {
  const lower = word.toLowerCase()
  const candidates = new Set([lower, ...(IRREGULAR.get(lower) ?? []), ...compounds(lower)])
  for (const [ending, before] of ENDINGS) {
    if (!ending.test(lower)) continue
    for (const end of before) {
      const stem = lower.replace(ending, end)
      candidates.add(stem)
      if (end === '' && DOUBLED.test(stem)) candidates.add(stem.slice(0, -1))
    }
  }
  return [...candidates].filter((base) => base === lower || matchable(base).some(({ form }) => form === lower))
}

/** undone is of undo, grandchildren of grandchild: the end is irregular, what stands before it stays. */
function compounds(word: string): string[] {
  return IRREGULAR_ENDS.filter((end) => word.endsWith(end) && word.length > end.length).flatMap((end) => {
    return IRREGULAR.get(end)!.map((base) => word.slice(0, -end.length) + base)
  })
}
