/**
 * Accepts the connections of a server with several workers, and hands each to one of them. Only this process listens,
 * so a worker can be replaced without a client noticing, and every worker gets its share. A connection is given up here
 * when a worker has confirmed it; if the worker dies before that, another one gets it.
 */
import { createServer, type Server, type Socket } from 'node:net'
import { listen, type Place, urlOf } from './listeners.ts'

/** A worker that takes connections, and confirms each, in their order, by `taken`. */
export interface Receiver {
  hand(socket: Socket, number: number): void
}

interface Connection {
  readonly socket: Socket
  /** When it was accepted. */
  readonly since: number
  /** Whether a worker has lost it before. */
  readonly isSecond: boolean
}

/** The connections that a worker has not confirmed yet, by number. */
type Unconfirmed = Map<number, Connection>

/** How many connections wait while there is no worker. */
const MOST_WAITING = 1000
/** How long a connection waits for a worker that takes it. */
const LONGEST_WAIT_MS = 10_000
const LOOK_EVERY_MS = 1000
/** How long closing waits for a moment without new connections. */
const LONGEST_CLOSE_MS = 1000

export class Distributor {
  readonly #server: Server
  /** The worker that got the last connection is at the end. */
  readonly #unconfirmed = new Map<Receiver, Unconfirmed>()
  /** The same of workers that get no more. */
  readonly #leaving = new Map<Receiver, Unconfirmed>()
  #waiting: Connection[] = []
  #accepted = 0
  #handed = 0
  #lost = 0
  #timer: NodeJS.Timeout | undefined

  /** `onLost` hears how many connections no worker has taken. */
  constructor(onLost: (connections: number) => void) {
    this.#server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
      this.#accepted++
      // A client that disconnects is noticed by the worker.
      socket.on('error', () => {})
      this.#hand({ socket, since: performance.now(), isSecond: false })
    })
    this.#timer = setInterval(() => {
      this.#giveUp(performance.now() - LONGEST_WAIT_MS)
      if (this.#lost > 0) onLost(this.#lost)
      this.#lost = 0
    }, LOOK_EVERY_MS).unref()
  }

  /** Returns the address of the server. */
  async listen(place: Place): Promise<string> {
    await listen(this.#server, place)
    return urlOf(this.#server)
  }

  add(receiver: Receiver): void {
    this.#unconfirmed.set(receiver, new Map())
    for (const connection of this.#waiting.splice(0)) this.#hand(connection)
  }

  /** It gets no more connections. Those that it has not confirmed are still its own. */
  retire(receiver: Receiver): void {
    const left = this.#unconfirmed.get(receiver)
    this.#unconfirmed.delete(receiver)
    if (left && left.size > 0) this.#leaving.set(receiver, left)
  }

  /** It has ended. */
  lose(receiver: Receiver): void {
    const left = this.#unconfirmed.get(receiver) ?? this.#leaving.get(receiver)
    this.#unconfirmed.delete(receiver)
    this.#leaving.delete(receiver)
    for (const connection of left?.values() ?? []) this.#hand(connection)
  }

  /**
   * It has confirmed a connection. A process without a free file descriptor loses a connection that it is handed, and
   * hears nothing of it: those before the confirmed one are lost.
   */
  taken(receiver: Receiver, number: number): void {
    const left = this.#unconfirmed.get(receiver) ?? this.#leaving.get(receiver)
    const lost: Connection[] = []
    for (const [each, connection] of left ?? []) {
      if (each > number) break
      left?.delete(each)
      // The connection stays open: the worker has it too.
      if (each === number) connection.socket.destroy()
      else lost.push(connection)
    }
    for (const connection of lost) {
      if (connection.isSecond) this.#drop(connection)
      else this.#hand({ ...connection, isSecond: true })
    }
  }

  /** Closing the port resets connections that wait to be accepted, so it waits until there are none. */
  async close(): Promise<void> {
    const until = performance.now() + LONGEST_CLOSE_MS
    for (let before = -1; before !== this.#accepted && performance.now() < until; ) {
      before = this.#accepted
      await new Promise((turn) => setTimeout(turn, 1))
    }
    this.#server.close()
    while ([...this.#unconfirmed.values()].some(({ size }) => size > 0) && performance.now() < until) {
      await new Promise((turn) => setTimeout(turn, 1))
    }
    clearInterval(this.#timer)
  }

  #hand(connection: Connection): void {
    const receiver = this.#next()
    if (!receiver) {
      if (this.#waiting.length < MOST_WAITING) this.#waiting.push(connection)
      else this.#drop(connection)
      return
    }
    const left: Unconfirmed = this.#unconfirmed.get(receiver) ?? new Map()
    const number = ++this.#handed
    left.set(number, connection)
    this.#unconfirmed.delete(receiver)
    this.#unconfirmed.set(receiver, left)
    receiver.hand(connection.socket, number)
  }

  /** The worker with the fewest unconfirmed connections; of equals, the one that got a connection longest ago. */
  #next(): Receiver | undefined {
    let [next, fewest]: [Receiver | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
    for (const [receiver, { size }] of this.#unconfirmed) {
      if (size < fewest) [next, fewest] = [receiver, size]
    }
    return next
  }

  /** Drops the connections that were accepted before this moment. A worker that takes one of them later still has it. */
  #giveUp(before: number): void {
    const isOld = ({ since }: Connection) => since < before
    for (const left of [...this.#unconfirmed.values(), ...this.#leaving.values()]) {
      for (const [number, connection] of left) {
        if (!isOld(connection)) continue
        left.delete(number)
        this.#drop(connection)
      }
    }
    const old = this.#waiting.filter(isOld)
    if (old.length === 0) return
    this.#waiting = this.#waiting.filter((connection) => !isOld(connection))
    for (const connection of old) this.#drop(connection)
  }

  #drop({ socket }: Connection): void {
    this.#lost++
    socket.destroy()
  }
}
