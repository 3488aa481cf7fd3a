/** Nouns without a plural: no "a furniture", no "many advices". */
import { inflect } from '../inflect.ts'
import type { Edit, Edits } from './draft.ts'
import type { Rule } from './index.ts'
import { MASS_NOUNS } from './noun-kinds.ts'
import { endsPhrase, isAdjective, isSubject, type NounPhrase, nounPhraseAt, PREPOSITIONS } from './noun-phrase.ts'
import type { Neighbour, Place } from './place.ts'
import { verbInSingular } from './verbs-after.ts'
import { setOf } from './word-lists.ts'

const nouns = setOf(MASS_NOUNS)
let plurals: ReadonlyMap<string, string> | undefined

/** The noun of a plural that does not exist. */
export function singularOf(plural: string): string | undefined {
  plurals ??= new Map(Array.from(nouns, (noun) => [inflect(noun, 'NNS'), noun] as const))
  return plurals.get(plural)
}

export const massNouns: Rule = {
  name: 'mass-nouns',
  tags: setOf('NN NNS'),
  repair(place) {
    const { plain } = place.filled
    if (place.tag === 'NN') return nouns.has(plain) ? withoutArticle(place) : undefined
    const noun = singularOf(plain)
    return noun === undefined ? undefined : inSingular(place, noun)
  },
}

/** "Every furniture" is all furniture. */
const NOT_COUNTED: ReadonlyMap<string, string> = new Map(
  Object.entries({ each: 'all', every: 'all', another: 'more', many: 'much', few: 'little', several: 'some' }),
)

function withoutArticle(place: Place): Edits | undefined {
  const { start, before } = nounPhraseAt(place)
  if (!before || before.filled || !endsPhrase(place)) return undefined
  if (before.lower === 'a' || before.lower === 'an') {
    const first = place.before(before.offset)
    // "Many a", "quite a", "so great a".
    const isPartOfPhrase = first !== undefined && (AMOUNTS.has(first.lower) || isAdjective(first))
    return isPartOfPhrase ? undefined : place.remove(before, start)
  }
  const other = before.lower === 'many' || before.lower === 'several' ? undefined : NOT_COUNTED.get(before.lower)
  return other === undefined ? undefined : [place.replace(before, other)]
}

const AMOUNTS = setOf('many quite rather half not')
const NUMBERS = setOf('two three four five six seven eight nine ten twelve twenty hundred thousand million both dozen')
const ALL_BUT_ONE: ReadonlyMap<string, string> = new Map([
  ...NOT_COUNTED,
  ['fewer', 'less'],
  ['these', 'this'],
  ['those', 'that'],
])

function inSingular(place: Place, noun: string): Edits | undefined {
  const phrase = nounPhraseAt(place)
  const { before } = phrase
  if (before && (before.filled || NUMBERS.has(before.lower))) return undefined
  const part = before && partOf(place, before)
  const amount = part && PARTS.get(part.lower)
  if (part && (NUMBERS.has(part.lower) || (amount !== undefined && isDefinite(place.before(part.offset)))))
    return undefined
  const after = place.after()
  const verb = (amount && after && verbInSingular(place, after)) || verbOf(place, phrase)
  if (verb === 'uncertain') return undefined
  const other = before && ALL_BUT_ONE.get(before.lower)
  const edits: Edit[] = []
  if (part && amount) edits.push(place.replace(part, amount))
  if (before && other) edits.push(place.replace(before, other))
  if (noun !== place.filled.plain) edits.push(place.rewrite(noun))
  if (verb) edits.push(verb)
  const [first, ...rest] = edits
  return first && [first, ...rest]
}

const DETERMINERS = setOf('the my your his her its our their these those all some many few several no such what')

/** "One of the furnitures" is some of the furniture. */
const PARTS: ReadonlyMap<string, string> = new Map(
  Object.entries({ one: 'some', each: 'all', many: 'much', few: 'little', several: 'some' }),
)

/** What "of" is after, in "one of the". */
function partOf(place: Place, determiner: Neighbour): Neighbour | undefined {
  const of = DETERMINERS.has(determiner.lower) ? place.before(determiner.offset) : undefined
  return of?.lower === 'of' && !of.filled ? place.before(of.offset) : undefined
}

/** "Every one of the", "a few of the". */
const isDefinite = (before: Neighbour | undefined) => before !== undefined && DEFINITE.has(before.lower)
const DEFINITE = setOf('a every no any each only this that the last')

/** The verb that must follow in the singular, if there is one. */
function verbOf(place: Place, { start, before }: NounPhrase): Edit | undefined | 'uncertain' {
  const isDetermined = before !== undefined && DETERMINERS.has(before.lower)
  const begin = isDetermined ? before.offset : start
  const first = isDetermined ? place.before(begin) : before
  const after = place.after()
  const edit = after && verbInSingular(place, after)
  if (!edit) {
    // What follows "of" may have a verb for a subject, but not for what a preposition is before.
    const hasNoVerb = after?.lower === 'of' && first !== undefined && PREPOSITIONS.has(first.lower)
    return hasNoVerb || endsPhrase(place) ? undefined : 'uncertain'
  }
  const subject = isSubject(place, begin, first)
  return subject === undefined ? 'uncertain' : subject ? edit : undefined
}
