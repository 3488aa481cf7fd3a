/** Comparatives and superlatives: older, more beautiful, better-known. */
import { COMPARED_FIRST, DEGREES, MORE, VERBS } from './irregular.ts'
import { CONSONANT_Y, endsShort, rememberLast, syllables } from './spelling.ts'

type Degrees = readonly [comparative: string, superlative: string]

function degreesOf(word: string, isShort: (word: string) => boolean): Degrees {
  const known = DEGREES.get(word)
  if (known) return known
  if (isCompared(word) || !isShort(word)) return [`more ${word}`, `most ${word}`]
  if (/e$/.test(word)) return [`${word}r`, `${word}st`]
  if (LONG_EY.test(word)) return [`${word.slice(0, -2)}ier`, `${word.slice(0, -2)}iest`]
  if (CONSONANT_Y.test(word)) return [`${word.slice(0, -1)}ier`, `${word.slice(0, -1)}iest`]
  const stem = endsShort(word) && syllables(word) === 1 ? word + word.at(-1) : word
  return [`${stem}er`, `${stem}est`]
}

/** Pricey, gooey; not grey. */
const LONG_EY = /..[^r]ey$/
/** Irregular participles are long: more known, more broken. "Wet" and "drunk" are adjectives first. */
const PARTICIPLES: ReadonlySet<string> = new Set(
  Array.from(VERBS.values(), ([, participle]) => participle).filter((each) => each !== 'wet' && each !== 'drunk'),
)

/** All others in -er are degrees themselves, or have none: lower, other, utter. */
const SHORT_IN_ER: ReadonlySet<string> = new Set(['bitter', 'clever', 'limber', 'slender', 'sober', 'tender'])

/** Whether a word takes more and most, however short it is. */
function isCompared(word: string): boolean {
  return MORE.has(word) || PARTICIPLES.has(word) || !/^[a-z]+$/.test(word)
}

const degreesOfAdjective = rememberLast((word) => degreesOf(word, isShortAdjective))
const degreesOfAdverb = rememberLast((word) => degreesOf(word, isShortAdverb))

/** Adjectives of one syllable, of two if they end in -y, -le or -ow, and unhappy. Participles count as long. */
function isShortAdjective(word: string): boolean {
  if ((/ed$/.test(word) && word.length > 3) || (/ing$/.test(word) && word.length > 4)) return false
  const count = syllables(word)
  if (count === 2) return /(?:[^aeiou]y|ey|ie|[^aeiou]le|ow)$/.test(word) || SHORT_IN_ER.has(word)
  return count === 1 || (count === 3 && /^un.*[^aeiou]y$/.test(word))
}

function isShortAdverb(word: string): boolean {
  return word === 'early' || (syllables(word) === 1 && !/ly$/.test(word))
}

/** Tag -> the degree of a word in lower case. */
export const DEGREE_RULES = [
  ['JJR', (word: string) => degreesOfAdjective(word)[0]],
  ['JJS', (word: string) => degreesOfAdjective(word)[1]],
  ['RBR', (word: string) => degreesOfAdverb(word)[0]],
  ['RBS', (word: string) => degreesOfAdverb(word)[1]],
] as const

export const isDegree = (tag: string) => DEGREE_RULES.some(([each]) => each === tag)

/** Of a term that may have several words: better-known, longer-lived; more old-fashioned, more out of date. */
export function degreeOfTerm(term: string, tag: string, degreeOf: (word: string) => string): string {
  const [, first, rest = ''] = /^(\p{L}+)([-\s].+)$/su.exec(term) ?? []
  if (first === undefined) return degreeOf(term)
  if (COMPARED_FIRST.has(first.toLowerCase())) return degreeOf(first) + rest
  return `${tag.endsWith('R') ? 'more' : 'most'} ${term}`
}
