/** Relates the words of the catalogue to the words of texts. */
import {
  baseForms,
  familiarityOf,
  forms,
  ignoredFrom,
  inflect,
  isFunctionWord,
  MOST_FAMILIAR,
  tag,
  termKey,
  wordForms,
} from '../language/index.ts'

/** How people search: in English. */
export const searchLanguage = { formsOf: wordForms, ignoredFrom }

/** What the boards of games know about English words. */
export const playLanguage = { keyOf: termKey, familiarityOf, mostFamiliar: MOST_FAMILIAR }

/** What a word of a text may be a form of, itself first. A word of grammar tells nothing about a text. */
export function basesOf(word: string): readonly string[] {
  return isFunctionWord(word) ? [] : baseForms(word)
}

/** Sentence frames that show what a word can be; the word replaces the mark. */
const NOUN = 'the @ of it is here .'.split(' ')
const VERB = 'they want to @ it now .'.split(' ')
const COMPARATIVE = 'the @ one is here .'.split(' ')
const ADVERB = 'they did it very @ .'.split(' ')

/**
 * Every form that a term is likely to have in a text, itself first: flow, flows, flowed and flowing, but not flower.
 */
export function formsOf(term: string): string[] {
  const kinds = kindsOf(term)
  const likely = forms(term).filter(({ tags }) => tags.some((each) => kinds.some((kind) => each.startsWith(kind))))
  return [...new Set([term, ...likely.map(({ form }) => form)])]
}

/** The first letters of the tags of its forms. */
function kindsOf(term: string): string[] {
  const words = term.split(/\s+/)
  const asNoun = tagIn(NOUN, words.at(-1)!)
  const kinds = asNoun.startsWith('NN') ? ['NN'] : []
  if (words.length > 1) return isPhrasalVerb(words) ? [...kinds, 'VB'] : kinds
  if (tagIn(VERB, term) === 'VB') kinds.push('VB')
  if (tagIn(COMPARATIVE, inflect(term, 'JJR')) === 'JJR') kinds.push('JJ')
  if (asNoun === 'RB' && tagIn(ADVERB, term) === 'RB') kinds.push('RB')
  return kinds
}

/** give up, look after */
function isPhrasalVerb(words: readonly string[]): boolean {
  const [verb, particle] = tag(['they', 'want', 'to', ...words, '.']).slice(3)
  return verb === 'VB' && /^(?:RP|IN|RB|TO)$/.test(particle!)
}

function tagIn(place: readonly string[], word: string): string {
  return tag(place.map((each) => (each === '@' ? word : each)))[place.indexOf('@')]!
}
