/** Short time limits for the tests of one file: those that share its process keep the documented ones. */
import { after, before } from 'node:test'
import { LIMITS } from '../../src/http/exchange/wire-limits.ts'

/** Returns the documented limits. */
export function shortLimits(short: Partial<Record<keyof typeof LIMITS, number>>): Readonly<typeof LIMITS> {
  const documented = { ...LIMITS }
  before(() => void Object.assign(LIMITS, short))
  after(() => void Object.assign(LIMITS, documented))
  return documented
}
