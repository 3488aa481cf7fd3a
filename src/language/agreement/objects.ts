/** Verbs that take no object without a preposition get theirs: listen to him, rely on the law. */
import { inflect } from '../inflect.ts'
import type { Rule } from './index.ts'
import type { Place } from './place.ts'
import { setOf } from './word-lists.ts'

const TAGS = ['VB', 'VBD', 'VBG', 'VBP', 'VBZ']

/** Verbs by preposition, only those that have no other meaning with an object. */
const VERBS = Object.entries({
  at: 'arrive gaze glance glare laugh peer smile',
  for: 'apologize care hope long wait weep yearn',
  from: 'abstain deviate diverge emerge recoil refrain',
  in: 'participate revel wallow',
  on: 'converge depend dwell embark hinge insist rely',
  over: 'gloat preside',
  to: 'adhere belong cling conform listen react succumb',
  with: 'agree collide compete comply cope disagree interfere sympathize tamper',
})

const PRONOUNS = setOf('me him us them it myself yourself himself herself itself ourselves themselves')
const DETERMINERS = setOf('the my your his her its our their')
/** "Wait the whole night" has no object, nor has "care the more". */
const NO_OBJECTS = setOf(`
  day days night nights morning evening week month year years hour hours minute minutes moment time while way mile miles rest whole
  entire other same more most less least better best next last first
`)
/** "Laugh him out of town", "wait it out". */
const RESULTS = setOf('out off away down into to')

let prepositions: ReadonlyMap<string, string> | undefined

/** Form of a verb -> its preposition. */
function prepositionOf(verb: string): string | undefined {
  prepositions ??= new Map(
    VERBS.flatMap(([preposition, verbs]) =>
      verbs.split(' ').flatMap((each) => TAGS.map((tag) => [inflect(each, tag), preposition] as const)),
    ),
  )
  return prepositions.get(verb)
}

export const objects: Rule = {
  name: 'objects',
  tags: new Set(TAGS),
  repair(place) {
    const preposition = prepositionOf(place.filled.plain)
    if (preposition === undefined || !hasObject(place)) return undefined
    const now = place.wanted === 'SHOUTED' ? preposition.toUpperCase() : preposition
    return [{ offset: place.end, end: place.end, now: ` ${now}` }]
  },
}

function hasObject(place: Place): boolean {
  const after = place.after()
  if (!after) return false
  if (after.filled) return /^(?:NNPS?|NNS)$/.test(after.filled.token.tag ?? '')
  const next = place.after(after.end)
  if (/^(?:each other|one another)$/.test(`${after.lower} ${next?.lower}`)) return true
  if (PRONOUNS.has(after.lower)) return !next || !RESULTS.has(next.lower)
  return DETERMINERS.has(after.lower) && next !== undefined && !NO_OBJECTS.has(next.lower)
}
