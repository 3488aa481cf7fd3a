/**
 * Which word a term becomes under a tag: the term itself where it can be such a word, otherwise a word derived from it.
 * "Strong" is no verb, so where a verb is needed it becomes "strengthen". A word that the table does not know stays.
 */
import { CLOSED } from './closed-words.ts'
import { entryOf, type Kind, type WordEntry } from './derived-words.ts'
import { inflect } from './inflect.ts'

/** How well a term fits a tag. */
export type Fit =
  /** It is such a word. */
  | 'own'
  /** A word derived from it is. */
  | 'derived'
  /** Nobody knows, or only dictionaries use it so. */
  | 'unsure'
  | 'no'

interface Choice {
  /** What is inflected. */
  readonly base: string
  readonly fit: Fit
}

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['NN', 'n'],
  ['VB', 'v'],
  ['JJ', 'a'],
  ['RB', 'r'],
])
/** Where prepositions and particles are. */
const SMALL_TAGS: ReadonlySet<string> = new Set(['IN', 'RP', 'TO', 'WRB'])
const PLAIN = /^[a-z]+$/

/** The word for a term under a tag. */
export function wordFor(term: string, tag: string): string {
  return inflect(choiceOf(term, tag).base, tag)
}

export function fitOf(term: string, tag: string): Fit {
  return choiceOf(term, tag).fit
}

/** Whether the term becomes one of its own forms. */
export function keepsTerm(term: string, tag: string): boolean {
  return choiceOf(term, tag).fit !== 'derived'
}

const remembered = new Map<string, Choice>()
const MOST_REMEMBERED = 20_000

function choiceOf(term: string, tag: string): Choice {
  const key = `${tag.slice(0, 2)} ${term}`
  const known = remembered.get(key)
  if (known) return known
  const choice = choose(term, tag)
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(key, choice)
  return choice
}

function choose(term: string, tag: string): Choice {
  const kind = KINDS.get(tag.slice(0, 2))
  if (!kind) return { base: term, fit: SMALL_TAGS.has(tag) ? fitOfSmall(term, tag) : 'unsure' }
  if (/^\p{Lu}/u.test(term)) return { base: term, fit: kind === 'n' ? 'own' : 'unsure' }
  const entry = PLAIN.test(term) ? entryOf(term) : undefined
  if (!entry || entry.rareKinds.includes(kind)) return { base: term, fit: 'unsure' }
  if (entry.kinds.includes(kind)) return { base: term, fit: 'own' }
  const base = entry.derived.get(kind) ?? madeBy(term, entry, kind)
  return base === undefined ? { base: term, fit: 'no' } : { base, fit: 'derived' }
}

/** Forms that stand where other words stand: "rising is hard", "a broken promise", "she came running", "to grow strong". */
function madeBy(term: string, { kinds, participle, isQuality }: WordEntry, kind: Kind): string | undefined {
  if (kind === 'v') return isQuality ? `grow ${term}` : undefined
  if (!kinds.includes('v')) return undefined
  if (kind === 'n') return inflect(term, 'VBG')
  if (participle === undefined) return undefined
  if (kind === 'a') return inflect(term, participle)
  return participle === 'VBG' ? inflect(term, 'VBG') : undefined
}

/** A preposition, a particle, a question word. "To" is a preposition, too. */
function fitOfSmall(term: string, tag: string): Fit {
  const lower = term.toLowerCase()
  const tags = CLOSED.get(lower)
  if (tags) return tags.includes(tag) || (tag === 'TO' && tags.includes('IN')) ? 'own' : 'no'
  const entry = entryOf(lower)
  return entry && !entry.kinds.includes('r') ? 'no' : 'unsure'
}
