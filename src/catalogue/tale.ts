import { gathered, one, resource } from '../declare/index.ts'
import { head } from './common.ts'
import { fable } from './fable.ts'
import { TOLD, tellTale } from './telling.ts'

export const tale = resource('tale', {
  does: 'A fable told with chosen quadranyms: each of its talelines fills one topic.',
  fields: {
    ...head,
    length: gathered.integer({ does: 'The number of topics of the fable.' }),
    fable: one(fable, { does: 'The fable that the tale tells.' }),
  },
  derive: { length: ({ fable }) => fable.length },
  order: ['name'],
  unique: [['name']],
  questions: {
    tell: {
      does: 'The tale as a text: its fable, each topic told with its quadranym.',
      details: 'A topic that no line fills shows as its token.',
      answers: TOLD,
      answer: ({ fable }, _, lines) => tellTale(fable.qode, lines as never),
    },
  },
  lines: { resource: 'taleline', parent: 'tale', rank: 'rank', shorthand: 'quadranym' },
})
