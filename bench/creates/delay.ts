/**
 * A database that is further away: a proxy that passes everything on a little later, in both directions. It has a thread of
 * its own, because the clients of the bench keep theirs busy.
 */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DelayedTarget } from './delay-thread.ts'

export interface Delay {
  /** The address of the database through the proxy. */
  readonly url: string
  close(): Promise<void>
}

/** `ms` is added each way. */
export async function delayed(url: string, ms: number): Promise<Delay> {
  const { hostname, port } = new URL(url)
  const workerData: DelayedTarget = { hostname, port: Number(port), ms }
  const thread = new Worker(new URL('./delay-thread.ts', import.meta.url), { workerData })
  const [own] = await once(thread, 'message')
  const through = new URL(url)
  through.port = String(own)
  return { url: through.href, close: async () => void (await thread.terminate()) }
}
