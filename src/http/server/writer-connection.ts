/** A connection of a worker to the writer, and the requests that are on their way over it. */
import type { ServerResponse } from 'node:http'
import { createConnection, type Socket } from 'node:net'
import { Problem, problems } from '../../engine/index.ts'
import { type Answer, isRead, type Request } from '../exchange/message.ts'
import { LIMITS } from '../exchange/wire-limits.ts'
import { hasBody } from './carries.ts'
import type { Exchange } from './exchange.ts'
import { isBodyUnasked } from './expect.ts'
import {
  ANSWER,
  BODY,
  CUT,
  END,
  FAULT,
  type Frame,
  FrameSocket,
  GONE,
  HELLO,
  PIECE,
  REQUEST,
  TAKEN,
  WANTS_BODY,
} from './frames.ts'
import type { Hello, PassedAnswer, PassedRequest } from './passed.ts'

/** A longer body is read when the writer wants it. */
const SHORT_BODY = 16 * 1024

/** A request that is not answered completely. */
interface Pending {
  hear(frame: Frame): void
  /** The writer has gone. */
  lose(): void
}

export class WriterConnection {
  readonly path: string
  /** Resolves when it is closed. */
  readonly closed: Promise<void>
  /** How many requests the writer has not begun to answer. */
  unanswered = 0
  readonly #frames: FrameSocket
  readonly #onAnswer: () => void
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #isClosed = false

  private constructor(path: string, socket: Socket, onAnswer: () => void) {
    this.path = path
    this.#onAnswer = onAnswer
    this.#frames = new FrameSocket(socket, (frame) => this.#pending.get(frame.id)?.hear(frame))
    this.closed = new Promise((closed) => {
      socket.once('close', () => {
        this.#isClosed = true
        for (const pending of [...this.#pending.values()]) pending.lose()
        closed()
      })
    })
  }

  /** Undefined if nobody listens there. `onAnswer` is called when the writer begins to answer a request. */
  static open(path: string, secret: string, onAnswer: () => void): Promise<WriterConnection | undefined> {
    return new Promise((opened) => {
      const socket = createConnection(path)
      socket.once('close', () => opened(undefined))
      // Closing it follows.
      socket.on('error', () => {})
      socket.once('connect', () => {
        const connection = new WriterConnection(path, socket, onAnswer)
        const hello: Hello = { secret }
        connection.#frames.send(HELLO, 0, hello)
        opened(connection)
      })
    })
  }

  /** Undefined if it can be asked again: nothing was sent, or only a question. */
  ask(exchange: Exchange, request: Request): Promise<Answer | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    const { message, response } = exchange
    const id = this.#lastId >= MOST_IDS ? 1 : this.#lastId + 1
    this.#lastId = id
    this.unanswered++
    return new Promise((answered, failed) => {
      const settle = () => {
        clearTimeout(late)
        response.off('close', takeBack)
        this.#pending.delete(id)
        this.unanswered--
        this.#onAnswer()
      }
      const fail = () => {
        settle()
        if (isRead(request) && !hasBody(message.headers)) answered(undefined)
        else failed(problems.interrupted())
      }
      // A client that disconnects takes its request back, if the writer has not begun it.
      const takeBack = () => this.#frames.send(GONE, id)
      const late = setTimeout(() => {
        takeBack()
        fail()
      }, LIMITS.writerMs)
      response.once('close', takeBack)
      this.#pending.set(id, {
        lose: fail,
        hear: ({ kind, head, bytes }) => {
          if (kind === WANTS_BODY) void this.#sendBody(id, request)
          else if (kind === ANSWER) {
            settle()
            answered(this.#answerIn(id, response, JSON.parse(head), bytes))
          }
        },
      })
      this.#sendRequest(id, exchange, request)
    })
  }

  close(): void {
    this.#frames.close()
  }

  #sendRequest(id: number, { message, context: { trace } }: Exchange, request: Request): void {
    const { base, address, method } = request
    const headers = trace ? { ...request.headers, ...trace.headers } : request.headers
    const isShort = Number(headers['content-length'] ?? Number.NaN) <= SHORT_BODY && !isBodyUnasked(message)
    const body = hasBody(message.headers) ? (isShort ? 'comes' : 'asked for') : 'none'
    const passed: PassedRequest = { id: request.id, method, target: message.url ?? '', headers, base, address, body }
    this.#frames.send(REQUEST, id, passed)
    if (body === 'comes') void this.#sendBody(id, request)
  }

  async #sendBody(id: number, request: Request): Promise<void> {
    try {
      this.#frames.send(BODY, id, undefined, await request.body())
    } catch (error) {
      const { status, body, headers } = error instanceof Problem ? error : problems.serverError()
      this.#frames.send(FAULT, id, { status, body, headers })
    }
  }

  #answerIn(id: number, response: ServerResponse, { isStream, ...answer }: PassedAnswer, bytes: Buffer): Answer {
    if (!isStream) return { ...answer, body: bytes }
    const pieces = new Pieces()
    this.#pending.set(id, pieces)
    // The next piece may be far away.
    response.once('close', () => {
      if (pieces.isOver) return
      this.#frames.send(GONE, id)
      pieces.lose()
    })
    return { ...answer, body: this.#stream(id, pieces) }
  }

  async *#stream(id: number, pieces: Pieces): AsyncGenerator<Buffer> {
    try {
      for (let piece = await pieces.next(); piece; piece = await pieces.next()) {
        yield piece
        this.#frames.send(TAKEN, id)
      }
    } finally {
      this.#pending.delete(id)
      if (!pieces.isOver) this.#frames.send(GONE, id)
    }
  }
}

/** Ids are four bytes; one is free again long before all were used. */
const MOST_IDS = 2 ** 32 - 1

/** A streamed answer. The writer sends a few pieces before the first of them is taken. */
class Pieces implements Pending {
  readonly #pieces: Buffer[] = []
  #waiting: (() => void) | undefined
  #isCut = false
  isOver = false

  hear({ kind, bytes }: Frame): void {
    if (kind === PIECE) this.#pieces.push(bytes)
    else if (kind === END) this.isOver = true
    else if (kind === CUT) this.lose()
    this.#waiting?.()
  }

  lose(): void {
    this.#isCut = true
    this.isOver = true
    this.#waiting?.()
  }

  /** Undefined at the end. Throws if the rest is missing. */
  async next(): Promise<Buffer | undefined> {
    while (this.#pieces.length === 0 && !this.isOver) await new Promise<void>((woken) => (this.#waiting = woken))
    const piece = this.#pieces.shift()
    if (!piece && this.#isCut) throw problems.interrupted()
    return piece
  }
}
