/**
 * Writing to SQLite. Those who come together are committed together: each in a savepoint of its own, so that one who
 * fails is alone with it, and nobody is answered before the one COMMIT has brought everything to disk.
 */
import { type Connection, translated } from './connection.ts'
import type { Statement, Work } from './database.ts'
import { countOn, type Generations, Touched } from './generations.ts'

interface Task {
  readonly work: () => Work<unknown>
  done(value: unknown): void
  failed(error: unknown): void
}

/** How many may share a COMMIT, and after which time the next one has to wait for it: reads want their turn. */
const MOST_TOGETHER = 256
const LONGEST_MS = 20
/** How long to wait for another process that writes, and how often to look. */
const PATIENCE_MS = 5000
const LOOK_EVERY_MS = 1

export class GroupCommit {
  readonly #connection: Connection
  readonly #generations: Generations
  readonly #waiting: Task[] = []
  #awake = false
  #busySince: number | undefined
  #onIdle: (() => void) | undefined

  constructor(connection: Connection, generations: Generations) {
    this.#connection = connection
    this.#generations = generations
    // A wait inside of SQLite would stop all readers, too.
    connection.database.pragma('busy_timeout = 0')
  }

  write<T>(work: () => Work<T>): Promise<T> {
    return new Promise<T>((done, failed) => {
      this.#waiting.push({ work, done: done as Task['done'], failed })
      this.#wake()
    })
  }

  /** Fulfilled when nobody waits any more. */
  async idle(): Promise<void> {
    if (this.#awake) await new Promise<void>((idle) => (this.#onIdle = idle))
  }

  /** At the end of this turn of the event loop, so that all who came in it are there. */
  #wake(): void {
    if (this.#awake) return
    this.#awake = true
    setImmediate(this.#next)
  }

  readonly #next = (): void => {
    const begun = this.#begin()
    if (begun === 'busy') return void setTimeout(this.#next, LOOK_EVERY_MS)
    if (begun === 'begun') this.#commitTogether()
    this.#awake = false
    if (this.#waiting.length > 0) this.#wake()
    else this.#onIdle?.()
  }

  #begin(): 'begun' | 'busy' | 'failed' {
    try {
      this.#connection.run(BEGIN)
      this.#busySince = undefined
      return 'begun'
    } catch (error) {
      const isBusy = String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')
      this.#busySince ??= performance.now()
      if (isBusy && performance.now() - this.#busySince < PATIENCE_MS) return 'busy'
      this.#busySince = undefined
      for (const { failed } of this.#waiting.splice(0)) failed(error)
      return 'failed'
    }
  }

  #commitTogether(): void {
    const alone = this.#waiting.length === 1
    const touched = new Touched()
    const settled: { readonly task: Task; settle(): void }[] = []
    const started = performance.now()
    try {
      do {
        const task = this.#waiting.shift()!
        settled.push({ task, settle: this.#attempt(task, alone, touched) })
      } while (this.#waiting.length > 0 && settled.length < MOST_TOGETHER && performance.now() - started < LONGEST_MS)
      this.#commit(touched)
    } catch (error) {
      // Whatever anybody did or was told was about a transaction that never was.
      if (this.#connection.database.inTransaction) this.#connection.run(ROLLBACK)
      for (const { task } of settled) task.failed(error)
      return
    }
    for (const { settle } of settled) settle()
  }

  /** What to tell the one who asked, once it is on disk. Throws when the whole transaction is at an end. */
  #attempt({ work, done, failed }: Task, alone: boolean, touched: Touched): () => void {
    const connection = this.#connection
    const mine = new Touched()
    if (!alone) connection.run(SAVEPOINT)
    try {
      const value = connection.execute(work, mine)
      if (!alone) connection.run(RELEASE)
      touched.join(mine)
      return () => done(value)
    } catch (error) {
      if (!connection.database.inTransaction) return this.#endAll(error, failed)
      if (alone) connection.run(ROLLBACK)
      else {
        connection.run(ROLLBACK_TO)
        connection.run(RELEASE)
      }
      return () => failed(translated(error))
    }
  }

  /** SQLite itself has rolled back: a full disk, an error of input or output. */
  #endAll(error: unknown, failed: Task['failed']): never {
    failed(error)
    throw error
  }

  #commit(touched: Touched): void {
    const { database } = this.#connection
    if (!database.inTransaction) return
    const counted = this.#connection.execute(() => countOn(touched))
    this.#generations.expect(counted)
    try {
      this.#connection.run(COMMIT)
      this.#generations.settle(counted, true)
    } catch (error) {
      this.#generations.settle(counted, false)
      throw error
    }
  }
}

const statement = (sql: string): Statement => ({ sql, parameters: [] })
const BEGIN = statement('BEGIN IMMEDIATE')
const COMMIT = statement('COMMIT')
const ROLLBACK = statement('ROLLBACK')
const SAVEPOINT = statement('SAVEPOINT request')
const RELEASE = statement('RELEASE SAVEPOINT request')
const ROLLBACK_TO = statement('ROLLBACK TO SAVEPOINT request')
