/** Bodies and their qode: the rules that fortunes and quotes have for the two together. */
import type { Errors, JsonObject, Parsed, RecordOf, Schema } from '../declare/index.ts'
import {
  type AlignedToken,
  align,
  annotate,
  charactersIn,
  check,
  type Fault,
  oddTerms,
  type Piece,
  parse,
  type Token,
  tokens,
  write,
} from '../language/index.ts'
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
function renumber(qode: string, indexOf: (token: Token) => number): string {
  return write(parse(qode).map((piece) => (piece.kind === 'token' ? { ...piece, index: indexOf(piece) } : piece)))
}

export function noWordFor({ id, name }: Quadranyms[number]): string {
  return `Quadranym ${id}, "${name}", has no word in the text.`
}

/** The quadranyms that `noWordFor` named. */
export function wordlessIds(messages: readonly string[]): Set<number> {
  return new Set(
    messages.flatMap((message) => /^Quadranym ([0-9]+), .* has no word/s.exec(message)?.[1] ?? []).map(Number),
  )
}

/**
 * GET .../check/: a change to a quadranym does not change the qode, but its tokens may no longer give the words back.
 */
export const checkQuestion = <R extends { readonly body: string; readonly qode: string }>(
  quadranymsOf: (record: R) => Quadranyms,
) => ({
  does: 'Which tokens would no longer give back the words of the body.',
  details: 'A change to a quadranym does not change the texts that use it.',
  answers: CHECKED,
  answer({ body, qode, ...rest }: R): Parsed<JsonObject> {
    return { value: checked(body, qode, quadranymsOf({ body, qode, ...rest } as R)) }
  },
})

export const CHECKED: Schema = {
  title: 'checked',
  type: 'object',
  required: ['matches', 'faults'],
  properties: {
    matches: { type: 'boolean', description: 'True if there are no faults.' },
    faults: {
      type: 'array',
      description: 'Where `qode` does not give back `body`.',
      items: {
        type: 'object',
        required: ['offset', 'why'],
        properties: {
          offset: { type: 'integer', minimum: 0, description: 'Where in `qode` the fault is, in characters.' },
          why: { type: 'string', description: 'What is wrong, in words.' },
          token: { type: 'string', description: 'The token that becomes another word.' },
          word: { type: 'string', description: 'The word of `body` that the token stands for.' },
          becomes: { type: 'string', description: 'The word that the token becomes now.' },
        },
      },
    },
    odd_terms: {
      type: 'array',
      items: { type: 'string' },
      description: 'Terms that are not the part of speech that their quadranym gives.',
    },
  },
}

function checked(body: string, qode: string, quadranyms: Quadranyms): JsonObject {
  return shownFaults(qode, qode === '' ? [] : check(body, qode, quadranyms), quadranyms)
}

/** The response of a check. */
export function shownFaults(qode: string, faults: readonly Fault[], quadranyms: Quadranyms): JsonObject {
  const odd = quadranyms.flatMap((quadranym) =>
    oddTerms(quadranym).map(
      ({ term, member, given, is }) =>
        `Quadranym ${quadranym.id}: ${member} is ${given}, but "${term}" is ${is.join(' or ')}.`,
    ),
  )
  const shown = charactersIn(qode)
  return {
    matches: faults.length === 0,
    faults: faults.map((fault) => ({ ...fault, offset: shown(fault.offset) })),
    ...(odd.length > 0 ? { odd_terms: [...new Set(odd)] } : {}),
  }
}

export const QODE_LENGTH = 8192

/** A client must be able to send back what the server writes. */
export function faultOfLength(qode: string): Errors | undefined {
  if ([...qode].length <= QODE_LENGTH) return undefined
  return { qode: [`Ensure this field has no more than ${QODE_LENGTH} characters.`] }
}

/** A text with any number of quadranyms. */
export interface TopicText {
  readonly body: string
  readonly qode: string
  /** Quadranyms with exactly one word in the text, and with more. */
  readonly q1: Quadranyms
  readonly q2: Quadranyms
}

/** The tokens that the server finds; a quadranym without a word is refused. */
export function annotateAnew<R extends TopicText>(record: R): Parsed<R> {
  const given = distinct(record)
  const { qode, unmatched } = annotate(record.body, given)
  const errors = unmatched.length > 0 ? refusals(record, unmatched) : faultOfLength(qode)
  return errors ? { errors } : sortByWords({ ...record, qode, q1: given, q2: [] })
}

/** q2 and q1 are taken together, in this order, which is the order of the indexes. */
function distinct({ q1, q2 }: TopicText): Quadranyms {
  return [...new Map([...q2, ...q1].map((each) => [each.id, each])).values()]
}

/** Each under the member in which the client gave it. */
function refusals({ q1 }: TopicText, wordless: Quadranyms): Errors {
  const inQ1 = wordless.filter(({ id }) => q1.some((each) => each.id === id))
  const inQ2 = wordless.filter((each) => !inQ1.includes(each))
  return {
    ...(inQ1.length > 0 ? { q1: inQ1.map(noWordFor) } : {}),
    ...(inQ2.length > 0 ? { q2: inQ2.map(noWordFor) } : {}),
  }
}

/** A qode that the server wrote is annotated again without it; tokens that a client gave stay as they are. */
export function withoutQuadranym<R extends TopicText>(record: R, gone: number): R {
  const ours = annotateAnew(record)
  if (!('value' in ours) || ours.value.qode !== record.qode) return withoutTokensOf(record, gone)
  const left = (quadranyms: Quadranyms) => quadranyms.filter(({ id }) => id !== gone)
  const again = annotateAnew({ ...record, q1: left(record.q1), q2: left(record.q2) })
  return 'value' in again ? again.value : withoutTokensOf(record, gone)
}

/** Words replace the tokens of one quadranym; the other tokens stay as they are. */
function withoutTokensOf<R extends TopicText>(record: R, gone: number): R {
  const index = [...record.q2, ...record.q1].findIndex(({ id }) => id === gone) + 1
  const alignment = alignTokens(record.body, record.qode)
  const words = new Map('aligned' in alignment ? alignment.aligned.map(({ token, word }) => [token.offset, word]) : [])
  const pieces = parse(record.qode).map((piece): Piece => {
    if (piece.kind === 'text' || piece.index !== index) return piece
    return { ...piece, kind: 'text', text: words.get(piece.offset) ?? '' }
  })
  const left = (records: Quadranyms) => records.filter(({ id }) => id !== gone)
  return { ...record, qode: write(pieces), q1: left(record.q1), q2: left(record.q2) }
}

/**
 * The k-th distinct index means the k-th of q2 followed by q1. Quadranyms are sorted into q2 and q1 by the number of
 * their words, so the tokens are renumbered: 1, 2, 3, without gaps.
 */
export function sortByWords<R extends TopicText>(record: R): Parsed<R> {
  const given = distinct(record)
  const words = new Map<number, number>()
  for (const { index } of tokens(record.qode)) words.set(index, (words.get(index) ?? 0) + 1)
  const indexes = [...words.keys()].sort((a, b) => a - b)
  const homeless = indexes[given.length]
  if (homeless !== undefined) {
    return { errors: { qode: [`Index ${homeless} has no quadranym: q2 and q1 hold ${given.length}.`] } }
  }
  const wordless = given.slice(indexes.length)
  if (wordless.length > 0) return { errors: refusals(record, wordless) }
  const places = indexes.map((index, i) => ({ index, quadranym: given[i]!, often: words.get(index)! > 1 }))
  const [q2, q1] = [places.filter(({ often }) => often), places.filter(({ often }) => !often)]
  const renumbered = new Map([...q2, ...q1].map(({ index }, i) => [index, i + 1]))
  return {
    value: {
      ...record,
      qode: renumber(record.qode, ({ index }) => renumbered.get(index)!),
      q1: q1.map(({ quadranym }) => quadranym),
      q2: q2.map(({ quadranym }) => quadranym),
    },
  }
}

/** Clients count characters, not UTF-16 units. */
export function characters(text: string, offset: number): number {
  return [...text.slice(0, offset)].length
}
