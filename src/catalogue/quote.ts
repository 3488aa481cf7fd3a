import { derived, one, resource, text } from '../declare/index.ts'
import { depth, subs, width } from '../language/index.ts'
import { alignTokens, NOT_ANNOTATED } from './annotated.ts'
import { NO_TOKEN, qode, TOO_MANY_TOPICS } from './common.ts'
import { quadranym } from './quadranym.ts'

export const quote = resource('quote', {
  does: 'A quotation and its author, marked with the terms of one quadranym.',
  fields: {
    body: text({ max: 4096 }),
    qode: qode({ max: 8192, blank: true }),
    quadranym: one(quadranym),
    subs: derived.text(),
    width: derived.integer(),
    src: text({ max: 200 }),
  },
  derive: {
    subs: ({ qode }) => subs(qode),
    width: ({ qode }) => width(qode),
  },
  order: ['body'],
  unique: [['body', 'src', 'quadranym']],
  renews: { qode: ['body', 'quadranym'] },
  complete(record, absent) {
    if (absent.has('qode')) return { errors: NOT_ANNOTATED }
    const topics = depth(record.qode)
    if (topics !== 1) return { errors: topics === 0 ? NO_TOKEN : TOO_MANY_TOPICS }
    const alignment = alignTokens(record.body, record.qode)
    return 'errors' in alignment ? alignment : { value: record }
  },
})
