/** Counters of the rounds of each account in each game. They follow each round that ends. */
import { cell, note, query, type Work } from './database.ts'

export interface Standing {
  readonly game: string
  readonly rounds: number
  readonly hits: number
  readonly near: number
  readonly points: number
}

/** Fewer rounds say little about points a round. */
export const ROUNDS_OF_MEAN = 10

/** Pages with statistics of players are made again. */
export const STANDINGS_CHANGED = { resource: 'play standing', ids: 'all' } as const

const meanOf = (rounds: string, points: string) =>
  `CASE WHEN ${rounds} < ${ROUNDS_OF_MEAN} THEN 0 ELSE 1000 * (${points}) / (${rounds}) END`

export class Standings {
  /** Adds a round that has ended. */
  *add(account: number, game: string, { outcome, points }: { outcome: string; points: number }): Work<void> {
    const sum = (column: string) => `play_standing.${column} + excluded.${column}`
    const sums = ['rounds', 'hits', 'near', 'points'].map((column) => `${column} = ${sum(column)}`).join(', ')
    yield* query(
      `INSERT INTO play_standing (account, game, rounds, hits, near, points, mean) VALUES (?, ?, 1, ?, ?, ?, 0)
       ON CONFLICT (account, game) DO UPDATE SET ${sums}, mean = ${meanOf(sum('rounds'), sum('points'))}`,
      account,
      game,
      Number(outcome === 'hit'),
      Number(outcome === 'near'),
      points,
    )
    yield* note(STANDINGS_CHANGED)
  }

  *of(account: number): Work<Standing[]> {
    const sql = 'SELECT game, rounds, hits, near, points FROM play_standing WHERE account = ? ORDER BY game'
    return (yield* query(sql, account)).map((row) => ({
      game: String(row['game']),
      rounds: Number(row['rounds']),
      hits: Number(row['hits']),
      near: Number(row['near']),
      points: Number(row['points']),
    }))
  }

  /** The accounts with most points a round, of those with enough rounds. */
  *bestMeans(game: string, limit: number): Work<{ user: string; rounds: number; points: number }[]> {
    const rows = yield* query(
      `SELECT a.name AS name, s.rounds AS rounds, s.points AS points
       FROM play_standing AS s JOIN account AS a ON a.id = s.account
       WHERE s.game = ? AND s.mean > 0 AND a.removed = 0 AND a.blocked = 0 ORDER BY s.mean DESC, s.account LIMIT ?`,
      game,
      limit,
    )
    return rows.map((row) => ({
      user: String(row['name']),
      rounds: Number(row['rounds']),
      points: Number(row['points']),
    }))
  }
}

/** Accounts by their ids. */
interface Span {
  readonly after: number
  readonly to: number
}

const AT_ONCE = 1000
const EVERYBODY: Span = { after: 0, to: Number.MAX_SAFE_INTEGER }
const COLUMNS = 'account, game, rounds, hits, near, points, mean'
const IN_SPAN = 'account > ? AND account <= ?'
const POINTS = 'CAST(sum(points) AS BIGINT)'
const counted = (outcome: string) => `CAST(sum(CASE WHEN outcome = '${outcome}' THEN 1 ELSE 0 END) AS BIGINT)`
/** What the rounds say. Other outcomes are of boards of the day, which have no standings. */
const COUNTED = `SELECT account, game, count(*), ${counted('hit')}, ${counted('near')}, ${POINTS}, ${meanOf('count(*)', POINTS)}
  FROM play_round WHERE ${IN_SPAN} AND outcome IN ('hit', 'near', 'miss') AND claimed = 0
  GROUP BY account, game`

/** Counts the rounds of these accounts again; by default, those of all. */
export function* recountStandings({ after, to }: Span = EVERYBODY): Work<void> {
  yield* query(`DELETE FROM play_standing WHERE ${IN_SPAN}`, after, to)
  yield* query(`INSERT INTO play_standing (${COLUMNS}) ${COUNTED}`, after, to)
  yield* note(STANDINGS_CHANGED)
}

/** How many standings differ from what the rounds say. It reads the rounds of some accounts at a time. */
export function* countWrongStandings(): Work<number> {
  const [row] = yield* query('SELECT COALESCE(max(id), 0) AS highest FROM account')
  const highest = Number(cell(row, 'highest'))
  const stored = `SELECT ${COLUMNS} FROM play_standing WHERE ${IN_SPAN}`
  let wrong = 0
  for (let after = 0; after < highest; after += AT_ONCE) {
    const span = [after, after + AT_ONCE]
    const differences = []
    for (const [these, those] of [
      [COUNTED, stored],
      [stored, COUNTED],
    ]) {
      const sql = `SELECT count(*) AS count FROM (SELECT * FROM (${these}) AS these EXCEPT SELECT * FROM (${those}) AS those) AS wrong`
      const [found] = yield* query(sql, ...span, ...span)
      differences.push(Number(cell(found, 'count')))
    }
    wrong += Math.max(...differences)
  }
  return wrong
}
