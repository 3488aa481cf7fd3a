/**
 * The request that is being answered, for code far below the server: how long it may still wait for the database, and
 * whether its client is still there. Work outside of a request (a command, a migration) has none: what it waits for has limits of its own, if any.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface RequestContext {
  readonly id: string
  /** Until when it waits for the database: a connection, a statement, the write lock. Compared with performance.now(). */
  deadline: number
  /** Until when its slow queries may run, all of them together. */
  queryDeadline: number
  /** Has the client hung up? Then a write that has not begun never begins. */
  isGone(): boolean
  /** Tells that it waits for something slow, and later that it goes on: others take its place meanwhile. */
  pause(isPaused: boolean): void
}

const contexts = new AsyncLocalStorage<RequestContext>()

export function currentRequest(): RequestContext | undefined {
  return contexts.getStore()
}

export function inRequest<T>(context: RequestContext, task: () => T): T {
  return contexts.run(context, task)
}

/** Runs a task that may take long while the request waits for it. */
export async function whilePaused<T>(task: () => Promise<T>): Promise<T> {
  const context = currentRequest()
  context?.pause(true)
  try {
    return await task()
  } finally {
    context?.pause(false)
  }
}

/** For work that a request begins and does not wait for. */
export function outsideRequest<T>(task: () => T): T {
  return contexts.exit(task)
}

/** For work that goes on after its request has been answered: it waits for the database for so long. */
export function withinSeconds<T>(seconds: number, task: () => T): T {
  const deadline = performance.now() + seconds * 1000
  return contexts.run({ id: '', deadline, queryDeadline: deadline, isGone: () => false, pause: () => {} }, task)
}

/** How many milliseconds the request may still wait, none when it is 0 or less; undefined outside of a request. */
export function millisecondsLeft(): number | undefined {
  const context = currentRequest()
  return context && Math.ceil(context.deadline - performance.now())
}
