/**
 * The one folder that knows the server library, which is Node's own: a framework would cost a quarter of the speed and
 * add nothing that the route table lacks. Requests that Node itself refuses get a JSON response here too.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, problems } from '../../engine/index.ts'
import { inRequest } from '../../store/index.ts'
import { type Answer, type AnsweredRequest, isWrite, type Request } from '../exchange/message.ts'
import { LIMITS } from '../exchange/wire-limits.ts'
import { traceIn } from '../request/trace-context.ts'
import { Admission } from './admission.ts'
import { CachedReads, type Known, since } from './cached-reads.ts'
import { hasBody } from './carries.ts'
import { Connections } from './connections.ts'
import { EventLoopWatch, type Held } from './event-loop.ts'
import { Exchange, type ExchangeParts } from './exchange.ts'
import { expectBody, isBodyUnasked } from './expect.ts'
import { type Intake, Listeners } from './listeners.ts'
import { makeServer } from './node.ts'
import { OriginReader } from './origin.ts'
import type { RunningServer, ServerParts, ServerSettings } from './parts.ts'
import { Pipeline } from './pipeline.ts'
import { refusal, refusalOf, requestLine, sendRaw } from './refuse.ts'
import { givenId, requestIds } from './request-id.ts'
import { type Sent, send } from './send.ts'

/** As nginx logs it: the client disconnected before its request began. */
const CLIENT_GONE = 499

type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

export async function startServer(parts: ServerParts, settings: ServerSettings): Promise<RunningServer> {
  const running = new NodeServer(parts, settings)
  await running.listen()
  return running
}

class NodeServer implements RunningServer {
  readonly #parts: ServerParts
  readonly #server: Server
  readonly #intake: Intake
  readonly #admission: Admission
  readonly #connections: Connections
  readonly #loop: EventLoopWatch
  readonly #origins: OriginReader
  readonly #cachedReads: CachedReads
  readonly #nextId = requestIds()
  readonly #exchangeParts: ExchangeParts
  /** What each connection waits for, until its request is done. */
  readonly #open = new Map<Socket, Exchange>()
  #isStopping = false

  constructor(parts: ServerParts, settings: ServerSettings) {
    this.#parts = parts
    this.#server = makeServer()
    this.#intake = parts.intake?.(this.#server) ?? new Listeners(this.#server, settings)
    this.#admission = new Admission(settings.queueMs)
    this.#origins = new OriginReader(settings)
    const idOf = (message: IncomingMessage) => this.#idOf(message)
    this.#cachedReads = new CachedReads({ cache: parts.cache, origins: this.#origins, log: parts.log, idOf })
    this.#exchangeParts = { patience: parts.patience, idOf }
    this.#connections = new Connections((socket) => this.#open.has(socket))
    this.#loop = new EventLoopWatch(settings.holdMs, (held) => this.#onHeld(held))
    parts.watchRunning?.(this.#loop.mark)
    const pipeline = new Pipeline()
    const onMessage = (message: IncomingMessage, response: ServerResponse) => {
      this.#connections.use(message.socket)
      if (pipeline.enter(message, response)) this.#begin(message, response, true)
      else response.once('socket', () => this.#begin(message, response))
    }
    this.#server.on('request', onMessage)
    this.#server.on('checkContinue', (message, response) => {
      expectBody(message)
      onMessage(message, response)
    })
    this.#server.on('connection', (socket) => {
      this.#admission.connected()
      this.#connections.add(socket)
      // Whatever happened to its requests, nobody waits for their responses.
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
      const line = { id: this.#idOf(message), method: 'CONNECT', url: message.url! }
      this.#refuse(socket as Socket, line, refusal(problems.wrongMethod('CONNECT')))
    })
  }

  async listen(): Promise<void> {
    try {
      await this.#intake.listen()
    } catch (error) {
      this.#connections.stop()
      this.#loop.stop()
      throw error
    }
  }

  get url(): string {
    return this.#intake.url
  }

  drain(): void {
    this.#isStopping = true
  }

  async retire(): Promise<void> {
    this.drain()
    await this.#intake.close()
  }

  async stop({ drainMs = 0 }: { readonly drainMs?: number } = {}): Promise<void> {
    this.#isStopping = true
    if (drainMs > 0) await new Promise((drained) => setTimeout(drained, drainMs))
    await new Promise<void>((stopped) => {
      const patience = setTimeout(() => this.#server.closeAllConnections(), LIMITS.stopMs)
      const unused = setInterval(() => this.#connections.closeUnused(), LIMITS.firstMs)
      // Connections whose last response was still on its way become idle now and then.
      const sweeping = setInterval(() => this.#connections.closeIdle(), LIMITS.sweepMs)
      void this.#intake.close().then(() => {
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

  #begin(message: IncomingMessage, response: ServerResponse, isArriving?: boolean): void {
    const known = this.#cachedReads.lookUp(message, isArriving)
    if (known instanceof Promise) void this.#beginLater(message, response, known)
    else if (!this.#sendCached(message, response, known)) this.#admit(this.#exchange(message, response), known)
  }

  async #beginLater(message: IncomingMessage, response: ServerResponse, finding: Promise<Known>): Promise<void> {
    const exchange = this.#exchange(message, response)
    this.#open.set(message.socket, exchange)
    const known = await finding
    if (this.#sendCached(message, response, known)) this.#forget(exchange)
    else this.#admit(exchange, known)
  }

  #sendCached(message: IncomingMessage, response: ServerResponse, known: Known): boolean {
    return this.#cachedReads.send(message, response, known, this.#isStopping)
  }

  /** The id that a proxy has given it, or a new one. */
  #idOf(message: IncomingMessage): string {
    return givenId(message) ?? this.#nextId()
  }

  #exchange(message: IncomingMessage, response: ServerResponse): Exchange {
    return new Exchange(message, response, this.#exchangeParts)
  }

  #forget(exchange: Exchange): void {
    const { socket } = exchange.message
    if (this.#open.get(socket) === exchange) this.#open.delete(socket)
  }

  #admit(exchange: Exchange, known: Known): void {
    const { method, url, socket } = exchange.message
    exchange.known = known
    // Also if it has waited for the database: another request of the connection may have come meanwhile.
    this.#open.set(socket, exchange)
    const run = () => void this.#answer(exchange)
    if (this.#parts.isUrgent(url!)) run()
    else
      this.#admission.admit({
        isWrite: isWrite({ method: method! }),
        isGone: exchange.context.isGone,
        run,
        shed: () => this.#shed(exchange),
        drop: () => this.#drop(exchange),
      })
  }

  #shed(exchange: Exchange): void {
    const { message, response } = exchange
    this.#sendRefusal(message, response, OVERLOADED, exchange.id)
    this.#forget(exchange)
  }

  /** Nobody gets a response: only the log shows that there was a request. */
  #drop(exchange: Exchange): void {
    const { id, message } = exchange
    const address = message.socket.remoteAddress ?? ''
    this.#forget(exchange)
    const ms = since(exchange.started)
    this.#parts.log.answered?.({ ...lineOf(message), id, address, status: CLIENT_GONE, bytes: 0, ms }, message)
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { message, response, id } = exchange
    const { method = '', headers, httpVersion } = message
    const sort = { isWrite: isWrite({ method }) }
    this.#admission.enter(sort)
    exchange.context.onPause = (isPaused) => (isPaused ? this.#admission.leave(sort) : this.#admission.enter(sort))
    this.#loop.mark(id)
    const span = this.#parts.isUrgent(message.url!) ? undefined : this.#parts.spans?.begin({ method, headers })
    const trace = span ?? traceIn(headers)
    exchange.context.trace = trace
    let address = message.socket.remoteAddress ?? ''
    let answer: Answer
    try {
      const request = exchange.readRequest(this.#origins)
      address = request.address
      answer = await inRequest(exchange.context, () => this.#respond(exchange, request))
    } catch (error) {
      // Only what comes before the routes gets here: a Host header or a query that cannot be used.
      answer = refusal(error instanceof Problem ? error : problems.serverError())
    }
    this.#admission.leave(sort)
    this.#loop.mark(id)
    const { status, sent } = this.#send(exchange, answer)
    const onClose = () => {
      const forget = () => this.#forget(exchange)
      if (message.complete) forget()
      else message.once('close', forget)
      const { bytes } = sent
      const ms = since(exchange.started)
      const asked = { headers, httpVersion, trace, span }
      this.#parts.log.answered?.({ ...lineOf(message), id, address, status, bytes, ms }, asked)
    }
    // The client may have disconnected meanwhile.
    if (response.closed) onClose()
    else response.once('close', onClose)
  }

  #respond(exchange: Exchange, request: Request): Promise<Answer> {
    const { passing, respond } = this.#parts
    return passing?.isFor(request) ? passing.pass(exchange, request) : respond(request)
  }

  #send(exchange: Exchange, answer: Answer): { status: number; sent: Sent } {
    // What is left of a body that is too large, or broken, is not waited for.
    const { message, broken } = exchange
    const isLast = this.#isStopping || broken || answer.status === 413 || isBodyUnasked(message)
    try {
      return { status: answer.status, sent: send(exchange, answer, isLast) }
    } catch (error) {
      // Headers that cannot be sent are a bug, but no reason to go down.
      this.#parts.log.unsendable(error, exchange.id)
      return { status: 500, sent: send(exchange, refusal(problems.serverError()), isLast) }
    }
  }

  /** Responds before routing. The body, if any, is not read. */
  #sendRefusal(message: IncomingMessage, response: ServerResponse, problem: Problem, given?: string): void {
    const id = given ?? this.#idOf(message)
    const isBodyLeft = hasBody(message.headers) && !message.complete
    const isLast = this.#isStopping || isBodyLeft || problem.status === 417
    const { bytes } = send({ message, response, id }, refusal(problem), isLast)
    const address = message.socket.remoteAddress ?? ''
    this.#parts.log.answered?.({ ...lineOf(message), id, address, status: problem.status, bytes, ms: 0 }, message)
  }

  /** What never became a request is logged, too. */
  #refuse(socket: Socket, line: Pick<AnsweredRequest, 'id' | 'method' | 'url'>, answer: Answer): void {
    sendRaw(socket, line.id, answer)
    const { status } = answer
    const bytes = String(answer.body).length
    this.#parts.log.answered?.({ ...line, address: socket.remoteAddress ?? '', status, bytes, ms: 0 })
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
        : refusal(refusalOf(error.code))
      return this.#refuse(socket, { id, method: unknown?.method ?? '-', url: unknown?.path ?? '-' }, answer)
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      return this.#refuse(socket, { id, method: '-', url: '-' }, refusal(problem))
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

/** What the log says about a request. */
function lineOf({ method = '', url = '' }: IncomingMessage) {
  return { method, url }
}

const NO_BODY = Buffer.alloc(0)
/** Built once, because there is no time to build many when it is needed. */
const OVERLOADED = problems.overloaded()
