import { integer, owner, resource, text } from '../declare/index.ts'

export const winner = resource('winner', {
  does: "A player's best score in a game.",
  fields: {
    by: text({ max: 32, blank: true, search: { as: 'text' } }),
    user: owner(),
    app: text({ max: 32, search: { as: 'name' }, indexed: true }),
    score: integer({ min: -2147483648, max: 2147483647 }),
    round: integer({ min: 0, max: 32767 }),
  },
  derive: {},
  order: ['app', '-score'],
  unique: [['user', 'app']],
  staffOnly: true,
})
