/** After a preposition a verb has -ing: without knowing. */
import { inflect } from '../inflect.ts'
import type { Rule } from './index.ts'
import { setOf } from './word-lists.ts'

/** Prepositions after which no other form of a verb can stand. */
const PREPOSITIONS = setOf('of without despite upon')

export const gerunds: Rule = {
  name: 'gerunds',
  tags: setOf('VB'),
  repair(place) {
    const before = place.before()
    if (!before || before.filled || !PREPOSITIONS.has(before.lower)) return undefined
    const gerund = inflect(place.filled.plain, 'VBG')
    return gerund === place.filled.plain ? undefined : [place.rewrite(gerund)]
  },
}
