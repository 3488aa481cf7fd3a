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
import { qode } from './common.ts'
import { quadranym } from './quadranym.ts'
import { annotatedAnew, largeIndexes, oddTags, wordlessQuadranyms } from './repairs.ts'
import { spinQuestion } from './spinning.ts'

export const fortune = resource('fortune', {
  does: 'A saying, plain or with words of it marked as terms of quadranyms.',
  fields: {
    body: text({ max: 4096, search: { as: 'text' }, inside: true }),
    qode: qode({ max: QODE_LENGTH, blank: true }),
    q1: many(quadranym, { min: 0, max: 200 }),
    q2: many(quadranym, { min: 0, max: 200 }),
    subs: derived.text(),
    depth: derived.integer({ indexed: true }),
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
    'annotated anew': annotatedAnew,
    'quadranyms without a word': wordlessQuadranyms,
  },
  questions: {
    check: checkQuestion(({ q1, q2 }: TopicText) => [...q2, ...q1]),
    spin: spinQuestion(({ body, qode, q1, q2 }: TopicText) => ({ qode, plain: body, own: [...q2, ...q1] })),
  },
})
