/**
 * A queue of the writers of a process. It is bounded in length and time: a writer that has waited too long is rejected,
 * and one whose client has disconnected is never started.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Overloaded, Unavailable } from './database.ts'
import { currentRequest, type RequestContext } from './request.ts'

export const MOST_WRITERS = 1000

export const tooManyWriters = () => new Overloaded('too many writes are waiting')

/** Why a write of this request must no longer begin; undefined if it may. */
export function refusalFor(context: RequestContext | undefined): Unavailable | undefined {
  if (context?.isGone()) return new Overloaded('the client has hung up')
  if (context && performance.now() > context.deadline) return new Unavailable('other writes took too long')
  return undefined
}

interface Waiting {
  readonly context: RequestContext | undefined
  begin(): Promise<void>
  fail(error: Unavailable): void
}

/** How often the writers that wait behind a slow one are checked. */
const LOOK_EVERY_MS = 100

export class WriteQueue {
  readonly #waiting: Waiting[] = []
  #isBusy = false
  #looking: NodeJS.Timeout | undefined

  run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting.length >= MOST_WRITERS) return Promise.reject(tooManyWriters())
    return new Promise<T>((done, fail) => {
      // It begins in the context of its own request, not of the writer before it.
      const begin = AsyncLocalStorage.bind(() => task().then(done, fail))
      this.#waiting.push({ context: currentRequest(), begin, fail })
      if (!this.#isBusy) void this.#goOn()
    })
  }

  async #goOn(): Promise<void> {
    this.#isBusy = true
    for (;;) {
      this.#dropRefused()
      const next = this.#waiting.shift()
      if (!next) break
      this.#looking ??= setInterval(() => this.#dropRefused(), LOOK_EVERY_MS).unref()
      await next.begin()
    }
    clearInterval(this.#looking)
    this.#looking = undefined
    this.#isBusy = false
  }

  #dropRefused(): void {
    for (let i = this.#waiting.length - 1; i >= 0; i--) {
      const refusal = refusalFor(this.#waiting[i]!.context)
      if (refusal) this.#waiting.splice(i, 1)[0]!.fail(refusal)
    }
  }
}
