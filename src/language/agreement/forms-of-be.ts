/** "Be" has more forms than there are tags: I am, we were. */
import type { Rule } from './index.ts'
import type { Neighbour } from './place.ts'
import { PLURAL_TAGS, setOf } from './word-lists.ts'

const PLURAL_SUBJECTS = setOf('you we they these those')

export const formsOfBe: Rule = {
  name: 'forms-of-be',
  tags: setOf('VBP VBD'),
  repair(place) {
    const { plain } = place.filled
    if (plain === 'are') return [place.before(), place.after()].some(isI) ? [place.rewrite('am')] : undefined
    return plain === 'was' && isPlural(place.before()) ? [place.rewrite('were')] : undefined
  },
}

const isI = (neighbour: Neighbour | undefined) => neighbour?.text === 'I'

function isPlural(subject: Neighbour | undefined): boolean {
  if (subject?.filled) return PLURAL_TAGS.has(subject.filled.token.tag ?? '')
  return subject !== undefined && PLURAL_SUBJECTS.has(subject.lower)
}
