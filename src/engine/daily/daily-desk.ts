/**
 * Rounds of the board of a day. The server keeps the groups and all guesses; a client sends four words and nothing else
 * that counts. A player has one round a day, and the day is fixed when the round begins.
 */
import type { DailyGame, Games } from '../../declare/index.ts'
import { type RoundRow, sourcesIn, Taken, type Work, writtenBy } from '../../store/index.ts'
import { currentActor } from '../current-actor.ts'
import type { Engine } from '../engine.ts'
import { placeOf, type WantedPage } from '../page-place.ts'
import type { Board } from '../play/board.ts'
import { Problem, problems } from '../problem.ts'
import { dropOldRounds, keyOf, newRoundId, newToken, ownRound, type Player } from '../rounds/player-key.ts'
import { existingSources, type RecordPlace } from '../rounds/round-records.ts'
import { BoardKeeper, boardIn } from './board-keeper.ts'
import { type BoardState, MOST_MISTAKES, maskOf, stateOf } from './board-state.ts'
import { BoardCalendar } from './calendar.ts'
import { dateOfDay, dayIn, isOver } from './days.ts'
import { guessesIn, type SeenBoard, seenBoard } from './seen-board.ts'
import type { ShareText } from './share-text.ts'
import { type Figures, noteStreak, readFigures } from './streaks.ts'
import { boardWithdrawn } from './withdrawn-boards.ts'

/** A round has at most seven guesses that change it, so another device cannot be faster more often. */
const MOST_TRIES = 8

export interface DailyRound extends SeenBoard {
  readonly id: string
  /** The number of the day. */
  readonly number: number
  readonly date: string
  /** Whether the round counts for the figures. */
  readonly counts: boolean
  readonly figures: Figures
  /** Undefined while the round is open. */
  readonly result?: {
    readonly outcome: string
    readonly begun: string
    readonly ended: string
    readonly share: ShareText
    /** The records of the groups that still exist. */
    readonly records: readonly RecordPlace[]
  }
}

interface ShownWith {
  /** Undefined if it is no longer shown. */
  readonly board: Board | undefined
  readonly figures: Figures
  readonly records: readonly RecordPlace[]
}

interface Wish {
  readonly zone?: string | undefined
  /** The number of an earlier day. */
  readonly day?: number | undefined
}

export class DailyDesk {
  readonly #engine: Engine
  readonly #games: Games
  readonly #keeper: BoardKeeper
  readonly calendar: BoardCalendar

  constructor(engine: Engine, games: Games) {
    this.#engine = engine
    this.#games = games
    this.#keeper = new BoardKeeper(engine, games.daily)
    this.calendar = new BoardCalendar(engine)
  }

  get game(): DailyGame {
    return this.#games.daily
  }

  /**
   * Begins the round of the player's own day or of an earlier one, or returns it if the player has begun it. `countGuest` is
   * called if somebody without an account begins a board whose solution is not public. It returns what takes the count back.
   */
  async begin(player: Player, { zone, day }: Wish, countGuest?: (day: number) => () => void) {
    const engine = this.#engine
    const { store } = engine
    const { name, of } = this.game
    const now = engine.now()
    const today = dayIn(zone, now)
    const number = day ?? today
    if (number > today) throw problems.invalid({ day: ['This day has not begun.'] })
    const known = keyOf(player)
    const find = (key: string) => store.read(() => this.#ofDay(key, number))
    const old = known === undefined ? undefined : await find(known)
    if (old) return { round: old, isNew: false }
    const row = await this.#keeper.board(number)
    if (!row) throw new Problem(404, { detail: 'There is no board for this day.' })
    const { groups, withdrawn } = boardIn(row)
    if (withdrawn) throw boardWithdrawn(404)
    const token = known === undefined ? newToken() : undefined
    const key = keyOf({ ...player, token: token ?? player.token ?? '' })
    const begun: RoundRow = {
      player: key,
      game: name,
      run: number,
      number: 1,
      id: newRoundId(),
      account: player.actor?.id,
      question: '',
      sources: JSON.stringify(groups.map(({ id }) => ({ resource: of.name, id }))),
      answer: '',
      stake: number === today ? 1 : 0,
      begun: now.toISOString(),
      ended: undefined,
      guess: '',
      outcome: '',
      bonus: 0,
      points: 0,
    }
    const shown = this.#shown.bind(this)
    const takeBack = player.actor || isOver(number, now) ? undefined : countGuest?.(number)
    try {
      const round = await store.write(function* () {
        if (player.actor) yield* currentActor(engine, player.actor)
        yield* dropOldRounds(engine)
        // A player who has gone on to a later day cannot make up for a missed one in a zone where it is not over.
        const row = { ...begun, stake: (yield* store.rounds.hasLater(begun)) ? 0 : begun.stake }
        yield* store.rounds.insert(row)
        return yield* shown(row)
      })
      return { round, isNew: true, ...(token === undefined ? {} : { token }) }
    } catch (error) {
      takeBack?.()
      if (!(error instanceof Taken)) throw error
    }
    // Another device was faster.
    const other = await find(key)
    if (!other) throw problems.overloaded()
    return { round: other, isNew: false }
  }

  async find(player: Player, id: string): Promise<DailyRound> {
    const engine = this.#engine
    const shown = this.#shown.bind(this)
    const { name } = this.game
    return await engine.store.read(function* () {
      return yield* shown(yield* ownRound(engine, player, name, id))
    })
  }

  /** Four words, or none to give up. */
  async guess(player: Player, id: string, words: readonly string[]): Promise<DailyRound> {
    for (let i = 0; i < MOST_TRIES; i++) {
      const round = await this.#engine.store.write(() => this.#guess(player, id, words))
      if (round) return round
    }
    throw problems.overloaded()
  }

  /** Undefined if another device has guessed meanwhile. */
  *#guess(player: Player, id: string, words: readonly string[]): Work<DailyRound | undefined> {
    const engine = this.#engine
    const { store } = engine
    const now = engine.now()
    const actor = player.actor && (yield* currentActor(engine, player.actor))
    if (actor) yield* store.accounts.lock(actor.id)
    const row = yield* ownRound(engine, player, this.game.name, id)
    if (row.ended !== undefined) throw new Problem(409, { detail: 'This round is over.' })
    const board = (yield* this.#boardsOf([row]))(row)
    if (!board) throw boardWithdrawn(409)
    const before = stateOf(board, guessesIn(row))
    const mask = words.length === 0 ? undefined : maskOf(board, words, before)
    if (before.fours.some((four) => four.mask === mask)) throw alreadyGuessed()
    const guesses = [...guessesIn(row), ...(mask === undefined ? [] : [mask])]
    const state = stateOf(board, guesses)
    const ends = state.isOver || mask === undefined
    const isWon = state.found.length === board.groups.length
    const after: RoundRow = {
      ...row,
      guess: JSON.stringify(guesses),
      // Once the solution is public, a round proves nothing.
      stake: isOver(row.run, now) ? 0 : row.stake,
      ...(ends && { ended: now.toISOString(), outcome: isWon ? 'won' : 'lost' }),
      points: isWon ? MOST_MISTAKES - state.mistakes : 0,
    }
    if (!(yield* store.rounds.guess(row, after))) return undefined
    // Anybody can play without an account again and again, so such rounds teach nothing.
    if (actor && after.stake > 0) yield* this.#count(row.run, state, { ends, isWon, isGuess: mask !== undefined })
    if (actor && isWon && after.stake > 0) {
      yield* writtenBy({ account: actor.id, at: now.toISOString() })
      yield* noteStreak(engine, this.#games, actor)
    }
    return yield* this.#shown(after)
  }

  /** What players teach. */
  *#count(
    day: number,
    { fours, found, mistakes }: BoardState,
    { ends, isWon, isGuess }: { readonly ends: boolean; readonly isWon: boolean; readonly isGuess: boolean },
  ): Work<void> {
    const { boards } = this.#engine.store
    const last = isGuess ? fours.at(-1) : undefined
    const [first] = found
    if (last && last.outcome !== 'right') yield* boards.addTally(day, 'four', last.mask)
    else if (last && found.length === 1 && first !== undefined) yield* boards.addTally(day, 'first', first)
    // Somebody who gave up at once only looked at the board.
    if (ends && fours.length > 0) yield* boards.addTally(day, 'end', isWon ? mistakes : MOST_MISTAKES)
  }

  /** The latest day first. */
  async mine(player: Player, wanted: WantedPage, upTo?: number) {
    const { store } = this.#engine
    const { name } = this.game
    const key = keyOf(player)
    const shown = this.#shownAll.bind(this)
    return await store.read(function* () {
      const count = key === undefined ? 0 : yield* store.rounds.count(key, name, upTo)
      const { offset, ...place } = placeOf(count, wanted)
      const span = { limit: wanted.size, offset }
      const found = key === undefined ? [] : yield* store.rounds.ofPlayer(key, name, span, upTo)
      return { count, ...place, rows: yield* shown(found) }
    })
  }

  *#ofDay(key: string, number: number): Work<DailyRound | undefined> {
    const row = yield* this.#engine.store.rounds.ofDay(key, this.game.name, number)
    return row && (yield* this.#shown(row))
  }

  /** The board of any of these rounds, unless it is no longer shown. */
  *#boardsOf(rows: readonly RoundRow[]): Work<(row: RoundRow) => Board | undefined> {
    const boards = yield* this.#engine.store.boards.ofDays(rows.map(({ run }) => run))
    const byDay = new Map(boards.map((row) => [row.number, boardIn(row)]))
    return (row) => {
      const board = byDay.get(row.run)
      // Without sources, its board was forgotten, and the day may have another.
      return board?.withdrawn || sourcesIn(row).length === 0 ? undefined : board
    }
  }

  *#shown(row: RoundRow): Work<DailyRound> {
    const [shown] = yield* this.#shownAll([row])
    if (!shown) throw problems.notFound()
    return shown
  }

  /** Rounds of one player. */
  *#shownAll(rows: readonly RoundRow[]): Work<DailyRound[]> {
    const [first] = rows
    if (!first) return []
    const engine = this.#engine
    const figures = yield* readFigures(engine, first.player, this.game.name)
    const boardOf = yield* this.#boardsOf(rows)
    const recordsOf = yield* existingSources(
      engine,
      rows.filter(({ ended }) => ended !== undefined),
    )
    return rows.map((row) => this.#show(row, { board: boardOf(row), figures, records: recordsOf(row) }))
  }

  #show(row: RoundRow, { board, figures, records }: ShownWith): DailyRound {
    const { id, run: number, begun, ended, outcome, stake, account } = row
    const now = this.#engine.now()
    // Somebody without an account can play again, and would know the solution.
    const isTold = account !== undefined || isOver(number, now)
    const { share, ...seen } = seenBoard(board, row, { title: this.game.title, isTold })
    const open = {
      id,
      number,
      date: dateOfDay(number),
      ...seen,
      // Once the solution is public, an open round counts for nothing.
      counts: stake > 0 && (ended !== undefined || !isOver(number, now)),
      figures,
    }
    if (ended === undefined) return open
    const shown = records.filter((record) => seen.groups.some((group) => group.id === record.id))
    return { ...open, result: { outcome, begun, ended, share, records: shown } }
  }
}

const alreadyGuessed = () => new Problem(409, { detail: 'You have already guessed these four words.' })
