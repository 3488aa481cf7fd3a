import { gathered, recordSlots, resource } from '../declare/index.ts'
import { head, realm } from './common.ts'
import { polynym } from './polynym.ts'
import { slotGaps } from './repairs.ts'

export const vectornym = resource('vectornym', {
  does: 'Two to nine polynyms side by side.',
  fields: {
    ...head,
    length: gathered.integer({ does: 'The number of polynyms.' }),
    width: gathered.integer({ does: 'The sum of the depths of the polynyms.' }),
    depth: gathered.integer({ does: 'The depth of the deepest polynym.' }),
    v: recordSlots('v', polynym, { from: 2, to: 9, does: 'A polynym.' }),
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
