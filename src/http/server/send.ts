/** Sending answers: the one place that writes to a response, for answers from the cache and all others. */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Answer, bytesIn, headerLines, isInPieces, isLatin1, isLive } from '../exchange/message.ts'
import { keepAlive } from '../exchange/wire-limits.ts'
import { openLive } from './live.ts'

export interface Receiver {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  /** Of the request. */
  readonly id: string
}

/** How many bytes the body has; for a stream, how many have been sent so far. */
export interface Sent {
  bytes: number
}

/** `mustClose` closes the connection. */
export function send({ message, response, id }: Receiver, answer: Answer, mustClose: boolean): Sent {
  const { status, body, lines } = answer
  const isLast = mustClose || isLive(body)
  // What is sent then ends with the connection, so it needs no frames.
  if (isLive(body)) response.useChunkedEncodingByDefault = false
  const length = answer.length ?? bytesIn(body)
  const stays = response.shouldKeepAlive && !isLast
  if (lines && stays) {
    // Other requests share these lines; Node copies them at once.
    lines[1] = id
    response.writeHead(status, lines)
  } else response.writeHead(status, linesOf(answer, { id, length, isLast, stays }))
  const sent = { bytes: length ?? 0 }
  if (message.method === 'HEAD') response.end()
  // Node sends a text together with the head.
  else if (typeof body === 'string') response.end(body, 'utf8')
  else if (isLatin1(body)) response.end(body.latin1, 'latin1')
  else if (isInPieces(body)) sendPieces(response, body)
  else if (Buffer.isBuffer(body)) response.end(body)
  else if (isLive(body)) openLive(response, body, sent)
  else void sendStream(response, body, sent)
  return sent
}

interface Head {
  readonly id: string
  readonly length: number | undefined
  readonly isLast: boolean
  /** Whether the connection stays open. */
  readonly stays: boolean
}

function linesOf({ status, headers }: Answer, { id, length, isLast, stays }: Head): string[] {
  const lines = headerLines(headers, ['X-Request-Id', id])
  if (length !== undefined && status !== 304 && status !== 204) lines.push('Content-Length', String(length))
  if (isLast) lines.push('Connection', 'close')
  else if (stays) lines.push('Keep-Alive', keepAlive())
  return lines
}

/** All of them are in memory: Node joins them for one write. */
function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  const last = pieces.length - 1
  for (let i = 0; i < last; i++) response.write(pieces[i])
  response.end(pieces[last])
}

/** As fast as the client reads. */
async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<string | Buffer>,
  counted: Sent,
): Promise<void> {
  try {
    for await (const piece of stream) {
      if (response.destroyed) return
      counted.bytes += Buffer.byteLength(piece)
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
