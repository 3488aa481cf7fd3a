/** Rounds of games: questions, answers and points. Every process reads the table. */
import type { Row } from '../declare/index.ts'
import { cell, note, query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { recountStandings, STANDINGS_CHANGED } from './standings.ts'

export interface RoundRow {
  readonly player: string
  readonly game: string
  /** Rounds are counted in runs; both begin with 1. */
  readonly run: number
  readonly number: number
  readonly id: string
  /** Undefined for a player without an account. */
  readonly account: number | undefined
  /** JSON. */
  readonly question: string
  readonly sources: string
  readonly answer: string
  readonly stake: number
  readonly begun: string
  /** Undefined while it is open. */
  readonly ended: string | undefined
  readonly guess: string
  readonly outcome: string
  readonly bonus: number
  readonly points: number
}

type NewRound = Omit<RoundRow, 'ended' | 'guess' | 'outcome' | 'bonus' | 'points'>
export type RoundResult = Pick<RoundRow, 'guess' | 'outcome' | 'bonus' | 'points'> & { readonly ended: string }

const COLUMNS = `player, game, run, number, id, account, question, sources, answer, stake, begun, ended, guess, outcome, bonus,
  points`
const SPAN = 500
const ALL_RUNS = Number.MAX_SAFE_INTEGER

export class Rounds {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Throws `Taken` if another device has begun the same round. */
  *insert({ player, game, run, number, id, account, question, sources, answer, stake, begun }: NewRound): Work<void> {
    yield* query(
      `INSERT INTO play_round (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, '', '', 0, 0)`,
      player,
      game,
      run,
      number,
      id,
      account ?? null,
      question,
      sources,
      answer,
      stake,
      begun,
    )
  }

  *byId(id: string): Work<RoundRow | undefined> {
    // PostgreSQL refuses some texts that are no id.
    if (!/^[\w-]+$/.test(id)) return undefined
    const [row] = yield* query(`SELECT ${COLUMNS} FROM play_round WHERE id = ?`, id)
    return row && round(row)
  }

  /** The newest round of a player in a game. */
  *newest(player: string, game: string): Work<RoundRow | undefined> {
    return (yield* this.ofPlayer(player, game, { limit: 1, offset: 0 }))[0]
  }

  *ofPlayer(
    player: string,
    game: string,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    lastRun: number = ALL_RUNS,
  ): Work<RoundRow[]> {
    const sql = `SELECT ${COLUMNS} FROM play_round WHERE player = ? AND game = ? AND run <= ?
      ORDER BY run DESC, number DESC LIMIT ? OFFSET ?`
    return (yield* query(sql, player, game, lastRun, limit, offset)).map(round)
  }

  *count(player: string, game: string, lastRun: number = ALL_RUNS): Work<number> {
    const sql = 'SELECT count(*) AS count FROM play_round WHERE player = ? AND game = ? AND run <= ?'
    const [row] = yield* query(sql, player, game, lastRun)
    return Number(cell(row, 'count'))
  }

  *isKnown(player: string): Work<boolean> {
    return (yield* query('SELECT id FROM play_round WHERE player = ? LIMIT 1', player)).length > 0
  }

  /** Undefined if the round has its result already. A round that was begun without the account does not count in the standing. */
  *end(
    id: string,
    { ended, guess, outcome, bonus, points }: RoundResult,
  ): Work<{ readonly isClaimed: boolean } | undefined> {
    const [row] = yield* query(
      `UPDATE play_round SET ended = ?, guess = ?, outcome = ?, bonus = ?, points = ?
       WHERE id = ? AND ended IS NULL RETURNING claimed`,
      ended,
      guess,
      outcome,
      bonus,
      points,
      id,
    )
    return row && { isClaimed: Number(cell(row, 'claimed')) > 0 }
  }

  /** The points of a run up to a round. */
  *total(row: RoundRow): Work<number> {
    return (yield* this.totals([row]))[0] ?? 0
  }

  /** The same for each of these rounds of one player in one game. */
  *totals(rows: readonly RoundRow[]): Work<number[]> {
    const [first] = rows
    if (!first) return []
    const runs = rows.map(({ run }) => run)
    const found = yield* query(
      `SELECT run, number, sum(points) OVER (PARTITION BY run ORDER BY number) AS total FROM play_round
       WHERE player = ? AND game = ? AND run BETWEEN ? AND ?`,
      first.player,
      first.game,
      Math.min(...runs),
      Math.max(...runs),
    )
    const totals = new Map(found.map((row) => [`${row['run']} ${row['number']}`, Number(row['total'])]))
    return rows.map(({ run, number }) => totals.get(`${run} ${number}`) ?? 0)
  }

  /**
   * Moves all rounds of one player to another, whose runs come before them. Returns the points and ended rounds of each
   * run. In a game with one round a day, days that the other player has played as well are dropped, and days do not count that
   * were begun after the other player had begun a later one.
   */
  *move(from: string, to: string, account: number, daily?: string): Work<MovedRounds[]> {
    const games = yield* query('SELECT DISTINCT game FROM play_round WHERE player = ? ORDER BY game', from)
    const moved: MovedRounds[] = []
    for (const { game: name } of games) {
      const game = String(name)
      if (game === daily) {
        yield* this.#moveDays(from, to, account, game)
        moved.push({ game, runs: [] })
        continue
      }
      const [last] = yield* query(
        'SELECT COALESCE(max(run), 0) AS run FROM play_round WHERE player = ? AND game = ?',
        to,
        game,
      )
      const runs = yield* query(
        `SELECT sum(points) AS points, count(ended) AS rounds FROM play_round
         WHERE player = ? AND game = ? GROUP BY run ORDER BY run`,
        from,
        game,
      )
      yield* query(
        'UPDATE play_round SET player = ?, account = ?, run = run + ?, claimed = 1 WHERE player = ? AND game = ?',
        to,
        account,
        Number(cell(last, 'run')),
        from,
        game,
      )
      moved.push({
        game,
        runs: runs.map((row) => ({ points: Number(row['points']), rounds: Number(row['rounds']) })),
      })
    }
    return moved
  }

  *#moveDays(from: string, to: string, account: number, game: string): Work<void> {
    yield* query(
      `DELETE FROM play_round WHERE player = ? AND game = ?
       AND run IN (SELECT run FROM play_round WHERE player = ? AND game = ?)`,
      from,
      game,
      to,
      game,
    )
    yield* query(
      `UPDATE play_round SET stake = 0 WHERE player IN (?, ?) AND game = ? AND EXISTS
       (SELECT 1 FROM play_round AS later
        WHERE later.player IN (?, ?) AND later.player <> play_round.player AND later.game = play_round.game
        AND later.stake = 1 AND later.run > play_round.run AND later.begun <= play_round.begun)`,
      from,
      to,
      game,
      from,
      to,
    )
    yield* query('UPDATE play_round SET player = ?, account = ? WHERE player = ? AND game = ?', to, account, from, game)
  }

  /** The round of a player in a game with one round a day. */
  *ofDay(player: string, game: string, day: number): Work<RoundRow | undefined> {
    const sql = `SELECT ${COLUMNS} FROM play_round WHERE player = ? AND game = ? AND run = ?`
    const [row] = yield* query(sql, player, game, day)
    return row && round(row)
  }

  /** Whether the player has begun a round of a later day that counts. */
  *hasLater({ player, game, run }: Pick<RoundRow, 'player' | 'game' | 'run'>): Work<boolean> {
    const sql = 'SELECT id FROM play_round WHERE player = ? AND game = ? AND run > ? AND stake = 1 LIMIT 1'
    return (yield* query(sql, player, game, run)).length > 0
  }

  /** Whether the round was as `before` says: two devices that guess at once do not overwrite each other. */
  *guess(before: RoundRow, after: RoundRow): Work<boolean> {
    const rows = yield* query(
      `UPDATE play_round SET guess = ?, outcome = ?, ended = ?, stake = ?, points = ?
       WHERE id = ? AND guess = ? AND ended IS NULL RETURNING id`,
      after.guess,
      after.outcome,
      after.ended ?? null,
      after.stake,
      after.points,
      before.id,
      before.guess,
    )
    return rows.length > 0
  }

  /** What a player did on the days that count. */
  *days(player: string, game: string): Work<PlayedDays> {
    const counted = 'FROM play_round WHERE player = ? AND game = ? AND stake = 1 AND ended IS NOT NULL'
    const ends = yield* query(
      `SELECT points, count(*) AS times ${counted} GROUP BY points ORDER BY points`,
      player,
      game,
    )
    const streaks = yield* query(
      `SELECT count(*) AS days, max(run) AS last FROM
       (SELECT run, run - row_number() OVER (ORDER BY run) AS streak ${counted} AND outcome = 'won') AS won
       GROUP BY streak ORDER BY last DESC`,
      player,
      game,
    )
    const [lost] = yield* query(`SELECT max(run) AS last ${counted} AND outcome <> 'won'`, player, game)
    return {
      ends: ends.map((row) => ({ points: Number(row['points']), times: Number(row['times']) })),
      streaks: streaks.map((row) => ({ days: Number(row['days']), last: Number(row['last']) })),
      lost: Number(lost?.['last'] ?? 0),
    }
  }

  /** Players without an account who have not come back: some of them, so that nobody waits for it. */
  *dropOld(before: string, limit: number): Work<void> {
    yield* query(
      `DELETE FROM play_round WHERE id IN
       (SELECT id FROM play_round WHERE account IS NULL AND begun < ? ORDER BY begun LIMIT ?)`,
      before,
      limit,
    )
  }

  /**
   * Drops rounds whose questions were made from any of the records, such as `polynym/7`. In a game with one round a day, the
   * results stay, without guesses and sources: streaks are counted from them.
   */
  *dropFrom(places: ReadonlySet<string>, daily?: string): Work<void> {
    let after = ''
    for (;;) {
      const sql = 'SELECT id, account, sources FROM play_round WHERE id > ? ORDER BY id LIMIT ?'
      const rows = yield* query(sql, after, SPAN)
      const gone = rows.filter((row) => sourcesIn(row).some(({ resource, id }) => places.has(`${resource}/${id}`)))
      const { amongTexts, texts } = this.#dialect
      const ids = texts(gone.map((row) => String(row['id'])))
      const isResult = 'game = ? AND ended IS NOT NULL'
      if (gone.length > 0) {
        const blank = `UPDATE play_round SET guess = '', sources = '[]' WHERE ${isResult} AND ${amongTexts('id')}`
        yield* query(blank, daily ?? '', ids)
        yield* query(`DELETE FROM play_round WHERE NOT (${isResult}) AND ${amongTexts('id')}`, daily ?? '', ids)
      }
      const played = new Set(gone.flatMap(({ account }) => (account === null ? [] : Number(account))))
      for (const account of played) yield* recountStandings({ after: account - 1, to: account })
      if (rows.length < SPAN) return
      after = String(rows.at(-1)?.['id'])
    }
  }
}

export interface PlayedDays {
  /** How many rounds ended with how many points; without points, they were lost. */
  readonly ends: readonly { readonly points: number; readonly times: number }[]
  /** Days in a row that were won, the latest streak first, and the last day of each. */
  readonly streaks: readonly { readonly days: number; readonly last: number }[]
  /** The last day that was lost, or 0. */
  readonly lost: number
}

export interface MovedRounds {
  readonly game: string
  readonly runs: readonly { readonly points: number; readonly rounds: number }[]
}

/** An account is removed, and all its rounds. */
export function* forgetPlayer(account: number): Work<void> {
  yield* query('DELETE FROM play_round WHERE account = ?', account)
  yield* query('DELETE FROM play_standing WHERE account = ?', account)
  yield* note(STANDINGS_CHANGED)
}

export function sourcesIn({ sources }: Row | RoundRow): readonly { readonly resource: string; readonly id: number }[] {
  return JSON.parse(String(sources))
}

function round(row: Row): RoundRow {
  const ended = row['ended']
  return {
    player: String(row['player']),
    game: String(row['game']),
    run: Number(row['run']),
    number: Number(row['number']),
    id: String(row['id']),
    account: row['account'] === null ? undefined : Number(row['account']),
    question: String(row['question']),
    sources: String(row['sources']),
    answer: String(row['answer']),
    stake: Number(row['stake']),
    begun: String(row['begun']),
    ended: ended === null ? undefined : String(ended),
    guess: String(row['guess']),
    outcome: String(row['outcome']),
    bonus: Number(row['bonus']),
    points: Number(row['points']),
  }
}
