/**
 * How a worker passes requests on to the writer, the one process of a server that writes. Bodies and answers are
 * streamed both ways over a private socket. While the writer is replaced, requests wait for the next one.
 */
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { problems } from '../../engine/index.ts'
import { whilePaused } from '../../store/index.ts'
import { type Answer, type Headers, isRead, type Request } from '../exchange/message.ts'
import { LIMITS } from '../exchange/wire-limits.ts'
import { hasBody } from './carries.ts'
import type { Exchange } from './exchange.ts'
import { askForBody, isBodyUnasked } from './expect.ts'
import { passedHeaders } from './passed-origin.ts'

/** A longer answer is streamed. */
const SHORT_ANSWER = 64 * 1024
/** How long until a writer that refuses connections is tried again, if nobody says that there is another one. */
const AGAIN_MS = 100
const IDLE_CONNECTIONS = 64

export class WriterLink {
  readonly #secret: string
  readonly #waitMs: number
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS })
  #path: string | undefined
  /** Requests that the writer has not begun to answer, and where they were sent. */
  readonly #unanswered = new Map<ClientRequest, string>()
  #otherPath = Promise.withResolvers<void>()
  /** Called when a request is answered. */
  #onAnswer: () => void = () => {}

  /** `waitSeconds`: how long a request waits for a writer. */
  constructor(secret: string, waitSeconds: number) {
    this.#secret = secret
    this.#waitMs = waitSeconds * 1000
  }

  /** From now on, this is the socket of the writer; undefined if there is none at the moment. */
  use(path: string | undefined): void {
    this.#path = path
    this.#otherPath.resolve()
    this.#otherPath = Promise.withResolvers()
  }

  /** Resolves when no other writer has a request that it has not begun to answer. */
  hasSwitched(): Promise<void> {
    return new Promise((switched) => {
      this.#onAnswer = () => {
        if ([...this.#unanswered.values()].every((path) => path === this.#path)) switched()
      }
      this.#onAnswer()
    })
  }

  pass(exchange: Exchange, request: Request): Promise<Answer> {
    return whilePaused(() => Promise.race([this.#pass(exchange, request), exchange.brokenOff()]))
  }

  async #pass(exchange: Exchange, request: Request): Promise<Answer> {
    const until = performance.now() + this.#waitMs
    for (;;) {
      const path = this.#path
      const answer = path === undefined ? undefined : await this.#ask(path, exchange, request)
      if (answer) return answer
      if (performance.now() > until || exchange.response.closed) throw problems.replacing()
      await Promise.race([this.#otherPath.promise, new Promise((again) => setTimeout(again, AGAIN_MS))])
    }
  }

  /** Undefined if it can be asked again: nothing was sent, or only a question. */
  #ask(path: string, exchange: Exchange, request: Request): Promise<Answer | undefined> {
    const { message, response } = exchange
    const headers = passedHeaders(message, request, this.#secret)
    if (!hasBody(message.headers) && !isRead(request)) headers.push('Content-Length', '0')
    if (isBodyUnasked(message)) headers.push('Expect', '100-continue')
    const asking = httpRequest({
      socketPath: path,
      agent: this.#agent,
      method: request.method,
      path: message.url,
      headers,
    })
    this.#unanswered.set(asking, path)
    return new Promise((answered, failed) => {
      let isSent = false
      const giveUp = () => asking.destroy()
      const settle = () => {
        this.#unanswered.delete(asking)
        response.off('close', giveUp)
        this.#onAnswer()
      }
      // A client that disconnects takes its request back, if the writer has not begun it.
      response.once('close', giveUp)
      asking.setTimeout(LIMITS.writerMs, giveUp)
      asking.once('socket', (socket) => {
        const begin = () => {
          isSent = true
          sendBody(exchange, asking)
        }
        if (socket.connecting) socket.once('connect', begin)
        else begin()
      })
      asking.once('response', (reply) => {
        settle()
        endBody(message, asking, reply)
        answerOf(reply, request).then(answered, failed)
      })
      asking.on('error', () => {
        settle()
        if (!isSent || (isRead(request) && !hasBody(message.headers))) answered(undefined)
        else failed(problems.interrupted())
      })
    })
  }
}

function sendBody({ message, response }: Exchange, asking: ClientRequest): void {
  if (!hasBody(message.headers)) asking.end()
  else if (!isBodyUnasked(message)) message.pipe(asking)
  else {
    asking.flushHeaders()
    asking.once('continue', () => {
      askForBody(message, response)
      message.pipe(asking)
    })
  }
}

/** The writer may answer before it has the whole body. The rest is read and dropped. */
function endBody(message: IncomingMessage, asking: ClientRequest, reply: IncomingMessage): void {
  if (asking.writableEnded) return
  message.unpipe(asking)
  if (!isBodyUnasked(message)) message.resume()
  // Its connection cannot be used again.
  reply.once('close', () => asking.destroy())
}

/** The connection to the client gets its own. */
const NEW: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
])

async function answerOf(reply: IncomingMessage, { method }: Request): Promise<Answer> {
  const { statusCode: status = 500, rawHeaders, headers: read } = reply
  const headers: Record<string, string | string[]> = {}
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (!NEW.has(name.toLowerCase())) headers[name] = joined(headers[name], value)
  }
  const length = read['content-length'] === undefined ? undefined : Number(read['content-length'])
  const answer: { status: number; headers: Headers; length?: number } = { status, headers }
  if (length !== undefined) answer.length = length
  if (method === 'HEAD' || status === 204 || status === 304) {
    reply.resume()
    return { ...answer, body: '' }
  }
  if (length === undefined || length > SHORT_ANSWER) return { ...answer, body: reply }
  const chunks: Buffer[] = []
  try {
    for await (const chunk of reply) chunks.push(chunk)
  } catch {
    throw problems.interrupted()
  }
  return { ...answer, body: Buffer.concat(chunks) }
}

function joined(known: string | string[] | undefined, value: string): string | string[] {
  return known === undefined ? value : [known, value].flat()
}
