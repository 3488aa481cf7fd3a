/** Sends a response. A long one is sent piece by piece, no faster than the client reads, and is never joined. */
import { once } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { keepAlive } from '../limits.ts'
import { type Answer, type Body, bytesIn } from '../message.ts'

/** How many bytes the body has; for a stream, how many have been sent so far. */
export interface Sent {
  bytes: number
}

/** `isLast` closes the connection. */
export function send(message: IncomingMessage, response: ServerResponse, answer: Answer, isLast: boolean): Sent {
  const { body } = answer
  const length = bytesIn(body)
  const headers = { ...answer.headers } as OutgoingHttpHeaders
  if (length !== undefined && answer.status !== 304 && answer.status !== 204) headers['Content-Length'] = length
  if (isLast) headers['Connection'] = 'close'
  else if (response.shouldKeepAlive) headers['Keep-Alive'] = keepAlive()
  response.writeHead(answer.status, headers)
  const sent = { bytes: length ?? 0 }
  if (message.method === 'HEAD') response.end()
  // A text is sent together with its head.
  else if (typeof body === 'string' || Buffer.isBuffer(body)) response.end(body, 'utf8')
  else void sendPieces(response, body, length === undefined ? sent : undefined)
  return sent
}

async function sendPieces(
  response: ServerResponse,
  pieces: Exclude<Body, string | Buffer>,
  counted: Sent | undefined,
): Promise<void> {
  try {
    for await (const piece of pieces) {
      if (response.destroyed) return
      if (counted) counted.bytes += Buffer.byteLength(piece)
      if (!response.write(piece, 'utf8')) await drained(response)
    }
    response.end()
  } catch {
    // The head is already sent: the client sees that the rest is missing.
    response.destroy()
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  const stop = () => gone.abort()
  response.once('close', stop)
  try {
    await once(response, 'drain', { signal: gone.signal })
  } finally {
    response.off('close', stop)
  }
}
