/** A term of several words brings its own articles and prepositions: "to to begin", "a the sea", "gave up up". */
import type { Edits } from './draft.ts'
import type { Rule } from './index.ts'
import type { Place } from './place.ts'
import { setOf } from './word-lists.ts'

/** Words that never occur twice in a row. */
const SMALL = setOf('the a an to of more most my your his its our their')
const ARTICLES = setOf('the a an')
const DETERMINERS = setOf('the a an my your his its our their this these those each every no')

export const doubledWords: Rule = {
  name: 'doubled-words',
  repair(place) {
    const { plain } = place.filled
    const hasMore = plain.includes(' ')
    if (!hasMore && !SMALL.has(plain)) return undefined
    const words = plain.toLowerCase().split(' ')
    const [first = ''] = words
    const shorter = SMALL.has(first) ? withoutFirst(place, first, hasMore) : undefined
    return shorter ?? (hasMore ? withoutLast(place, words.at(-1)) : undefined)
  },
}

function withoutFirst(place: Place, first: string, hasMore: boolean): Edits | undefined {
  const before = place.before()
  if (!before || before.filled) return undefined
  if (before.lower === first) return place.remove(before, place.offset)
  if (!hasMore || !ARTICLES.has(first) || !DETERMINERS.has(before.lower)) return undefined
  // "A the sea" is the sea; "my the sea" is my sea.
  if (ARTICLES.has(before.lower)) return place.remove(before, place.offset)
  return [{ offset: place.offset, end: place.offset + first.length + 1, now: '' }]
}

function withoutLast(place: Place, last: string | undefined): Edits | undefined {
  const after = place.after()
  if (!after || after.filled || after.lower !== last) return undefined
  return [{ offset: place.end, end: after.end, now: '' }]
}
