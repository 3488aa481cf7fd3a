import { gathered, one, resource } from '../declare/index.ts'
import { head } from './common.ts'
import { fable } from './fable.ts'

export const tale = resource('tale', {
  does: 'A fable told with chosen quadranyms: each of its talelines fills one topic.',
  fields: { ...head, length: gathered.integer(), fable: one(fable) },
  derive: { length: ({ fable }) => fable.length },
  order: ['name'],
  unique: [['name']],
  lines: { resource: 'taleline', parent: 'tale', rank: 'rank', shorthand: 'quadranym' },
})
