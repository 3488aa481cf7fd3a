/**
 * Requests that Node itself refuses, before there is a request: the response is JSON too, on the bare connection if
 * necessary.
 */
import type { Socket } from 'node:net'
import { http, Problem, problems } from '../../engine/index.ts'
import { type Answer, type Request, splitTarget } from '../exchange/message.ts'
import { LIMITS } from '../exchange/wire-limits.ts'
import { STATUS_CODES } from '../response/status-codes.ts'

/** The part of the request line that is examined. */
const LONGEST_LINE = 16 * 1024

/** For connections on which Node made no response object. */
export function sendRaw(socket: Socket, id: string, { status, headers, body }: Answer): void {
  const bytes = Buffer.from(String(body))
  // Node has released the socket: without a listener, a client that disconnects would end the process.
  socket.on('error', () => socket.destroy())
  const lines = Object.entries({ 'X-Request-Id': id, ...headers, 'Content-Length': bytes.length, Connection: 'close' })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]))
  // A client that does not close its side is not awaited.
  setTimeout(() => socket.destroy(), LIMITS.lingerMs).unref()
}

export function refusal(problem: Problem): Answer {
  const headers = {
    'Content-Type': 'application/json',
    Vary: 'Accept',
    'X-Content-Type-Options': 'nosniff',
    ...problem.headers,
  }
  return { status: problem.status, headers, body: JSON.stringify(problem.body) }
}

export function refusalOf(code: string | undefined): Problem {
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

/** Node's parser does not know every method; the request line still names it. */
export function requestLine(packet: Buffer | undefined): Pick<Request, 'method' | 'path' | 'query'> | undefined {
  const start = packet?.subarray(0, LONGEST_LINE).toString('latin1') ?? ''
  const [, method, target] = /^([A-Za-z-]{1,32}) (\/\S*) HTTP\/1\.[01]\r?\n/.exec(start) ?? []
  // If Node knows the method, something else is wrong.
  return method && target && !http.METHODS.includes(method) ? { method, ...splitTarget(target) } : undefined
}
