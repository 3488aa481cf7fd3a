import { derived, many, resource, text } from '../declare/index.ts'
import { depth, subs, tokens } from '../language/index.ts'
import {
  alignTokens,
  annotateAnew,
  checkQuestion,
  QODE_LENGTH,
  sortByWords,
  type TopicText,
  withoutQuadranym,
} from './annotated.ts'
import { qode, TOKEN_MEMBERS } from './common.ts'
import { quadranym } from './quadranym.ts'
import { annotatedAnew, largeIndexes, oddTags, wordlessQuadranyms } from './repairs.ts'
import { spinQuestion } from './spinning.ts'

export const fortune = resource('fortune', {
  does: 'A saying, plain or with some words marked as terms of quadranyms.',
  fields: {
    body: text({
      max: 4096,
      search: { as: 'text' },
      inside: true,
      does: 'The saying in plain words, often with its origin after a dash.',
    }),
    qode: qode({ max: QODE_LENGTH, blank: true, does: TOKEN_MEMBERS.qode }),
    q1: many(quadranym, { min: 0, max: 200, does: 'The quadranyms with exactly one token in `qode`.' }),
    q2: many(quadranym, { min: 0, max: 200, does: 'The quadranyms with two or more tokens in `qode`.' }),
    subs: derived.text({ does: TOKEN_MEMBERS.subs }),
    depth: derived.integer({ indexed: true, does: 'The highest token index in `qode`; 0 when it has no tokens.' }),
  },
  textIn: 'body',
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
  release: (record, gone) => withoutQuadranym(record, gone),
  plain: { write: ({ body }) => body, read: (text) => ({ body: text }) },
  repairs: {
    'odd tags': oddTags,
    'large indexes': largeIndexes(),
    'annotated again': annotatedAnew,
    'quadranyms without a word': wordlessQuadranyms,
  },
  questions: {
    check: checkQuestion(({ q1, q2 }: TopicText) => [...q2, ...q1]),
    spin: spinQuestion(({ body, qode, q1, q2 }: TopicText) => ({ qode, plain: body, own: [...q2, ...q1] })),
  },
})
