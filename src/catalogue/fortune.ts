import { derived, many, resource, text } from '../declare/index.ts'
import { depth, subs } from '../language/index.ts'
import { qode } from './common.ts'
import { quadranym } from './quadranym.ts'

export const fortune = resource('fortune', {
  does: 'A short text whose words may be replaced by tokens that refer to quadranyms.',
  fields: {
    body: text({ max: 4096 }),
    qode: qode({ max: 8192, blank: true }),
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
})
