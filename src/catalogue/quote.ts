import { derived, one, resource, text } from '../declare/index.ts'
import { annotate, depth, subs, width } from '../language/index.ts'
import { alignTokens, checkQuestion, faultOfLength, noWordFor, QODE_LENGTH, type Quadranyms } from './annotated.ts'
import { NO_TOKEN, qode, TOKEN_MEMBERS, TOO_MANY_TOPICS } from './common.ts'
import { quadranym } from './quadranym.ts'
import { annotatedAnew, largeIndexes, oddTags } from './repairs.ts'
import { spinQuestion } from './spinning.ts'

interface Quoted {
  readonly body: string
  readonly qode: string
  readonly src: string
  readonly quadranym: Quadranyms[number]
}

export const quote = resource('quote', {
  does: 'A quotation and its author, marked with the terms of one quadranym.',
  fields: {
    body: text({ max: 4096, search: { as: 'text' }, inside: true, does: 'The quotation; it may have several lines.' }),
    qode: qode({ max: QODE_LENGTH, blank: true, does: TOKEN_MEMBERS.qode }),
    quadranym: one(quadranym, { does: 'The quadranym that all tokens of `qode` point to, as a whole record.' }),
    subs: derived.text({ does: TOKEN_MEMBERS.subs }),
    width: derived.integer({ does: TOKEN_MEMBERS.width }),
    src: text({ max: 200, search: { as: 'text' }, inside: true, indexed: true, does: 'Who said or wrote it.' }),
  },
  textIn: 'body',
  derive: {
    subs: ({ qode }) => subs(qode),
    width: ({ qode }) => width(qode),
  },
  order: ['body'],
  unique: [['body', 'src', 'quadranym']],
  renews: { qode: ['body', 'quadranym'] },
  complete(record, absent) {
    if (absent.has('qode')) {
      const { qode, unmatched } = annotate(record.body, [record.quadranym])
      const errors = unmatched.length > 0 ? { quadranym: [noWordFor(record.quadranym)] } : faultOfLength(qode)
      return errors ? { errors } : { value: { ...record, qode } }
    }
    const topics = depth(record.qode)
    if (topics !== 1) return { errors: topics === 0 ? NO_TOKEN : TOO_MANY_TOPICS }
    const alignment = alignTokens(record.body, record.qode)
    return 'errors' in alignment ? alignment : { value: record }
  },
  plain: { write: ({ body, src }) => `${body}\n\t\t-- ${src}` },
  repairs: { 'odd tags': oddTags, 'large indexes': largeIndexes(), 'annotated again': annotatedAnew },
  questions: {
    check: checkQuestion((record: Quoted) => [record.quadranym]),
    spin: spinQuestion(({ body, qode, src, quadranym }: Quoted) => ({ qode, src, plain: body, own: [quadranym] })),
  },
})
