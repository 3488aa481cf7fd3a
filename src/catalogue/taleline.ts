import { integer, one, resource } from '../declare/index.ts'
import { quadranym } from './quadranym.ts'
import { tale } from './tale.ts'

export const taleline = resource('taleline', {
  does: "One topic of a tale: rank r fills index r + 1 of the tale's fable.",
  fields: {
    rank: integer({ min: 0, max: 32767 }),
    tale: one(tale),
    quadranym: one(quadranym),
  },
  derive: {},
  order: ['tale', 'rank'],
  unique: [['tale', 'rank']],
  ownedThrough: 'tale',
})
