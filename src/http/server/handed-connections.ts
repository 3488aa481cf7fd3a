/** Connections that another process has accepted and handed over, in place of a port. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Intake } from './listeners.ts'

export class HandedConnections implements Intake {
  readonly url = ''
  readonly #open = new Set<Socket>()
  #server: Server | undefined
  #isClosing = false
  #closed = Promise.withResolvers<void>()

  to(server: Server): this {
    this.#server = server
    return this
  }

  async listen(): Promise<void> {
    // On this event, Node begins to look for clients that are too slow.
    this.#server?.emit('listening')
  }

  take(socket: Socket): void {
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#closeIfDone()
    })
    this.#server?.emit('connection', socket)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#closeIfDone()
    await this.#closed.promise
  }

  #closeIfDone(): void {
    if (this.#isClosing && this.#open.size === 0) this.#closed.resolve()
  }
}
