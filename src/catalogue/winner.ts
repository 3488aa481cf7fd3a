import { integer, owner, resource, text } from '../declare/index.ts'

export const winner = resource('winner', {
  does: "A player's best score in a game.",
  fields: {
    by: text({ max: 32, blank: true, search: { as: 'text' }, does: 'The name that the player chose to show.' }),
    user: owner({ does: 'The user name of the player.' }),
    app: text({ max: 32, search: { as: 'name' }, indexed: true, does: 'The name of the game.' }),
    score: integer({ min: -2147483648, max: 2147483647, does: 'The best score of the player in this game.' }),
    round: integer({ min: 0, max: 32767, does: 'The round in which the player reached the score.' }),
  },
  derive: {},
  order: ['app', '-score'],
  unique: [['user', 'app']],
  staffOnly: true,
  worth: 'score',
})
