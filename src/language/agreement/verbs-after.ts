/** The verb after a subject whose number has changed. */
import { baseForms } from '../base.ts'
import { inflect } from '../inflect.ts'
import type { Edit } from './draft.ts'
import type { Neighbour, Place } from './place.ts'

const PAIRS = [
  ['is', 'are'],
  ['was', 'were'],
  ['has', 'have'],
  ['does', 'do'],
  ["isn't", "aren't"],
  ["wasn't", "weren't"],
  ["hasn't", "haven't"],
  ["doesn't", "don't"],
] as const
const PLURALS: ReadonlyMap<string, string> = new Map(PAIRS)
const SINGULARS: ReadonlyMap<string, string> = new Map(PAIRS.map(([one, many]) => [many, one]))

/** The verb in the plural, if it is in the singular. */
export function verbInPlural(place: Place, verb: Neighbour): Edit | undefined {
  if (verb.filled?.token.tag === 'VBZ') {
    const { plain } = verb.filled
    const base = plain === 'is' ? 'are' : baseForms(plain).find((each) => inflect(each, 'VBZ') === plain)
    return base === undefined ? undefined : place.replace(verb, base)
  }
  return otherForm(place, verb, PLURALS)
}

/** The verb in the singular, if it is in the plural. */
export function verbInSingular(place: Place, verb: Neighbour): Edit | undefined {
  if (verb.filled?.token.tag === 'VBP') {
    const { plain } = verb.filled
    return place.replace(verb, plain === 'are' ? 'is' : inflect(plain, 'VBZ'))
  }
  return otherForm(place, verb, SINGULARS)
}

function otherForm(place: Place, verb: Neighbour, forms: ReadonlyMap<string, string>): Edit | undefined {
  const form = verb.filled ? undefined : forms.get(verb.lower.replace('’', "'"))
  return form === undefined ? undefined : place.replace(verb, verb.text.includes('’') ? form.replace("'", '’') : form)
}
