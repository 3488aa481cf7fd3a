/**
 * The request context, for code far below the server: how long the request may still wait for the database, and whether
 * its client is still connected. Work outside a request (a command, a migration) has none; its waits have their own
 * limits, if any.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Trace } from './trace.ts'

export interface RequestContext {
  readonly id: string
  /**
   * The deadline for waiting for the database: a connection, a statement, the write lock. Compared with
   * performance.now().
   */
  deadline: number
  /** The deadline for all its slow queries together. */
  queryDeadline: number
  /** Whether this process has looked for commits since the request came, or since it last wrote or waited. */
  isFresh?: boolean
  /** The trace that it belongs to, if it has one. */
  trace?: Trace | undefined
  /** Whether the client has disconnected. If so, a write that has not begun never begins. */
  isGone(): boolean
  /** Says that it waits for something slow, and later that it continues: others take its place meanwhile. */
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

/** The same for a wait that the client has asked for: it does not count against the limits of the request. */
export async function whileClientWaits<T>(task: () => Promise<T>): Promise<T> {
  const context = currentRequest()
  const started = performance.now()
  try {
    return await whilePaused(task)
  } finally {
    const ms = performance.now() - started
    if (context) {
      context.deadline += ms
      context.queryDeadline += ms
      context.isFresh = false
    }
  }
}

/** For work that a request starts and does not wait for. */
export function outsideRequest<T>(task: () => T): T {
  return contexts.exit(task)
}

/** For work that continues after the response: its own limit for waiting for the database. */
export function withinSeconds<T>(seconds: number, task: () => T): T {
  const deadline = performance.now() + seconds * 1000
  const { id = '', trace } = currentRequest() ?? {}
  return contexts.run({ id, trace, deadline, queryDeadline: deadline, isGone: () => false, pause: () => {} }, task)
}

/** How many milliseconds the request may still wait, 0 or less for none; undefined outside a request. */
export function millisecondsLeft(): number | undefined {
  const context = currentRequest()
  return context && Math.ceil(context.deadline - performance.now())
}
