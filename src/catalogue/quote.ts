import { derived, one, resource, text } from '../declare/index.ts'
import { depth, subs, width } from '../language/index.ts'
import { NO_TOKEN, qode, TOO_MANY_TOPICS } from './common.ts'
import { quadranym } from './quadranym.ts'

export const quote = resource('quote', {
  does: 'A text with one quadranym and its author.',
  fields: {
    body: text({ max: 4096 }),
    qode: qode({ max: 8192 }),
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
  check: ({ qode }) => (depth(qode) === 0 ? NO_TOKEN : depth(qode) > 1 ? TOO_MANY_TOPICS : {}),
})
