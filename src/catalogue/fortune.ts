import { derived, type Errors, many, type Parsed, resource, text } from '../declare/index.ts'
import { annotate, depth, type Piece, parse, subs, tokens, write } from '../language/index.ts'
import {
  alignTokens,
  checkQuestion,
  faultOfLength,
  noWordFor,
  QODE_LENGTH,
  type Quadranyms,
  renumber,
} from './annotated.ts'
import { qode } from './common.ts'
import { quadranym } from './quadranym.ts'

interface Annotated {
  readonly body: string
  readonly qode: string
  /** Quadranyms with exactly one word in the text, and with more. */
  readonly q1: Quadranyms
  readonly q2: Quadranyms
}

export const fortune = resource('fortune', {
  does: 'A saying, plain or with words of it marked as terms of quadranyms.',
  fields: {
    body: text({ max: 4096 }),
    qode: qode({ max: QODE_LENGTH, blank: true }),
    q1: many(quadranym, { min: 0, max: 200 }),
    q2: many(quadranym, { min: 0, max: 200 }),
    subs: derived.text(),
    depth: derived.integer(),
  },
  derive: {
    subs: ({ qode }) => subs(qode),
    depth: ({ qode }) => depth(qode),
  },
  order: ['body'],
  unique: [['body']],
  renews: { qode: ['body', 'q1', 'q2'] },
  complete(record, absent) {
    const untagged = absent.has('qode') ? record.q1.length + record.q2.length === 0 : tokens(record.qode).length === 0
    if (untagged) return { value: { ...record, qode: '', q1: [], q2: [] } }
    if (absent.has('qode')) return annotateAnew(record)
    const alignment = alignTokens(record.body, record.qode)
    return 'errors' in alignment ? alignment : sortByWords(record)
  },
  release(record, gone) {
    // What we annotated is annotated anew; tokens that were set by hand stay as they are.
    const ours = annotateAnew(record)
    if (!('value' in ours) || ours.value.qode !== record.qode) return withoutTokensOf(record, gone)
    const left = (quadranyms: Quadranyms) => quadranyms.filter(({ id }) => id !== gone)
    const anew = annotateAnew({ ...record, q1: left(record.q1), q2: left(record.q2) })
    return 'value' in anew ? anew.value : withoutTokensOf(record, gone)
  },
  questions: { check: checkQuestion(({ q1, q2 }: Annotated) => [...q2, ...q1]) },
})

function annotateAnew<R extends Annotated>(record: R): Parsed<R> {
  const given = distinct(record)
  const { qode, unmatched } = annotate(record.body, given)
  const errors = unmatched.length > 0 ? refusals(record, unmatched) : faultOfLength(qode)
  return errors ? { errors } : sortByWords({ ...record, qode, q1: given, q2: [] })
}

/** q2 and q1 are taken together, in this order, which is that of the indexes. */
function distinct({ q1, q2 }: Annotated): Quadranyms {
  return [...new Map([...q2, ...q1].map((each) => [each.id, each])).values()]
}

/** Each under the member it was given in. */
function refusals({ q1 }: Annotated, wordless: Quadranyms): Errors {
  const inQ1 = wordless.filter(({ id }) => q1.some((each) => each.id === id))
  const inQ2 = wordless.filter((each) => !inQ1.includes(each))
  return {
    ...(inQ1.length > 0 ? { q1: inQ1.map(noWordFor) } : {}),
    ...(inQ2.length > 0 ? { q2: inQ2.map(noWordFor) } : {}),
  }
}

/** The words come back in place of the tokens of one quadranym; the other tokens stay as they are. */
function withoutTokensOf<R extends Annotated>(record: R, gone: number): R {
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
 * their words, so the tokens are numbered anew: 1, 2, 3, without gaps.
 */
function sortByWords<R extends Annotated>(record: R): Parsed<R> {
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
