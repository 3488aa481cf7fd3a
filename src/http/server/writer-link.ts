/**
 * How a worker passes requests on to the writer, the one process of a server that writes. While the writer is replaced,
 * requests wait for the next one.
 */
import { problems } from '../../engine/index.ts'
import { whilePaused } from '../../store/index.ts'
import type { Answer, Request } from '../exchange/message.ts'
import type { Exchange } from './exchange.ts'
import { WriterConnection } from './writer-connection.ts'

/** How long until a writer that cannot be reached is tried again, if nobody says that there is another one. */
const AGAIN_MS = 100

export class WriterLink {
  readonly #secret: string
  readonly #waitMs: number
  #path: string | undefined
  #connection: Promise<WriterConnection | undefined> | undefined
  /** To all writers that have not ended. */
  readonly #connections = new Set<WriterConnection>()
  #otherPath = Promise.withResolvers<void>()
  #onAnswer: () => void = () => {}

  /** `waitSeconds`: how long a request waits for a writer. */
  constructor(secret: string, waitSeconds: number) {
    this.#secret = secret
    this.#waitMs = waitSeconds * 1000
  }

  /** From now on, this is the socket of the writer; undefined if there is none at the moment. */
  use(path: string | undefined): void {
    if (path === this.#path) return
    this.#path = path
    this.#connection = undefined
    this.#otherPath.resolve()
    this.#otherPath = Promise.withResolvers()
  }

  /** Resolves when no other writer has a request that it has not begun to answer. */
  hasSwitched(): Promise<void> {
    return new Promise((switched) => {
      this.#onAnswer = () => {
        const others = [...this.#connections].filter(({ path }) => path !== this.#path)
        if (others.every(({ unanswered }) => unanswered === 0)) switched()
      }
      this.#onAnswer()
    })
  }

  /** Call it when there are no more requests. */
  close(): void {
    this.use(undefined)
    for (const connection of this.#connections) connection.close()
  }

  pass(exchange: Exchange, request: Request): Promise<Answer> {
    return whilePaused(() => this.#pass(exchange, request))
  }

  async #pass(exchange: Exchange, request: Request): Promise<Answer> {
    const until = performance.now() + this.#waitMs
    for (;;) {
      const connection = await this.#connected()
      const answer = await connection?.ask(exchange, request)
      if (answer) return answer
      if (performance.now() > until || exchange.response.closed) throw problems.replacing()
      await Promise.race([this.#otherPath.promise, new Promise((again) => setTimeout(again, AGAIN_MS))])
    }
  }

  #connected(): Promise<WriterConnection | undefined> {
    const path = this.#path
    if (path === undefined) return Promise.resolve(undefined)
    this.#connection ??= this.#connect(path)
    return this.#connection
  }

  async #connect(path: string): Promise<WriterConnection | undefined> {
    const connection = await WriterConnection.open(path, this.#secret, () => this.#onAnswer())
    if (connection) {
      this.#connections.add(connection)
      void connection.closed.then(() => this.#connections.delete(connection))
    }
    // The next request connects again.
    const forget = () => {
      if (this.#path === path) this.#connection = undefined
    }
    if (connection) void connection.closed.then(forget)
    else forget()
    return connection
  }
}
