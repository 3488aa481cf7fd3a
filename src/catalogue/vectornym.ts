import { gathered, recordSlots, resource } from '../declare/index.ts'
import { head, realm } from './common.ts'
import { polynym } from './polynym.ts'
import { slotGaps } from './repairs.ts'

export const vectornym = resource('vectornym', {
  does: 'Two to nine polynyms side by side.',
  fields: {
    ...head,
    length: gathered.integer(),
    width: gathered.integer(),
    depth: gathered.integer(),
    v: recordSlots('v', polynym, { from: 2, to: 9 }),
    realm,
  },
  derive: {
    length: ({ v }) => v.length,
    width: ({ v }) => v.reduce((sum, each) => sum + each.depth, 0),
    depth: ({ v }) => v.reduce((largest, each) => Math.max(largest, each.depth), 0),
  },
  order: ['name'],
  unique: [['name', 'user']],
  repairs: { 'gaps closed': slotGaps('v', 9) },
})
