/**
 * Rounds of games. The server keeps the question, the answer, the stake and the time; a client sends a guess and nothing
 * else that counts. A player has one open round in each game, and ten rounds make a game.
 */
import type { Game, Games, ShownQuestion } from '../../declare/index.ts'
import { type RoundRow, Taken, type Work, writtenBy } from '../../store/index.ts'
import type { Actor } from '../access.ts'
import { currentActor } from '../current-actor.ts'
import { noteStreak } from '../daily/streaks.ts'
import type { Engine } from '../engine.ts'
import { placeOf, type WantedPage } from '../page-place.ts'
import { Problem, problems } from '../problem.ts'
import { type Fame, noteBest, readFame } from './best-scores.ts'
import { drawQuestion } from './draw-question.ts'
import { isNear } from './near.ts'
import {
  dropOldRounds,
  keyOf,
  keyOfAccount,
  keyOfToken,
  newRoundId,
  newToken,
  ownRound,
  type Player,
} from './player-key.ts'
import { existingSources, hiddenSources, type RecordPlace } from './round-records.ts'
import { earnedBy, type RoundOutcome } from './score.ts'

export const ROUNDS_OF_GAME = 10
export const LONGEST_GUESS = 200
export interface ShownRound {
  readonly id: string
  readonly game: string
  /** Of ten. */
  readonly number: number
  readonly question: ShownQuestion
  /** The points of this game so far. */
  readonly score: number
  /** Undefined while the round is open: none of it may leave the server before. */
  readonly result?: RoundEnd
}

export interface RoundEnd {
  readonly begun: string
  readonly ended: string
  readonly stake: number
  readonly guess: string
  readonly answer: string
  readonly outcome: string
  readonly bonus: number
  readonly points: number
  /** The records that the question was made from and that still exist, the main one first. */
  readonly records: readonly RecordPlace[]
}

export interface Begun {
  readonly round: ShownRound
  readonly isNew: boolean
  /** For a new player without an account, shown once. */
  readonly token?: string
}

export class RoundDesk {
  readonly #engine: Engine
  readonly games: Games

  constructor(engine: Engine, games: Games) {
    this.#engine = engine
    this.games = games
  }

  gameOf(name: string): Game {
    const game = this.games.list.find((each) => each.name === name)
    if (!game) throw problems.notFound()
    return game
  }

  /** The open round, or a new one. */
  async begin(player: Player, name: string): Promise<Begun> {
    const game = this.gameOf(name)
    const open = await this.#open(player, name)
    if (open) return { round: open, isNew: false }
    const question = await drawQuestion(this.#engine, game)
    const token = player.actor || player.token !== undefined ? undefined : newToken()
    const key = keyOf({ ...player, token: token ?? player.token ?? '' })
    const engine = this.#engine
    const { store } = engine
    const id = newRoundId()
    const now = engine.now()
    try {
      const round = await store.write(function* () {
        if (player.actor) yield* currentActor(engine, player.actor)
        yield* dropOldRounds(engine)
        const last = yield* store.rounds.newest(key, name)
        const isNext = last !== undefined && last.number < ROUNDS_OF_GAME
        const row = {
          player: key,
          game: name,
          run: (last?.run ?? 0) + (isNext ? 0 : 1),
          number: isNext ? last.number + 1 : 1,
          id,
          account: player.actor?.id,
          question: JSON.stringify(question.shown),
          sources: JSON.stringify(question.from),
          answer: question.answer,
          stake: question.stake,
          begun: now.toISOString(),
        }
        if (last && last.ended === undefined) return undefined
        yield* store.rounds.insert(row)
        return yield* shown(engine, { ...row, ended: undefined, guess: '', outcome: '', bonus: 0, points: 0 })
      })
      if (round) return { round, isNew: true, ...(token === undefined ? {} : { token }) }
    } catch (error) {
      if (!(error instanceof Taken)) throw error
    }
    // Another device was faster.
    const other = await this.#open(player, name)
    if (!other) throw problems.overloaded()
    return { round: other, isNew: false }
  }

  async #open(player: Player, name: string): Promise<ShownRound | undefined> {
    const engine = this.#engine
    const { store } = engine
    const key = keyOf(player)
    if (key === undefined) return undefined
    return await store.read(function* () {
      const last = yield* store.rounds.newest(key, name)
      return last && last.ended === undefined ? yield* shown(engine, last) : undefined
    })
  }

  async find(player: Player, game: string, id: string): Promise<ShownRound> {
    const engine = this.#engine
    return await engine.store.read(function* () {
      return yield* shown(engine, yield* ownRound(engine, player, game, id))
    })
  }

  /** A round takes one guess; an empty one gives up. */
  async guess(player: Player, name: string, id: string, guess: string): Promise<ShownRound> {
    const { games } = this
    const engine = this.#engine
    const { store } = engine
    const ended = engine.now()
    const row = await store.read(() => ownRound(engine, player, name, id))
    if (row.ended !== undefined) throw roundOver()
    const outcome = await outcomeOf(engine, games, row, guess)
    const earned = earnedBy(outcome, row.stake, ended.getTime() - Date.parse(row.begun))
    const result = { ...earned, guess, ended: ended.toISOString() }
    return await store.write(function* () {
      const actor = player.actor && (yield* currentActor(engine, player.actor))
      if (actor) yield* store.accounts.lock(actor.id)
      // Sign-in may have moved the round meanwhile, and another device may have ended it.
      const round = { ...(yield* ownRound(engine, player, name, id)), ...result }
      const end = yield* store.rounds.end(id, result)
      if (!end) throw roundOver()
      if (actor) {
        yield* writtenBy({ account: actor.id, at: result.ended })
        if (!end.isClaimed) yield* store.standings.add(actor.id, name, earned)
        const score = yield* store.rounds.total(round)
        yield* noteBest(engine, games.winners, { user: actor.name, game: name, score, round: row.number }, actor)
      }
      return yield* shown(engine, round)
    })
  }

  /** Newest first. */
  async mine(player: Player, name: string, wanted: WantedPage) {
    this.gameOf(name)
    const engine = this.#engine
    const { store } = engine
    const key = keyOf(player)
    return await store.read(function* () {
      const count = key === undefined ? 0 : yield* store.rounds.count(key, name)
      const { offset, ...place } = placeOf(count, wanted)
      const found = key === undefined ? [] : yield* store.rounds.ofPlayer(key, name, { limit: wanted.size, offset })
      return { count, ...place, rows: yield* shownAll(engine, found) }
    })
  }

  async isKnown(token: string): Promise<boolean> {
    const { store } = this.#engine
    return await store.read(() => store.rounds.isKnown(keyOfToken(token)))
  }

  /**
   * Rounds that were played without an account become those of the account. They do not count for points a round, also
   * if they are open: players could claim their good rounds and the questions that they know alone.
   */
  async claim(actor: Actor, token: string): Promise<void> {
    const engine = this.#engine
    const { store } = engine
    const { games } = this
    await store.write(function* () {
      const { id, name } = yield* currentActor(engine, actor)
      yield* store.accounts.lock(id)
      yield* writtenBy({ account: id, at: engine.now().toISOString() })
      const daily = games.daily.name
      for (const { game, runs } of yield* store.rounds.move(keyOfToken(token), keyOfAccount(id), id, daily)) {
        if (game === daily) yield* noteStreak(engine, games, { id, name })
        for (const { points, rounds } of runs) {
          yield* noteBest(engine, games.winners, { user: name, game, score: points, round: rounds }, { id, name })
        }
      }
    })
  }

  async fame(name: string): Promise<Fame> {
    return await readFame(this.#engine, this.games.winners, name)
  }
}

async function outcomeOf(
  engine: Engine,
  { list, language }: Games,
  { game, answer, question }: RoundRow,
  guess: string,
): Promise<RoundOutcome> {
  const isTyped = list.some((each) => each.name === game && each.isTyped)
  if (!isTyped) return guess === answer ? 'hit' : 'miss'
  if (language.isSame(guess, answer)) return 'hit'
  return (await isNear(engine, language, { guess, answer, question: JSON.parse(question) })) ? 'near' : 'miss'
}

function roundOver(): Problem {
  return new Problem(409, { detail: 'This round is over: it had its guess.' })
}

function* shown(engine: Engine, row: RoundRow): Work<ShownRound> {
  const [round] = yield* shownAll(engine, [row])
  if (!round) throw problems.notFound()
  return round
}

/** Rounds of one player in one game, newest first. */
function* shownAll(engine: Engine, rows: readonly RoundRow[]): Work<ShownRound[]> {
  const scores = yield* engine.store.rounds.totals(rows)
  const recordsOf = yield* existingSources(
    engine,
    rows.filter(({ ended }) => ended !== undefined),
  )
  const isHidden = yield* hiddenSources(engine, rows)
  return rows.map((row, i) => {
    const { id, game, number, ended } = row
    const question = isHidden(row) ? {} : JSON.parse(row.question)
    const open = { id, game, number, question, score: scores[i] ?? 0 }
    if (ended === undefined) return open
    const { begun, stake, guess, outcome, bonus, points } = row
    const answer = isHidden(row) ? '' : row.answer
    const records = recordsOf(row)
    return { ...open, result: { begun, ended, stake, guess, answer, outcome, bonus, points, records } }
  })
}
