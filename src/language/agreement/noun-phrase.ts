/** A noun with the adjectives before it, and how its sentence goes on. */
import { ADJECTIVES } from './noun-kinds.ts'
import type { Neighbour, Place } from './place.ts'
import { NOUN_TAGS, setOf } from './word-lists.ts'

const adjectives = setOf(ADJECTIVES)
/** How many adjectives are looked at. */
const MOST_ADJECTIVES = 2

export interface NounPhrase {
  /** Where its first adjective begins, or else the noun. */
  readonly start: number
  /** The word before it: a determiner, if it has one. */
  readonly before: Neighbour | undefined
}

export function nounPhraseAt(place: Place): NounPhrase {
  let start = place.offset
  let before = place.before()
  for (let passed = 0; passed < MOST_ADJECTIVES && before && isAdjective(before); passed++) {
    start = before.offset
    before = place.before(start)
  }
  return { start, before }
}

export function isAdjective({ filled, lower }: Neighbour): boolean {
  return filled ? /^(?:JJ|VBN)/.test(filled.token.tag ?? '') : adjectives.has(lower)
}

/** Words after which nothing belongs to the noun before them any more. */
const GO_ON = setOf(`
  and or but nor yet so is are was were am be has have had does do did can could will would may might must shall should never always not
  in on at by with from over under into upon against between among through during toward towards as than when if because before after while though although until unless since where without what
`)

/** Whether the noun ends its phrase: what follows is neither another noun nor what "a" belongs to ("a knowledge of"). */
export function endsPhrase(place: Place): boolean {
  if (place.endsClause()) return true
  const after = place.after()
  if (!after) return false
  const tag = after.filled?.token.tag
  return tag === undefined ? GO_ON.has(after.lower) : /^(?:VB[DPZ]?$|MD|RB|IN)/.test(tag)
}

const CONJUNCTIONS = setOf('that when if because but where though although while since until unless why how whether')
export const PREPOSITIONS = setOf(
  'of in on at by with from for to into upon over under about against between among without through',
)

/** Whether the phrase that begins here is the subject of what follows; undefined if that is uncertain. */
export function isSubject(place: Place, start: number, before: Neighbour | undefined): boolean | undefined {
  if (!before) return place.beginsSentence(start) || /[,;:—]\s+$/.test(place.textBefore(start)) ? true : undefined
  if (before.filled) return undefined
  if (CONJUNCTIONS.has(before.lower)) return true
  return PREPOSITIONS.has(before.lower) || before.lower === 'and' ? false : undefined
}

export const isNoun = ({ filled }: Neighbour) => NOUN_TAGS.has(filled?.token.tag ?? '')
