import { integer, one, resource } from '../declare/index.ts'
import { quadranym } from './quadranym.ts'
import { tale } from './tale.ts'

export const taleline = resource('taleline', {
  does: "One topic of a tale: rank r fills index r + 1 of the tale's fable.",
  fields: {
    rank: integer({ min: 0, max: 32767, does: 'Which topic the line fills: rank 0 fills index 1, rank 1 index 2.' }),
    tale: one(tale, { does: 'The tale that the line belongs to.' }),
    quadranym: one(quadranym, { does: 'The quadranym that fills the topic.' }),
  },
  derive: {},
  order: ['tale', 'rank'],
  unique: [['tale', 'rank']],
  ownedThrough: 'tale',
})
