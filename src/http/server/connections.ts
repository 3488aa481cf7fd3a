/**
 * Closes useless connections: idle ones, and those whose client does not read its response. Checking all of them once a
 * second is cheaper than a timer for each, which would move twice with every request.
 */
import type { Socket } from 'node:net'
import { LIMITS } from '../exchange/wire-limits.ts'

const LOOK_EVERY_MS = 1000

export class Connections {
  /** Without a request so far. */
  readonly #unused = new Set<Socket>()
  readonly #lastUsed = new Map<Socket, number>()
  readonly #timed = new WeakSet<Socket>()
  readonly #isBusy: (socket: Socket) => boolean
  readonly #looking: NodeJS.Timeout
  #now = performance.now()

  constructor(isBusy: (socket: Socket) => boolean) {
    this.#isBusy = isBusy
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  add(socket: Socket): void {
    this.#unused.add(socket)
  }

  /** A request has come. Node refuses a connection that was never used. */
  use(socket: Socket): void {
    this.#unused.delete(socket)
    this.#lastUsed.set(socket, this.#now)
  }

  /** Closes connections on which nothing has come: some browsers open them early, and so do health checks. */
  closeUnused(): void {
    for (const socket of this.#unused) if (socket.bytesRead === 0) socket.destroy()
  }

  /** Closes connections that were used and wait for nothing. On a new one, a request may be on its way. */
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
    for (const socket of this.#unused) if (socket.destroyed) this.#unused.delete(socket)
    for (const [socket, used] of this.#lastUsed) {
      if (socket.destroyed) this.#lastUsed.delete(socket)
      else if (socket.writableLength > 0) this.#limitWriting(socket)
      else if (this.#isBusy(socket)) this.#lastUsed.set(socket, this.#now)
      else if (this.#now - used > LIMITS.idleMs) socket.destroySoon()
    }
  }

  /** Node checks whether any byte was read before it reports a timeout. */
  #limitWriting(socket: Socket): void {
    this.#lastUsed.set(socket, this.#now)
    if (this.#timed.has(socket)) return
    this.#timed.add(socket)
    socket.setTimeout(LIMITS.takeMs, () => {
      if (socket.writableLength > 0) socket.destroy()
    })
  }
}
