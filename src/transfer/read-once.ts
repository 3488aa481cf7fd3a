/** Reads what is written to a file as it comes. */
import type { Engine } from '../engine/index.ts'
import { Unusable, type Work } from '../store/index.ts'

/** The database begins a read again if it breaks off. The file would then have the beginning twice, so this refuses. */
export function readOnce<T>({ store }: Engine, work: () => Work<T>): Promise<T> {
  let isBegun = false
  return store.read(() => {
    if (isBegun) throw new Unusable('the database broke off the read before everything was written: start again')
    isBegun = true
    return work()
  })
}
