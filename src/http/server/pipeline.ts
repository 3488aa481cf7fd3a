/**
 * Pipelining: a client may send requests without waiting for earlier responses, and Node delivers all of them at once.
 * Requests that only read run in parallel. A write waits until all requests before it are answered, and those behind it
 * wait until the write is answered (RFC 9112, 9.3.2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

export class Pipeline {
  /** The response to the last request of a connection that may write. */
  readonly #lastWrite = new WeakMap<Socket, ServerResponse>()

  /** Whether the request may begin at once. Otherwise it begins when its response gets the socket. */
  enter({ socket, method }: IncomingMessage, response: ServerResponse): boolean {
    const isSafe = method === 'GET' || SAFE.has(method!)
    // Node gives a response its socket once all responses before it are sent.
    const isFirst = response.socket !== null
    const mayBegin = isFirst || (isSafe && !this.#isWriting(socket))
    if (!isSafe) this.#lastWrite.set(socket, response)
    return mayBegin
  }

  #isWriting(socket: Socket): boolean {
    const write = this.#lastWrite.get(socket)
    return write !== undefined && !write.writableFinished
  }
}
