/**
 * Several listening sockets on one port. Node accepts one connection from each per turn of the event loop: with a
 * single socket, clients of a busy server, including health checks, would wait in the system's queue, where they cannot
 * be refused. Systems without such sockets use one.
 */
import { type AddressInfo, connect, createServer, Server, type Socket } from 'node:net'

const LISTENERS = 16
/** A turn of the event loop this short had almost nothing to do. */
const QUIET_MS = 0.06
const LONGEST_MS = 3000
const PROBE_MS = 1000

export interface Place {
  readonly port: number
  readonly host: string
  /** The file descriptor of a socket that listens already; then the port and the host do not count. */
  readonly socket?: number | undefined
}

/** As the system reports it. */
class PortInUse extends Error {
  readonly code = 'EADDRINUSE'
  readonly address: string
  readonly port: number

  constructor({ host, port }: Place) {
    super(`${host}:${port} is in use`)
    this.address = host
    this.port = port
  }
}

/** A socket that was handed over, and is none of TCP. */
class BadSocket extends Error {
  readonly code = 'ENOTTCP'
}

/** Where a server gets its connections from. */
export interface Intake {
  /** The address of the server, if clients can reach it by one. */
  readonly url: string
  listen(): Promise<void>
  /** Resolves when all connections are closed. */
  close(): Promise<void>
}

export class Listeners implements Intake {
  readonly #first: Server
  readonly #place: Place
  readonly #others: Server[] = []
  #accepted = 0

  /** Passes connections of all listeners to the first one. */
  constructor(first: Server, place: Place) {
    this.#first = first
    this.#place = place
    first.on('connection', () => this.#accepted++)
  }

  get url(): string {
    return urlOf(this.#first)
  }

  async listen(): Promise<void> {
    const place = this.#place
    if (process.platform !== 'linux' || place.socket !== undefined) return await listen(this.#first, place)
    // Another server of the same user would share its port.
    if (await isAnswered(place)) throw new PortInUse(place)
    const port = place.port === 0 ? await freePort(place) : place.port
    await listen(this.#first, { ...place, port }, true)
    while (this.#others.length < LISTENERS - 1) {
      const other = createServer({ noDelay: true }, (socket: Socket) => this.#first.emit('connection', socket))
      await listen(other, { ...place, port }, true)
      this.#others.push(other)
    }
  }

  async close(): Promise<void> {
    const until = performance.now() + LONGEST_MS
    const closed: Promise<void>[] = []
    for (const server of [...this.#others, this.#first]) {
      await this.#quietTurn(until)
      closed.push(close(server))
    }
    await Promise.all(closed)
  }

  /** Closing a socket resets connections that wait to be accepted, so each is closed when none waits. */
  async #quietTurn(until: number): Promise<void> {
    for (let now = performance.now(); now < until; ) {
      const [before, began] = [this.#accepted, now]
      await new Promise((turn) => setImmediate(turn))
      now = performance.now()
      if (this.#accepted === before && now - began < QUIET_MS) return
    }
  }
}

/**
 * Whether somebody accepts connections there. To listen for a moment would tell it too, but would reset the connections of
 * clients that come in that moment.
 */
function isAnswered({ host, port }: Place): Promise<boolean> {
  if (port === 0) return Promise.resolve(false)
  return new Promise((known) => {
    const probe = connect({ host, port, timeout: PROBE_MS })
    const tell = (answered: boolean) => {
      probe.destroy()
      known(answered)
    }
    // The system may connect a socket to itself, if it gives it this port.
    probe.once('connect', () => tell(probe.localPort !== port))
    probe.once('timeout', () => tell(false))
    probe.once('error', () => tell(false))
  })
}

/** One that nobody has, and no client knows. */
async function freePort(place: Place): Promise<number> {
  const probe = createServer()
  await listen(probe, place)
  const { port } = probe.address() as AddressInfo
  await close(probe)
  return port
}

/** The address that a server listens on. */
export function urlOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}/`
}

export function listen(server: Server, { host, port, socket }: Place, reusePort = false): Promise<void> {
  return new Promise((listening, failed) => {
    server.once('error', failed)
    server.listen(socket === undefined ? { host, port, reusePort } : { fd: socket }, () => {
      server.off('error', failed)
      if (server.address() instanceof Object) listening()
      else failed(new BadSocket())
    })
  })
}

/** Its connections stay: closing an HTTP server would also close those with a request on its way. */
function close(server: Server): Promise<void> {
  return new Promise((closed) => Server.prototype.close.call(server, () => closed()))
}
