/**
 * Writes that share a transaction of PostgreSQL. They may run ahead of the lock: up to their first statements, which leave
 * with the question for the lock, or while PostgreSQL waits for it. It carries them out as soon as it gives the lock, so
 * nobody else has to wait for a round trip of ours.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { NAMES_CHANGED } from './accounts.ts'
import { generationOf, type Moment } from './generations.ts'
import { Lockstep, type Memory, type Outcome, type Send } from './lockstep.ts'
import type { NewIds } from './new-ids.ts'
import type { Beginning } from './postgres-transaction.ts'
import type { RememberedRows } from './remembered-rows.ts'
import { Touched } from './touched.ts'
import type { WriteTask } from './write-queue.ts'

/** Another process has written something first that matters to writes that ran ahead: they have to run again. */
export class Overtaken extends Error {}

interface GroupParts {
  readonly remembered: RememberedRows
  readonly guess: Moment | undefined
  readonly ids: NewIds
}

export class PostgresGroup {
  readonly tasks: WriteTask[] = []
  readonly touched: Touched[] = []
  readonly lockstep: Lockstep
  readonly ids: NewIds
  /** What this process knew when the first began; undefined while the tables are being made. */
  readonly #guess: Moment | undefined
  /** The resources of what the writes did not ask for: rows, and the names of accounts. */
  readonly #relied = new Set<string>([NAMES_CHANGED.resource])
  /** Those that join share the limits of the first. */
  readonly #inContext = AsyncLocalStorage.snapshot()

  constructor(send: Send, { remembered, guess, ids }: GroupParts) {
    this.#guess = guess
    this.ids = ids
    this.lockstep = new Lockstep(send, { ids, memory: guess && this.#noting(remembered.at(guess)) })
  }

  add(tasks: readonly WriteTask[]): void {
    const touched = tasks.map(({ context }) => new Touched(context?.trace))
    this.tasks.push(...tasks)
    this.touched.push(...touched)
    const works = tasks.map(({ work }) => work)
    this.#inContext(() => this.lockstep.begin(works, touched))
  }

  finish(): Promise<readonly Outcome[]> {
    return this.lockstep.finish()
  }

  /** For writes that ran ahead, once they have finished. Throws `Overtaken`. */
  check({ moment, newest = '', lastIds }: Beginning): void {
    if (!this.ids.follow(lastIds)) throw new Overtaken('others have inserted records')
    for (const resource of this.#relied) {
      const [guessed, shown] = [this.#guess, moment].map((each) => each && generationOf(each, resource).number)
      if (guessed !== shown) throw new Overtaken(`${resource} has changed`)
    }
    // The times of the log do not go back.
    if (this.touched.some(({ author }) => author && author.at < newest)) throw new Overtaken('others have written')
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

/** Its statements are in the trace of one of them. */
export function noteGroup(tasks: readonly WriteTask[]): void {
  const leader = tasks.find(({ span }) => span)?.span
  if (!leader) return
  const attributes = { 'nymdex.write.group_size': tasks.length, 'nymdex.write.statements_in': leader.id }
  for (const { span } of tasks) span?.set(attributes)
}

/** They wait for each other, so of those that begin it, the one with the most time left decides. */
export function sharedContext(tasks: readonly WriteTask[]) {
  const contexts = tasks.flatMap(({ context }) => context ?? [])
  const latest = (of: 'deadline' | 'queryDeadline') => Math.max(...contexts.map((context) => context[of]))
  const [deadline, queryDeadline] = [latest('deadline'), latest('queryDeadline')]
  const trace = tasks.find(({ span }) => span)?.span
  return { id: contexts[0]?.id ?? '', trace, deadline, queryDeadline, isGone: () => false, pause: () => {} }
}

/** Returns whether it is settled. */
export function settle(outcome: Outcome | undefined, done: WriteTask['done'], failed: WriteTask['failed']): boolean {
  if (outcome === undefined || outcome === 'alone') return false
  if ('error' in outcome) failed(outcome.error)
  else done(outcome.value)
  return true
}
