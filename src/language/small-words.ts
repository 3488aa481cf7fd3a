/**
 * Small words, that is prepositions, particles, auxiliary and light verbs: as a term, they have a meaning of their own that
 * most sentences do not mean. "What goes up must come down" has the directions, "to give up" has not. Other words mean
 * nothing of their own in names and in phrases such as "had better".
 */

import { setOf } from './agreement/word-lists.ts'
import { BE, isAuxiliary } from './auxiliaries.ts'
import { isFunctionWord } from './closed-words.ts'
import { isInFixedPhrase } from './fixed-phrases.ts'
import { type Found, formsOf, isBeforeInfinitive, tagAfter, wordAfter, wordBefore } from './nearby-words.ts'
import { isPartOfName } from './parts-of-names.ts'
import type { Passage } from './passage.ts'

/**
 * The words that mean their terms. A preposition or a particle does if it tells a direction, or if its counterpart, from
 * another slot of its quadranym, is near: from and to, with and without.
 */
export function withMeaning<F extends Found>(passage: Passage, found: readonly F[]): F[] {
  const left = found.filter(
    (each) =>
      !isInFixedPhrase(passage, each.place) &&
      !isPartOfPhrase(passage, each) &&
      !isDegree(passage, each) &&
      !isPartOfName(passage, each),
  )
  return left.filter(
    (each) =>
      !isSmall(each) || tellsDirection(passage, each) || left.some((other) => areCounterparts(passage, each, other)),
  )
}

/** How many words may be between counterparts. */
const NEAR = 8
const isRange = ({ reading: { slot } }: Found) => slot === 'e' || slot === 'r'
const isParticle = ({ tag }: Found) => tag === 'RP' || tag === 'RB'

/** "From door to door", "near and far"; but "find out in time" has no counterparts. */
function areCounterparts(passage: Passage, one: Found, other: Found): boolean {
  if (one.reading.place !== other.reading.place || one.reading.slot === other.reading.slot) return false
  if (!isRange(one) || !isRange(other) || LIGHT.has(wordBefore(passage, one.place) ?? '')) return false
  if (isSmall(other) && isParticle(one) !== isParticle(other)) return false
  const [start, end] = [Math.min(one.place, other.place), Math.max(one.place, other.place)]
  return end - start <= NEAR + 1 && passage.words.slice(start, end).every(({ text }) => !/^[.!?]/.test(text))
}

/** "More easily", "the most common", "how quaint" and "you had better" say how much, not how many, how or how good. */
function isDegree(passage: Passage, { word, place, tag }: Found): boolean {
  const lower = word.text.toLowerCase()
  if (lower === 'how') return /^(?:JJ|RB)/.test(tagAfter(passage, place))
  if (lower === 'better') {
    if (/^(?:had|.*['’]d)$/.test(wordBefore(passage, place) ?? '')) return true
    return passage.beginsSentence(place) && tagAfter(passage, place) === 'VB'
  }
  // "No more taxes" says how many, "I can no more" does not.
  if (lower === 'more' && wordBefore(passage, place) === 'no') return !/^(?:NN|JJ|VBG)/.test(tagAfter(passage, place))
  return /^RB[RS]$/.test(tag) && DEGREES.has(lower)
}

const SMALL_TAGS: ReadonlySet<string> = new Set(['IN', 'TO', 'RP', 'RB'])

function isSmall({ word, tag }: Found): boolean {
  return SMALL_TAGS.has(tag) && isFunctionWord(word.text.toLowerCase())
}

const GET = formsOf('get')
const GO_OR_COME = formsOf('go come')
const MOTIONS = formsOf(
  'go come look stand sit run walk climb fall rise fly jump move send carry throw pull push drop sail swim step ride',
)
/** With a particle, these verbs mean something else: give up, take off, turn out. */
const LIGHT = formsOf('get take make give put set keep turn let bring')
const GONE = setOf('on true wrong')
const TEND = formsOf('tend')
const STAND = formsOf('stand')
const DEGREES = setOf('more most less least')
const VERY = setOf('very so too more most less least quite rather sufficiently highly extremely')
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
  if ((tag === 'VBN' && isQuality(passage, place)) || (tag === 'VBG' && isThing(passage, place))) return true
  return isAuxiliary(passage, place, lower) || isWithOther(passage, place, lower)
}

function isWithOther(passage: Passage, place: number, lower: string): boolean {
  const after = tagAfter(passage, place)
  if (lower === 'going' && isBeforeInfinitive(passage, place)) return true
  if (TEND.has(lower) && wordAfter(passage, place) === 'to') return !/^(?:DT|PRP)/.test(tagAfter(passage, place + 1))
  if (STAND.has(lower) && (wordAfter(passage, place) === 'for' || isAfterCannot(passage, place))) return true
  if (LIGHT.has(lower) && after === 'RP') return true
  if (GET.has(lower) && /^(?:VBN|JJ)/.test(after)) return true
  return GO_OR_COME.has(lower) && (after === 'JJ' || GONE.has(wordAfter(passage, place) ?? ''))
}

/** "I can't stand him"; but a house may not stand. */
function isAfterCannot(passage: Passage, place: number): boolean {
  const isNegated = /^(?:not|n['’]t|never)$/.test(wordBefore(passage, place) ?? '')
  if (!isNegated || !/^(?:ca|can|could)$/.test(wordBefore(passage, place - 1) ?? '')) return false
  return /^(?:DT|PRP|NN|JJ|VBG)/.test(tagAfter(passage, place))
}

/** "A very advanced machine" is a kind of machine; nobody advanced it. */
function isQuality(passage: Passage, place: number): boolean {
  return VERY.has(wordBefore(passage, place) ?? '') && /^(?:NN|JJ)/.test(tagAfter(passage, place))
}

/** "A happy ending" and "the building" are things; "the rising of the sun" is what the sun does. */
function isThing(passage: Passage, place: number): boolean {
  if (!passage.freeTag(place).startsWith('NN')) return false
  if (wordAfter(passage, place) === 'of' && wordBefore(passage, place) === 'the') return false
  let first = place - 1
  while (first > 0 && passage.freeTag(first).startsWith('JJ')) first--
  return first >= 0 && /^(?:DT|PRP\$)/.test(passage.freeTag(first))
}

/** "What goes up", "the wit is out". */
function tellsDirection(passage: Passage, { word, place, tag }: Found): boolean {
  const before = wordBefore(passage, place)
  if (before === undefined || (tag !== 'RP' && tag !== 'RB')) return false
  return BE.has(before) || (MOTIONS.has(before) && !STATES.has(word.text.toLowerCase()))
}
