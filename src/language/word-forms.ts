/**
 * The other forms of a word, for search: fire, fires, fired, firing; happy, happiness; colour, color. A result need not
 * be a word: search finds nothing by it. It works by spelling alone, because a query is no sentence.
 */
import { baseForms } from './base.ts'
import { isFunctionWord } from './ignored-words.ts'
import { type InflectedTag, inflect } from './inflect.ts'
import { rememberRecent } from './spelling.ts'
import { spellingVariants } from './spelling-variants.ts'
import { FAMILIES } from './word-families.ts'

const SHORTEST = 3
const MOST_FORMS = 20
const INFLECTED: readonly InflectedTag[] = ['NNS', 'VBZ', 'VBD', 'VBN', 'VBG']

const related = new Map<string, string[]>()
for (const family of FAMILIES) {
  for (const word of family) related.set(word, [...(related.get(word) ?? []), ...family])
}

/** happy, happiness, happily; patient, patience; hope, hopeful. */
const DERIVED: readonly (readonly [RegExp, string])[] = [
  [/(?<=[a-z]{2})iness$/, 'y'],
  [/(?<=[a-z]{3})ness$/, ''],
  [/(?<=[a-z]{2})ily$/, 'y'],
  [/(?<=[a-z]{3})ly$/, ''],
  [/(?<=[a-z]{3}[ae]n)ce$/, 't'],
  [/(?<=[a-z]{3}[ae]n)t$/, 'ce'],
  [/(?<=[a-z]{3})iful$/, 'y'],
  [/(?<=[a-z]{3})ful$/, ''],
  [/(?<=[a-z]{2}[^aeiou])y$/, 'iness'],
  [/(?<=[a-z]{2}[^aeiou])y$/, 'ily'],
  [/(?<=[a-z]{2}[^sy])$/, 'ness'],
  [/(?<=[a-z]{2}[^sy])$/, 'ly'],
]

/** Of a word in lower case without accents. The word itself is not among them. */
export const wordForms = rememberRecent(makeForms)

function makeForms(word: string): readonly string[] {
  if (!/^[a-z]+$/.test(word) || word.length < SHORTEST || isFunctionWord(word)) return []
  const bases = basesOf(word)
  const inflected = bases.flatMap((base) => [base, ...INFLECTED.map((tag) => inflect(base, tag))])
  const variants = [word, ...inflected].flatMap(spellingVariants)
  const derived = bases.flatMap((base) => [
    ...(related.get(base) ?? []),
    ...DERIVED.flatMap(([ending, other]) => (ending.test(base) ? base.replace(ending, other) : [])),
  ])
  const forms = new Set([...inflected, ...variants, ...derived])
  forms.delete(word)
  return [...forms].filter((form) => form.length > 1 && /^[a-z]+$/.test(form)).slice(0, MOST_FORMS)
}

/** What the word is a form of, or the word itself. */
function basesOf(word: string): string[] {
  const others = baseForms(word).filter((base) => base !== word && isBaseOf(base, word))
  return others.length > 0 ? others : [word]
}

/** Tower is no form of tow, thing none of the, and king none of k. */
function isBaseOf(base: string, word: string): boolean {
  if (base === 'the' || (base.length < SHORTEST && word.startsWith(base))) return false
  return !(/(?<!i)(?:er|est)$/.test(word) && word.startsWith(base.slice(0, -1)))
}
