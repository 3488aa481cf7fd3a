/** A request and its response: how the request is read, and how long it may take. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Problem } from '../../engine/index.ts'
import { type Request, splitTarget } from '../exchange/message.ts'
import type { Known } from './cached-reads.ts'
import { collectBody } from './collect.ts'
import type { OriginReader } from './origin.ts'
import { type Patience, RequestWait } from './request-wait.ts'

export interface ExchangeParts {
  readonly patience: Patience
  idOf(message: IncomingMessage): string
}

export class Exchange {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly started = performance.now()
  known: Known = {}
  /** Could the body not be read to its end? */
  broken = false
  /** Why the rest of the body cannot be read, for code that waits for it. */
  #fault: Problem | undefined
  #onFault: ((problem: Problem) => void) | undefined
  readonly #parts: ExchangeParts
  #id: string | undefined
  #context: RequestWait | undefined

  constructor(message: IncomingMessage, response: ServerResponse, parts: ExchangeParts) {
    this.message = message
    this.response = response
    this.#parts = parts
  }

  /** Made when it is first needed: most reads are answered from the cache without it. */
  get id(): string {
    this.#id ??= this.#parts.idOf(this.message)
    return this.#id
  }

  /** The same. Its limits begin with the first use. */
  get context(): RequestWait {
    const { socket } = this.message
    this.#context ??= new RequestWait(this.id, this.#parts.patience, () => socket.destroyed)
    return this.#context
  }

  /** The rest of the body cannot be read: the code that waits for it gets the reason. */
  breakOff(problem: Problem): void {
    this.broken = true
    this.#fault = problem
    this.#onFault?.(problem)
  }

  readRequest(origins: OriginReader): Request {
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
    this.context.pause(true)
    try {
      return await Promise.race([collectBody(this.message, this.response), this.#broken()])
    } finally {
      this.context.pause(false)
      this.context.restart()
    }
  }

  #broken(): Promise<never> {
    return new Promise((_, reject) => {
      if (this.#fault) reject(this.#fault)
      this.#onFault = reject
    })
  }
}
