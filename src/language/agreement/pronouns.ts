/** A pronoun agrees with the noun that it is about: "much advice, and we need it", "the door opens itself". */
import type { Edit, Edits } from './draft.ts'
import type { Rule } from './index.ts'
import { singularOf } from './mass-nouns.ts'
import { isSubject, nounPhraseAt } from './noun-phrase.ts'
import type { Neighbour, Place } from './place.ts'
import { isThing } from './relatives.ts'
import { verbInSingular } from './verbs-after.ts'
import { NOUN_TAGS, setOf } from './word-lists.ts'

export const pronouns: Rule = {
  name: 'pronouns',
  tags: setOf('NN NNS'),
  repair(place) {
    return place.tag === 'NN' ? asThing(place) : asOne(place)
  },
}

const DETERMINERS = setOf('the a an every each no this that')
const EVERY = setOf('every each')
const HIM_OR_HER = setOf('himself herself')
const HIS_OR_HER = setOf('his her')

/** A thing is neither he nor she. Only a pronoun that must mean the subject is certain: "himself", or "his" after "every". */
function asThing(place: Place): Edits | undefined {
  if (!isThing(place.filled.plain, place.tag)) return undefined
  const verb = place.after()
  const pronoun = verb && isVerb(verb) ? place.after(verb.end) : undefined
  if (!pronoun || pronoun.filled) return undefined
  const isItself = HIM_OR_HER.has(pronoun.lower)
  // Without a word after it, "her" is no possessive.
  const isIts = HIS_OR_HER.has(pronoun.lower) && place.after(pronoun.end) !== undefined
  if (!isItself && !isIts) return undefined
  const { start, before } = nounPhraseAt(place)
  const isDetermined = before !== undefined && !before.filled && DETERMINERS.has(before.lower)
  const begin = isDetermined ? before.offset : start
  if (!isSubject(place, begin, isDetermined ? place.before(begin) : before)) return undefined
  if (isItself) return [place.replace(pronoun, 'itself')]
  return isDetermined && EVERY.has(before.lower) ? [place.replace(pronoun, 'its')] : undefined
}

function isVerb({ filled, lower }: Neighbour): boolean {
  return filled ? /^VB[DZ]$/.test(filled.token.tag ?? '') : /(?:s|ed)$/.test(lower)
}

const AS_ONE: ReadonlyMap<string, string> = new Map(
  Object.entries({ they: 'it', them: 'it', their: 'its', themselves: 'itself' }),
)
const FARTHEST = 160
const SENTENCE = /^[^.!?\n]*/
const LAST_SENTENCE = /[^.!?\n]*$/
const WORDS = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*/gu
/** Words in -s that are no plural nouns. */
const NOT_PLURAL = setOf('is was has does his its this as us thus yes less always perhaps unless besides across')
/** Words that "they" may mean as well as the noun. */
const OTHERS = setOf('and or they them people men women children folk others both all some many few those these')
/** Verbs with one form for one and for many. */
const SAME = setOf('will would can could may might must shall should did had')

/** What has no plural is "it", if nothing else in the sentence can be "they". */
function asOne(place: Place): Edits | undefined {
  const noun = singularOf(place.filled.plain)
  const { text } = place.draft
  if (noun === undefined || text.slice(place.offset, place.end).toLowerCase() !== noun) return undefined
  const [before = ''] = LAST_SENTENCE.exec(text.slice(Math.max(0, place.offset - FARTHEST), place.offset)) ?? []
  const [after = ''] = SENTENCE.exec(text.slice(place.end, place.end + FARTHEST)) ?? []
  const words = Array.from(after.matchAll(WORDS), ({ 0: word, index }) => ({ word, offset: place.end + index }))
  const found = words.filter(({ word }) => AS_ONE.has(word.toLowerCase()))
  const others = [...before.matchAll(WORDS), ...after.matchAll(WORDS)].filter(
    ([word]) => !AS_ONE.has(word.toLowerCase()),
  )
  if (found.length === 0 || others.some(([word]) => mayBeMany(word.toLowerCase())) || hasOtherNouns(place)) {
    return undefined
  }
  const edits: Edit[] = []
  for (const { word, offset } of found) {
    const pronoun = { text: word, lower: word.toLowerCase(), offset, end: offset + word.length, filled: undefined }
    edits.push(place.replace(pronoun, AS_ONE.get(pronoun.lower) ?? word))
    if (pronoun.lower !== 'they') continue
    const verb = place.after(pronoun.end)
    const edit = verb && verbInSingular(place, verb)
    if (edit) edits.push(edit)
    else if (!verb || verb.filled || !SAME.has(verb.lower)) return undefined
  }
  const [first, ...rest] = edits
  return first && [first, ...rest]
}

const mayBeMany = (lower: string) => OTHERS.has(lower) || (lower.endsWith('s') && !NOT_PLURAL.has(lower))

/** Whether another noun that was filled in is near. */
function hasOtherNouns({ draft: { words }, index, offset }: Place): boolean {
  return [index - 2, index - 1, index + 1, index + 2].some((near) => {
    const word = words[near]
    const isNear = word !== undefined && Math.abs(word.offset - offset) < FARTHEST
    return isNear && word.isFilled && NOUN_TAGS.has(word.token.tag ?? '')
  })
}
