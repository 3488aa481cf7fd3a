/** The apostrophe follows the word: the men's, but the doors'. */
import type { Rule } from './index.ts'
import { PLURAL_TAGS } from './word-lists.ts'

/** An apostrophe before a small letter may also close a quotation that began in this many characters. */
const LOOK_BACK = 200
const OPENING_QUOTE = /(?:^|[\s("“])['‘]/

export const possessives: Rule = {
  name: 'possessives',
  tags: PLURAL_TAGS,
  repair(place) {
    const { draft, end, offset, filled } = place
    if (/s$/i.test(filled.plain)) {
      return place.follows(/^['’]s(?![\p{L}\p{M}])/iu) ? [{ offset: end + 1, end: end + 2, now: '' }] : undefined
    }
    if (!/\p{L}$/u.test(filled.plain) || !place.follows(/^['’]\s+\p{Ll}/u)) return undefined
    const isQuoted = OPENING_QUOTE.test(draft.text.slice(Math.max(0, offset - LOOK_BACK), offset))
    return isQuoted ? undefined : [{ offset: end + 1, end: end + 1, now: 's' }]
  },
}
