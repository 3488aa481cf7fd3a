/** The personal figures of a player, counted from the numbers of days. */
import type { Games } from '../../declare/index.ts'
import type { PlayedDays, Work } from '../../store/index.ts'
import type { Owner } from '../access.ts'
import type { Engine } from '../engine.ts'
import { noteBest } from '../rounds/best-scores.ts'
import { keyOfAccount } from '../rounds/player-key.ts'
import { MOST_MISTAKES } from './board-state.ts'
import { firstOpenDay } from './days.ts'

export interface Figures {
  readonly played: number
  readonly won: number
  /** Days in a row that were won, up to today or yesterday. */
  readonly streak: number
  readonly best: number
  /** How many rounds were won with no mistake, with one, and so on. */
  readonly mistakes: readonly number[]
}

export function* readFigures({ store, now }: Engine, player: string, game: string): Work<Figures> {
  return figuresOf(yield* store.rounds.days(player, game), now())
}

function figuresOf({ ends, streaks, lost }: PlayedDays, now: Date): Figures {
  const played = ends.reduce((sum, { times }) => sum + times, 0)
  const mistakes = Array.from(
    { length: MOST_MISTAKES },
    (_, made) => ends.find(({ points }) => points === MOST_MISTAKES - made)?.times ?? 0,
  )
  const [latest] = streaks
  // Somewhere on Earth, the day after the last one that was won may still be today.
  const goesOn = latest !== undefined && latest.last > lost && latest.last >= firstOpenDay(now) - 1
  return {
    played,
    won: mistakes.reduce((sum, times) => sum + times, 0),
    streak: goesOn ? latest.days : 0,
    best: Math.max(0, ...streaks.map(({ days }) => days)),
    mistakes,
  }
}

/** The best score of an account is its longest streak; the round is the last day of it. */
export function* noteStreak(engine: Engine, { daily, winners }: Games, { id, name }: Owner): Work<void> {
  const { streaks } = yield* engine.store.rounds.days(keyOfAccount(id), daily.name)
  const best = streaks.toSorted((a, b) => b.days - a.days || a.last - b.last)[0]
  if (!best) return
  yield* noteBest(engine, winners, { user: name, game: daily.name, score: best.days, round: best.last }, { id, name })
}
