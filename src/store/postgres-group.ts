/**
 * Writes that share a transaction of PostgreSQL. They may run ahead of the lock: up to their first statements, which leave
 * with the question for the lock, or while PostgreSQL waits for it. It carries them out as soon as it gives the lock, so
 * nobody else has to wait for a round trip of ours.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { generationOf, type Moment } from './generations.ts'
import { Lockstep, type Memory, type Outcome, type Send } from './lockstep.ts'
import type { RememberedRows } from './remembered-rows.ts'
import { Touched } from './touched.ts'
import type { WriteTask } from './write-queue.ts'

/** What the writes took for granted is no longer so: they have to run again. */
export class Overtaken extends Error {}

export class PostgresGroup {
  readonly tasks: WriteTask[] = []
  readonly touched: Touched[] = []
  readonly lockstep: Lockstep
  /** What this process knew when the first began; undefined while the tables are being made. */
  readonly #guess: Moment | undefined
  /** The resources of the rows that the writes did not ask for. */
  readonly #relied = new Set<string>()
  /** Those that join share the limits of the first. */
  readonly #inContext = AsyncLocalStorage.snapshot()

  constructor(send: Send, remembered: RememberedRows, guess: Moment | undefined) {
    this.#guess = guess
    this.lockstep = new Lockstep(send, guess && this.#noting(remembered.at(guess)))
  }

  add(tasks: readonly WriteTask[]): void {
    const touched = tasks.map(({ context }) => new Touched(context?.trace))
    this.tasks.push(...tasks)
    this.touched.push(...touched)
    const works = tasks.map(({ work }) => work)
    this.#inContext(() => this.lockstep.begin(works, touched))
  }

  /** `moment` is the one that the transaction shows, with the lock. */
  async finish(moment: Moment | undefined): Promise<readonly Outcome[]> {
    const outcomes = await this.lockstep.finish()
    for (const resource of this.#relied) {
      const [guessed, shown] = [this.#guess, moment].map((each) => each && generationOf(each, resource).number)
      if (guessed !== shown) throw new Overtaken(`${resource} has changed`)
    }
    return outcomes
  }

  #noting(memory: Memory): Memory {
    const note = (resource: string | undefined) => resource !== undefined && this.#relied.add(resource)
    return {
      recall(statement) {
        const rows = memory.recall(statement)
        if (rows) note(statement.dependsOn)
        return rows
      },
      remember(statement, rows) {
        note(statement.dependsOn)
        memory.remember(statement, rows)
      },
    }
  }
}
