/** The worker thread: runs the statements it gets on its own read-only connection. */
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import SQLite from 'better-sqlite3'
import { Connection } from './connection.ts'
import { TooSlow } from './database.ts'
import { Deadline } from './deadline.ts'
import { answerUntilEnd } from './end-thread.ts'
import { codeOf, messageOf } from './error-code.ts'
import type { Question, Reply } from './reading-threads.ts'

/** Slow queries yield the processor to fast ones. On other systems this would slow down the whole process. */
if (process.platform === 'linux') setPriority(0, 10)

const { path }: { readonly path: string } = workerData
const connection = new Connection(new SQLite(path, { fileMustExist: true, timeout: 5000 }))
connection.database.pragma('query_only = ON')
const deadline = new Deadline(connection.database)
parentPort!.postMessage({ isReady: true } satisfies Reply)

answerUntilEnd(
  parentPort!,
  (question: Question) => parentPort!.postMessage(answer(question)),
  () => connection.database.close(),
)

function answer({ ms, ...statement }: Question): Reply {
  try {
    deadline.set(ms)
    return { rows: connection.run(statement) }
  } catch (error) {
    if (error instanceof TooSlow) return { error: { message: 'too slow', tooSlow: true } }
    const [message, code] = [messageOf(error), codeOf(error)]
    return { error: { message, ...(code === '' ? {} : { code }) } }
  }
}
