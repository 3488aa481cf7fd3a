import { derived, resource, slots, text } from '../declare/index.ts'
import { head } from './common.ts'
import { slotGaps, unknownMode } from './repairs.ts'

export const polynym = resource('polynym', {
  does: 'A name and its terms in order: the parts of a whole, the types of a thing, or the steps of a process.',
  fields: {
    ...head,
    mode: text({
      max: 4,
      choices: ['type', 'part', 'step'],
      indexed: true,
      does: 'What the terms are: types of a thing, parts of a whole, or steps of a process.',
    }),
    depth: derived.integer({ indexed: true, does: 'The number of terms, 2 to 12.' }),
    p: slots('p', {
      from: 2,
      to: 12,
      max: 500,
      search: { as: 'term' },
      does: 'A term; it may be a full sentence.',
    }),
  },
  derive: { depth: ({ p }) => p.length },
  order: ['name', 'src'],
  unique: [['name', 'src', 'area', 'wiki', 'p']],
  repairs: { 'mode unknown': unknownMode, 'gaps closed': slotGaps('p', 12) },
})
