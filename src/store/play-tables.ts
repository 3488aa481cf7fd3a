/** The tables of games. */
import type { ServiceTable } from './service-tables.ts'
import type { TableColumn } from './table.ts'

const account: TableColumn = { name: 'account', type: 'integer', references: { table: 'account' } }
const text = (name: string, rest: Partial<TableColumn> = {}): TableColumn => ({ name, type: 'text', ...rest })
const key = (name: string, rest: Partial<TableColumn> = {}): TableColumn => ({ name, type: 'key', ...rest })
const integer = (name: string): TableColumn => ({ name, type: 'integer' })

/**
 * Rounds of games, with their questions and answers. A player is an account, or a token of a player without one. Rounds
 * are numbered in a run, so that two devices that begin at once cannot begin two.
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
    // hit, near or miss.
    text('outcome'),
    integer('bonus'),
    integer('points'),
  ],
  key: ['player', 'game', 'run', 'number'],
  indexes: [{ name: 'play_round_account', on: 'account, begun' }],
  copied: true,
}

/** All ended rounds of an account in a game, counted. `mean` is points a round in thousandths, once there are enough. */
const PLAY_STANDING: ServiceTable = {
  name: 'play_standing',
  columns: [account, key('game'), ...['rounds', 'points', 'mean'].map(integer)],
  key: ['account', 'game'],
  indexes: [{ name: 'play_standing_mean', on: 'game, mean DESC, account' }],
  copied: true,
}

export const PLAY_TABLES: readonly ServiceTable[] = [PLAY_ROUND, PLAY_STANDING]
