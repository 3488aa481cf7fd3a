/** The calendar of boards: what everybody may know of a day, before and after it is over. */
import type { BoardRow } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { placeOf, type WantedPage } from '../page-place.ts'
import type { Board, BoardGroup } from '../play/board.ts'
import { problems } from '../problem.ts'
import { boardIn, DAYS_AHEAD } from './board-keeper.ts'
import { wordsOf } from './board-state.ts'
import { dateOfDay, firstOpenDay, isOver, lastOpenDay } from './days.ts'
import { type BoardFacts, factsOf } from './difficulty.ts'

/** Wrong ones of a day that are told. */
const MOST_FOURS = 3
const MOST_TAUGHT = 50

/** `rank` is 1 for the easiest. */
export type ShownGroup = Pick<BoardGroup, 'id' | 'name' | 'mode' | 'terms'> & { readonly rank: number }

export interface DayView extends Omit<BoardFacts, 'first'> {
  readonly number: number
  readonly date: string
  readonly hash: string
  /** Whether the board is not shown, because staff have hidden one of its records. */
  readonly withdrawn: boolean
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

export class BoardCalendar {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The days up to thirty days ahead, the latest first. */
  async page(wanted: WantedPage) {
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
      if (day.withdrawn) continue
      days.push({ ...day, fours: fours.filter(({ times }) => times >= least) })
    }
    return days
  }
}

function dayView(row: BoardRow, tallies: Parameters<typeof factsOf>[1], now: Date): DayView {
  const { number, salt, hash } = row
  const board = boardIn(row)
  const { words } = board
  const { first, ...facts } = factsOf(board, tallies)
  const withdrawn = board.withdrawn !== undefined
  const view = { number, date: dateOfDay(number), hash, ...facts, withdrawn }
  return isOver(number, now) && !withdrawn
    ? { ...view, revealed: { salt, words, groups: shownGroups(board), first } }
    : view
}

export const shownGroups = ({ groups }: Board): ShownGroup[] =>
  groups.map(({ id, name, mode, terms }, i) => ({ id, name, mode, terms, rank: i + 1 }))
