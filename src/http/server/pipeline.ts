/**
 * Pipelining: a client may send requests without waiting for the answers to those before, and Node hands all of them over at
 * once. Requests that only read run side by side. One that writes waits until all before it are answered, and those behind
 * it wait until it is answered itself (RFC 9112, 9.3.2).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

export class Pipeline {
  /** The answer to the last request of a connection that may write. */
  readonly #lastWrite = new WeakMap<Socket, ServerResponse>()

  /** May the request begin at once? Otherwise it is its turn when its answer gets the socket. */
  enter({ socket, method }: IncomingMessage, response: ServerResponse): boolean {
    const isSafe = method === 'GET' || SAFE.has(method!)
    // Node gives an answer its socket once all answers before it are out.
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
