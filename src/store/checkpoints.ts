/**
 * Checkpoints of SQLite, in a thread: it copies what was committed from the write-ahead log into the database file. By
 * itself SQLite does so as a part of a COMMIT, and all readers of the main thread wait until it is on disk.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { endThread } from './end-thread.ts'

/** After this many rows were written, the log has about 2,000 pages. */
const ROWS = 4000

/**
 * When the log has this many pages (64 MiB), SQLite copies the rest itself. While others write, the thread never reaches
 * the end of the log, and the log is used from its beginning again only when all of it is copied.
 */
export const MOST_PAGES = 16_384

export class Checkpoints {
  readonly #path: string
  #worker: Worker | undefined
  #isRunning = false
  #rows = 0

  constructor(path: string) {
    this.#path = path
  }

  /** After a COMMIT. */
  wrote(rows: number): void {
    this.#rows += rows
    if (this.#rows < ROWS || this.#isRunning) return
    this.#rows = 0
    this.#isRunning = true
    this.#worker ??= this.#start()
    this.#worker.postMessage('checkpoint')
  }

  async close(): Promise<void> {
    if (this.#worker) await endThread(this.#worker)
  }

  #start(): Worker {
    const file = new URL(`./checkpoint-thread${extname(import.meta.url)}`, import.meta.url)
    const worker = new Worker(file, { workerData: { path: this.#path } })
    worker.unref()
    worker.on('message', () => {
      this.#isRunning = false
    })
    // Such as a database that was deleted: who reads or writes is told. The next one may succeed.
    worker.on('error', () => {
      this.#worker = undefined
      this.#isRunning = false
    })
    return worker
  }
}
