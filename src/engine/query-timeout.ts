/** Time limits for queries that may have to scan every record. */
import { currentRequest, type Moment, type Narrowing, TooSlow, type Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { checkReferences } from './list-parameters.ts'
import { problems } from './problem.ts'

export async function readPatiently<T>(
  { store, querySeconds, slow }: Engine,
  work: (moment: Moment) => Work<T>,
  name?: string,
): Promise<T> {
  const seconds = secondsLeft(querySeconds)
  if (seconds <= 0 || (name && slow.isKnown(name, seconds))) throw problems.tooSlow()
  try {
    return await store.readAt(work, seconds)
  } catch (error) {
    if (!(error instanceof TooSlow)) throw error
    if (name) slow.remember(name, seconds)
    throw problems.tooSlow()
  }
}

/** Queries that recently took too long: retrying them at once would help nobody. */
export class SlowQueries {
  readonly #known = new Map<string, { readonly seconds: number; readonly until: number }>()

  /** Whether it recently took longer than this, or than a little less: the time that is left is never quite the same. */
  isKnown(name: string, seconds: number): boolean {
    const found = this.#known.get(name)
    return found !== undefined && found.until > performance.now() && seconds <= found.seconds * ABOUT_THE_SAME
  }

  remember(name: string, seconds: number): void {
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear()
    this.#known.set(name, { seconds, until: performance.now() + REMEMBERED_MS })
  }
}

const MOST_REMEMBERED = 1000
const ABOUT_THE_SAME = 1.25
const REMEMBERED_MS = 60_000

/** All slow queries of a request share its time: a page may make several. */
export function secondsLeft(most: number): number {
  const request = currentRequest()
  return request ? Math.min(most, (request.queryDeadline - performance.now()) / 1000) : most
}

/** The same for a list that the client has narrowed. */
export function readNarrowed<T>(
  engine: Engine,
  collection: Collection,
  narrowing: Narrowing | undefined,
  work: (moment: Moment) => Work<T>,
  name?: string,
): Promise<T> {
  if (!narrowing) return engine.store.readAt(work)
  return readPatiently(engine, (moment) => readChecked(engine, { collection, narrowing, work }, moment), name)
}

interface Checked<T> {
  readonly collection: Collection
  readonly narrowing: Narrowing
  readonly work: (moment: Moment) => Work<T>
}

function* readChecked<T>({ store }: Engine, { collection, narrowing, work }: Checked<T>, moment: Moment): Work<T> {
  yield* checkReferences(store, collection, narrowing)
  return yield* work(moment)
}
