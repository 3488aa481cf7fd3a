/**
 * The one folder that knows the server library, which is Node's own: a framework would cost a quarter of the speed
 * and bring nothing that the route table does not. What Node itself refuses is answered in JSON here, too.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, problems } from '../../engine/index.ts'
import type { Asked, Finished } from '../kept.ts'
import { keepAlive, LIMITS } from '../limits.ts'
import { type Answer, type AnsweredRequest, type Request, splitTarget } from '../message.ts'
import { Connections } from './connections.ts'
import { type OriginSettings, originOf, quickOrigins } from './origin.ts'
import { hasBody, isPlainRead, sendFinished } from './quick.ts'
import { problemOf, refusal, requestLine, sendRaw } from './refuse.ts'

export interface ServerSettings extends OriginSettings {
  readonly host: string
  readonly port: number
}

export interface AccessLog {
  /** An answer that could not be sent as it was: a bug. */
  unsendable(error: unknown, id: string): void
  /** One line for each request, when its answer is out or given up; undefined when nobody wants them. */
  readonly answered: ((request: AnsweredRequest) => void) | undefined
}

/** Answers that are kept; who asks is counted when there is one. */
export interface FinishedAnswers {
  find(asked: Asked, address: string): Finished | undefined | Promise<Finished | undefined>
}

export interface RunningServer {
  readonly url: string
  /** Takes no new requests, lets the running ones finish, and is fulfilled when all are done. */
  stop(): Promise<void>
}

type Respond = (request: Request) => Promise<Answer>
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

export async function startServer(
  respond: Respond,
  log: AccessLog,
  settings: ServerSettings,
  kept?: FinishedAnswers,
): Promise<RunningServer> {
  const nextId = requestIds()
  /** What each connection waits for, until the request that asked is done with. */
  const open = new Map<Socket, Exchange>()
  let stopping = false

  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    // Seen to by `connections`, for less than a timer that is moved with each request.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Checked in origin.ts, where the refusal is JSON.
    requireHostHeader: false,
    noDelay: true,
    // A request that announces no body has none: nobody need wait for its end.
    optimizeEmptyRequests: true,
  })
  server.maxHeadersCount = LIMITS.headers
  server.maxRequestsPerSocket = 0

  const quickOrigin = quickOrigins(settings)
  const connections = new Connections((socket) => open.has(socket))

  /** Sends an answer that is kept; false when there is none, and the usual way has to be gone. */
  const answeredAtOnce = (message: IncomingMessage, response: ServerResponse): boolean => {
    if (!kept || stopping || !isPlainRead(message)) return false
    const started = log.answered && performance.now()
    const { accept, 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = message.headers
    const origin = quickOrigin(message)
    if (!origin) return false
    const { base, address } = origin
    const target = message.url!
    const found = kept.find({ base, target, accept, acceptEncoding: acceptEncoding as string | undefined }, address)
    if (!found) return false
    const answer = (finished: Finished) => {
      const id = givenId(message) ?? nextId()
      const { status, bytes } = sendFinished(message, response, finished, id, ifNoneMatch)
      log.answered?.({ id, method: message.method!, url: target, address, status, bytes, ms: since(started!) })
    }
    if (found instanceof Promise) void answerLater(message, response, found, answer)
    else answer(found)
    return true
  }

  /** For a database that has to be asked first whether the answer is still true. */
  const answerLater = async (
    message: IncomingMessage,
    response: ServerResponse,
    finding: Promise<Finished | undefined>,
    answer: (finished: Finished) => void,
  ) => {
    const exchange = openExchange(message, response)
    open.set(message.socket, exchange)
    const finished = await finding
    if (!finished || stopping) return await onRequest(message, response)
    if (open.get(message.socket) === exchange) open.delete(message.socket)
    answer(finished)
  }

  const onRequest = async (message: IncomingMessage, response: ServerResponse) => {
    const started = performance.now()
    const id = givenId(message) ?? nextId()
    const { socket } = message
    const exchange = openExchange(message, response)
    open.set(socket, exchange)
    let address = socket.remoteAddress ?? ''
    let answer: Answer
    try {
      const request = readRequest(exchange, id, settings)
      address = request.address
      answer = await respond(request)
    } catch (error) {
      // Only what stands before the routes gets here: a Host header that cannot be used.
      answer = refusal(error instanceof Problem ? error : problems.serverError(), id)
    }
    // What is left of a body that is too large, or broken, is not waited for.
    const last = stopping || exchange.broken || answer.status === 413
    let bytes: number
    try {
      bytes = send(message, response, answer, last)
    } catch (error) {
      // Headers that cannot be sent are a bug, but no reason to go down.
      log.unsendable(error, id)
      answer = refusal(problems.serverError(), id)
      bytes = send(message, response, answer, last)
    }
    response.once('close', () => {
      const forget = () => open.get(socket) === exchange && open.delete(socket)
      if (message.complete) forget()
      else message.once('close', forget)
      if (stopping) server.closeIdleConnections()
      const [method, url, { status }] = [message.method!, message.url!, answer]
      log.answered?.({ id, method, url, address, status, bytes, ms: since(started) })
    })
  }

  /** What never became a request is logged, too. */
  const refuse = (socket: Socket, answer: Answer, method: string, url: string) => {
    sendRaw(socket, answer)
    const { status, body } = answer
    const id = String(answer.headers['X-Request-Id'])
    log.answered?.({ id, method, url, address: socket.remoteAddress ?? '', status, bytes: body.length, ms: 0 })
  }

  const onRefused = async (error: ParseError, socket: Socket) => {
    const pending = open.get(socket)
    // A socket that is gone cannot be told anything.
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    // The body is what broke: whoever reads it is told, and answers, unless the answer is out already.
    if (pending && !pending.message.complete) {
      return pending.response.headersSent ? socket.destroy() : pending.breakOff(problemOf(error.code))
    }
    // What follows a good request in the same packet must not overtake its answer.
    if (pending && !pending.response.writableEnded) return pending.response.once('finish', () => socket.destroySoon())
    const id = nextId()
    const unknown = error.code === 'HPE_INVALID_METHOD' ? requestLine(error.rawPacket) : undefined
    const answer = unknown
      ? await respond({ ...unknown, id, headers: {}, base: '', address: '', body: async () => NO_BODY })
      : refusal(problemOf(error.code), id)
    return refuse(socket, answer, unknown?.method ?? '-', unknown?.path ?? '-')
  }

  server.on('request', (message, response) => {
    connections.use(message.socket)
    if (!answeredAtOnce(message, response)) void onRequest(message, response)
  })
  server.on('clientError', (error, socket) => {
    onRefused(error, socket as Socket).catch((bug: unknown) => {
      log.unsendable(bug, '-')
      socket.destroy()
    })
  })
  server.on('checkExpectation', (message, response) => {
    const problem = new Problem(417, { detail: 'The Expect header cannot be satisfied.' })
    const id = givenId(message) ?? nextId()
    const bytes = send(message, response, refusal(problem, id), true)
    const address = message.socket.remoteAddress ?? ''
    log.answered?.({ id, method: message.method!, url: message.url!, address, status: 417, bytes, ms: 0 })
  })
  server.on('connect', (message, socket) => {
    const answer = refusal(problems.wrongMethod('CONNECT'), givenId(message) ?? nextId())
    refuse(socket as Socket, answer, 'CONNECT', message.url!)
  })

  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen({ port: settings.port, host: settings.host }, listening)
  })
  const { address, port, family } = server.address() as AddressInfo

  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`,
    stop() {
      stopping = true
      return new Promise((stopped) => {
        const patience = setTimeout(() => server.closeAllConnections(), LIMITS.stopMs)
        // Those whose last answer was still on its way become idle now and then.
        const sweeping = setInterval(() => server.closeIdleConnections(), LIMITS.sweepMs)
        server.close(() => {
          connections.stop()
          clearTimeout(patience)
          clearInterval(sweeping)
          stopped()
        })
        server.closeIdleConnections()
      })
    },
  }
}

/** A request on its way, and the answer to it. */
interface Exchange {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** Rejected when the rest of the body cannot be read. */
  readonly fault: Promise<never>
  broken: boolean
  breakOff(problem: Problem): void
}

function openExchange(message: IncomingMessage, response: ServerResponse): Exchange {
  const { promise: fault, reject } = Promise.withResolvers<never>()
  // Most requests have no body that anybody waits for.
  fault.catch(() => {})
  return {
    message,
    response,
    fault,
    broken: false,
    breakOff(problem) {
      this.broken = true
      reject(problem)
    },
  }
}

function readRequest({ message, fault }: Exchange, id: string, settings: ServerSettings): Request {
  const { headers } = message
  const origin = originOf(message, settings)
  let body: Promise<Buffer> | undefined
  return {
    id,
    method: message.method!,
    ...splitTarget(message.url!),
    headers,
    ...origin,
    body() {
      body ??= Promise.race([collect(message), fault])
      return body
    },
  }
}

const NO_BODY = Buffer.alloc(0)
/** Most bodies are as short as this, and say so; a stream that is iterated costs more than they do. */
const SHORT_BODY = 16 * 1024

async function collect(message: IncomingMessage): Promise<Buffer> {
  if (!hasBody(message.headers)) return NO_BODY
  const length = Number(message.headers['content-length'] ?? Number.NaN)
  if (length <= SHORT_BODY) return await collectShort(message)
  if (length > LIMITS.bodyBytes) throw problems.tooLarge(LIMITS.bodyBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > LIMITS.bodyBytes) throw problems.tooLarge(LIMITS.bodyBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof Problem ? error : notWhole()
  }
  return Buffer.concat(chunks)
}

function collectShort(message: IncomingMessage): Promise<Buffer> {
  return new Promise((done, failed) => {
    // Who has hung up already is not heard of again.
    if (message.destroyed && !message.complete) failed(notWhole())
    let body: Buffer | undefined
    message.on('data', (chunk: Buffer) => {
      body = body ? Buffer.concat([body, chunk]) : chunk
    })
    message.on('end', () => done(body ?? NO_BODY))
    message.on('error', () => failed(notWhole()))
    message.on('close', () => message.complete || failed(notWhole()))
  })
}

/** A client that hangs up in the middle is no bug of ours. */
const notWhole = () => problems.badRequest('The request body did not arrive whole.')

function send(message: IncomingMessage, response: ServerResponse, answer: Answer, last: boolean): number {
  const { body } = answer
  const length = Buffer.byteLength(body)
  const headers = { ...answer.headers } as OutgoingHttpHeaders
  if (answer.status !== 304 && answer.status !== 204) headers['Content-Length'] = length
  if (last) headers['Connection'] = 'close'
  else if (response.shouldKeepAlive) headers['Keep-Alive'] = keepAlive()
  response.writeHead(answer.status, headers)
  // A text goes out with its head as one.
  if (message.method === 'HEAD') response.end()
  else response.end(body, 'utf8')
  return length
}

/** Milliseconds, to the hundredth. */
function since(started: number): number {
  return Math.round((performance.now() - started) * 100) / 100
}

/** A proxy's own id is kept, so that its log and ours can be read together. */
function givenId(message: IncomingMessage): string | undefined {
  return usableId(message.headers['x-request-id'])
}

function usableId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : undefined
}

function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
