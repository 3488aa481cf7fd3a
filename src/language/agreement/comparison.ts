/** One comparative is enough: no "more darker", no "most best", no "more more open". */
import type { Rule } from './index.ts'
import { setOf } from './word-lists.ts'

const COMPARATIVES = setOf('better worse further less')
const SUPERLATIVES = setOf('best worst furthest least')

export const comparison: Rule = {
  name: 'comparison',
  tags: setOf('JJ JJR JJS RB RBR RBS'),
  repair(place) {
    const { tag, filled } = place
    const degree = tag.endsWith('R') || COMPARATIVES.has(filled.plain) ? 'more' : 'most'
    if (degree === 'most' && !tag.endsWith('S') && !SUPERLATIVES.has(filled.plain)) return undefined
    const before = place.before()
    if (!before || before.filled || before.lower !== degree) return undefined
    return place.remove(before, place.offset)
  },
}
