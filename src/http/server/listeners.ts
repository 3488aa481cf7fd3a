/**
 * Several sockets that listen on the one port. Node accepts one connection for each in a turn of the event loop: with a
 * single one, a busy server would let clients, health checks among them, wait in the queue of the system, where nobody
 * can turn them away. Where the system has no such sockets, there is one.
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

const LISTENERS = 16

interface Place {
  readonly port: number
  readonly host: string
}

export class Listeners {
  readonly #first: Server
  readonly #others: Server[] = []

  /** Connections of all listeners are handed to the first one. */
  constructor(first: Server) {
    this.#first = first
  }

  async listen(place: Place): Promise<void> {
    if (process.platform !== 'linux') return await listen(this.#first, place)
    // The port of another program must not be shared, so a socket that does not share finds out whether it is free.
    const probe = createServer()
    await listen(probe, place)
    const { port } = probe.address() as AddressInfo
    await close(probe)
    await listen(this.#first, { ...place, port }, true)
    while (this.#others.length < LISTENERS - 1) {
      const other = createServer((socket: Socket) => this.#first.emit('connection', socket))
      await listen(other, { ...place, port }, true)
      this.#others.push(other)
    }
  }

  /** Fulfilled when all connections are closed. */
  async close(): Promise<void> {
    await Promise.all([this.#first, ...this.#others].map(close))
  }
}

function listen(server: Server, place: Place, reusePort = false): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed)
    server.listen({ ...place, reusePort }, () => {
      server.off('error', failed)
      listening()
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((closed) => server.close(() => closed()))
}
