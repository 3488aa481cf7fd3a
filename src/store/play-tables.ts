/** The tables of games. */
import type { ServiceTable } from './service-tables.ts'
import type { TableColumn } from './table.ts'

const account: TableColumn = { name: 'account', type: 'integer', references: { table: 'account' } }
const text = (name: string, rest: Partial<TableColumn> = {}): TableColumn => ({ name, type: 'text', ...rest })
const key = (name: string, rest: Partial<TableColumn> = {}): TableColumn => ({ name, type: 'key', ...rest })
const integer = (name: string): TableColumn => ({ name, type: 'integer' })

/**
 * Rounds of games, with their questions and answers. A player is an account, or a token of a player without one. Rounds
 * are numbered in a run, so that two devices that begin at once cannot begin two. For the board of a day, the run is the
 * number of the day, `guess` has all guesses, and `stake` is 1 if the round counts for streaks.
 */
const PLAY_ROUND: ServiceTable = {
  name: 'play_round',
  columns: [
    // `user 7`, or `token` and the hash of the token.
    key('player'),
    key('game'),
    integer('run'),
    integer('number'),
    key('id', { unique: true }),
    { ...account, optional: true },
    // JSON: what is shown, and the records that it was made from.
    text('question'),
    text('sources'),
    text('answer'),
    integer('stake'),
    text('begun'),
    text('ended', { optional: true }),
    text('guess'),
    // hit, near or miss; of a board, won or lost.
    text('outcome'),
    integer('bonus'),
    integer('points'),
    // 1 if it was begun without the account that it belongs to now: it does not count in the standing.
    integer('claimed'),
  ],
  key: ['player', 'game', 'run', 'number'],
  indexes: [{ name: 'play_round_account', on: 'account, begun' }],
  copied: true,
}

/** All ended rounds of an account in a game, counted. `mean` is points a round in thousandths, once there are enough. */
const PLAY_STANDING: ServiceTable = {
  name: 'play_standing',
  columns: [account, key('game'), ...['rounds', 'points', 'mean', 'hits', 'near'].map(integer)],
  key: ['account', 'game'],
  indexes: [{ name: 'play_standing_mean', on: 'game, mean DESC, account' }],
  copied: true,
}

/**
 * Boards of days, as they were first made: later changes of the catalogue change none of them. `made` counts boards in the
 * order in which they were made. It is unique, so nobody can add a board who has not seen all earlier ones.
 */
const PLAY_BOARD: ServiceTable = {
  name: 'play_board',
  columns: [
    integer('number'),
    { ...integer('made'), unique: true },
    // JSON: the words, the groups and the resource of their sets.
    text('board'),
    text('salt'),
    text('hash'),
  ],
  key: ['number'],
  indexes: [],
  copied: true,
}

/**
 * What players did with the board of a day, counted. `end`: rounds by the number of mistakes. `first`: the place of the
 * group that was found first. `four`: four words that are no group, as a number whose bit n stands for word n, so a board
 * has 1,820 of them at most.
 */
const PLAY_TALLY: ServiceTable = {
  name: 'play_tally',
  columns: [integer('number'), key('what'), integer('value'), integer('times')],
  key: ['number', 'what', 'value'],
  indexes: [{ name: 'play_tally_times', on: 'what, times DESC, number, value' }],
  copied: true,
}

export const PLAY_TABLES: readonly ServiceTable[] = [PLAY_ROUND, PLAY_STANDING, PLAY_BOARD, PLAY_TALLY]
