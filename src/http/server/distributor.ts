/**
 * Accepts the connections of a server with several workers, and hands each to one of them. Only this process listens,
 * so a worker can be replaced without a client noticing, and every worker gets its share. A connection is given up here
 * when a worker has confirmed it; if the worker dies before that, another one gets it.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { listen, type Place, urlOf } from './listeners.ts'

/** A worker that takes connections, and confirms each, in their order, by `taken`. */
export interface Receiver {
  hand(socket: Socket): void
}

/** How many connections wait while there is no worker, and how long. */
const MOST_WAITING = 1000
const LONGEST_WAIT_MS = 10_000
/** How long closing waits for a moment without new connections. */
const LONGEST_CLOSE_MS = 1000

export class Distributor {
  readonly #server: Server
  /** The connections that each worker has not confirmed yet. The worker that got the last one is at the end. */
  readonly #unconfirmed = new Map<Receiver, Socket[]>()
  /** The same of workers that get no more. */
  readonly #leaving = new Map<Receiver, Socket[]>()
  #waiting: Socket[] = []
  #accepted = 0

  constructor() {
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      this.#accepted++
      // A client that disconnects is noticed by the worker.
      socket.on('error', () => {})
      this.#hand(socket)
    })
  }

  /** Returns the address of the server. */
  async listen(place: Place): Promise<string> {
    await listen(this.#server, place)
    return urlOf(this.#server)
  }

  add(receiver: Receiver): void {
    this.#unconfirmed.set(receiver, [])
    for (const socket of this.#waiting.splice(0)) this.#hand(socket)
  }

  /** It gets no more connections. Those that it has not confirmed are still its own. */
  retire(receiver: Receiver): void {
    const left = this.#unconfirmed.get(receiver) ?? []
    this.#unconfirmed.delete(receiver)
    if (left.length > 0) this.#leaving.set(receiver, left)
  }

  /** It has ended. */
  lose(receiver: Receiver): void {
    const left = this.#unconfirmed.get(receiver) ?? this.#leaving.get(receiver) ?? []
    this.#unconfirmed.delete(receiver)
    this.#leaving.delete(receiver)
    for (const socket of left) this.#hand(socket)
  }

  /** It has confirmed its oldest connection. */
  taken(receiver: Receiver): void {
    const left = this.#unconfirmed.get(receiver) ?? this.#leaving.get(receiver)
    // The connection stays open: the worker has it too.
    left?.shift()?.destroy()
  }

  /** Closing the port resets connections that wait to be accepted, so it waits until there are none. */
  async close(): Promise<void> {
    const until = performance.now() + LONGEST_CLOSE_MS
    for (let before = -1; before !== this.#accepted && performance.now() < until; ) {
      before = this.#accepted
      await new Promise((turn) => setTimeout(turn, 1))
    }
    this.#server.close()
    while ([...this.#unconfirmed.values()].some((left) => left.length > 0) && performance.now() < until) {
      await new Promise((turn) => setTimeout(turn, 1))
    }
  }

  #hand(socket: Socket): void {
    const receiver = this.#next()
    if (!receiver) {
      this.#wait(socket)
      return
    }
    const left = this.#unconfirmed.get(receiver) ?? []
    left.push(socket)
    this.#unconfirmed.delete(receiver)
    this.#unconfirmed.set(receiver, left)
    receiver.hand(socket)
  }

  /** The worker with the fewest unconfirmed connections; of equals, the one that got a connection longest ago. */
  #next(): Receiver | undefined {
    let [next, fewest]: [Receiver | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
    for (const [receiver, { length }] of this.#unconfirmed) {
      if (length < fewest) [next, fewest] = [receiver, length]
    }
    return next
  }

  #wait(socket: Socket): void {
    if (this.#waiting.length >= MOST_WAITING) {
      socket.destroy()
      return
    }
    this.#waiting.push(socket)
    const giveUp = () => {
      const place = this.#waiting.indexOf(socket)
      if (place < 0) return
      this.#waiting.splice(place, 1)
      socket.destroy()
    }
    setTimeout(giveUp, LONGEST_WAIT_MS).unref()
  }
}
