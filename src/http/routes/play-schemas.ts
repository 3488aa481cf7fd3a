/** What the API says about games and rounds. */
import type { Schema } from '../../declare/index.ts'
import { LONGEST_GUESS, ROUNDS_OF_GAME } from '../../engine/index.ts'
import { ADDRESS, COUNT, exactly, ID, listOf, means, schemaRef, TEXT, TIME } from '../openapi/operation.ts'

const POINTS: Schema = { type: 'integer' }
const TERMS = listOf({ type: ['string', 'null'] })
const WORDS = listOf(TEXT)

const GROUPS = listOf({
  title: 'group',
  ...exactly({
    id: means(ID, 'Of the set.'),
    name: means(TEXT, 'Its name.'),
    mode: means(TEXT, 'Its mode.'),
    terms: means(WORDS, 'Four of them.'),
    rank: means(ID, '1 is easiest.'),
  }),
})
const DATE: Schema = { type: 'string', format: 'date' }
const WITHDRAWN = means({ type: 'boolean' }, 'Not shown.')

const QUESTION: Schema = exactly({
  'terms?': means(TERMS, 'Null is the blank.'),
  'crossing?': means(TERMS, 'The crossing set.'),
  'topic?': means(TEXT, 'The topic of the terms.'),
  'hint?': means(TEXT, 'The subject area.'),
  'text?': means(TEXT, 'A quote with blanks.'),
  'options?': means(WORDS, 'What to choose from.'),
  'words?': means(WORDS, 'The board of a day.'),
})

export const ROUND: Schema = {
  title: 'round',
  ...exactly({
    round: means(TEXT, 'The id of the round.'),
    game: means(TEXT, 'The game.'),
    number: means(ID, `Which round, of ${ROUNDS_OF_GAME}; of sets, the day.`),
    score: means(COUNT, 'The points so far; of sets, the streak.'),
    question: means(QUESTION, 'What is asked.'),
    'token?': means(TEXT, 'For a new player without an account.'),
    'guess?': means(TEXT, 'The guess. From here on: when it is over.'),
    'answer?': means(TEXT, 'The answer; of options, its number.'),
    'outcome?': means({ type: 'string', enum: ['hit', 'near', 'miss', 'won', 'lost'] }, 'How good the guess was.'),
    'stake?': means(POINTS, 'The points of a hit.'),
    'bonus?': means(POINTS, 'For speed.'),
    'points?': means(POINTS, 'Stake and bonus, or less.'),
    'begun?': means(TIME, 'When it began.'),
    'ended?': means(TIME, 'When the guess came.'),
    'records?': means(listOf(ADDRESS), 'Where the question comes from.'),
    'date?': means(DATE, 'From here on: of sets.'),
    'guesses?': means(
      listOf(exactly({ words: means(WORDS, 'Four.'), outcome: means(TEXT, 'right, near or wrong.') })),
      'In order.',
    ),
    'mistakes?': means(COUNT, 'Four end it.'),
    'groups?': means(GROUPS, 'Found; at the end, all.'),
    'counts?': means({ type: 'boolean' }, 'For streaks.'),
    'figures?': means(
      exactly({
        played: means(COUNT, 'Rounds.'),
        streak: means(COUNT, 'Days won in a row.'),
        best: means(COUNT, 'The longest streak.'),
        won: means(listOf(COUNT), 'By mistakes.'),
      }),
      'Of the player.',
    ),
    'withdrawn?': WITHDRAWN,
    'share?': means(WORDS, 'In signs and in words.'),
  }),
}

export const GUESS: Schema = {
  type: 'object',
  required: ['guess'],
  properties: {
    guess: means(
      { type: ['string', 'array'], maxLength: LONGEST_GUESS, items: TEXT },
      'The word, the number of the option, or four words. Empty to give up.',
    ),
  },
}

export const BEGIN: Schema = {
  type: 'object',
  properties: {
    zone: means(TEXT, 'Of sets: such as Europe/Rome.'),
    day: means(ID, 'Of sets: an earlier day.'),
  },
}

const FOURS = listOf(exactly({ words: means(WORDS, 'Four.'), times: means(ID, 'How often.') }))

export const DAY: Schema = {
  title: 'day',
  ...exactly({
    number: means(ID, 'Of the day.'),
    date: means(DATE, 'Its date.'),
    hash: means(TEXT, 'Of salt and board.'),
    rounds: means(COUNT, 'How many ended.'),
    won: means(COUNT, 'Of these.'),
    difficulty: means(ID, 'Up to 5.'),
    'withdrawn?': WITHDRAWN,
    'salt?': means(TEXT, 'From here on: when it is over.'),
    'words?': means(WORDS, 'The board.'),
    'groups?': means(GROUPS, 'The solution.'),
    'first?': means(listOf(COUNT), 'By group: found first.'),
    'fours?': means(FOURS, 'Wrong ones, most frequent first.'),
  }),
}

const PLAYED = { rounds: means(COUNT, 'How many.'), points: means(COUNT, 'In all.') }
const COUNTS: Schema = { type: 'object', additionalProperties: COUNT }
const HONOUR: Schema = {
  title: 'honour',
  ...exactly({ title: means(TEXT, 'Its name.'), does: means(TEXT, 'What it means.') }),
}

export const PERSON: Schema = {
  title: 'person',
  ...exactly({
    user: means(TEXT, 'The user name.'),
    points: means(COUNT, '`votes`, `made` and `best`.'),
    votes: means(COUNT, 'Votes given.'),
    made: means(COUNT, 'Records made.'),
    best: means(COUNT, 'The sum of the best scores.'),
    entries: means(COUNTS, '`made` by collection.'),
    liked: means(COUNTS, '`votes` by collection.'),
    level: means(schemaRef('honour'), 'The level of the points.'),
    next: means({ type: ['integer', 'null'] }, 'The points of the next level.'),
    'badges?': means(listOf(HONOUR), 'What was earned.'),
    'games?': means(
      listOf(
        exactly({
          game: means(TEXT, 'The game.'),
          title: means(TEXT, 'Its name.'),
          ...PLAYED,
          hits: means(COUNT, 'Answers found.'),
          near: means(COUNT, 'Near misses.'),
          best: means(POINTS, 'The best score.'),
        }),
      ),
      'What was played.',
    ),
  }),
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
      means: means(listOf(exactly({ user: means(TEXT, 'The player.'), ...PLAYED })), 'Most points a round.'),
    }),
  }
}
