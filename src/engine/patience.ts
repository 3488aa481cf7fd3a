/** What may have to look at every record gets a limited time for it. */
import { currentRequest, type Moment, type Narrowing, TooSlow, type Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { checkReferences } from './narrow.ts'
import { problems } from './problem.ts'

export async function readPatiently<T>({ store, querySeconds }: Engine, work: (moment: Moment) => Work<T>): Promise<T> {
  const seconds = secondsLeft(querySeconds)
  if (seconds <= 0) throw problems.tooSlow()
  try {
    return await store.readAt(work, seconds)
  } catch (error) {
    throw error instanceof TooSlow ? problems.tooSlow() : error
  }
}

/** All slow queries of a request share its time: a page may ask for several. */
function secondsLeft(most: number): number {
  const request = currentRequest()
  return request ? Math.min(most, (request.queryDeadline - performance.now()) / 1000) : most
}

/** The same for a list that the client has narrowed. */
export function readNarrowed<T>(
  engine: Engine,
  collection: Collection,
  narrowing: Narrowing | undefined,
  work: (moment: Moment) => Work<T>,
): Promise<T> {
  if (!narrowing) return engine.store.readAt(work)
  return readPatiently(engine, function* (moment) {
    yield* checkReferences(engine.store, collection, narrowing)
    return yield* work(moment)
  })
}
