/**
 * The one folder that knows the server library, which is Node's own: a framework would cost a quarter of the speed and
 * add nothing that the route table lacks. Requests that Node itself refuses get a JSON response here too.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, problems } from '../../engine/index.ts'
import { inRequest } from '../../store/index.ts'
import type { Asked, Finished } from '../kept.ts'
import { LIMITS } from '../limits.ts'
import { type Answer, type AnsweredRequest, isWrite, type Request } from '../message.ts'
import { Admission } from './admission.ts'
import { Connections } from './connections.ts'
import { EventLoopWatch, type Held } from './event-loop.ts'
import { Exchange, type Patience } from './exchange.ts'
import { expectBody, isBodyUnasked } from './expect.ts'
import { Listeners } from './listeners.ts'
import { makeServer } from './node.ts'
import { type OriginSettings, quickOrigins } from './origin.ts'
import { Pipeline } from './pipeline.ts'
import { hasBody, isPlainRead, sendFinished } from './quick.ts'
import { refusal, refusalOf, requestLine, sendRaw } from './refuse.ts'
import { givenId, requestIds } from './request-id.ts'
import { type Sent, send } from './send.ts'

export interface ServerSettings extends OriginSettings {
  readonly host: string
  readonly port: number
  /** A request that blocks the event loop for longer than this is logged. */
  readonly holdMs: number
  /** When requests wait longer than this to begin, new ones are refused. */
  readonly queueMs: number
}

export interface AccessLog {
  /** A response that could not be sent as it was: a bug. */
  unsendable(error: unknown, id: string): void
  /** One line for each request, when its response is sent or abandoned; undefined to turn it off. */
  readonly answered: ((request: AnsweredRequest) => void) | undefined
  /** A request has blocked the event loop for too long. */
  held(held: Held & { readonly method?: string; readonly url?: string }): void
}

/** The response cache; a hit is counted as a read. */
export interface FinishedAnswers {
  find(asked: Asked, address: string): Finished | undefined | Promise<Finished | undefined>
}

export interface RunningServer {
  readonly url: string
  /**
   * First asks clients to close their connections, then accepts no new ones and lets the running requests finish;
   * resolves when all are done.
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>
}

export interface ServerParts {
  readonly respond: (request: Request) => Promise<Answer>
  readonly log: AccessLog
  readonly patience: Patience
  /** Answered at once, however busy the server is. */
  isUrgent(path: string): boolean
  readonly kept?: FinishedAnswers | undefined
  /** Receives a function to call with the id of the running request. */
  watchRunning?(mark: (id: string | undefined) => void): void
}

type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

export async function startServer(parts: ServerParts, settings: ServerSettings): Promise<RunningServer> {
  const running = new NodeServer(parts, settings)
  await running.listen()
  return running
}

class NodeServer implements RunningServer {
  readonly #parts: ServerParts
  readonly #settings: ServerSettings
  readonly #server: Server
  readonly #listeners: Listeners
  readonly #admission: Admission
  readonly #connections: Connections
  readonly #loop: EventLoopWatch
  readonly #quickOrigin: ReturnType<typeof quickOrigins>
  readonly #nextId = requestIds()
  /** What each connection waits for, until its request is done. */
  readonly #open = new Map<Socket, Exchange>()
  #isStopping = false

  constructor(parts: ServerParts, settings: ServerSettings) {
    this.#parts = parts
    this.#settings = settings
    this.#server = makeServer()
    this.#listeners = new Listeners(this.#server)
    this.#admission = new Admission(settings.queueMs)
    this.#quickOrigin = quickOrigins(settings)
    this.#connections = new Connections((socket) => this.#open.has(socket))
    this.#loop = new EventLoopWatch(settings.holdMs, (held) => this.#onHeld(held))
    parts.watchRunning?.(this.#loop.mark)
    const pipeline = new Pipeline()
    const onMessage = (message: IncomingMessage, response: ServerResponse) => {
      this.#connections.use(message.socket)
      if (pipeline.enter(message, response)) this.#begin(message, response)
      else response.once('socket', () => this.#begin(message, response))
    }
    this.#server.on('request', onMessage)
    this.#server.on('checkContinue', (message, response) => {
      expectBody(message)
      onMessage(message, response)
    })
    this.#server.on('connection', (socket) => {
      this.#admission.connected()
      // Whatever became of its requests, nobody waits for their responses any more.
      socket.once('close', () => this.#open.delete(socket))
    })
    this.#server.on('clientError', (error, socket) => {
      this.#onRefused(error, socket as Socket).catch((bug: unknown) => {
        parts.log.unsendable(bug, '-')
        socket.destroy()
      })
    })
    this.#server.on('checkExpectation', (message, response) => {
      const problem = new Problem(417, { detail: 'The Expect header cannot be satisfied.' })
      this.#sendRefusal(message, response, problem)
    })
    this.#server.on('connect', (message, socket) => {
      const answer = refusal(problems.wrongMethod('CONNECT'), givenId(message) ?? this.#nextId())
      this.#refuse(socket as Socket, answer, 'CONNECT', message.url!)
    })
  }

  async listen(): Promise<void> {
    await this.#listeners.listen(this.#settings)
  }

  get url(): string {
    const { address, port, family } = this.#server.address() as AddressInfo
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`
  }

  async stop({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#isStopping = true
    if (drainMs > 0) await new Promise((drained) => setTimeout(drained, drainMs))
    await new Promise<void>((stopped) => {
      const patience = setTimeout(() => this.#server.closeAllConnections(), LIMITS.stopMs)
      const unused = setInterval(() => this.#server.closeIdleConnections(), LIMITS.firstMs)
      // Connections whose last response was still on its way become idle now and then.
      const sweeping = setInterval(() => this.#connections.closeIdle(), LIMITS.sweepMs)
      void this.#listeners.close().then(() => {
        this.#connections.stop()
        this.#loop.stop()
        clearTimeout(patience)
        clearInterval(unused)
        clearInterval(sweeping)
        stopped()
      })
      this.#connections.closeIdle()
    })
  }

  /** Sends a cached response; false if there is none, and the regular path must be taken. */
  #answeredAtOnce(message: IncomingMessage, response: ServerResponse): boolean {
    const { kept, log } = this.#parts
    if (!kept || this.#isStopping || !isPlainRead(message)) return false
    const started = log.answered && performance.now()
    const { accept, 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = message.headers
    const origin = this.#quickOrigin(message)
    if (!origin) return false
    const { base, address } = origin
    const target = message.url!
    const found = kept.find({ base, target, accept, acceptEncoding: acceptEncoding as string | undefined }, address)
    if (!found) return false
    const answer = (finished: Finished) => {
      const id = givenId(message) ?? this.#nextId()
      const { status, bytes } = sendFinished(message, response, finished, id, ifNoneMatch)
      log.answered?.({ id, method: message.method!, url: target, address, status, bytes, ms: since(started!) })
    }
    if (found instanceof Promise) void this.#answerLater(message, response, found, answer)
    else answer(found)
    return true
  }

  /** For a database that must be asked first whether the response is still valid. */
  async #answerLater(
    message: IncomingMessage,
    response: ServerResponse,
    finding: Promise<Finished | undefined>,
    answer: (finished: Finished) => void,
  ): Promise<void> {
    const exchange = this.#exchange(message, response)
    const finished = await finding
    if (!finished || this.#isStopping) return this.#admit(message, response)
    this.#forget(exchange)
    answer(finished)
  }

  #exchange(message: IncomingMessage, response: ServerResponse): Exchange {
    const exchange = new Exchange(message, response, givenId(message) ?? this.#nextId(), this.#parts.patience)
    this.#open.set(message.socket, exchange)
    return exchange
  }

  #forget(exchange: Exchange): void {
    const { socket } = exchange.message
    if (this.#open.get(socket) === exchange) this.#open.delete(socket)
  }

  #begin(message: IncomingMessage, response: ServerResponse): void {
    if (!this.#answeredAtOnce(message, response)) this.#admit(message, response)
  }

  #admit(message: IncomingMessage, response: ServerResponse): void {
    const exchange = this.#exchange(message, response)
    const run = () => void this.#answer(exchange)
    if (this.#parts.isUrgent(message.url!)) run()
    else
      this.#admission.admit({
        isWrite: isWrite({ method: message.method! }),
        isGone: exchange.context.isGone,
        run,
        shed: () => this.#shed(exchange),
      })
  }

  #shed(exchange: Exchange): void {
    const { message, response } = exchange
    this.#sendRefusal(message, response, OVERLOADED, exchange.id)
    this.#forget(exchange)
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { message, response, id } = exchange
    const sort = { isWrite: isWrite({ method: message.method! }) }
    this.#admission.enter(sort)
    exchange.onPause = (isPaused) => (isPaused ? this.#admission.leave(sort) : this.#admission.enter(sort))
    this.#loop.mark(id)
    let address = message.socket.remoteAddress ?? ''
    let answer: Answer
    try {
      const request = exchange.readRequest(this.#settings)
      address = request.address
      answer = await inRequest(exchange.context, () => this.#parts.respond(request))
    } catch (error) {
      // Only errors before routing get here: an unusable Host header or query.
      answer = refusal(error instanceof Problem ? error : problems.serverError(), id)
    }
    this.#admission.leave(sort)
    this.#loop.mark(id)
    const { status, sent } = this.#send(exchange, answer)
    const onClose = () => {
      const forget = () => this.#forget(exchange)
      if (message.complete) forget()
      else message.once('close', forget)
      const [method, url] = [message.method!, message.url!]
      this.#parts.log.answered?.({ id, method, url, address, status, bytes: sent.bytes, ms: since(exchange.started) })
    }
    // The client may have disconnected meanwhile.
    if (response.closed) onClose()
    else response.once('close', onClose)
  }

  #send({ message, response, id, broken }: Exchange, answer: Answer): { status: number; sent: Sent } {
    // The rest of a body that is too large, or broken, is not awaited.
    const isLast = this.#isStopping || broken || answer.status === 413 || isBodyUnasked(message)
    try {
      return { status: answer.status, sent: send(message, response, answer, isLast) }
    } catch (error) {
      // Headers that cannot be sent are a bug, but no reason to crash.
      this.#parts.log.unsendable(error, id)
      return { status: 500, sent: send(message, response, refusal(problems.serverError(), id), isLast) }
    }
  }

  /** Responds before routing. The body, if any, is not read. */
  #sendRefusal(message: IncomingMessage, response: ServerResponse, problem: Problem, given?: string): void {
    const id = given ?? givenId(message) ?? this.#nextId()
    const isBodyLeft = hasBody(message.headers) && !message.complete
    const isLast = this.#isStopping || isBodyLeft || problem.status === 417
    const { bytes } = send(message, response, refusal(problem, id), isLast)
    const address = message.socket.remoteAddress ?? ''
    const [method, url, { status }] = [message.method!, message.url!, problem]
    this.#parts.log.answered?.({ id, method, url, address, status, bytes, ms: 0 })
  }

  /** A connection error without a request is logged too. */
  #refuse(socket: Socket, answer: Answer, method: string, url: string): void {
    sendRaw(socket, answer)
    const { status, headers } = answer
    const bytes = String(answer.body).length
    const id = String(headers['X-Request-Id'])
    this.#parts.log.answered?.({ id, method, url, address: socket.remoteAddress ?? '', status, bytes, ms: 0 })
  }

  async #onRefused(error: ParseError, socket: Socket): Promise<unknown> {
    const pending = this.#open.get(socket)
    // A closed socket cannot get a response.
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    // The body broke: its reader gets the error and responds, unless the response is already sent.
    if (pending && !pending.message.complete) {
      return pending.response.headersSent ? socket.destroy() : pending.breakOff(refusalOf(error.code))
    }
    // What follows a good request in the same packet must not overtake its response.
    if (pending && !pending.response.writableEnded) return pending.response.once('finish', () => socket.destroySoon())
    const id = this.#nextId()
    try {
      const unknown = error.code === 'HPE_INVALID_METHOD' ? requestLine(error.rawPacket) : undefined
      const answer = unknown
        ? await this.#parts.respond({ ...unknown, id, headers: {}, base: '', address: '', body: async () => NO_BODY })
        : refusal(refusalOf(error.code), id)
      return this.#refuse(socket, answer, unknown?.method ?? '-', unknown?.path ?? '-')
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      return this.#refuse(socket, refusal(problem, id), '-', '-')
    }
  }

  #onHeld(held: Held): void {
    // Node would refuse clients whose headers arrived in time, but could not be read.
    this.#server.headersTimeout = LIMITS.headersMs + held.ms
    this.#server.requestTimeout = LIMITS.requestMs + held.ms
    const restore = () => {
      this.#server.headersTimeout = LIMITS.headersMs
      this.#server.requestTimeout = LIMITS.requestMs
    }
    setTimeout(restore, LIMITS.headersMs).unref()
    const exchange = [...this.#open.values()].find(({ id }) => id === held.id)
    const { method, url } = exchange?.message ?? {}
    this.#parts.log.held({ ...held, ...(method && url ? { method, url } : {}) })
  }
}

const NO_BODY = Buffer.alloc(0)
/** Built once, because there is no time to build many when it is needed. */
const OVERLOADED = problems.overloaded()

/** Milliseconds, to the hundredth. */
function since(started: number): number {
  return Math.round((performance.now() - started) * 100) / 100
}
