import { integer, one, resource } from '../declare/index.ts'
import { phrase } from './phrase.ts'
import { quadranym } from './quadranym.ts'
import { story } from './story.ts'

export const storyline = resource('storyline', {
  does: 'One line of a story: its phrase, told with its quadranym. Ranks count from 0.',
  fields: {
    rank: integer({ min: 0, max: 32767, does: 'The place of the line in its story, counted from 0.' }),
    story: one(story, { does: 'The story that the line belongs to.' }),
    phrase: one(phrase, { does: 'The phrase that the line tells.' }),
    quadranym: one(quadranym, { does: 'The quadranym that fills the phrase.' }),
  },
  derive: {},
  order: ['story', 'rank'],
  unique: [['story', 'rank']],
  ownedThrough: 'story',
})
