/** Checks whether a qode is a tokenised form of a body, and whether its tokens still become the body's words. */
import { align } from './align.ts'
import { parse } from './qode.ts'
import type { Quadranym } from './quadranym.ts'
import { placesOf, wordOf } from './spin.ts'

export interface Fault {
  /** Where in the qode, in UTF-16 units. */
  readonly offset: number
  readonly why: string
  /** The token at fault, the word it replaces, and the word it would become now. */
  readonly token?: string
  readonly word?: string
  readonly becomes?: string
}

/** Empty if there are no faults. Spacing may differ from the body's; letter case is not compared. */
export function check(body: string, qode: string, quadranyms: readonly Quadranym[]): Fault[] {
  const pieces = parse(qode)
  const alignment = align(body, pieces)
  if (!('aligned' in alignment)) return [{ offset: alignment.offset, why: alignment.why }]
  const places = placesOf(pieces, quadranyms.length)
  return alignment.aligned.flatMap(({ token, word }): Fault[] => {
    const written = qode.slice(token.offset, token.offset + token.length)
    const quadranym = quadranyms[places.get(token.index)!]
    if (!quadranym)
      return [{ offset: token.offset, why: `no quadranym is given for index ${token.index}`, token: written, word }]
    // A text is told with its own quadranyms as it was marked.
    const becomes = wordOf(token, quadranym, 'as it is', { strict: true })
    if (becomes.toLowerCase() === word.toLowerCase()) return []
    return [{ offset: token.offset, why: `"${word}" would become "${becomes}"`, token: written, word, becomes }]
  })
}
