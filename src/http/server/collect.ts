/** The body of a request as bytes, up to a limit. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, problems } from '../../engine/index.ts'
import { LIMITS } from '../exchange/wire-limits.ts'
import { hasBody } from './carries.ts'
import { askForBody } from './expect.ts'

const NO_BODY = Buffer.alloc(0)
/** Most bodies are this short and announce it; iterating a stream would cost more. */
const SHORT_BODY = 16 * 1024

export async function collectBody(message: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  if (!hasBody(message.headers)) return NO_BODY
  const length = Number(message.headers['content-length'] ?? Number.NaN)
  if (length > LIMITS.bodyBytes) throw problems.tooLarge(LIMITS.bodyBytes)
  askForBody(message, response)
  if (length <= SHORT_BODY) return await collectShort(message)
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
    // A client that has already disconnected sends no further event.
    if (message.destroyed && !message.readableEnded) failed(notWhole())
    let body: Buffer | undefined
    message.on('data', (chunk: Buffer) => {
      body = body ? Buffer.concat([body, chunk]) : chunk
    })
    message.on('end', () => done(body ?? NO_BODY))
    message.on('error', () => failed(notWhole()))
    // Also comes after the end, when nobody needs the error, which is expensive to make.
    message.on('close', () => message.readableEnded || failed(notWhole()))
  })
}

/** A client that disconnects in the middle is not a bug. */
const notWhole = () => problems.badRequest('The request body did not arrive whole.')
