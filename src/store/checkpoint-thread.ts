/** The worker thread: copies the write-ahead log into the database file, as far as nobody is in the way. */
import { parentPort, workerData } from 'node:worker_threads'
import SQLite from 'better-sqlite3'
import { answerUntilEnd } from './end-thread.ts'

const { path }: { readonly path: string } = workerData
const connection = new SQLite(path, { fileMustExist: true, timeout: 0 })

function copyLog(): void {
  try {
    connection.pragma('wal_checkpoint(PASSIVE)')
  } catch {
    // Another process is at it, or the disk is full: the log keeps what was committed.
  }
  parentPort!.postMessage('done')
}

answerUntilEnd(parentPort!, copyLog, () => connection.close())
