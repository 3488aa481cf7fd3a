import { gathered, many, resource } from '../declare/index.ts'
import { named, sourced } from './common.ts'
import { quadranym } from './quadranym.ts'

export const quadraset = resource('quadraset', {
  does: 'Quadranyms that belong together, under one name.',
  fields: {
    ...named,
    ...sourced,
    quadranyms: many(quadranym, {
      min: 1,
      max: 200,
      reads: [],
      does: 'The quadranyms of the set, in order, each as a whole record.',
    }),
    length: gathered.integer({ does: 'The number of quadranyms.' }),
  },
  derive: { length: ({ quadranyms }) => quadranyms.length },
  order: ['name'],
  unique: [['name', 'user']],
})
