/** Bodies and their qode: what fortunes and quotes ask of the two together. */
import type { Errors, JsonObject, RecordOf } from '../declare/index.ts'
import { type AlignedToken, align, check, parse, type Token, write } from '../language/index.ts'
import type { quadranym } from './quadranym.ts'

export type Quadranyms = readonly RecordOf<typeof quadranym>[]

/** The words that the tokens stand for, or where the qode is not a tokenised form of the body. */
export function alignTokens(body: string, qode: string): { aligned: readonly AlignedToken[] } | { errors: Errors } {
  const alignment = align(body, parse(qode))
  if ('aligned' in alignment) return alignment
  const offset = characters(qode, alignment.offset)
  return { errors: { qode: [`Not a tokenised form of body: at offset ${offset}, ${alignment.why}.`] } }
}

/** The qode with each token's index replaced. */
export function renumber(qode: string, indexOf: (token: Token) => number): string {
  return write(parse(qode).map((piece) => (piece.kind === 'token' ? { ...piece, index: indexOf(piece) } : piece)))
}

export function noWordFor({ id, name }: Quadranyms[number]): string {
  return `Quadranym ${id}, "${name}", has no word in the text.`
}

/** GET .../check/: a quadranym that changed does not change the qode, but its tokens may no longer give the words back. */
export const checkQuestion = <R extends { readonly body: string; readonly qode: string }>(
  quadranymsOf: (record: R) => Quadranyms,
) => ({
  does: 'Which tokens would no longer give back the words of the body.',
  answer(record: R): JsonObject {
    const { body, qode } = record
    const faults = qode === '' ? [] : check(body, qode, quadranymsOf(record))
    return {
      matches: faults.length === 0,
      faults: faults.map((fault) => ({ ...fault, offset: characters(qode, fault.offset) })),
    }
  },
})

export const QODE_LENGTH = 8192

/** What the server writes must be what a client may send back. */
export function faultOfLength(qode: string): Errors | undefined {
  if ([...qode].length <= QODE_LENGTH) return undefined
  return { qode: [`Ensure this field has no more than ${QODE_LENGTH} characters.`] }
}

/** Clients count characters, whatever their language makes of them inside. */
function characters(text: string, offset: number): number {
  return [...text.slice(0, offset)].length
}
