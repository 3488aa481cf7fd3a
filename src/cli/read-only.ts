/** Serving without writes: from a database that takes none, such as a standby, or because the operator wants none. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadOnly, type Store } from '../store/index.ts'

const LOOK_EVERY_MS = 2000
const REASON = 'NYMDEX_READ_ONLY is on'

interface Lines {
  warn(line: string): void
}

/** Undefined if the database takes writes; otherwise fulfilled when it does, unless the signal ends the wait. */
export async function untilWritable(
  store: Pick<Store, 'isReadOnly' | 'health'>,
  log: Lines,
  signal: AbortSignal,
): Promise<{ readonly writable: Promise<void> } | undefined> {
  if (!(await store.isReadOnly())) return undefined
  const { writes } = await store.health()
  const why = writes === REASON ? REASON : 'the database is read-only, or a standby'
  log.warn(`${why}: this server only reads, and refuses changes with 503`)
  const wait = async () => {
    do {
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false })
      // An outage is noticed elsewhere.
    } while (await store.isReadOnly().catch(() => true))
    log.warn('the database takes writes now')
  }
  // A wait that was ended never ends by itself.
  return { writable: wait().catch(() => new Promise<never>(() => {})) }
}

/** The same store, which refuses all changes. */
export function refusingWrites(store: Store): Store {
  return {
    ...store,
    isReadOnly: async () => true,
    write: () => Promise.reject(new ReadOnly(REASON)),
    async health() {
      return { ...(await store.health()), writes: REASON }
    },
  }
}
