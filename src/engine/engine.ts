/** What every operation works on: a store, its catalogue, and the time. */
import type { AnyResource, Chart, Games, Honours } from '../declare/index.ts'
import type { Store } from '../store/index.ts'
import type { KeysetMarks } from './cache/keyset-marks.ts'
import { PastCache } from './cache/past-cache.ts'
import type { RecordCache } from './cache/record-cache.ts'
import { ChangeWatch } from './change-watch.ts'
import { NetworkCache } from './charts/network-cache.ts'
import { LIMITS } from './limits.ts'
import { SlowQueries } from './query-timeout.ts'

export interface Engine {
  readonly store: Store
  readonly catalogue: readonly AnyResource[]
  readonly charts: readonly Chart[]
  readonly networks: NetworkCache
  /** Undefined if the catalogue has no games. */
  readonly games?: Games | undefined
  readonly honours: Honours
  /** Undefined when records are not cached. */
  readonly cache?: RecordCache | undefined
  /** Moments of the past that are known. */
  readonly pasts: PastCache
  /** Of a moment of the past, in place of those of the cache. */
  readonly marks?: KeysetMarks
  /** How long a narrowed list may be looked for, in seconds. */
  readonly querySeconds: number
  readonly slow: SlowQueries
  /** For requests that wait for a change. */
  readonly watch: ChangeWatch
  /** The forms that a word may have in a text: house, houses. */
  formsOf(term: string): readonly string[]
  /** What a word of a text may be a form of, itself first; nothing for a word of grammar: houses, house. */
  basesOf(word: string): readonly string[]
  /** A clock that tests can set. */
  now(): Date
  /** A monotonic clock in milliseconds, which tests can set too. */
  monotonic(): number
}

const QUERY_SECONDS = 2
/** Of a catalogue without levels and badges. */
const NO_HONOURS: Honours = { levels: [{ from: 0, title: '', does: '' }], badges: [] }

export function engineOn(
  store: Store,
  catalogue: readonly AnyResource[],
  options: Partial<Omit<Engine, 'store' | 'catalogue'>> = {},
): Engine {
  return {
    store,
    catalogue,
    charts: [],
    networks: new NetworkCache(),
    honours: NO_HONOURS,
    querySeconds: QUERY_SECONDS,
    pasts: new PastCache(LIMITS.pastBytes, store.generations),
    slow: new SlowQueries(),
    watch: new ChangeWatch(
      store,
      catalogue.map(({ name }) => name),
    ),
    formsOf: (term) => [term],
    basesOf: (word) => [word],
    now: () => new Date(),
    monotonic: () => performance.now(),
    ...options,
  }
}
