import { gathered, many, resource } from '../declare/index.ts'
import { head } from './common.ts'
import { polynym } from './polynym.ts'

export const polyset = resource('polyset', {
  does: 'Polynyms that belong together, under one name.',
  fields: {
    ...head,
    polynyms: many(polynym, {
      min: 1,
      max: 200,
      reads: ['depth'],
      does: 'The polynyms of the set, in order, each as a whole record.',
    }),
    length: gathered.integer({ does: 'The number of polynyms.' }),
    width: gathered.integer({ does: 'The sum of the depths of the polynyms.' }),
    depth: gathered.integer({ does: 'The depth of the deepest polynym.' }),
  },
  derive: {
    length: ({ polynyms }) => polynyms.length,
    width: ({ polynyms }) => polynyms.reduce((sum, each) => sum + each.depth, 0),
    depth: ({ polynyms }) => polynyms.reduce((largest, each) => Math.max(largest, each.depth), 0),
  },
  order: ['name'],
  unique: [['name', 'user']],
})
