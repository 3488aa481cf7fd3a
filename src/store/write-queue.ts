/**
 * A queue of the writers of a process. It is bounded in length and time: a writer that has waited too long is rejected,
 * and one whose client has disconnected is not started. Writers that have no record in common run together.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Footprint, Overloaded, Unavailable, type Work } from './database.ts'
import { currentRequest, type RequestContext } from './request.ts'
import type { TraceSpan } from './trace.ts'

export const MOST_WRITERS = 1000

type Settling = Pick<WriteTask, 'done' | 'failed'>

/** A span that lasts until the write is settled. */
export function spanOfWrite(
  context: RequestContext | undefined,
  { done, failed }: Settling,
): Settling & Pick<WriteTask, 'span'> {
  const span = context?.trace?.begin?.('write')
  if (!span) return { span, done, failed }
  return {
    span,
    done(value) {
      span.end()
      done(value)
    },
    failed(error) {
      span.end(error)
      failed(error)
    },
  }
}

export const tooManyWriters = () => new Overloaded('too many writes are waiting')

/** Why a write of this request must no longer begin; undefined if it may. */
export function refusalFor(context: RequestContext | undefined): Unavailable | undefined {
  if (context?.isGone()) return new Overloaded('the client has hung up')
  if (context && performance.now() > context.deadline) return new Unavailable('other writes took too long')
  return undefined
}

export interface WriteTask {
  readonly work: () => Work<unknown>
  /** Undefined for a write that must run alone. */
  readonly footprint: Footprint | undefined
  readonly context: RequestContext | undefined
  /** From its arrival to its commit, if its request is traced. */
  readonly span: TraceSpan | undefined
  /** Runs a function in the context of the writer's own request. */
  inContext<T>(run: () => T): T
  done(value: unknown): void
  failed(error: unknown): void
}

/** How often the writers that wait behind a slow one are checked. */
const LOOK_EVERY_MS = 100
const MOST_TOGETHER = 100

export class WriteQueue {
  #waiting: WriteTask[] = []
  readonly #run: () => Promise<void>
  readonly #rest: () => Promise<void>
  readonly #more: () => void
  #isBusy = false

  /**
   * `run` settles tasks, those that wait or those that were taken before; `rest` is called when none waits. Neither ever rejects.
   * `more` is called when one comes while others run.
   */
  constructor({ run, rest, more }: { run(): Promise<void>; rest(): Promise<void>; more(): void }) {
    this.#run = run
    this.#rest = rest
    this.#more = more
  }

  get length(): number {
    return this.#waiting.length
  }

  add<T>(work: () => Work<T>, footprint: Footprint | undefined): Promise<T> {
    if (this.#waiting.length >= MOST_WRITERS) return Promise.reject(tooManyWriters())
    return new Promise<T>((done, failed) => {
      const inContext = AsyncLocalStorage.snapshot()
      const context = currentRequest()
      const { span, ...settled } = spanOfWrite(context, { done: done as WriteTask['done'], failed })
      const task = { work, context, inContext, span, ...settled }
      // Outside a request, a write has its own limits, if any.
      this.#waiting.push({ ...task, footprint: context && footprint })
      if (this.#isBusy) this.#more()
      else void this.#goOn()
    })
  }

  /** Those that would be taken now. */
  next(): readonly WriteTask[] {
    this.#dropRefused()
    const first = this.#waiting.slice(0, 1)
    return first.some(({ footprint }) => !footprint) ? first : this.#group([])
  }

  /** Those that may join others, which were taken before. */
  joining(others: readonly WriteTask[]): readonly WriteTask[] {
    this.#dropRefused()
    return this.#group(others)
  }

  /** Takes tasks out of the queue. */
  take(tasks: readonly WriteTask[]): void {
    this.#waiting = this.#waiting.filter((task) => !tasks.includes(task))
  }

  /** They come first, as before. */
  putBack(tasks: readonly WriteTask[]): void {
    this.#waiting.unshift(...tasks)
  }

  /** The first writers that may run together. A writer never overtakes one with which it shares a record. */
  #group(others: readonly WriteTask[]): WriteTask[] {
    const group: WriteTask[] = []
    const used = new Set(others.flatMap(({ footprint = [] }) => footprint))
    for (const task of this.#waiting) {
      const { footprint } = task
      if (!footprint || group.length + others.length >= MOST_TOGETHER) break
      if (!footprint.some((record) => used.has(record))) group.push(task)
      for (const record of footprint) used.add(record)
    }
    return group
  }

  async #goOn(): Promise<void> {
    this.#isBusy = true
    // The writers that arrive in the same turn of the event loop run together.
    await new Promise((turn) => setImmediate(turn))
    const looking = setInterval(() => this.#dropRefused(), LOOK_EVERY_MS).unref()
    do {
      while (this.next().length > 0) await this.#run()
      await this.#rest()
    } while (this.length > 0)
    clearInterval(looking)
    this.#isBusy = false
  }

  #dropRefused(): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const refusal = refusalFor(this.#waiting[i]!.context)
      if (refusal) this.#waiting.splice(i, 1)[0]!.failed(refusal)
    }
  }
}
