/** Reads the catalogue as it was after an entry of the log: `as_of`. */
import { setImmediate } from 'node:timers/promises'
import type { AnyResource } from '../declare/index.ts'
import { Forgotten, type Moment, type Narrowing, type Work } from '../store/index.ts'
import type { Frozen } from './cache/past-cache.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { problems } from './problem.ts'
import { readPatiently } from './query-timeout.ts'

/** A list without conditions, in its own order. */
export const EVERYTHING: Narrowing = { conditions: [] }

/** The moment of everything that is frozen: no write changes it. */
export const FROZEN: Moment = new Map()

/** The number of the newest entry. */
export async function latestChange({ store }: Engine): Promise<number> {
  return (await store.read(() => store.changes.bounds())).latest
}

/** Runs a work with an engine that reads the catalogue as it was. */
export async function readAsOf<T>(engine: Engine, asOf: number, work: (then: Engine) => Work<T>): Promise<T> {
  await prepareAsOf(engine, asOf)
  return await readPatiently(engine, function* () {
    return yield* work(yield* engineAsOf(engine, asOf))
  })
}

/** Reads what was changed since, a part at a time, so that other requests get their turn. */
export async function prepareAsOf(engine: Engine, asOf: number): Promise<void> {
  const step = function* (): Work<boolean> {
    const { latest, frozen } = yield* open(engine, asOf)
    return yield* extended(engine, frozen, latest)
  }
  while (!(await engine.store.read(step))) await setImmediate()
}

/** The engine for the rest of the work, which must run on the same snapshot. */
export function* engineAsOf(engine: Engine, asOf: number): Work<Engine> {
  const { store, catalogue } = engine
  const { latest, frozen } = yield* open(engine, asOf)
  while (!(yield* extended(engine, frozen, latest)));
  const { past, marks } = frozen
  return { ...engine, store: { ...store, ...store.asOf(past, catalogue) }, cache: undefined, marks }
}

interface Opened {
  readonly latest: number
  readonly frozen: Frozen
}

function* open({ store, pasts }: Engine, asOf: number): Work<Opened> {
  const { log, oldest, latest } = yield* store.changes.bounds()
  if (asOf > latest) throw problems.invalid({ as_of: [`Ensure this value is less than or equal to ${latest}.`] })
  const first = Math.max(oldest - 1, latest - LIMITS.changesSince)
  if (asOf < first) throw problems.tooLongAgo(first)
  const seq = yield* store.past.wholeUpTo(asOf)
  if (seq < oldest - 1) throw problems.tooLongAgo(latest)
  return { latest, frozen: pasts.get(log, seq) }
}

function* extended({ store, catalogue }: Engine, { past }: Frozen, latest: number): Work<boolean> {
  try {
    if (past.bytes > LIMITS.pastBytes) throw new Forgotten()
    return yield* store.past.extend(past, catalogue, latest)
  } catch (error) {
    throw error instanceof Forgotten ? problems.tooLongAgo(latest) : error
  }
}

interface Matched {
  readonly resource: AnyResource
  readonly narrowing: Narrowing
  readonly ids: readonly number[]
  /** The number of an entry; now if undefined. */
  readonly asOf?: number | undefined
}

/** Which of these records a narrowed list of the resource holds, now or after an entry of the log. */
export function matchingIds(engine: Engine, { resource, narrowing, ids, asOf }: Matched): Promise<Set<number>> {
  const work = ({ store }: Engine) => store.lists.matching({ resource }, ids, narrowing)
  return asOf === undefined ? readPatiently(engine, () => work(engine)) : readAsOf(engine, asOf, work)
}
