/** What a guess earns, by the clock of the server. */
export type RoundOutcome = 'hit' | 'near' | 'miss'

export interface Earned {
  readonly outcome: RoundOutcome
  readonly bonus: number
  readonly points: number
}

/** What a fast hit earns in addition. */
const BONUSES = [
  { seconds: 15, points: 10 },
  { seconds: 30, points: 5 },
] as const

export function earnedBy(outcome: RoundOutcome, stake: number, milliseconds: number): Earned {
  if (outcome === 'miss') return { outcome, bonus: 0, points: 0 }
  if (outcome === 'near') return { outcome, bonus: 0, points: Math.floor(stake / 2) }
  // A clock that was set back must not make a guess fast.
  const bonus = milliseconds < 0 ? 0 : (BONUSES.find(({ seconds }) => milliseconds <= seconds * 1000)?.points ?? 0)
  return { outcome, bonus, points: stake + bonus }
}
