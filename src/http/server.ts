/**
 * The one file that knows the server library, which is Node's own: a framework would cost a quarter of the speed
 * and bring nothing that the route table does not. What Node itself refuses is answered in JSON here, too.
 */
import { randomBytes } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  METHODS,
  type OutgoingHttpHeaders,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Problem, problems } from '../engine/index.ts'
import type { Answer, Request } from './message.ts'
import { type OriginSettings, originOf } from './origin.ts'
import { Query } from './query.ts'

export interface ServerSettings extends OriginSettings {
  readonly host: string
  readonly port: number
}

export interface AccessLog {
  /** An answer that could not be sent as it was: a bug. */
  unsendable(error: unknown, id: string): void
  /** One line for each request, when its answer is out or given up. */
  answered(request: {
    readonly id: string
    readonly method: string
    readonly url: string
    readonly address: string
    readonly status: number
    readonly bytes: number
    readonly ms: number
  }): void
}

export interface RunningServer {
  readonly url: string
  /** Takes no new requests, lets the running ones finish, and is fulfilled when all are done. */
  stop(): Promise<void>
}

export const LIMITS = {
  headerBytes: 16 * 1024,
  headers: 200,
  bodyBytes: 1024 * 1024,
  /** From the first byte to the end of the headers, and to the end of the body. */
  headersMs: 15_000,
  requestMs: 60_000,
  /** Longer than the idle time of the usual proxies, so that it is they who hang up. */
  idleMs: 65_000,
  /** How long running requests may take after the server was told to stop. */
  stopMs: 10_000,
}

type Respond = (request: Request) => Promise<Answer>
type ParseError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

export async function startServer(respond: Respond, log: AccessLog, settings: ServerSettings): Promise<RunningServer> {
  const nextId = requestIds()
  /** What each connection waits for, until the request that asked is done with. */
  const open = new Map<Socket, Exchange>()
  let stopping = false

  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    keepAliveTimeout: LIMITS.idleMs,
    connectionsCheckingInterval: 1000,
    // Checked in origin.ts, where the refusal is JSON.
    requireHostHeader: false,
    noDelay: true,
  })
  server.maxHeadersCount = LIMITS.headers
  server.maxRequestsPerSocket = 0

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
      const ms = Math.round((performance.now() - started) * 100) / 100
      log.answered({ id, method: message.method!, url: message.url!, address, status: answer.status, bytes, ms })
    })
  }

  /** What never became a request is logged, too. */
  const refuse = (socket: Socket, answer: Answer, method: string, url: string) => {
    sendRaw(socket, answer)
    const { status, body } = answer
    const id = String(answer.headers['X-Request-Id'])
    log.answered({ id, method, url, address: socket.remoteAddress ?? '', status, bytes: body.length, ms: 0 })
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
      ? await respond({ ...unknown, id, headers: {}, base: '', address: '', body: async () => Buffer.alloc(0) })
      : refusal(problemOf(error.code), id)
    return refuse(socket, answer, unknown?.method ?? '-', unknown?.path ?? '-')
  }

  server.on('request', onRequest)
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
    log.answered({ id, method: message.method!, url: message.url!, address, status: 417, bytes, ms: 0 })
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
        server.close(() => {
          clearTimeout(patience)
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
  const { socket, headers } = message
  const origin = originOf(
    headers,
    {
      remoteAddress: socket.remoteAddress ?? '',
      localHost: hostOf(socket.localAddress ?? '', socket.localPort),
      needsHost: message.httpVersion !== '1.0',
      hosts: message.headersDistinct['host'] ?? [],
    },
    settings,
  )
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

function hostOf(address: string, port: number | undefined): string {
  const plain = address.replace(/^::ffff:/i, '')
  return `${plain.includes(':') ? `[${plain}]` : plain}:${port}`
}

async function collect(message: IncomingMessage): Promise<Buffer> {
  if (Number(message.headers['content-length'] ?? 0) > LIMITS.bodyBytes) throw problems.tooLarge(LIMITS.bodyBytes)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of message as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > LIMITS.bodyBytes) throw problems.tooLarge(LIMITS.bodyBytes)
      chunks.push(chunk)
    }
  } catch (error) {
    // A client that hangs up in the middle is no bug of ours.
    throw error instanceof Problem ? error : problems.badRequest('The request body did not arrive whole.')
  }
  return Buffer.concat(chunks)
}

/** A proxy may send the whole address; the path is what counts. */
function splitTarget(target: string): Pick<Request, 'path' | 'query'> {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
  const mark = local.indexOf('?')
  return mark < 0
    ? { path: local, query: new Query('') }
    : { path: local.slice(0, mark), query: new Query(local.slice(mark + 1)) }
}

function send(message: IncomingMessage, response: ServerResponse, answer: Answer, last: boolean): number {
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body
  const headers = { ...answer.headers } as OutgoingHttpHeaders
  if (answer.status !== 304 && answer.status !== 204) headers['Content-Length'] = body.length
  if (last) headers['Connection'] = 'close'
  response.writeHead(answer.status, headers)
  response.end(message.method === 'HEAD' ? undefined : body)
  return body.length
}

/** For connections on which Node made no response object. */
function sendRaw(socket: Socket, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(body)
  // Node has let go of the socket: without a listener, a client that hangs up would end the process.
  socket.on('error', () => socket.destroy())
  const lines = Object.entries({ ...headers, 'Content-Length': bytes.length, Connection: 'close' })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
}

function refusal(problem: Problem, id: string): Answer {
  const headers = {
    'Content-Type': 'application/json',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
    ...problem.headers,
  }
  return { status: problem.status, headers, body: JSON.stringify(problem.body) }
}

function problemOf(code: string | undefined): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Problem(431, { detail: 'The request headers are too large, or too many.' })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Problem(413, { detail: 'The chunk extensions are too large.' })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Problem(408, { detail: 'The request took too long to arrive.' })
    default:
      return problems.badRequest('This is not a valid HTTP request.')
  }
}

/** Node's parser does not know every method; the request line still says what was asked. */
function requestLine(packet: Buffer | undefined): Pick<Request, 'method' | 'path' | 'query'> | undefined {
  const start = packet?.subarray(0, LIMITS.headerBytes).toString('latin1') ?? ''
  const [, method, target] = /^([A-Za-z-]{1,32}) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(start) ?? []
  // A method that Node knows is not the one it stumbled over.
  return method && target && !METHODS.includes(method) ? { method, ...splitTarget(target) } : undefined
}

/** A proxy's own id is kept, so that its log and ours can be read together. */
function givenId(message: IncomingMessage): string | undefined {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : undefined
}

function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
