/** Does a text read well with another quadranym? It does when the parts of speech of its terms are those of the tokens. */
import type { TaggedQuadranym } from './match.ts'
import type { Token } from './qode.ts'

/** Do the terms that these tokens ask for have the right part of speech? Unknown ones do not count as right. */
export function fits(tokens: readonly Token[], quadranym: TaggedQuadranym): boolean {
  return tokens.every(({ slot, tag }) => {
    if (tag === undefined) return true
    const pos = slot === 'n' ? quadranym.pos : quadranym[`${slot}pos`]
    const start = pos === 'ADJ' ? 'JJ' : pos
    return start !== undefined && start !== '' && tag.startsWith(start)
  })
}
