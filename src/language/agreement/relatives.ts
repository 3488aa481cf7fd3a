/** A thing is not "who": the door that opens. */
import { inflect } from '../inflect.ts'
import type { Rule } from './index.ts'
import { THINGS } from './noun-kinds.ts'
import { setOf } from './word-lists.ts'

const things = setOf(THINGS)
let plurals: ReadonlySet<string> | undefined

export function isThing(noun: string, tag: string): boolean {
  if (tag === 'NN') return things.has(noun)
  plurals ??= new Set(Array.from(things, (thing) => inflect(thing, 'NNS')))
  return plurals.has(noun)
}

export const relatives: Rule = {
  name: 'relatives',
  tags: setOf('NN NNS'),
  repair(place) {
    if (!isThing(place.filled.plain, place.tag)) return undefined
    const comma = place.follows(/^,/) ? 1 : 0
    const after = place.after(place.end + comma)
    if (!after || after.filled || (after.lower !== 'who' && after.lower !== 'whom')) return undefined
    return [place.replace(after, comma ? 'which' : 'that')]
  },
}
