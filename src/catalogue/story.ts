import { countOf, resource } from '../declare/index.ts'
import { head, realm } from './common.ts'

export const story = resource('story', {
  does: 'A story told line by line: each of its storylines is a phrase with a quadranym.',
  fields: { ...head, length: countOf('storyline', 'story'), realm },
  derive: {},
  order: ['name'],
  unique: [['name']],
  lines: { resource: 'storyline', parent: 'story', rank: 'rank' },
})
