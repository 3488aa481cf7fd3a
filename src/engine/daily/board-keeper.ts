/**
 * Makes the boards of days ahead and stores each when it is first made. Sets are read and boards are made in small steps,
 * so that requests get their turn between them. Processes may do it at the same time: a board is stored only if its
 * maker has seen all earlier ones.
 */
import { randomBytes } from 'node:crypto'
import { setImmediate as breath } from 'node:timers/promises'
import type { DailyGame } from '../../declare/index.ts'
import { type BoardRow, generationOf, outsideRequest, Taken, termOf, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { type Board, boardHash, GROUP_SIZE } from '../play/board.ts'
import { BoardIndex } from '../play/board-index.ts'
import { hasOneSolution, makeBoard } from '../play/make-board.ts'
import { PlayedGroups } from '../play/played-groups.ts'
import { problems } from '../problem.ts'
import { firstOpenDay, lastOpenDay } from './days.ts'

export const DAYS_AHEAD = 30
/** Boards of days ahead that are looked at together: more than there are, unless the clock was set back. */
const MOST_AHEAD = 100
/** Of a larger catalogue, boards are made of this many sets, evenly spread over their ids. */
const MOST_SETS = 20_000
const READ_AT_ONCE = 100
const MOST_FOUND = 200
/** Boards that are drawn again because sets beyond the index would give a second solution. */
const MOST_DRAWS = 10
/** How often another process may be faster in a row. */
const MOST_RACES = 100
/** How long a request waits for the board of today, if there is none yet. */
const WAIT_MS = 5000

export type StoredBoard = Board & {
  readonly of: string
  /** The ids of sets that staff have hidden: nobody is shown the board. */
  readonly withdrawn?: readonly number[]
}

export const boardIn = ({ board }: BoardRow): StoredBoard => JSON.parse(board)

/** What is known while boards are made, and forgotten afterwards: it is large. */
interface Workshop {
  readonly index: BoardIndex
  readonly isWhole: boolean
  /** In the order in which they were made. */
  readonly boards: Board[]
  played: PlayedGroups
  made: number
}

export class BoardKeeper {
  readonly #engine: Engine
  readonly #daily: DailyGame
  #making: Promise<void> = Promise.resolve()
  /** By day: what requests wait for. */
  readonly #wanted = new Map<number, Promise<void>>()
  /** The state of the catalogue in which no board could be made. */
  #hopeless: number | undefined

  constructor(engine: Engine, daily: DailyGame) {
    this.#engine = engine
    this.#daily = daily
  }

  /** The board of a day. If the day is open and has none, it is made. Undefined if there is none. */
  async board(number: number): Promise<BoardRow | undefined> {
    const { store, now } = this.#engine
    const find = () => store.read(() => store.boards.ofDay(number))
    const found = await find()
    if (found || number < Math.max(1, firstOpenDay(now())) || number > lastOpenDay(now())) return found
    if (!(await inTime(this.#makeFor(number)))) throw problems.overloaded()
    return await find()
  }

  /** Requests for the same day share the work. */
  #makeFor(number: number): Promise<void> {
    const known = this.#wanted.get(number)
    if (known) return known
    const making = outsideRequest(() => this.#make([number])).finally(() => this.#wanted.delete(number))
    this.#wanted.set(number, making)
    return making
  }

  /**
   * Makes what is missing of the days that are open and those ahead. `signal` ends it early. Boards of days ahead are made
   * again if a set of theirs was deleted: nobody has seen them.
   */
  async fill(signal?: AbortSignal): Promise<void> {
    const { store, now } = this.#engine
    await this.#dropDeleted()
    const [first, last] = [Math.max(1, firstOpenDay(now())), lastOpenDay(now()) + DAYS_AHEAD]
    const known = new Set(await store.read(() => store.boards.numbers(first, last)))
    const missing = Array.from({ length: last + 1 - first }, (_, i) => first + i).filter((day) => !known.has(day))
    if (missing.length > 0) await this.#make(missing, signal)
  }

  async #dropDeleted(): Promise<void> {
    const { store, now } = this.#engine
    const begun = lastOpenDay(now())
    const deleted = await store.read(() => this.#deletedOf(begun))
    if (deleted.size > 0) await store.write(() => store.boards.dropFrom(deleted, begun))
  }

  /** The sets of boards after a day that no longer exist. */
  *#deletedOf(day: number): Work<Set<string>> {
    const { name } = this.#daily.of
    const rows = yield* this.#engine.store.boards.after(day, MOST_AHEAD)
    const ids = rows.map(boardIn).flatMap(({ groups }) => groups.map(({ id }) => id))
    return new Set((yield* this.#missing(ids)).map((id) => `${name}/${id}`))
  }

  *#missing(ids: readonly number[]): Work<number[]> {
    const rows = yield* this.#engine.store.records.byIds({ resource: this.#daily.of, only: [] }, ids)
    const known = new Set(rows.map((row) => Number(row['id'])))
    return ids.filter((id) => !known.has(id))
  }

  /** One after the other. */
  #make(days: readonly number[], signal?: AbortSignal): Promise<void> {
    const making = this.#making.then(() => this.#makeAll(days, signal))
    this.#making = making.catch(() => {})
    return making
  }

  async #makeAll(days: readonly number[], signal: AbortSignal | undefined): Promise<void> {
    const { store } = this.#engine
    const { of } = this.#daily
    const state = await store.readAt(function* (moment) {
      yield* store.boards.count(0)
      return generationOf(moment, of.name).number
    })
    if (state === this.#hopeless) return
    const shop = await this.#open(signal)
    for (const day of days) {
      if (signal?.aborted) return
      if (await this.#makeOne(shop, day)) continue
      this.#hopeless = state
      return
    }
  }

  /** Reads the sets and the boards that there are. */
  async #open(signal: AbortSignal | undefined): Promise<Workshop> {
    const { store } = this.#engine
    const { of: resource, reads, language, setOf } = this.#daily
    const index = new BoardIndex([], language)
    const { runs } = await store.readAt(function* (moment) {
      return yield* store.samples.take(resource, yield* store.records.count({ resource }, moment), MOST_SETS)
    })
    const selection = { resource, only: reads }
    for (const [first, last] of runs ?? [[1, Number.MAX_SAFE_INTEGER]]) {
      for (let after = (first ?? 1) - 1; !signal?.aborted; ) {
        const rows = await store.read(() => store.records.after(selection, after, READ_AT_ONCE))
        const sets = rows.map(setOf).filter(({ id }) => id <= (last ?? 0))
        index.add(sets)
        if (sets.length < READ_AT_ONCE) break
        after = sets.at(-1)?.id ?? after
        await breath()
      }
    }
    const shop = { index, isWhole: !runs, boards: [], played: new PlayedGroups(index), made: 0 }
    await this.#catchUp(shop)
    return shop
  }

  /** Learns what other processes have made. */
  async #catchUp(shop: Workshop): Promise<void> {
    const { store } = this.#engine
    for (;;) {
      const rows = await store.read(() => store.boards.madeAfter(shop.made, READ_AT_ONCE))
      for (const row of rows) {
        const board = boardIn(row)
        shop.boards.push(board)
        shop.played.add(board)
        shop.made = row.made
      }
      if (rows.length < READ_AT_ONCE) return
      await breath()
    }
  }

  /** Returns false if the catalogue has too few sets. */
  async #makeOne(shop: Workshop, number: number): Promise<boolean> {
    const { store } = this.#engine
    for (let race = 0; race < MOST_RACES; race++) {
      if (await store.read(() => store.boards.ofDay(number))) return true
      const salt = randomBytes(32).toString('base64url')
      const board = await this.#draw(shop, `${salt} ${number}`)
      if (!board) return false
      const stored: StoredBoard = { of: this.#daily.of.name, ...board }
      const row = { number, made: shop.made + 1, board: JSON.stringify(stored), salt, hash: boardHash(board, salt) }
      const missing = this.#missing.bind(this)
      try {
        await store.write(function* () {
          // A set that was deleted since the sets were read may be hidden as well. The next try reads them again.
          if ((yield* missing(board.groups.map(({ id }) => id))).length > 0) throw problems.overloaded()
          yield* store.boards.insert(row)
        })
      } catch (error) {
        if (!(error instanceof Taken)) throw error
      }
      await this.#catchUp(shop)
    }
    throw problems.overloaded()
  }

  /**
   * No set is repeated as long as there are enough, and then no group; after that, the oldest boards are forgotten first.
   */
  async #draw(shop: Workshop, seed: string): Promise<Board | undefined> {
    for (;;) {
      for (let draw = 1; draw <= MOST_DRAWS; draw++) {
        await breath()
        const board = makeBoard(shop.index, `${seed} ${draw}`, shop.played)
        if (!board && !shop.played.reusesSets) break
        if (!board) continue
        if (shop.isWhole || (await this.#isProved(shop.index, board))) return board
      }
      if (shop.boards.length === 0) return undefined
      if (!shop.played.reusesSets) {
        shop.played.reuseSets()
        continue
      }
      shop.boards.splice(0, Math.ceil(shop.boards.length / 2))
      shop.played = new PlayedGroups(shop.index, shop.boards)
    }
  }

  /** If the index has a part of the catalogue only: sets with at least four of the words are added to it. */
  async #isProved(index: BoardIndex, { words }: Board): Promise<boolean> {
    const { store } = this.#engine
    const { of: resource, reads, setOf } = this.#daily
    const rows = await store.read(function* () {
      const terms = words.map(termOf)
      const ids = yield* store.frequentTerms.having(resource, terms, { atLeast: GROUP_SIZE, limit: MOST_FOUND })
      return yield* store.records.byIds({ resource, only: reads }, ids)
    })
    index.addOthers(rows.map((row) => setOf(row).terms))
    return hasOneSolution(index, words)
  }
}

/** Whether it is done in time. An error of it is thrown. */
async function inTime(task: Promise<void>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), WAIT_MS)
  try {
    return await Promise.race([task.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
