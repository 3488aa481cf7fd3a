import { integer, one, resource } from '../declare/index.ts'
import { phrase } from './phrase.ts'
import { quadranym } from './quadranym.ts'
import { story } from './story.ts'

export const storyline = resource('storyline', {
  does: 'One line of a story: its phrase, told with its quadranym. Ranks count from 0.',
  fields: {
    rank: integer({ min: 0, max: 32767 }),
    story: one(story),
    phrase: one(phrase),
    quadranym: one(quadranym),
  },
  derive: {},
  order: ['story', 'rank'],
  unique: [['story', 'rank']],
  ownedThrough: 'story',
})
