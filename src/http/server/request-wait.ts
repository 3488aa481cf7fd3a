/** How long a request may wait, and whether it waits for something slow: the context that travels with it. */
import type { RequestContext, Trace } from '../../store/index.ts'

/** How long a request may wait, in seconds. */
export interface Patience {
  /** For the database: a connection, a statement, the write lock. */
  readonly databaseSeconds: number
  /** For all its slow queries together. */
  readonly querySeconds: number
}

export class RequestWait implements RequestContext {
  readonly id: string
  readonly isGone: () => boolean
  deadline = 0
  queryDeadline = 0
  isFresh?: boolean
  trace: Trace | undefined
  /** Called when the request waits for its client or for something slow, and when it continues. */
  onPause: (isPaused: boolean) => void = () => {}
  readonly #patience: Patience
  #pauses = 0

  constructor(id: string, patience: Patience, isGone: () => boolean) {
    this.id = id
    this.isGone = isGone
    this.#patience = patience
    this.restart()
  }

  /** How long a client takes to send is limited elsewhere: it waits from now on. */
  restart(): void {
    const now = performance.now()
    this.deadline = now + this.#patience.databaseSeconds * 1000
    this.queryDeadline = now + this.#patience.querySeconds * 1000
  }

  /** A page may wait for several things at once. Its own property, because parts of a request copy the context. */
  readonly pause = (isPaused: boolean): void => {
    this.#pauses += isPaused ? 1 : -1
    if (this.#pauses === (isPaused ? 1 : 0)) this.onPause(isPaused)
  }
}
