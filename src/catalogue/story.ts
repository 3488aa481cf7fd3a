import { countOf, resource } from '../declare/index.ts'
import { head, realm } from './common.ts'
import { TOLD, tellStory } from './telling.ts'

export const story = resource('story', {
  does: 'A story told line by line: each of its storylines is a phrase with a quadranym.',
  fields: { ...head, length: countOf('storyline', 'story', { does: 'The number of lines.' }), realm },
  derive: {},
  order: ['name'],
  unique: [['name']],
  questions: {
    tell: {
      does: 'The story as a text: each line is its phrase, told with its quadranym.',
      details: 'Lines are joined by spaces; the phrase named `-` begins a new paragraph.',
      answers: TOLD,
      answer: (_, __, lines) => tellStory(lines as never),
    },
  },
  lines: { resource: 'storyline', parent: 'story', rank: 'rank' },
})
