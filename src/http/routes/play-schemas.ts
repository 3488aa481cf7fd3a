/** What the API says about games and rounds. */
import type { Schema } from '../../declare/index.ts'
import { LONGEST_GUESS, ROUNDS_OF_GAME } from '../../engine/index.ts'
import { ADDRESS, COUNT, exactly, listOf, means, schemaRef, TEXT, TIME } from '../openapi/operation.ts'

const POINTS: Schema = { type: 'integer' }
const TERMS = listOf({ type: ['string', 'null'] })
const NUMBER: Schema = { type: 'integer', minimum: 1, maximum: ROUNDS_OF_GAME }

const QUESTION: Schema = exactly({
  'terms?': means(TERMS, 'Null is the blank.'),
  'crossing?': means(TERMS, 'The crossing set.'),
  'topic?': means(TEXT, 'The topic of the terms.'),
  'hint?': means(TEXT, 'The subject area.'),
  'text?': means(TEXT, 'A quote with blanks.'),
  'options?': means(listOf(TEXT), 'What to choose from.'),
})

export const ROUND: Schema = {
  title: 'round',
  ...exactly({
    round: means(TEXT, 'The id of the round.'),
    game: means(TEXT, 'The game.'),
    number: means(NUMBER, 'Which round, of ten.'),
    score: means(COUNT, 'The points so far.'),
    question: means(QUESTION, 'What is asked.'),
    'token?': means(TEXT, 'For a new player without an account.'),
    'guess?': means(TEXT, 'The guess. From here on: when it is over.'),
    'answer?': means(TEXT, 'The answer; of options, its number.'),
    'outcome?': means({ type: 'string', enum: ['hit', 'near', 'miss'] }, 'How good the guess was.'),
    'stake?': means(POINTS, 'The points of a hit.'),
    'bonus?': means(POINTS, 'For speed.'),
    'points?': means(POINTS, 'Stake and bonus, or less.'),
    'begun?': means(TIME, 'When it began.'),
    'ended?': means(TIME, 'When the guess came.'),
    'records?': means(listOf(ADDRESS), 'Where the question comes from.'),
  }),
}

export const GUESS: Schema = {
  type: 'object',
  required: ['guess'],
  properties: {
    guess: means(
      { type: 'string', maxLength: LONGEST_GUESS },
      'The word, or the number of the option. Empty to give up.',
    ),
  },
}

export function gameSchema(winners: string): Schema {
  return {
    title: 'game',
    ...exactly({
      game: means(TEXT, 'Its name in addresses.'),
      title: means(TEXT, 'Its name.'),
      does: means(TEXT, 'What a player does.'),
      stakes: means(TEXT, 'What a hit is worth.'),
      typed: means({ type: 'boolean' }, 'Whether answers are typed.'),
      scores: means(listOf(schemaRef(winners)), 'The ten best scores.'),
      means: means(
        listOf(
          exactly({
            user: means(TEXT, 'The player.'),
            rounds: means(POINTS, 'How many.'),
            points: means(POINTS, 'In all.'),
          }),
        ),
        'Most points a round.',
      ),
    }),
  }
}
