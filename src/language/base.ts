/** Maps a word of a text back to the terms it may be a form of; each candidate is verified by inflecting it again. */
import { ONLY_CLOSED } from './closed-words.ts'
import { forms, isAcronym, isPlain, PLAIN_RULES } from './inflect.ts'
import { DEGREES, GERUNDS, MODALS, NAMES, PLURALS, THIRD_PERSONS, VERBS } from './irregular.ts'
import { rememberRecent } from './spelling.ts'
import { variantBases, variantsOf } from './variants.ts'

/** Lower-case form -> the irregular words it belongs to. */
const IRREGULAR = new Map<string, string[]>([['are', ['be']]])
for (const [base, forms] of [...VERBS, ...DEGREES, ...GERUNDS, ...THIRD_PERSONS, ...PLURALS, ...MODALS]) {
  for (const form of [forms].flat()) addIrregular(form, base)
}
for (const [form, base] of variantBases()) addIrregular(form, base)

function addIrregular(form: string, base: string): void {
  IRREGULAR.set(form, [...(IRREGULAR.get(form) ?? []), base])
}

/** The irregular forms that can end a compound, in the order in which they are tried. */
const IRREGULAR_ENDS = new Map([...IRREGULAR.keys()].filter((form) => form.length > 2).map((form, i) => [form, i]))
const LONGEST_END = Math.max(...[...IRREGULAR_ENDS.keys()].map((form) => form.length))

/** What an ending may have been: houses -> house, hous. */
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
  [/ier$/, ['y', 'ey']],
  [/iest$/, ['y', 'ey']],
  [/er$/, ['', 'e']],
  [/est$/, ['', 'e']],
]
const DOUBLED = /(\p{L})\1$/u
/** Of a word with more hyphens, no part but the last is looked at. */
const MOST_PARTS = 5

/** In lower case, the word itself first. */
export const baseForms = rememberRecent(makeBaseForms)

function makeBaseForms(text: string): readonly string[] {
  const lower = text.toLowerCase()
  const candidates = new Set([lower, ...candidatesOf(lower), ...joinedCandidates(lower)])
  return [...candidates].filter(
    (base) => base === lower || [base, ...inCapitals(base)].some((term) => isForm(lower, term)),
  )
}

/** Under any tag: what a term can be is not asked here. */
function isForm(word: string, term: string): boolean {
  if (ONLY_CLOSED.has(term)) return false
  const isRegular = isPlain(term)
    ? PLAIN_RULES.some((rule) => rule(term) === word)
    : forms(term).some(({ form }) => form.toLowerCase() === word)
  return isRegular || variantsOf(term).some(({ form }) => form === word)
}

/** Names and acronyms have other forms than common words. */
function inCapitals(word: string): string[] {
  const upper = word.toUpperCase()
  if (isAcronym(upper)) return [upper]
  return NAMES.has(word) ? [word.charAt(0).toUpperCase() + word.slice(1)] : []
}

/** mothers-in-law, better-known: a part before a hyphen changes. */
function joinedCandidates(word: string): string[] {
  const parts = word.split('-')
  if (parts.length > MOST_PARTS) return []
  return parts.slice(0, -1).flatMap((part, i) => candidatesOf(part).map((base) => parts.with(i, base).join('-')))
}

function candidatesOf(word: string): string[] {
  const candidates = [...(IRREGULAR.get(word) ?? []), ...compounds(word)]
  for (const [ending, before] of ENDINGS) {
    if (!ending.test(word)) continue
    for (const end of before) {
      const stem = word.replace(ending, end)
      candidates.push(stem)
      if (end === '' && DOUBLED.test(stem)) candidates.push(stem.slice(0, -1))
    }
  }
  return candidates
}

/** undone comes from undo, grandchildren from grandchild: the end is irregular, the part before it stays. */
function compounds(word: string): string[] {
  const ends: string[] = []
  for (let length = 3; length <= LONGEST_END && length < word.length; length++) {
    const end = word.slice(-length)
    if (IRREGULAR_ENDS.has(end)) ends.push(end)
  }
  return ends
    .sort((a, b) => IRREGULAR_ENDS.get(a)! - IRREGULAR_ENDS.get(b)!)
    .flatMap((end) => IRREGULAR.get(end)!.map((base) => word.slice(0, -end.length) + base))
}
