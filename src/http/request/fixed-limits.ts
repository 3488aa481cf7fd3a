/** Limits that no setting changes. */
import type { Limit } from './throttle.ts'

/** Test messages to hooks, for each user: each makes the server connect to an address that the user chose. */
export const HOOK_TESTS: Limit = { count: 20, seconds: 60 }
/** Reports of records, for each user or address. */
export const REPORTS: Limit = { count: 20, seconds: 3600 }
/** Rounds begun and guesses made in games, for each user or address. */
export const PLAYS: Limit = { count: 120, seconds: 60 }
/** Rounds of one board of the day begun without an account, for each address: many rounds would tell its solution. */
export const GUESTS: Limit = { count: 60, seconds: 24 * 3600 }
