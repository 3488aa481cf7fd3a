/**
 * Responses that stay open. They write to the socket itself: a thousand of them get the same bytes, and Node's framing
 * would cost more than all the rest.
 */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Live, LiveConnection } from '../exchange/message.ts'
import type { Sent } from './send.ts'

/** The head is written. A response behind others on the same connection begins after them. */
export function openLive(response: ServerResponse, live: Live, sent: Sent): void {
  const open = () => {
    if (response.destroyed || !response.socket) return
    response.flushHeaders()
    live.open(new OpenResponse(response, response.socket, sent))
  }
  if (response.socket) open()
  else response.once('socket', open)
}

class OpenResponse implements LiveConnection {
  onReady: () => void = () => {}
  onClose: () => void = () => {}
  readonly #response: ServerResponse
  readonly #socket: Socket
  readonly #sent: Sent

  constructor(response: ServerResponse, socket: Socket, sent: Sent) {
    this.#response = response
    this.#socket = socket
    this.#sent = sent
    socket.on('drain', () => this.onReady())
    response.once('close', () => this.onClose())
  }

  get isReady(): boolean {
    return !this.#socket.writableNeedDrain
  }

  write(bytes: Buffer): void {
    if (this.#response.writableEnded || this.#socket.destroyed) return
    this.#sent.bytes += bytes.length
    this.#socket.write(bytes)
  }

  end(): void {
    this.#response.end()
  }

  cut(): void {
    this.#socket.destroy()
  }
}
