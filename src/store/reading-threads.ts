/**
 * Worker threads that read SQLite. All other SQL runs on the main thread, where a scan of a large table would block
 * everyone; here it blocks only other scans.
 */
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Row } from '../declare/index.ts'
import {
  NOTHING,
  Overloaded,
  type Snapshot,
  type Statement,
  TooSlow,
  throwInto,
  Unavailable,
  type Work,
} from './database.ts'
import { endThread } from './end-thread.ts'
import { type Generations, logAfter, type Moment, READ_GENERATIONS_AND_LOG } from './generations.ts'
import { inTime } from './in-time.ts'
import { translated } from './sqlite-errors.ts'
import type { StatementWatch } from './statement-watch.ts'

/** To a thread: one statement, and how many milliseconds it may take. */
export interface Question extends Pick<Statement, 'sql' | 'parameters' | 'rare'> {
  readonly ms: number | undefined
}

/** From a thread. The first one says that it has opened the database. */
export type Reply = { readonly isReady: true } | Answer

type Answer =
  | { readonly rows: readonly Row[] }
  | { readonly error: { readonly message: string; readonly code?: string; readonly tooSlow?: true } }

const BEGIN = statement('BEGIN')
const END = statement('COMMIT')
const ROLLBACK = statement('ROLLBACK')

const MOST_WAITING = 64
/** Work that a thread cannot interrupt in time, such as sorting, is not awaited longer than this. */
const GRACE_MS = 100

export class ReadingThreads {
  readonly #path: string
  readonly #most: number
  readonly #mostWaiting: number
  readonly #watch: StatementWatch | undefined
  readonly #generations: Generations
  readonly #all = new Set<ReadingThread>()
  readonly #idle: ReadingThread[] = []
  readonly #waiting: ((thread: ReadingThread | undefined) => void)[] = []

  /** `mostWaiting`: more waiting requests would run out of time. */
  constructor(
    path: string,
    most: number,
    generations: Generations,
    { mostWaiting = MOST_WAITING, watch }: { mostWaiting?: number; watch?: StatementWatch | undefined } = {},
  ) {
    this.#watch = watch
    this.#mostWaiting = mostWaiting
    this.#path = path
    this.#most = most
    this.#generations = generations
  }

  /** Runs the work on one snapshot, with a limit in seconds that includes waiting. */
  async read<T>(work: (moment: Moment) => Work<T>, seconds: number): Promise<T> {
    const until = performance.now() + seconds * 1000
    const thread = await this.#take(until)
    try {
      const moment = await this.#begin(thread, until)
      const value = await complete(work(moment), (statement) => thread.ask(statement, until))
      await thread.ask(END, until)
      this.#giveBack(thread)
      return value
    } catch (error) {
      this.#abandon(thread)
      throw error
    }
  }

  /** Takes a thread for as long as the snapshot is open; waits for it up to this many seconds. */
  async snapshot(seconds: number): Promise<Snapshot> {
    const until = performance.now() + seconds * 1000
    const thread = await this.#take(until).catch((error) => {
      throw error instanceof TooSlow ? new Overloaded('too many collections are being sent as a whole') : error
    })
    try {
      const moment = await this.#begin(thread, until)
      return {
        moment,
        read: (work, limit) => {
          const end = performance.now() + limit * 1000
          return complete(work, (statement) => thread.ask(statement, end))
        },
        close: () => this.#abandon(thread),
      }
    } catch (error) {
      this.#abandon(thread)
      throw error
    }
  }

  async #begin(thread: ReadingThread, until: number): Promise<Moment> {
    await thread.ask(BEGIN, until)
    const sql = READ_GENERATIONS_AND_LOG
    return this.#generations.see(await thread.ask({ sql, parameters: logAfter(this.#generations) }, until))
  }

  /** Ends its transaction as soon as the late statement is done. */
  #abandon(thread: ReadingThread): void {
    void thread
      .idle()
      .then(
        () => thread.ask(ROLLBACK).catch(() => {}),
        () => {},
      )
      .then(() => this.#giveBack(thread))
  }

  async close(): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting(undefined)
    await Promise.all([...this.#all].map((thread) => thread.close()))
  }

  async #take(until: number): Promise<ReadingThread> {
    const idle = this.#idle.pop()
    if (idle) return idle
    if (this.#all.size === 0) return this.#start()
    if (this.#waiting.length >= this.#mostWaiting) throw new Overloaded('too many wait to read')
    // A thread takes a while to start; one of the others may be free before.
    if (this.#all.size < this.#most) this.#start().onReady((thread) => this.#giveBack(thread))
    let giveUp: NodeJS.Timeout | undefined
    const thread = await new Promise<ReadingThread | undefined>((taken) => {
      this.#waiting.push(taken)
      giveUp = setTimeout(() => {
        const place = this.#waiting.indexOf(taken)
        if (place >= 0) this.#waiting.splice(place, 1)
        taken(undefined)
      }, until - performance.now())
    })
    clearTimeout(giveUp)
    if (!thread) throw new TooSlow()
    return thread
  }

  #start(): ReadingThread {
    const thread = new ReadingThread(this.#path, this.#watch)
    this.#all.add(thread)
    thread.onEnd(() => {
      this.#all.delete(thread)
      const place = this.#idle.indexOf(thread)
      if (place >= 0) this.#idle.splice(place, 1)
      // It cannot be given back: a request that waits for it gets a new one.
      this.#waiting.shift()?.(this.#start())
    })
    return thread
  }

  #giveBack(thread: ReadingThread): void {
    if (!this.#all.has(thread)) return
    const next = this.#waiting.shift()
    if (next) next(thread)
    else this.#idle.push(thread)
  }
}

/** One thread with its own connection. It handles one request at a time. */
class ReadingThread {
  readonly #watch: StatementWatch | undefined
  readonly #worker: Worker
  #asked: { answer(reply: Answer): void; fail(error: unknown): void } | undefined
  #onReady: (() => void) | undefined
  #busy: Promise<unknown> = Promise.resolve()

  constructor(path: string, watch: StatementWatch | undefined) {
    this.#watch = watch
    this.#worker = new Worker(new URL(`./reading-thread${extname(import.meta.url)}`, import.meta.url), {
      workerData: { path },
    })
    this.#worker.unref()
    this.#worker.on('message', (reply: Reply) => {
      if ('isReady' in reply) this.#onReady?.()
      else this.#asked?.answer(reply)
    })
    this.#worker.on('error', (error) => this.#asked?.fail(translated(error)))
    this.#worker.on('exit', () => this.#asked?.fail(new Unavailable('a reading thread has ended')))
  }

  onReady(listener: (thread: this) => void): void {
    this.#onReady = () => listener(this)
  }

  onEnd(listener: () => void): void {
    this.#worker.once('exit', listener)
  }

  /** Resolves when nothing runs on it. */
  idle(): Promise<unknown> {
    return this.#busy.catch(() => {})
  }

  async ask(statement: Statement, until?: number): Promise<readonly Row[]> {
    if (statement.sql === NOTHING) return []
    const watched = this.#watch?.begin(statement.sql)
    try {
      const rows = await this.#ask(statement, until)
      watched?.end(rows.length)
      return rows
    } catch (error) {
      watched?.fail(error)
      throw error
    }
  }

  async #ask({ sql, parameters, rare }: Statement, until?: number): Promise<readonly Row[]> {
    const ms = until === undefined ? undefined : until - performance.now()
    if (ms !== undefined && ms <= 0) throw new TooSlow()
    const { promise, resolve: answer, reject: fail } = Promise.withResolvers<Answer>()
    this.#asked = { answer, fail }
    this.#busy = promise
    this.#worker.postMessage({ sql, parameters, rare, ms } as Question)
    const reply = ms === undefined ? await promise : await inTime(promise, ms + GRACE_MS)
    if (!reply) throw new TooSlow()
    if ('rows' in reply) return reply.rows
    throw reply.error.tooSlow ? new TooSlow() : translated(Object.assign(new Error(reply.error.message), reply.error))
  }

  async close(): Promise<void> {
    await endThread(this.#worker)
  }
}

/** Runs the steps of a work, sending each statement through `ask`. */
async function complete<T>(steps: Work<T>, ask: (statement: Statement) => Promise<readonly Row[]>): Promise<T> {
  let step = steps.next()
  while (!step.done) {
    let rows: readonly Row[]
    try {
      rows = await ask(step.value)
    } catch (error) {
      step = throwInto(steps, error)
      continue
    }
    step = steps.next(rows)
  }
  return step.value
}

function statement(sql: string): Statement {
  return { sql, parameters: [] }
}
