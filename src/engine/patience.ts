/** A list that was narrowed may have to look at every record; it gets a limited time for it. */
import { TooSlow, type Work } from '../store/index.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'

export async function readPatiently<T>({ store, querySeconds }: Engine, work: () => Work<T>): Promise<T> {
  try {
    return await store.read(work, querySeconds)
  } catch (error) {
    throw error instanceof TooSlow ? problems.tooSlow() : error
  }
}
