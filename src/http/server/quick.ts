/** The fast path for plain reads without credentials whose response is cached. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isKnown } from '../conditions.ts'
import { SESSION_COOKIE } from '../cookies.ts'
import { type Finished, unchangedLines } from '../kept.ts'
import { hostsOf } from './origin.ts'

export function isPlainRead(message: IncomingMessage): boolean {
  const { method, headers } = message
  if (method !== 'GET' && method !== 'HEAD') return false
  if (headers.authorization !== undefined || headers.host === undefined || hasBody(headers)) return false
  if (headers.cookie?.includes(SESSION_COOKIE)) return false
  return hostsOf(message).length === 1
}

export function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

export function sendFinished(
  message: IncomingMessage,
  response: ServerResponse,
  finished: Finished,
  id: string,
  ifNoneMatch: string | undefined,
): { readonly status: number; readonly bytes: number } {
  const { body, length } = finished
  const isNews = !isKnown(ifNoneMatch, finished.etag)
  const lines = isNews ? finished.lines : unchangedLines(finished)
  lines[1] = id
  response.writeHead(isNews ? 200 : 304, response.shouldKeepAlive ? lines : lines.slice(0, -2))
  if (isNews && message.method === 'GET') {
    if (typeof body === 'string') response.end(body, 'latin1')
    else sendPieces(response, body)
  } else response.end()
  return isNews ? { status: 200, bytes: length } : { status: 304, bytes: 0 }
}

/** Node joins them for one write. */
function sendPieces(response: ServerResponse, pieces: readonly Buffer[]): void {
  const last = pieces.length - 1
  for (let i = 0; i < last; i++) response.write(pieces[i])
  response.end(pieces[last])
}
