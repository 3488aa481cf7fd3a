/** What may have to look at every record gets a limited time for it. */
import { type Moment, type Narrowing, TooSlow, type Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { checkReferences } from './narrow.ts'
import { problems } from './problem.ts'

export async function readPatiently<T>({ store, querySeconds }: Engine, work: (moment: Moment) => Work<T>): Promise<T> {
  try {
    return await store.readAt(work, querySeconds)
  } catch (error) {
    throw error instanceof TooSlow ? problems.tooSlow() : error
  }
}

/** The same for a list that the client has narrowed. */
export function readNarrowed<T>(
  engine: Engine,
  collection: Collection,
  narrowing: Narrowing | undefined,
  work: (moment: Moment) => Work<T>,
): Promise<T> {
  return readPatiently(engine, function* (moment) {
    if (narrowing) yield* checkReferences(engine.store, collection, narrowing)
    return yield* work(moment)
  })
}
