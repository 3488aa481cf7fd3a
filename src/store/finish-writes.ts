/** The last steps of a transaction in which several wrote: the log, the generations and the rank index. */
import { type EndOfLog, logChanges } from './change-log.ts'
import type { Work } from './database.ts'
import { type Counted, countOn, type Logged, type Moment } from './generations.ts'
import { Touched } from './touched.ts'
import type { Trace } from './trace.ts'

/** What a transaction finds when it has the lock: nobody else can change it before the transaction ends. */
export interface Beginning {
  readonly end: EndOfLog
  readonly moment: Moment
}

interface Finished {
  readonly counted: Counted[]
  readonly logged: Logged | undefined
  /** What each write has logged that belongs to a trace. */
  readonly traced: readonly (Logged & { readonly trace: Trace })[]
}

export function* finishWrites(written: readonly Touched[], beginning: Beginning | undefined): Work<Finished> {
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
  const logged = beginning && end && { since: beginning.end.latest, latest: end.latest }
  return { counted: yield* countOn(all, beginning?.moment), logged, traced }
}
