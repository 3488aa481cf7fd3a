/**
 * Connections that are of no use are closed: those that nobody uses, and those whose client does not take its answer.
 * To look at all of them once a second costs less than a timer for each, which would be moved twice with every request.
 */
import type { Socket } from 'node:net'
import { LIMITS } from '../exchange/wire-limits.ts'

const LOOK_EVERY_MS = 1000

export class Connections {
  readonly #lastUsed = new Map<Socket, number>()
  readonly #timed = new WeakSet<Socket>()
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

  /** Closes those that were used and wait for nothing. On a new one, a request may be on its way. */
  closeIdle(): void {
    for (const socket of this.#lastUsed.keys()) {
      if (!this.#isBusy(socket) && socket.writableLength === 0) socket.destroySoon()
    }
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  #look(): void {
    this.#now = performance.now()
    for (const [socket, used] of this.#lastUsed) {
      if (socket.destroyed) this.#lastUsed.delete(socket)
      else if (socket.writableLength > 0) this.#limitWriting(socket)
      else if (this.#isBusy(socket)) this.#lastUsed.set(socket, this.#now)
      else if (this.#now - used > LIMITS.idleMs) socket.destroySoon()
    }
  }

  /** Node looks whether any byte was taken before it says that the time is over. */
  #limitWriting(socket: Socket): void {
    this.#lastUsed.set(socket, this.#now)
    if (this.#timed.has(socket)) return
    this.#timed.add(socket)
    socket.setTimeout(LIMITS.takeMs, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
  }
}
