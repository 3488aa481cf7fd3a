/** Nouns that are plurals even when they mean one thing: no "a scissors", no "the scissors is". */
import type { Edits } from './draft.ts'
import type { Rule } from './index.ts'
import { endsPhrase, isSubject, nounPhraseAt } from './noun-phrase.ts'
import type { Neighbour, Place } from './place.ts'
import { verbInPlural } from './verbs-after.ts'
import { setOf } from './word-lists.ts'

/** Things of two parts, which are counted in pairs. */
const PAIRS = setOf(
  'scissors trousers pants shorts jeans glasses spectacles binoculars tweezers pliers tongs shears pyjamas pajamas tights',
)
const OTHERS = setOf(`
  alms belongings clothes dregs earnings goods outskirts proceeds remains riches savings suds surroundings thanks tidings victuals
`)
const COUNTING = setOf('a an another each every one')
const DETERMINERS = setOf('the my your his her its our their this no such some all')

export const pluralNouns: Rule = {
  name: 'plural-nouns',
  tags: setOf('NN'),
  repair(place) {
    const { plain } = place.filled
    if (!PAIRS.has(plain) && !OTHERS.has(plain)) return undefined
    const { start, before } = nounPhraseAt(place)
    if (before?.filled) return undefined
    if (before && COUNTING.has(before.lower)) return counted(place, start, before)
    return asPlural(place, start, before)
  },
}

/** "A pair of scissors", "riches". */
function counted(place: Place, start: number, before: Neighbour): Edits | undefined {
  if (!endsPhrase(place)) return undefined
  const isArticle = before.lower === 'a' || before.lower === 'an'
  if (PAIRS.has(place.filled.plain)) {
    const [added, ...others] = place.insert(start, 'pair of')
    return before.lower === 'an' ? [place.replace(before, 'a'), added, ...others] : [added, ...others]
  }
  if (isArticle) {
    const [removed, ...others] = place.remove(before, start)
    const after = place.after()
    const verb = after && isSubject(place, before.offset, place.before(before.offset)) && verbInPlural(place, after)
    return verb ? [removed, ...others, verb] : [removed, ...others]
  }
  return before.lower === 'each' || before.lower === 'every' ? [place.replace(before, 'all')] : undefined
}

/** "These scissors are". */
function asPlural(place: Place, start: number, before: Neighbour | undefined): Edits | undefined {
  const isDetermined = before !== undefined && DETERMINERS.has(before.lower)
  const begin = isDetermined ? before.offset : start
  const after = place.after()
  const verb = after && verbInPlural(place, after)
  const subject = verb && isSubject(place, begin, isDetermined ? place.before(begin) : before)
  if (verb && subject === undefined) return undefined
  const isThis = before?.lower === 'this'
  if (isThis && !verb && !endsPhrase(place)) return undefined
  const these = isThis ? [place.replace(before, 'these')] : []
  const [first, ...rest] = [...these, ...(verb && subject ? [verb] : [])]
  return first && [first, ...rest]
}
