/** A request and its response: how the request is read, and how long it may take. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '../../engine/index.ts'
import type { RequestContext } from '../../store/index.ts'
import { type Request, splitTarget } from '../exchange/message.ts'
import type { Known } from './cached-reads.ts'
import { collectBody } from './collect.ts'
import type { OriginReader } from './origin.ts'

/** How long a request may wait, in seconds. */
export interface Patience {
  /** For the database: a connection, a statement, the write lock. */
  readonly databaseSeconds: number
  /** For all its slow queries together. */
  readonly querySeconds: number
}

export class Exchange {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly started = performance.now()
  readonly context: RequestContext
  known: Known = {}
  /** Could the body not be read to its end? */
  broken = false
  readonly #patience: Patience
  /** Why the rest of the body cannot be read, for code that waits for it. */
  #fault: Problem | undefined
  #onFault: ((problem: Problem) => void) | undefined
  #pauses = 0
  /** Called when the request waits for its client or for something slow, and when it continues. */
  onPause: (isPaused: boolean) => void = () => {}

  constructor(message: IncomingMessage, response: ServerResponse, id: string, patience: Patience) {
    this.message = message
    this.response = response
    this.id = id
    this.#patience = patience
    const { socket } = message
    this.context = {
      id,
      deadline: 0,
      queryDeadline: 0,
      isGone: () => socket.destroyed,
      pause: (isPaused) => this.#pause(isPaused),
    }
    this.#startWaiting()
  }

  /** The rest of the body cannot be read: the code that waits for it gets the reason. */
  breakOff(problem: Problem): void {
    this.broken = true
    this.#fault = problem
    this.#onFault?.(problem)
  }

  readRequest(origins: Pick<OriginReader, 'read'>): Request {
    const { message } = this
    let body: Promise<Buffer> | undefined
    return {
      id: this.id,
      method: message.method!,
      ...splitTarget(message.url!),
      headers: message.headers,
      ...(this.known.origin ?? origins.read(message)),
      cached: this.known.cached,
      body: () => {
        body ??= this.#collect()
        return body
      },
    }
  }

  async #collect(): Promise<Buffer> {
    this.#pause(true)
    try {
      return await Promise.race([collectBody(this.message, this.response), this.brokenOff()])
    } finally {
      this.#pause(false)
      // How long a client takes to send is limited elsewhere.
      this.#startWaiting()
    }
  }

  /** Rejects when the rest of the body cannot be read. */
  brokenOff(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.#fault) reject(this.#fault)
      this.#onFault = reject
    })
  }

  /** A page may wait for several things at once. */
  #pause(isPaused: boolean): void {
    this.#pauses += isPaused ? 1 : -1
    if (this.#pauses === (isPaused ? 1 : 0)) this.onPause(isPaused)
  }

  #startWaiting(): void {
    const now = performance.now()
    this.context.deadline = now + this.#patience.databaseSeconds * 1000
    this.context.queryDeadline = now + this.#patience.querySeconds * 1000
  }
}
