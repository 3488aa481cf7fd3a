/** The last steps of a transaction in which several wrote: the log, the generations and the rank index. */
import { logChanges } from './change-log.ts'
import type { Work } from './database.ts'
import { type Counted, countOn, type Logged } from './generations.ts'
import type { NewIds } from './new-ids.ts'
import type { Beginning } from './postgres-transaction.ts'
import { Touched } from './touched.ts'
import type { Trace } from './trace.ts'

interface Finished {
  readonly counted: Counted[]
  readonly logged: Logged | undefined
  /** What each write has logged that belongs to a trace. */
  readonly traced: readonly (Logged & { readonly trace: Trace })[]
}

export function* finishWrites(
  written: readonly Touched[],
  beginning: Beginning | undefined,
  ids: NewIds,
): Work<Finished> {
  const all = new Touched()
  const traced: (Logged & { readonly trace: Trace })[] = []
  let end = beginning?.end
  for (const touched of written) {
    const { trace } = touched
    const since = end?.latest
    if (end) end = yield* logChanges(touched, end)
    if (trace && end && since !== undefined) traced.push({ since, latest: end.latest, trace })
    all.join(touched)
  }
  yield* ids.settle()
  const logged = beginning && end && { since: beginning.end.latest, latest: end.latest }
  return { counted: yield* countOn(all, beginning?.moment), logged, traced }
}
