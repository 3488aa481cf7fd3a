/** Reads the catalogue as it was after an entry of the log: `as_of`. */
import { setImmediate } from 'node:timers/promises'
import { type AnyResource, fieldsOf, type Storage } from '../declare/index.ts'
import { Forgotten, type Moment, type Narrowing, type Selection, type Work } from '../store/index.ts'
import { dependenciesOf } from './cache/dependencies.ts'
import type { Frozen } from './cache/past-cache.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { problems } from './problem.ts'
import { readPatiently, secondsLeft } from './query-timeout.ts'

/** A list without conditions, in its own order. */
export const EVERYTHING: Narrowing = { conditions: [] }

/** The moment of everything that is frozen: no write changes it. */
export const FROZEN: Moment = new Map()

/** The number of the newest entry. */
export async function latestChange({ store }: Engine): Promise<number> {
  return (await store.readAt(() => store.changes.bounds())).latest
}

/** What a read looks at: an entry of the log, and the resources whose changed records must all be known. */
export interface AsOf {
  readonly seq: number
  readonly whole: readonly AnyResource[]
}

/** For one record, and what it embeds: these are looked up by their ids, except for records that are counted. */
export function recordAsOf({ catalogue }: Engine, selection: Selection, seq: number): AsOf {
  const { resources } = dependenciesOf(selection)
  const named = (name: string) => catalogue.find((resource) => resource.name === name)
  const counted = resources.flatMap((name) => {
    const resource = named(name)
    return resource ? fieldsOf(resource).flatMap(([key, field]) => countedBy(field.storage(key))) : []
  })
  return { seq, whole: [...new Set(counted)].flatMap((name) => named(name) ?? []) }
}

function countedBy(storage: Storage): string[] {
  return storage.in === 'count' ? [storage.of] : []
}

/** For a list: all of its records. */
export function listAsOf(engine: Engine, selection: Selection, seq: number): AsOf {
  const { whole } = recordAsOf(engine, selection, seq)
  return { seq, whole: [...new Set([selection.resource, ...whole])] }
}

/** Runs a work with an engine that reads the catalogue as it was. */
export async function readAsOf<T>(engine: Engine, asOf: AsOf, work: (then: Engine) => Work<T>): Promise<T> {
  return await unlessForgotten(engine, async () => {
    await prepareAsOf(engine, asOf)
    return await readPatiently(engine, () => workAsOf(engine, asOf, work))
  })
}

function* workAsOf<T>(engine: Engine, asOf: AsOf, work: (then: Engine) => Work<T>): Work<T> {
  return yield* work(yield* engineAsOf(engine, asOf))
}

/** If the log no longer has what is needed, the problem says so. */
export async function unlessForgotten<T>(engine: Engine, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw error instanceof Forgotten ? problems.tooLongAgo(await latestChange(engine)) : error
  }
}

/**
 * Reads what was changed since, a part at a time, so that other requests get their turn. A request that takes too long
 * is refused; the next one continues where it ended.
 */
export async function prepareAsOf(engine: Engine, asOf: AsOf): Promise<void> {
  while (!(await engine.store.readAt(() => extendedOnce(engine, asOf)))) {
    if (secondsLeft(engine.querySeconds) <= 0) throw problems.tooSlow()
    await setImmediate()
  }
}

function* extendedOnce(engine: Engine, asOf: AsOf): Work<boolean> {
  return yield* extended(engine, asOf, yield* open(engine, asOf))
}

/** The engine for the rest of the work, which must run on the same snapshot. */
export function* engineAsOf(engine: Engine, asOf: AsOf): Work<Engine> {
  const { store, catalogue } = engine
  const opened = yield* open(engine, asOf)
  while (!(yield* extended(engine, asOf, opened)));
  const { past, marks } = opened.frozen
  return { ...engine, store: { ...store, ...store.asOf(past, catalogue) }, cache: undefined, marks }
}

interface Opened {
  readonly latest: number
  readonly frozen: Frozen
}

function* open({ store, pasts }: Engine, { seq: asOf }: AsOf): Work<Opened> {
  const { log, oldest, latest } = yield* store.changes.bounds()
  if (asOf > latest) throw problems.invalid({ as_of: [`Ensure this value is less than or equal to ${latest}.`] })
  const first = Math.max(oldest - 1, latest - LIMITS.changesSince)
  if (asOf < first) throw problems.tooLongAgo(first)
  const seq = yield* store.past.wholeUpTo(asOf)
  if (seq < oldest - 1) throw problems.tooLongAgo(latest)
  return { latest, frozen: pasts.get(log, seq) }
}

/** Whether everything is known. */
function* extended({ store }: Engine, { whole }: AsOf, { frozen: { past }, latest }: Opened): Work<boolean> {
  if (past.bytes > LIMITS.pastBytes) throw new Forgotten()
  yield* store.past.check(past, latest)
  for (const resource of whole) if (!(yield* store.past.extend(past, resource, latest))) return false
  return true
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
  return asOf === undefined
    ? readPatiently(engine, () => work(engine))
    : readAsOf(engine, { seq: asOf, whole: [] }, work)
}
