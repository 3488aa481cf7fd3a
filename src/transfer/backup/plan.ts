/** When a backup is due, and which backups are kept: functions of times alone. */

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** One backup of each of this many hours, days or weeks. */
export interface KeepRule {
  readonly count: number
  readonly unitMs: number
}

/** What is kept; `all` deletes nothing. */
export type Keep = readonly KeepRule[] | 'all'

/** These many of the newest backups stay, whatever the rules say: a wrong clock must not delete everything. */
const NEWEST_KEPT = 2

/**
 * The times of the backups to keep. Each rule divides time into hours, days or weeks of UTC, of which weeks begin on
 * Monday, and keeps the newest backup of the current one and of as many before it as it says.
 */
export function keptTimes(times: readonly number[], keep: Keep, now: number): ReadonlySet<number> {
  if (keep === 'all') return new Set(times)
  const past = times.filter((time) => time <= now).toSorted((a, b) => b - a)
  const kept = new Set([...times.filter((time) => time > now), ...past.slice(0, NEWEST_KEPT)])
  for (const { count, unitMs } of keep) {
    const first = periodOf(now, unitMs) - count + 1
    const seen = new Set<number>()
    for (const time of past) {
      const period = periodOf(time, unitMs)
      if (period < first || seen.has(period)) continue
      seen.add(period)
      kept.add(time)
    }
  }
  return kept
}

/** Time began on a Thursday. */
const MONDAY_MS = 3 * DAY_MS

function periodOf(time: number, unitMs: number): number {
  return Math.floor((time + MONDAY_MS) / unitMs)
}

export interface Past {
  /** When the newest good backup was made. */
  readonly lastGood: number | undefined
  /** When the last try failed, if it did. */
  readonly lastFailure: number | undefined
  /** When the backup that was checked longest ago was checked. */
  readonly lastCheck: number | undefined
}

/** How old a check may be: every backup is checked again twice a day. */
export const CHECK_EVERY_MS = 12 * HOUR_MS
const SHORTEST_PAUSE_MS = MINUTE_MS
const LONGEST_PAUSE_MS = HOUR_MS

export interface Step {
  readonly does: 'backup' | 'check'
  readonly at: number
}

/** What to do next, and when; a time that has passed means now. */
export function nextStep(past: Past, every: number, now: number): Step {
  // If the clock was set back since, nobody knows when the failure was.
  const lastFailure = past.lastFailure !== undefined && past.lastFailure <= now ? past.lastFailure : undefined
  const retry = (lastFailure ?? Number.NEGATIVE_INFINITY) + pauseAfterFailure(every)
  const backup = Math.max(isDue(past.lastGood, every, now) ? now : (past.lastGood ?? now) + every, retry)
  // What made a backup fail, such as a disk that is away, would make a check fail too.
  const check = Math.max((past.lastCheck ?? Number.POSITIVE_INFINITY) + CHECK_EVERY_MS, retry)
  return backup <= check ? { does: 'backup', at: backup } : { does: 'check', at: check }
}

/** Whether a check is too old to count, or from the future, where only a wrong clock makes one. */
export function isCheckDue(checked: number, now: number, after = CHECK_EVERY_MS): boolean {
  return checked > now || now - checked >= after
}

/** The latest time of a backup that counts: one from the far future was made with a wrong clock. */
export const latestBackup = (every: number, now: number) => now + every

/** A backup from the far future does not count. */
export function isDue(lastGood: number | undefined, every: number, now: number): boolean {
  return lastGood === undefined || lastGood + every <= now || lastGood > latestBackup(every, now)
}

/** A tenth of the time between backups, between a minute and an hour. */
function pauseAfterFailure(every: number): number {
  return Math.min(Math.max(every / 10, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS)
}
