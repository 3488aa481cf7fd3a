/** What every operation works on: a store, the catalogue it was opened for, and the time. */
import type { AnyResource } from '../declare/index.ts'
import type { Store } from '../store/index.ts'

export interface Engine {
  readonly store: Store
  readonly catalogue: readonly AnyResource[]
  /** A clock that tests can set. */
  now(): Date
}
