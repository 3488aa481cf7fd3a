/**
 * English inflection: a term and a Penn tag give a word. A term without such a form stays as it is; no input makes it
 * throw or lose a character. Annotating and spinning both use this one function, so they can never disagree.
 */
import {
  DEGREES,
  DOUBLING,
  GERUNDS,
  MORE,
  NO_MEN,
  NOT_PREFIXED,
  PLURALS,
  THIRD_PERSONS,
  UNCHANGED,
  VERBS,
} from './irregular.ts'

/** The tags that require a form; under any other tag a term is unchanged. */
const INFLECTED_TAGS = [
  'NN',
  'NNS',
  'NNP',
  'NNPS',
  'VB',
  'VBD',
  'VBG',
  'VBN',
  'VBP',
  'VBZ',
  'JJ',
  'JJR',
  'JJS',
  'RB',
  'RBR',
  'RBS',
] as const

export type InflectedTag = (typeof INFLECTED_TAGS)[number]

/** A word that a term can become, and the tags under which it does. */
export interface Form {
  readonly form: string
  readonly tags: readonly InflectedTag[]
}

export function inflect(term: string, tag: string): string {
  const rule = RULES.get(tag)
  if (!rule || !/\p{L}$/u.test(term)) return term
  if (PLAIN.test(term)) return rule(term)
  const [before, word, after] = headOf(term, tag)
  return `${before}${inCaseOf(word, rule(word.toLowerCase()))}${after}`
}

/** One word in lower case: the rules take it as it is. */
const PLAIN = /^[a-z]+$/

/** Whether the term is one word in lower case, so that `PLAIN_RULES` make all its forms. */
export const isPlain = (term: string) => PLAIN.test(term)

/** All forms of a term, each once, with every tag that gives it. */
export function forms(term: string): Form[] {
  const found: { form: string; tags: InflectedTag[] }[] = []
  for (const tag of INFLECTED_TAGS) {
    const form = inflect(term, tag)
    const known = found.find((each) => each.form === form)
    if (known) known.tags.push(tag)
    else found.push({ form, tags: [tag] })
  }
  return found
}

/** Callers ask for the forms of one word one after the other, and some share work. */
function rememberLast<T>(make: (word: string) => T): (word: string) => T {
  let last: { readonly word: string; readonly made: T } | undefined
  return (word) => {
    if (last?.word !== word) last = { word, made: make(word) }
    return last.made
  }
}

type Rule = (word: string) => string

const RULES: ReadonlyMap<string, Rule> = new Map<InflectedTag, Rule>([
  ['NNS', pluralOf],
  ['NNPS', pluralOf],
  ['VBD', (verb) => irregularOf(verb)?.[0] ?? withEd(verb)],
  ['VBN', (verb) => irregularOf(verb)?.[1] ?? withEd(verb)],
  ['VBG', gerundOf],
  ['VBZ', thirdPersonOf],
  ['VBP', (verb) => (verb === 'be' ? 'are' : verb)],
  ['JJR', (word) => degreesOfAdjective(word)[0]],
  ['JJS', (word) => degreesOfAdjective(word)[1]],
  ['RBR', (word) => degreesOfAdverb(word)[0]],
  ['RBS', (word) => degreesOfAdverb(word)[1]],
])

/** The rules that make the forms of a plain term; some may give the same form. */
export const PLAIN_RULES: readonly Rule[] = [...new Set(RULES.values())]

/** The word of a term that is inflected: the first of verbs, the last of nouns and adjectives. */
function headOf(term: string, tag: string): [before: string, word: string, after: string] {
  const [, first = '', rest = ''] = /^(\S+)(.*)$/su.exec(term) ?? []
  if (rest !== '') {
    if (tag.startsWith('VB')) return ['', first, rest]
    const [, start = '', last = ''] = /^(.*\s)(\S+)$/su.exec(term) ?? []
    return [start, last, '']
  }
  // mother-in-law, passer-by, runner-up: the first noun; all others, close-up: the last part.
  const phrase = tag.startsWith('NN') && /^([\p{L}\p{M}]+)(-(?:in|of|by|(?<=er-)up|at|on|to|de)\b.*)$/su.exec(term)
  if (phrase) return ['', phrase[1]!, phrase[2]!]
  const [, start = '', last = term] = /^(.*[^\p{L}\p{M}])([\p{L}\p{M}]+)$/su.exec(term) ?? []
  return [start, last, '']
}

/** Copies the term's case: lower-case, Capitalised, or all CAPITALS. */
function inCaseOf(model: string, word: string): string {
  if (model === model.toLowerCase()) return word
  if (word === model.toLowerCase()) return model
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase()
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const SIBILANT = /(?:[sxz]|[cs]h)$/
const CONSONANT_Y = /(?:[^aeiou]|qu)y$/

function pluralOf(noun: string): string {
  const known = irregularPluralOf(noun)
  if (known !== undefined) return known
  if (isPlural(noun) || (/.men$/.test(noun) && !NO_MEN.has(noun))) return noun
  if (/man$/.test(noun) && !NO_MEN.has(noun)) return `${noun.slice(0, -2)}en`
  if (/[^e]ese$|craft$|(?<=[a-z]{3})fish$/.test(noun) && noun !== 'craft') return noun
  if (/sis$/.test(noun)) return `${noun.slice(0, -2)}es`
  return withS(noun)
}

const COMPOUND =
  /^(.{2,})(child|foot|tooth|goose|person|wife|knife|life|leaf|loaf|shelf|calf|wolf|thief|half|mouse|hero|potato)$/

/** Compounds follow their last part: housewife, bookshelf, grandchild. */
function irregularPluralOf(noun: string): string | undefined {
  if (UNCHANGED.has(noun)) return noun
  const known = PLURALS.get(noun)
  if (known !== undefined) return known
  const [, start, end] = COMPOUND.exec(noun) ?? []
  return end && start + PLURALS.get(end)!
}

/** Nouns in a single -s are already plurals, unless they end like singulars. */
function isPlural(noun: string): boolean {
  return (
    /[^s]s$/.test(noun) && noun.length > 3 && !/(?:us|is|as|os|ens)$/.test(noun) && !/^(?:yes|bias|plus)$/.test(noun)
  )
}

function withS(word: string): string {
  if (CONSONANT_Y.test(word)) return `${word.slice(0, -1)}ies`
  return SIBILANT.test(word) ? `${word}es` : `${word}s`
}

const O_TAKES_ES = /(?:^|[a-z])(?:go|do|veto|echo|torpedo|embargo)$/

function thirdPersonOf(verb: string): string {
  const known = THIRD_PERSONS.get(verb)
  if (known !== undefined) return known
  if (O_TAKES_ES.test(verb) && !/[aeiou]o$/.test(verb)) return `${verb}es`
  return verb === 'stomach' ? 'stomachs' : withS(verb)
}

function gerundOf(verb: string): string {
  const known = GERUNDS.get(verb)
  if (known !== undefined) return known
  if (/ie$/.test(verb)) return `${verb.slice(0, -2)}ying`
  if (/[^eoy]e$/.test(verb) && verb.length > 2) return `${verb.slice(0, -1)}ing`
  return `${doubled(verb)}ing`
}

const withEd = rememberLast((verb) => {
  if (/e$/.test(verb)) return `${verb}d`
  if (CONSONANT_Y.test(verb)) return `${verb.slice(0, -1)}ied`
  return `${doubled(verb)}ed`
})

/** stop -> stopp, admit -> admitt, panic -> panick; visit stays. */
function doubled(verb: string): string {
  if (/[aeiou]c$/.test(verb)) return `${verb}k`
  if (DOUBLING.has(verb) || (endsShort(verb) && syllables(verb) === 1) || prefixedShort(verb)) return verb + verb.at(-1)
  return verb
}

/** One consonant after one vowel (qu counts as a consonant), except letters that are never doubled. */
function endsShort(word: string): boolean {
  return /(?:^|[^aeiou]|qu)[aeiouy][b-df-hj-np-tvz]$/.test(word)
}

/** unplug, overlap, reset: a short verb behind a prefix. */
function prefixedShort(verb: string): boolean {
  const [prefix, inner] = prefixed(verb) ?? []
  if (!inner || inner.length < 3 || !endsShort(inner) || syllables(inner) > 1) return false
  return VERBS.has(inner) || /^(?:un|over|under|out)$/.test(prefix!)
}

/** Prefixes that make a verb from a verb, longest first. Verbs in be- and for- are in the table themselves. */
const PREFIXES = ['counter', 'under', 'inter', 'over', 'fore', 'with', 'out', 'mis', 'pre', 'up', 'un', 're']

/** The verb after a prefix or a hyphen, and the part before it. */
function prefixed(verb: string): [prefix: string, inner: string] | undefined {
  if (NOT_PREFIXED.has(verb)) return undefined
  const hyphen = verb.lastIndexOf('-') + 1
  const length = hyphen || (PREFIXES.find((prefix) => verb.startsWith(prefix))?.length ?? 0)
  return length > 0 ? [verb.slice(0, length), verb.slice(length)] : undefined
}

const irregularOf = rememberLast((verb): readonly [past: string, participle: string] | undefined => {
  const known = VERBS.get(verb)
  if (known) return known
  const [prefix, inner] = prefixed(verb) ?? []
  const parts = inner && VERBS.get(inner)
  return parts ? [prefix + parts[0], prefix + parts[1]] : undefined
})

type Degrees = readonly [comparative: string, superlative: string]

function degreesOf(word: string, isShort: (word: string) => boolean): Degrees {
  const known = DEGREES.get(word)
  if (known) return known
  if (MORE.has(word) || !/^[a-z]+$/.test(word) || !isShort(word)) return [`more ${word}`, `most ${word}`]
  if (/e$/.test(word)) return [`${word}r`, `${word}st`]
  if (CONSONANT_Y.test(word)) return [`${word.slice(0, -1)}ier`, `${word.slice(0, -1)}iest`]
  const stem = endsShort(word) && syllables(word) === 1 ? word + word.at(-1) : word
  return [`${stem}er`, `${stem}est`]
}

const degreesOfAdjective = rememberLast((word) => degreesOf(word, isShortAdjective))
const degreesOfAdverb = rememberLast((word) => degreesOf(word, isShortAdverb))

/** Adjectives of one syllable, of two if they end in -y, -le, -ow or -er, and unhappy. Participles count as long. */
function isShortAdjective(word: string): boolean {
  if (/(?:[^aeiou]|[aeiou]{2})ed$|ing$/.test(word) && word.length > 4) return false
  const count = syllables(word)
  if (count === 2) return /(?:[^aeiou]y|le|ow|er)$/.test(word)
  return count === 1 || (count === 3 && /^un.*[^aeiou]y$/.test(word))
}

function isShortAdverb(word: string): boolean {
  return word === 'early' || (syllables(word) === 1 && !/ly$/.test(word))
}

/** Approximates spoken vowels: groups of vowels, without a silent e at the end. */
export const syllables = rememberLast(countSyllables)

function countSyllables(word: string): number {
  const groups = word
    .replace(/qu/g, 'q')
    .replace(/([^aeiouylr]|[aeiouy]l|[aeiouy]r)e$/, '$1')
    .replace(/([^aeioul])le$/, '$1el')
    .match(/[aeiouy]+/g)
  return Math.max(1, groups?.length ?? 0)
}
