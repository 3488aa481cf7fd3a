/** "A" or "an" before a word, by its sound. */
import { articleBefore, articleFor } from '../article.ts'
import type { Rule } from './index.ts'

export const aOrAn: Rule = {
  name: 'a-or-an',
  repair(place) {
    const { draft, offset, filled, wanted } = place
    const found = articleBefore(draft.text, offset)
    // An article that another token became must not change.
    const before = draft.words[place.index - 1]
    if (!found || (before && before.offset + before.length > found.offset)) return undefined
    const shouted = wanted === 'SHOUTED'
    const right = articleFor(shouted ? filled.plain : draft.text.slice(offset, place.end))
    if (found.article.toLowerCase() === right) return undefined
    const end = found.offset + found.article.length
    return [{ offset: found.offset, end, now: inCaseOfArticle(found.article, right, shouted) }]
  },
}

/** "A" may be a capital or shouted; the word that follows shows which. */
function inCaseOfArticle(article: string, right: string, shouted: boolean): string {
  if (article === article.toLowerCase()) return right
  return article === 'AN' || shouted ? right.toUpperCase() : right.charAt(0).toUpperCase() + right.slice(1)
}
