/**
 * Whether a text reads well with another quadranym: its terms, or words derived from them, must have the parts of speech
 * of the tokens, and suit their places.
 */
import { MASS_NOUNS, OTHER_COUNT_NOUNS, THINGS } from './agreement/noun-kinds.ts'
import { setOf } from './agreement/word-lists.ts'
import { CLOSED, isFunctionWord } from './closed-words.ts'
import { type Fit, fitOfTerm, keepsTerm, wordFor } from './derive.ts'
import { entryOf } from './derived-words.ts'
import type { Need, PlacedToken } from './needs.ts'
import { type TaggedQuadranym, tagStart, termOf } from './quadranym.ts'
import { NEED_OBJECT, WITHOUT_OBJECT } from './verb-frames.ts'

const DEGREES: Readonly<Record<Fit, number>> = { own: 3, derived: 2, unsure: 1, no: 0 }
export const BEST_FIT = DEGREES.own

type FittedToken = Pick<PlacedToken, 'slot' | 'tag' | 'need'>

/**
 * How well the terms fit these tokens, from 0 to `BEST_FIT`: the worst one decides. 3 if all terms have the right part of
 * speech, 2 if a word derived from a term has, 1 if a term is not known or does not suit its place, 0 if one cannot be
 * such a word. Places are known of tokens from `tokensInPlace`.
 */
export function fitOf(tokens: readonly FittedToken[], quadranym: TaggedQuadranym): number {
  return Math.min(BEST_FIT, ...tokens.map((token) => degreeOf(token, quadranym)))
}

function degreeOf({ slot, tag, need }: FittedToken, quadranym: TaggedQuadranym): number {
  if (tag === undefined) return BEST_FIT
  const term = termOf(quadranym, slot)
  const degree = degreeAs(tag, term, tagStart(quadranym, slot))
  return Math.min(
    degree,
    isOdd(term, tag, need) ? DEGREES.unsure : BEST_FIT,
    need ? degreeIn(need, term, tag) : BEST_FIT,
  )
}

function degreeAs(tag: string, term: string, start: string | undefined): number {
  if (start !== undefined && tag.startsWith(start)) return BEST_FIT
  // Many nouns are verbs in dictionaries, and in few texts: "to dusk", "to seed".
  if (start === 'NN' && tag.startsWith('VB') && keepsTerm(term, tag)) return DEGREES.unsure
  const degree = DEGREES[fitOfTerm(term, tag)]
  // The quadranym means another word: "close" as a verb, where the text has the adjective.
  return start === undefined ? degree : Math.min(degree, DEGREES.derived)
}

const QUANTITIES = setOf('many few much more most several less least enough')
/** Adverbs that look like adjectives. */
const FLAT_ADVERBS = setOf(`
  fast hard late early far near high low deep long straight right wrong loud slow quick close wide much little well better first
  last once twice forever always never often seldom soon still
`)

/** Of the right part of speech, but few of its places allow it: "up men", "an in", "she was few", "he sings full", "sendingly". */
function isOdd(term: string, tag: string, need: Need | undefined): boolean {
  if (tag.startsWith('JJ')) return QUANTITIES.has(term) || isFunctionWord(term)
  if (tag.startsWith('NN')) return isFunctionWord(term)
  if (!tag.startsWith('RB') || FLAT_ADVERBS.has(term)) return false
  const { kinds = '', derived } = entryOf(term) ?? {}
  if (kinds.includes('v') && !kinds.includes('r')) return need !== 'predicate' && !derived?.has('r')
  return kinds.includes('a') && kinds.includes('r') && !term.endsWith('ly') && !isFunctionWord(term)
}

const needObject = setOf(NEED_OBJECT)
const withoutObject = setOf(WITHOUT_OBJECT)
const massNouns = setOf(MASS_NOUNS)
const countNouns = setOf(`${THINGS} ${OTHER_COUNT_NOUNS}`)
const ABSTRACT = /(?:ness|ity|ance|ence|ism|dom|hood|tion|sion|ment|ship)$/
const COUNTED = setOf(`
  audience city condition document element emotion entity fraction identity instrument kingdom moment monument nation notion occasion
  option portion position question ration section sentence sequence ship statement station
`)
const MOVEMENTS = setOf(`
  arise ascend bend blow bounce break bring call carry climb come crawl creep dive draw drift drive drop fall float flow fly get go grow
  hang jump lay lead leap lie lift look march move pull push put reach rise roll run rush sail set shut sink sit slide slip spring stand
  stay step swim swing take tear throw travel tumble turn walk wander wash wear wind
`)
const NO_DEGREES = setOf('always never ever once twice forever now then here there today tomorrow')

function degreeIn(need: Need, term: string, tag: string): number {
  if (need === 'object') return withoutObject.has(wordFor(term, 'VB')) ? DEGREES.unsure : BEST_FIT
  if (need === 'no object') return needObject.has(wordFor(term, 'VB')) ? DEGREES.unsure : BEST_FIT
  if (need === 'movement') return MOVEMENTS.has(wordFor(term, 'VB')) ? BEST_FIT : DEGREES.unsure
  if (need === 'preposition') return CLOSED.get(term)?.includes('RP') ? DEGREES.unsure : BEST_FIT
  if (need === 'predicate') return asPredicate(term)
  if (need === 'degree') return isFunctionWord(term) || NO_DEGREES.has(term) ? DEGREES.unsure : BEST_FIT
  const isName = /^\p{Lu}/u.test(term)
  if (need === 'article') return isName ? DEGREES.derived : BEST_FIT
  if (isName) return BEST_FIT
  const noun = wordFor(term, tag).toLowerCase()
  if (need === 'name') return isMass(noun) ? DEGREES.derived : DEGREES.unsure
  if (isMass(noun)) return BEST_FIT
  return countNouns.has(noun) || entryOf(noun)?.isCountable ? DEGREES.unsure : DEGREES.derived
}

/** "The wine is in", "the wine is rising". */
function asPredicate(term: string): number {
  if (isFunctionWord(term)) return BEST_FIT
  const isRising = entryOf(term)?.kinds.includes('v') && !needObject.has(term)
  return isRising ? DEGREES.derived : DEGREES.unsure
}

function isMass(noun: string): boolean {
  return massNouns.has(noun) || (ABSTRACT.test(noun) && !COUNTED.has(noun) && !countNouns.has(noun))
}

/** Whether the text would read well: nothing is unknown, and every word is of the right kind and suits its place. */
export function fits(tokens: readonly FittedToken[], quadranym: TaggedQuadranym): boolean {
  return fitOf(tokens, quadranym) >= DEGREES.derived
}
