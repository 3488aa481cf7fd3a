/** When backups are due, and which are kept: functions of times, without a clock. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readEvery, readKeep } from '../../src/cli/backup-times.ts'
import { keptTimes, nextStep } from '../../src/transfer/index.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe('What is kept, and when a backup is due', () => {
  const rules = readKeep('24h,7d,4w') ?? 'all'

  test('of hourly backups, one of each of 24 hours, 7 days and 4 weeks stays', () => {
    // A Thursday.
    const now = Date.parse('2026-11-19T10:30:00Z')
    const times = Array.from({ length: 60 * 24 }, (_, i) => now - i * HOUR)
    const kept = [...keptTimes(times, rules, now)].toSorted((a, b) => b - a).map((time) => new Date(time).toISOString())
    const hours = times.slice(0, 24).map((time) => new Date(time).toISOString())
    const days = [18, 17, 16, 15, 14, 13].map((day) => `2026-11-${day}T23:30:00.000Z`)
    // The Sundays before; that of last week is also among the days.
    const weeks = ['2026-11-08T23:30:00.000Z', '2026-11-01T23:30:00.000Z']
    assert.deepEqual(kept, [...new Set([...hours, ...days, ...weeks])])
  })

  test('the newest two stay, what the future made stays, and to delete little by little comes to the same', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 30 * 60 }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(gaps, (minutes) => {
        let now = Date.parse('2026-01-01T00:00:00Z')
        const all: number[] = []
        let left: number[] = []
        for (const gap of minutes) {
          now += gap * 60_000
          all.push(now)
          left = [...keptTimes([...left, now], rules, now)]
          for (const newest of all.slice(-2)) assert.ok(left.includes(newest))
          assert.ok(left.length <= 24 + 7 + 4 + 1)
        }
        assert.deepEqual(new Set(left), keptTimes(all, rules, now))
        const future = now + 400 * DAY
        assert.ok(keptTimes([...left, future], rules, now).has(future))
        // A clock that is wrong by years deletes, and leaves the newest.
        const wrong = keptTimes([...all, future], rules, future)
        assert.deepEqual(wrong, new Set([...all.slice(-1), future]))
      }),
      { numRuns: 50 },
    )
  })

  test('a backup is due after the given time; a failed one is tried again sooner; checks are made twice a day', () => {
    const now = 1_000 * DAY
    const past = { lastGood: now - HOUR / 2, lastFailure: undefined, lastCheck: now - HOUR }
    assert.deepEqual(nextStep(past, HOUR, now), { does: 'backup', at: now + HOUR / 2 })
    assert.deepEqual(nextStep({ ...past, lastGood: undefined }, HOUR, now), { does: 'backup', at: now })
    assert.deepEqual(nextStep(past, 7 * DAY, now), { does: 'check', at: now + 11 * HOUR })
    const failed = { ...past, lastGood: now - 2 * HOUR, lastFailure: now }
    assert.deepEqual(nextStep(failed, HOUR, now), { does: 'backup', at: now + HOUR / 10 })
    // The clock was wrong when it failed.
    assert.deepEqual(nextStep({ ...failed, lastFailure: now + 99 * DAY }, HOUR, now), { does: 'backup', at: now })
    // The clock was wrong when it was made.
    assert.deepEqual(nextStep({ ...past, lastGood: now + 99 * DAY }, HOUR, now), { does: 'backup', at: now })
  })

  test('times that make no sense are refused', () => {
    assert.deepEqual([readEvery('90m'), readEvery('1d'), readEvery('4w')], [1.5 * HOUR, DAY, 28 * DAY])
    for (const text of ['', '1', '0h', '1y', '5w', '-1h', '1 h', 'hourly']) assert.equal(readEvery(text), undefined)
    assert.equal(readKeep('all'), 'all')
    for (const text of ['', '24', '7d,7d', '0h', '1m', 'h', '24h;7d']) assert.equal(readKeep(text), undefined)
  })
})
