/**
 * Rounds of the board of a day. The server keeps the groups and all guesses; a client sends four words and nothing else
 * that counts. A player has one round a day, and the day is fixed when the round begins.
 */
import type { DailyGame, Games } from '../../declare/index.ts'
import { type BoardRow, type RoundRow, Taken, type Work, writtenBy } from '../../store/index.ts'
import { currentActor } from '../current-actor.ts'
import type { Engine } from '../engine.ts'
import { placeOf, type WantedPage } from '../page-place.ts'
import type { Board, BoardGroup } from '../play/board.ts'
import { Problem, problems } from '../problem.ts'
import { dropOldRounds, keyOf, newRoundId, newToken, ownRound, type Player } from '../rounds/player-key.ts'
import { existingSources } from '../rounds/round-desk.ts'
import { BoardKeeper, boardIn, DAYS_AHEAD } from './board-keeper.ts'
import { type BoardState, type FourOutcome, MOST_MISTAKES, maskOf, stateOf, wordsOf } from './board-state.ts'
import { dateOfDay, dayIn, firstOpenDay, isOver, lastOpenDay } from './days.ts'
import { type BoardFacts, factsOf } from './difficulty.ts'
import { type ShareText, shareText } from './share-text.ts'
import { type Figures, noteStreak, readFigures } from './streaks.ts'

/** A round has at most seven guesses that change it, so another device cannot be faster more often. */
const MOST_TRIES = 8
/** Wrong ones of a day that are told. */
const MOST_FOURS = 3
const MOST_TAUGHT = 50

/** `rank` is 1 for the easiest. */
type ShownGroup = Pick<BoardGroup, 'id' | 'name' | 'mode' | 'terms'> & { readonly rank: number }

export interface DailyRound {
  readonly id: string
  /** The number of the day. */
  readonly number: number
  readonly date: string
  readonly words: readonly string[]
  readonly guesses: readonly { readonly words: readonly string[]; readonly outcome: FourOutcome }[]
  readonly mistakes: number
  /** Those that were found, in that order; when the round is over, the others follow. */
  readonly groups: readonly ShownGroup[]
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
    readonly records: readonly { readonly resource: string; readonly id: number }[]
  }
}

export interface DayView extends Omit<BoardFacts, 'first'> {
  readonly number: number
  readonly date: string
  readonly hash: string
  /** Undefined until the day is over everywhere on Earth. */
  readonly revealed?: {
    readonly salt: string
    readonly words: readonly string[]
    readonly groups: readonly ShownGroup[]
    /** How often each group was the first that was found. */
    readonly first: readonly number[]
  }
  /** The most frequent wrong ones of a day that is over, if they were asked for. */
  readonly fours?: readonly WrongFour[]
}

/** Four words of a board that players took for a group. */
export interface WrongFour {
  readonly words: readonly string[]
  readonly times: number
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

  constructor(engine: Engine, games: Games) {
    this.#engine = engine
    this.#games = games
    this.#keeper = new BoardKeeper(engine, games.daily)
  }

  get game(): DailyGame {
    return this.#games.daily
  }

  /** Begins the round of the player's own day or of an earlier one, or returns it if the player has begun it. */
  async begin(player: Player, { zone, day }: Wish) {
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
      sources: JSON.stringify(boardIn(row).groups.map(({ id }) => ({ resource: of.name, id }))),
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
    try {
      const round = await store.write(function* () {
        if (player.actor) yield* currentActor(engine, player.actor)
        yield* dropOldRounds(engine)
        yield* store.rounds.insert(begun)
        return yield* shown(begun)
      })
      return { round, isNew: true, ...(token === undefined ? {} : { token }) }
    } catch (error) {
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
    const board = boardIn(yield* this.#boardOf(row))
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
    if (after.stake > 0) yield* this.#count(row.run, state, { ends, isWon, isGuess: mask !== undefined })
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
    if (ends) yield* boards.addTally(day, 'end', isWon ? mistakes : MOST_MISTAKES)
  }

  /** The latest day first. */
  async mine(player: Player, wanted: WantedPage) {
    const { store } = this.#engine
    const { name } = this.game
    const key = keyOf(player)
    const shown = this.#shown.bind(this)
    return await store.read(function* () {
      const count = key === undefined ? 0 : yield* store.rounds.count(key, name)
      const { offset, ...place } = placeOf(count, wanted)
      const found = key === undefined ? [] : yield* store.rounds.ofPlayer(key, name, { limit: wanted.size, offset })
      const rows: DailyRound[] = []
      for (const row of found) rows.push(yield* shown(row))
      return { count, ...place, rows }
    })
  }

  /** The days up to thirty days ahead, the latest first. */
  async calendar(wanted: WantedPage) {
    const { store, now } = this.#engine
    const last = lastOpenDay(now()) + DAYS_AHEAD
    return await store.read(function* () {
      const count = yield* store.boards.count(last)
      const { offset, ...place } = placeOf(count, wanted)
      const found = yield* store.boards.page(last, { limit: wanted.size, offset })
      const [from, to] = [found.at(-1)?.number ?? 0, found[0]?.number ?? 0]
      const tallies = Map.groupBy(yield* store.boards.tallies(from, to), ({ number }) => number)
      const rows = found.map((row) => dayView(row, tallies.get(row.number) ?? [], now()))
      return { count, ...place, rows }
    })
  }

  async day(number: number): Promise<DayView> {
    const { store, now } = this.#engine
    return await store.read(function* () {
      const row = number <= lastOpenDay(now()) + DAYS_AHEAD ? yield* store.boards.ofDay(number) : undefined
      if (!row) throw problems.notFound()
      const view = dayView(row, yield* store.boards.tallies(number, number), now())
      if (!view.revealed) return view
      const found = yield* store.boards.wrongFoursOf(number, MOST_FOURS)
      return {
        ...view,
        fours: found.map(({ value, times }) => ({ words: wordsOf(boardIn(row), value), times })),
      }
    })
  }

  /** Days that are over, with the fours that at least `least` players took for a group; the most frequent first. */
  async taught(least: number): Promise<DayView[]> {
    const { store, now } = this.#engine
    const span = { limit: MOST_TAUGHT, offset: 0 }
    const found = await store.read(() => store.boards.wrongFours(firstOpenDay(now()) - 1, least, span))
    const days: DayView[] = []
    for (const number of new Set(found.map((each) => each.number))) {
      const { fours = [], ...day } = await this.day(number)
      days.push({ ...day, fours: fours.filter(({ times }) => times >= least) })
    }
    return days
  }

  *#ofDay(key: string, number: number): Work<DailyRound | undefined> {
    const row = yield* this.#engine.store.rounds.ofDay(key, this.game.name, number)
    return row && (yield* this.#shown(row))
  }

  *#boardOf({ run }: RoundRow): Work<BoardRow> {
    const row = yield* this.#engine.store.boards.ofDay(run)
    if (!row) throw problems.notFound()
    return row
  }

  *#shown(row: RoundRow): Work<DailyRound> {
    const { id, run: number, begun, ended, outcome, player, stake } = row
    const engine = this.#engine
    const { name, title } = this.game
    const board = boardIn(yield* this.#boardOf(row))
    const state = stateOf(board, guessesIn(row))
    const rest = ended === undefined ? [] : [...board.groups.keys()].filter((i) => !state.found.includes(i))
    const open = {
      id,
      number,
      date: dateOfDay(number),
      words: board.words,
      guesses: state.fours.map((four) => ({ words: wordsOf(board, four.mask), outcome: four.outcome })),
      mistakes: state.mistakes,
      groups: [...state.found, ...rest].flatMap((i) => shownGroups(board)[i] ?? []),
      // Once the solution is public, an open round counts for nothing.
      counts: stake > 0 && (ended !== undefined || !isOver(number, engine.now())),
      figures: yield* readFigures(engine, player, name),
    }
    if (ended === undefined) return open
    const share = shareText({ title, number, board, state, isWon: outcome === 'won' })
    return { ...open, result: { outcome, begun, ended, share, records: yield* existingSources(engine, row) } }
  }
}

function dayView(row: BoardRow, tallies: Parameters<typeof factsOf>[1], now: Date): DayView {
  const { number, salt, hash } = row
  const board = boardIn(row)
  const { words } = board
  const { first, ...facts } = factsOf(board, tallies)
  const view = { number, date: dateOfDay(number), hash, ...facts }
  return isOver(number, now) ? { ...view, revealed: { salt, words, groups: shownGroups(board), first } } : view
}

const shownGroups = ({ groups }: Board): ShownGroup[] =>
  groups.map(({ id, name, mode, terms }, i) => ({ id, name, mode, terms, rank: i + 1 }))

const guessesIn = ({ guess }: RoundRow): readonly number[] => (guess === '' ? [] : JSON.parse(guess))

const alreadyGuessed = () => new Problem(409, { detail: 'You have already guessed these four words.' })
