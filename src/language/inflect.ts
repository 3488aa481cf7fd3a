/**
 * English inflection: a term and a Penn tag give a word. A term without such a form stays as it is; no input makes it
 * throw or lose a character. Annotating and spinning both use this one function, so they can never disagree.
 */
import { DEGREE_RULES, degreeOfTerm, isDegree } from './degrees.ts'
import { headOf } from './head-word.ts'
import {
  ACRONYMS,
  DOUBLING,
  GERUNDS,
  MODALS,
  NAMES,
  NO_MEN,
  NOT_PREFIXED,
  PLURALS,
  THIRD_PERSONS,
  UNCHANGED,
  VERBS,
} from './irregular.ts'
import { CONSONANT_Y, endsShort, rememberLast, syllables } from './spelling.ts'

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
  if (!rule || !/[\p{L}\p{M}]$/u.test(term)) return term
  if (PLAIN.test(term)) return rule(term)
  if (isDegree(tag)) return degreeOfTerm(term, tag, (word) => inCaseOf(word, rule(word.toLowerCase())))
  const [before, word, after] = headOf(term, tag)
  const inflected = acronymOf(word, tag) ?? inCaseOf(word, nameOf(word, tag) ?? rule(word.toLowerCase()))
  return `${before}${inflected}${after}`
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

type Rule = (word: string) => string

const RULES: ReadonlyMap<string, Rule> = new Map<InflectedTag, Rule>([
  ['NNS', pluralOf],
  ['NNPS', pluralOf],
  ['VBD', (verb) => MODALS.get(verb) ?? irregularOf(verb)?.[0] ?? withEd(verb)],
  ['VBN', (verb) => irregularOf(verb)?.[1] ?? (isOnlyModal(verb) ? verb : withEd(verb))],
  ['VBG', (verb) => (isOnlyModal(verb) ? verb : gerundOf(verb))],
  ['VBZ', thirdPersonOf],
  ['VBP', (verb) => (verb === 'be' ? 'are' : verb)],
  ...DEGREE_RULES,
])

/** "Can" and "will" are also ordinary verbs: canned, willing. */
function isOnlyModal(verb: string): boolean {
  return MODALS.has(verb) && verb !== 'can' && verb !== 'will'
}

/** The rules that make the forms of a plain term; some may give the same form. */
export const PLAIN_RULES: readonly Rule[] = [...new Set(RULES.values())]

/** The endings of what is said letter by letter, or stands for other words: PCs, OKed. */
const ACRONYM_ENDINGS: ReadonlyMap<string, string> = new Map(
  Object.entries({ NNS: 's', NNPS: 's', VBZ: 's', VBD: 'ed', VBN: 'ed', VBG: 'ing' }),
)

/** Capitals are an acronym if they are few, or cannot be a word, or are known. All others are shouted. */
export function isAcronym(word: string): boolean {
  return /^\p{Lu}{2,}$/u.test(word) && (word.length <= 3 || !/[AEIOUY]/.test(word) || ACRONYMS.has(word))
}

function acronymOf(word: string, tag: string): string | undefined {
  return isAcronym(word) ? word + (ACRONYM_ENDINGS.get(tag) ?? '') : undefined
}

/** Names keep their y: two Marys, the Kennedys; and they are not plurals: the Joneses. */
function nameOf(word: string, tag: string): string | undefined {
  const lower = word.toLowerCase()
  if (!/^NNP?S$/.test(tag) || !/^\p{Lu}/u.test(word) || !NAMES.has(lower)) return undefined
  return SIBILANT.test(lower) ? `${lower}es` : `${lower}s`
}

/** Keeps the capitals of the letters that stay: iPhones, Wolves. In capitals if the model is: WOLVES. */
function inCaseOf(model: string, word: string): string {
  const lower = model.toLowerCase()
  if (model === lower || lower.length !== model.length) return word
  if (model.length > 1 && model === model.toUpperCase()) return word.toUpperCase()
  let same = 0
  while (same < model.length && lower[same] === word[same]) same++
  if (same > 0) return model.slice(0, same) + word.slice(same)
  return /^\p{Lu}/u.test(model) ? word.charAt(0).toUpperCase() + word.slice(1) : word
}

const SIBILANT = /(?:[sxz]|[cs]h)$/

function pluralOf(noun: string): string {
  const known = irregularPluralOf(noun)
  if (known !== undefined) return known
  if (isPlural(noun) || (/.men$/.test(noun) && !NO_MEN.has(noun))) return noun
  if (/man$/.test(noun) && !NO_MEN.has(noun)) return `${noun.slice(0, -2)}en`
  if (/[^e]ese$|craft$|(?<=[a-z]{3})fish$/.test(noun) && noun !== 'craft') return noun
  if (/sis$/.test(noun)) return `${noun.slice(0, -2)}es`
  if (/coccus$/.test(noun)) return `${noun.slice(0, -2)}i`
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
  const known = THIRD_PERSONS.get(verb) ?? (MODALS.has(verb) ? verb : undefined)
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

/** unplug, overlap, reset: a short verb behind a prefix. */
function prefixedShort(verb: string): boolean {
  const [prefix, inner] = prefixed(verb) ?? []
  if (!inner || inner.length < 3 || !endsShort(inner) || syllables(inner) > 1) return false
  return VERBS.has(inner) || /^(?:un|over|under|out)$/.test(prefix!)
}

/** Prefixes that make a verb from a verb, longest first. Verbs in be- and for- are in the table themselves. */
const PREFIXES = ['counter', 'under', 'inter', 'over', 'fore', 'with', 'out', 'mis', 'pre', 'co', 'up', 'un', 're']

/** The verb after a prefix or a hyphen, and the part before it. */
function prefixed(verb: string): [prefix: string, inner: string] | undefined {
  if (NOT_PREFIXED.has(verb)) return undefined
  const hyphen = verb.lastIndexOf('-') + 1
  const length = hyphen || (PREFIXES.find((prefix) => verb.startsWith(prefix))?.length ?? 0)
  return length > 0 ? [verb.slice(0, length), verb.slice(length)] : undefined
}

/** The verb after another word, and that word: cowrite, housesit. */
function joined(verb: string): [word: string, inner: string] | undefined {
  const [, word, inner] = NOT_PREFIXED.has(verb)
    ? []
    : (JOINED_VERB.exec(verb) ?? /^(baby|house|pet)(sit)$/.exec(verb) ?? [])
  return word !== undefined && inner !== undefined ? [word, inner] : undefined
}

const irregularOf = rememberLast((verb): readonly [past: string, participle: string] | undefined => {
  const known = VERBS.get(verb)
  if (known) return known
  const [prefix, inner] = prefixed(verb) ?? joined(verb) ?? []
  const parts = inner && VERBS.get(inner)
  return parts ? [prefix + parts[0], prefix + parts[1]] : undefined
})

/** Verbs that other words join at the front: ghostwrite, troubleshoot, spellbind. */
const JOINED_VERB = new RegExp(
  `^(.{3,})(bind|bite|break|breed|build|cast|draw|drink|drive|feed|fight|freeze|grind|grow|hold|keep|lead|make|read|run|sell|shoot|sing|
    sleep|speak|spin|stand|steal|sweep|swim|take|teach|tell|think|throw|wear|weave|wind|write)$`.replaceAll(/\s/g, ''),
)
