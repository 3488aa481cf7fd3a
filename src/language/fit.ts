/** Does a text read well with another quadranym? It does when the parts of speech of its terms are those of the tokens. */
import { type TaggedQuadranym, tagStart } from './match.ts'
import type { Token } from './qode.ts'

/** Do the terms that these tokens ask for have the right part of speech? Unknown ones do not count as right. */
export function fits(tokens: readonly Token[], quadranym: TaggedQuadranym): boolean {
  return tokens.every(({ slot, tag }) => {
    const start = tagStart(quadranym, slot)
    return tag === undefined || (start !== undefined && tag.startsWith(start))
  })
}
