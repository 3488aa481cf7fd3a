/** Serving a database that takes no writes, such as a standby: until it does, nothing is written in the background. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/index.ts'

const LOOK_EVERY_MS = 2000

interface Lines {
  warn(line: string): void
}

/** Undefined if the database takes writes; otherwise fulfilled when it does, unless the signal ends the wait. */
export async function untilWritable(
  store: Pick<Store, 'isReadOnly'>,
  log: Lines,
  signal: AbortSignal,
): Promise<{ readonly writable: Promise<void> } | undefined> {
  if (!(await store.isReadOnly())) return undefined
  log.warn('the database is read-only, or a standby: this server only reads, and refuses changes with 503')
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
