/** Bodies and their qode: what fortunes and quotes ask of the two together. */
import type { Errors } from '../declare/index.ts'
import { type AlignedToken, align, parse, type Token, write } from '../language/index.ts'

/** Annotating is not built in yet, so a text that refers to quadranyms must come with its qode. */
export const NOT_ANNOTATED: Errors = { qode: ['Texts are not annotated by the server yet: give the qode.'] }

/** The words that the tokens stand for, or where the qode is not a tokenised form of the body. */
export function alignTokens(body: string, qode: string): { aligned: readonly AlignedToken[] } | { errors: Errors } {
  const alignment = align(body, parse(qode))
  if ('aligned' in alignment) return alignment
  const offset = [...qode.slice(0, alignment.at)].length
  return { errors: { qode: [`Not a tokenised form of body: at offset ${offset}, ${alignment.why}.`] } }
}

/** The qode with each token's index replaced. */
export function renumber(qode: string, indexOf: (token: Token) => number): string {
  return write(parse(qode).map((piece) => (piece.kind === 'token' ? { ...piece, index: indexOf(piece) } : piece)))
}
