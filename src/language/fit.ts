/**
 * Whether a text reads well with another quadranym: the parts of speech of its terms must match those of the tokens.
 */
import { type TaggedQuadranym, tagStart } from './match.ts'
import type { Token } from './qode.ts'

/** Whether the terms for these tokens have the right part of speech. Unknown parts of speech do not count as right. */
export function fits(tokens: readonly Token[], quadranym: TaggedQuadranym): boolean {
  return tokens.every(({ slot, tag }) => {
    const start = tagStart(quadranym, slot)
    return tag === undefined || (start !== undefined && tag.startsWith(start))
  })
}
