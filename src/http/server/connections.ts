/**
 * Connections that nobody uses are closed after a while. To look at all of them now and then costs less than a timer for
 * each, which would be moved twice with every request.
 */
import type { Socket } from 'node:net'
import { LIMITS } from '../limits.ts'

const LOOK_EVERY_MS = 1000

export class Connections {
  readonly #lastUsed = new Map<Socket, number>()
  readonly #isBusy: (socket: Socket) => boolean
  readonly #looking: NodeJS.Timeout
  #now = performance.now()

  constructor(isBusy: (socket: Socket) => boolean) {
    this.#isBusy = isBusy
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  /** One that was never used is Node's to refuse. */
  use(socket: Socket): void {
    this.#lastUsed.set(socket, this.#now)
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    this.#now = performance.now()
    for (const [socket, used] of this.#lastUsed) {
      if (socket.destroyed) this.#lastUsed.delete(socket)
      if (this.#now - used <= LIMITS.idleMs || socket.destroyed) continue
      // An answer that is still on its way is no idleness.
      if (this.#isBusy(socket) || socket.writableLength > 0) this.#lastUsed.set(socket, this.#now)
      else socket.destroySoon()
    }
  }
}
