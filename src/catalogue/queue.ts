import { resource, text } from '../declare/index.ts'

export const queue = resource('queue', {
  does: 'A topic people want a quadranym for; done once a quadranym of that name exists.',
  fields: { name: text({ max: 200, search: { as: 'name' }, inside: true, does: 'The topic that needs a quadranym.' }) },
  derive: {},
  order: ['name'],
  unique: [['name']],
})
