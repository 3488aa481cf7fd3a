/**
 * Which word a term becomes under a tag: the term itself where it can be such a word, otherwise a word derived from it.
 * "Strong" is no verb, so where a verb is needed it becomes "strengthen". A word that the table does not know stays.
 */
import { articleFor } from './article.ts'
import { CLOSED } from './closed-words.ts'
import { entryOf, type Kind, type WordEntry } from './derived-words.ts'
import { inflect } from './inflect.ts'
import { CONSONANT_Y } from './spelling.ts'

/** How well a term fits a tag. */
export type Fit =
  /** It is such a word. */
  | 'own'
  /** A word derived from it is. */
  | 'derived'
  /** It is not known, or only dictionaries use it so, or it needs a verb: "grow strong", "become a river". */
  | 'unsure'
  | 'no'

interface Choice {
  /** What is inflected. */
  readonly base: string
  readonly fit: Fit
}

const TAGS: Readonly<Record<Kind, string>> = {
  n: 'NN NNS NNP NNPS',
  v: 'VB VBD VBG VBN VBP VBZ',
  a: 'JJ JJR JJS',
  r: 'RB RBR RBS',
}
const KINDS = new Map(
  (['n', 'v', 'a', 'r'] satisfies Kind[]).flatMap((kind) => TAGS[kind].split(' ').map((tag) => [tag, kind])),
)
/** Where prepositions and particles are. */
const SMALL_TAGS: ReadonlySet<string> = new Set(['IN', 'RP', 'TO', 'WRB'])
const PLAIN = /^[a-z]+$/

/** The word for a term under a tag. */
export function wordFor(term: string, tag: string): string {
  return choiceOf(term, tag).word
}

export function fitOfTerm(term: string, tag: string): Fit {
  return choiceOf(term, tag).fit
}

/** Whether the term becomes one of its own forms. */
export function keepsTerm(term: string, tag: string): boolean {
  return choiceOf(term, tag).isTerm
}

interface Chosen {
  readonly word: string
  readonly fit: Fit
  /** Whether the word is a form of the term. */
  readonly isTerm: boolean
}

/** Tag -> term -> what it becomes. */
const remembered = new Map<string, Map<string, Chosen>>()
const MOST_REMEMBERED = 20_000
let count = 0

function choiceOf(term: string, tag: string): Chosen {
  const known = remembered.get(tag)?.get(term)
  if (known) return known
  const { base, fit } = choose(term, tag)
  const chosen = { word: inflect(base, tag), fit, isTerm: base === term }
  if (++count > MOST_REMEMBERED) {
    remembered.clear()
    count = 1
  }
  const ofTag = remembered.get(tag) ?? new Map<string, Chosen>()
  remembered.set(tag, ofTag.set(term, chosen))
  return chosen
}

function choose(term: string, tag: string): Choice {
  const kind = KINDS.get(tag)
  if (!kind) return { base: term, fit: SMALL_TAGS.has(tag) ? fitOfSmall(term, tag) : 'unsure' }
  if (/^\p{Lu}/u.test(term)) return ofName(term, kind)
  const entry = PLAIN.test(term) ? entryOf(term) : undefined
  if (!entry || entry.rareKinds.includes(kind)) return { base: term, fit: 'unsure' }
  if (entry.kinds.includes(kind)) return { base: term, fit: 'own' }
  const base = entry.derived.get(kind) ?? madeBy(term, entry, kind)
  if (base !== undefined) return { base, fit: 'derived' }
  const phrase = kind === 'v' ? withVerb(term, entry) : undefined
  return phrase === undefined ? { base: term, fit: 'no' } : { base: phrase, fit: 'unsure' }
}

/** Rome is no verb. A common word with a capital may be one. */
function ofName(name: string, kind: Kind): Choice {
  const isVerb = !/^[A-Z][a-z]+$/.test(name) || entryOf(name.toLowerCase()) !== undefined
  if (kind === 'v' && !isVerb) return { base: `become ${name}`, fit: 'unsure' }
  return { base: name, fit: kind === 'n' ? 'own' : 'unsure' }
}

/** Whether a word with a capital is a common word: Love, but not March or Rome. */
export function isCommonWord(capitalised: string): boolean {
  const isName = /^[A-Z][a-z]+$/.test(capitalised) ? entryOf(capitalised.toLowerCase())?.isName : undefined
  return isName === false
}

/** By rule: "rising is hard", "a broken promise", "smilingly"; "softness", "softly". */
function madeBy(term: string, { kinds, participle, isQuality }: WordEntry, kind: Kind): string | undefined {
  if (kinds.includes('v')) {
    if (kind === 'n') return inflect(term, 'VBG')
    if (kind === 'a') return participle && inflect(term, participle)
    if (kind === 'r') return participle && `${inflect(term, 'VBG')}ly`
  }
  if (!isQuality) return undefined
  if (kind === 'n') return `${withI(term)}ness`
  return kind === 'r' ? adverbOf(term) : undefined
}

const withI = (word: string) => (CONSONANT_Y.test(word) ? `${word.slice(0, -1)}i` : word)

/** Adjectives without an adverb. */
const ONLY_PREDICATES: ReadonlySet<string> = new Set(
  'afraid ajar alike alive alone asleep awake aware ashamed afloat adrift ablaze aglow'.split(' '),
)

function adverbOf(adjective: string): string | undefined {
  if (adjective.endsWith('ly') || ONLY_PREDICATES.has(adjective)) return undefined
  if (adjective.endsWith('ic')) return `${adjective}ally`
  if (/[^aeiou]le$/.test(adjective)) return `${adjective.slice(0, -1)}y`
  return adjective.endsWith('ll') ? `${adjective}y` : `${withI(adjective)}ly`
}

/** Only of words that no dictionary knows as verbs: what gusts does not become a gust. */
function withVerb(term: string, { kinds, isQuality, isCountable }: WordEntry): string | undefined {
  if (isQuality) return `grow ${term}`
  if (kinds !== 'n') return undefined
  return isCountable ? `become ${articleFor(term)} ${term}` : `become ${term}`
}

/** A preposition, a particle, a question word. "To" is a preposition, too. */
function fitOfSmall(term: string, tag: string): Fit {
  const lower = term.toLowerCase()
  const tags = CLOSED.get(lower)
  if (tags) return tags.includes(tag) || (tag === 'TO' && tags.includes('IN')) ? 'own' : 'no'
  const entry = entryOf(lower)
  return entry && !entry.kinds.includes('r') ? 'no' : 'unsure'
}
