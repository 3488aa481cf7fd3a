/**
 * Small words, that is prepositions, particles, auxiliary and light verbs: as a term, they have a meaning of their own that
 * most sentences do not mean. "What goes up must come down" has the directions, "to give up" has not. Other words mean
 * nothing of their own in names and in phrases such as "had better".
 */

import { setOf } from './agreement/word-lists.ts'
import { isFunctionWord } from './closed-words.ts'
import { forms } from './inflect.ts'
import type { Passage } from './passage.ts'
import type { Slot } from './qode.ts'
import type { Word } from './words.ts'

/** A word of a text that is a form of a term. */
interface Found {
  readonly word: Word
  /** Which of the text's words. */
  readonly place: number
  readonly tag: string
  /** The quadranym and the slot. */
  readonly reading: { readonly place: number; readonly slot: Slot }
}

/**
 * The words that mean their terms. A preposition or a particle does if it tells a direction, or if another slot of its
 * quadranym has a word in the text as well: from and to, with and without.
 */
export function withMeaning<F extends Found>(passage: Passage, found: readonly F[]): F[] {
  const left = found.filter(
    (each) => !isPartOfPhrase(passage, each) && !isDegree(passage, each) && !isPartOfName(passage, each),
  )
  const slots = new Map<number, Set<Slot>>()
  for (const { reading } of left) {
    slots.set(reading.place, (slots.get(reading.place) ?? new Set()).add(reading.slot))
  }
  return left.filter(
    (each) => !isSmall(each) || tellsDirection(passage, each) || (slots.get(each.reading.place)?.size ?? 0) > 1,
  )
}

/** "More easily", "the most common" and "you had better" say how much, not how many or how good. */
function isDegree(passage: Passage, { word, place, tag }: Found): boolean {
  const lower = word.text.toLowerCase()
  if (lower === 'better') return /^(?:had|.*['’]d)$/.test(wordBefore(passage, place) ?? '')
  return /^RB[RS]$/.test(tag) && DEGREES.has(lower)
}

/** Larry Wall is no wall, and Mickey Mouse no mouse. */
function isPartOfName(passage: Passage, { word, place, tag }: Found): boolean {
  const before = passage.words[place - 1]
  if (!before || tag.startsWith('NNP') || !IN_NAMES.test(word.text) || !IN_NAMES.test(before.text)) return false
  const between = passage.body.slice(before.offset + before.text.length, word.offset)
  return between === ' ' && passage.freeTag(place - 1).startsWith('NNP')
}

const IN_NAMES = /^\p{Lu}[\p{Ll}.][\p{L}.]*$/u

const SMALL_TAGS: ReadonlySet<string> = new Set(['IN', 'TO', 'RP', 'RB'])

function isSmall({ word, tag }: Found): boolean {
  return SMALL_TAGS.has(tag) && isFunctionWord(word.text.toLowerCase())
}

const formsOf = (verbs: string): ReadonlySet<string> =>
  new Set(verbs.split(/\s+/).flatMap((verb) => [verb, ...forms(verb).map(({ form }) => form)]))

const BE = setOf("be am is are was were been being 's 're 'm ’s ’re ’m")
const HAVE = formsOf('have')
const DO = formsOf('do')
const GET = formsOf('get')
const GO_OR_COME = formsOf('go come')
const MOTIONS = formsOf(
  'go come look stand sit run walk climb fall rise fly jump move send bring carry throw pull push drop sail swim step ride',
)
/** With a particle, these verbs mean something else: give up, take off, turn out. */
const LIGHT = formsOf('get take make give put set keep turn let bring')
const GONE = setOf('on true wrong')
const TEND = formsOf('tend')
const STAND = formsOf('stand')
const DEGREES = setOf('more most less least')
const BEFORE_TO = setOf('according due next owing prior thanks')
/** A switch is on; but what goes on, lasts. */
const STATES = setOf('on off')

/** Whether a verb or "to" is only part of a phrase: "to be", "according to", "I do not know", "going to rain", "give up", "come true". */
function isPartOfPhrase(passage: Passage, { word, place, tag }: Found): boolean {
  const lower = word.text.toLowerCase()
  if (lower === 'to') {
    const isInPreposition = BEFORE_TO.has(wordBefore(passage, place) ?? '')
    return isInPreposition || passage.freeTag(place) === 'TO' || tagAfter(passage, place) === 'VB'
  }
  if (!tag.startsWith('VB')) return false
  // "A living" is a thing; "the rising of the sun" is what the sun does.
  if (tag === 'VBG' && passage.freeTag(place) === 'NN' && /^an?$/.test(wordBefore(passage, place) ?? '')) return true
  return isAuxiliary(passage, place, lower) || isWithOther(passage, place, lower)
}

function isAuxiliary(passage: Passage, place: number, lower: string): boolean {
  if (DO.has(lower)) return tagAfter(passage, place, IN_QUESTIONS) === 'VB'
  if (!BE.has(lower) && !HAVE.has(lower)) return false
  return /^VB[NG]$/.test(tagAfter(passage, place, ['RB', 'PRP'])) || isBeforeInfinitive(passage, place)
}

const IN_QUESTIONS = ['RB', 'PRP', 'DT', 'NN', 'NNS', 'NNP', 'NNPS']

function isWithOther(passage: Passage, place: number, lower: string): boolean {
  const after = tagAfter(passage, place)
  if ((lower === 'going' || TEND.has(lower)) && isBeforeInfinitive(passage, place)) return true
  if (STAND.has(lower) && wordAfter(passage, place) === 'for') return true
  if (LIGHT.has(lower) && after === 'RP') return true
  if (GET.has(lower) && /^(?:VBN|JJ)/.test(after)) return true
  return GO_OR_COME.has(lower) && (after === 'JJ' || GONE.has(wordAfter(passage, place) ?? ''))
}

function isBeforeInfinitive(passage: Passage, place: number): boolean {
  return wordAfter(passage, place) === 'to' && tagAfter(passage, place + 1) === 'VB'
}

/** How far the verb of an auxiliary may be. */
const MOST_BETWEEN = 4

/** The tag of the next word, or of the first after it that does not have one of these tags; none of a sign. */
function tagAfter(passage: Passage, place: number, passed: readonly string[] = []): string {
  for (let next = place + 1; next <= place + 1 + MOST_BETWEEN && next < passage.words.length; next++) {
    const tag = passage.freeTag(next)
    if (!passed.includes(tag)) return tag
  }
  return ''
}

function wordBefore(passage: Passage, place: number): string | undefined {
  return passage.words[place - 1]?.text.toLowerCase()
}

function wordAfter(passage: Passage, place: number): string | undefined {
  return passage.words[place + 1]?.text.toLowerCase()
}

/** "What goes up", "the wit is out". */
function tellsDirection(passage: Passage, { word, place, tag }: Found): boolean {
  const before = wordBefore(passage, place)
  if (before === undefined || (tag !== 'RP' && tag !== 'RB')) return false
  return BE.has(before) || (MOTIONS.has(before) && !STATES.has(word.text.toLowerCase()))
}
