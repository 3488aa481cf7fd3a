/**
 * Ends a thread that has a connection to SQLite. It is asked to end, and terminated only if it does not in time: Node
 * crashes if a thread is terminated while it loads SQLite.
 */
import type { MessagePort, Worker } from 'node:worker_threads'
import { inTime } from './in-time.ts'

const END = 'end'
/** It may be running a slow query, or still be starting. */
const LONGEST_MS = 2000

export async function endThread(worker: Worker): Promise<void> {
  // Otherwise the process could end first.
  worker.ref()
  const { promise: ended, resolve } = Promise.withResolvers<true>()
  worker.once('exit', () => resolve(true))
  worker.postMessage(END)
  if (!(await inTime(ended, LONGEST_MS))) await worker.terminate()
}

/** In the thread: calls `answer` with each message, and `close` when it is to end. */
export function answerUntilEnd<T>(port: MessagePort, answer: (message: T) => void, close: () => void): void {
  port.on('message', (message: T | typeof END) => {
    if (message !== END) return answer(message)
    close()
    port.close()
  })
}
