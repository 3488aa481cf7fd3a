/** Verbs that only help another verb or stand for one: "I do not know", "they have gone", "as you do". */
import { setOf } from './agreement/word-lists.ts'
import { formsOf, isBeforeInfinitive, tagAfter, wordAfter, wordBefore } from './nearby-words.ts'
import type { Passage } from './passage.ts'

export const BE = setOf("be am is are was were been being 's 're 'm ’s ’re ’m")
const HAVE = formsOf('have')
const DO = formsOf('do')

const IN_QUESTIONS = ['RB', 'PRP', 'DT', 'NN', 'NNS', 'NNP', 'NNPS', 'NFP', '``', "''"]

export function isAuxiliary(passage: Passage, place: number, lower: string): boolean {
  if (DO.has(lower)) return tagAfter(passage, place, IN_QUESTIONS) === 'VB' || standsForVerb(passage, place, lower)
  if (!BE.has(lower) && !HAVE.has(lower)) return false
  return /^VB[NG]$/.test(tagAfter(passage, place, ['RB', 'PRP'])) || isBeforeInfinitive(passage, place)
}

const FINITE = setOf('do does did')
const BEFORE_INFINITIVE = setOf("to not n't can could will would shall should may might must let us and or")
/** What someone does may be named before the verb: "what he does", "all I did", "the thing that they do". */
const OBJECTS_BEFORE = setOf(`
  what whatever that which all anything everything nothing something thing things much more most little less least how
`)
/** How far before the verb. */
const CLAUSE = 6
const STARTS_CLAUSE = /^(?:[.;:!?]|\.{2,}|-{2,}|as|than|if|so|but)$/

/** "As it does in speeches", "so do I": no object, neither before nor after it. */
function standsForVerb(passage: Passage, place: number, lower: string): boolean {
  if (!FINITE.has(lower) || passage.beginsSentence(place)) return false
  const before = wordBefore(passage, place) ?? ''
  if (BEFORE_INFINITIVE.has(before)) return false
  const next = passage.words[place + 1]?.text.toLowerCase() ?? '.'
  const isInverted = /^(?:so|nor|neither|as|than)$/.test(before) && /^(?:i|you|he|she|it|we|they)$/.test(next)
  if (
    !isInverted &&
    !/^(?:[.,;:!?)"”]|\.{2,}|-{2,}|in|at|on|for|of|when|if|because|and|but|or|not|so|now|today)$/.test(next)
  )
    return false
  if (/^(?:who|that|which)$/.test(before)) return true
  // In "do as the Romans do" it stands for doing.
  for (let at = place - 1; at >= Math.max(0, place - CLAUSE); at--) {
    const word = passage.words[at]?.text.toLowerCase() ?? ''
    if (OBJECTS_BEFORE.has(word) || (word === 'do' && wordAfter(passage, at) === 'as')) return false
    if (STARTS_CLAUSE.test(word) && wordBefore(passage, at) !== 'do') return true
  }
  return true
}
