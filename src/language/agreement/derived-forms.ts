/** Derived words that a verb before them needs in another form: "was made strong", not "was grown strong". */
import { isFunctionWord } from '../closed-words.ts'
import type { Rule } from './index.ts'
import type { Place } from './place.ts'
import { setOf } from './word-lists.ts'

const BE = setOf("am is are was were be been being isn't aren't wasn't weren't isn’t aren’t wasn’t weren’t")
const BETWEEN = setOf('not never ever always often so still soon now once thus all both')
/** What derive.ts makes of an adjective or a noun, but not "grown up". */
const BECOME_SO = /^(?:grown|become) (?:an? )?([^ ]+)$/

export const derivedForms: Rule = {
  name: 'derived-forms',
  tags: setOf('VBN RB'),
  repair(place) {
    const { plain } = place.filled
    if (place.tag === 'RB') {
      // "The wine is rising", but "she is rarely late".
      return plain.endsWith('ingly') && place.endsClause() && isAfterBe(place)
        ? [place.rewrite(plain.slice(0, -2))]
        : undefined
    }
    const [, rest] = BECOME_SO.exec(plain) ?? []
    if (rest === undefined || isFunctionWord(rest) || !isAfterBe(place)) return undefined
    return [place.rewrite(plain.replace(/^\S+/, 'made'))]
  },
}

function isAfterBe(place: Place): boolean {
  const before = place.before()
  const verb = before && BETWEEN.has(before.lower) ? place.before(before.offset) : before
  return verb !== undefined && !verb.filled && BE.has(verb.lower)
}
