/** A database that is further away: a proxy that passes everything on a little later, in both directions. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface Delay {
  /** The address of the database through the proxy. */
  readonly url: string
  close(): void
}

/** `ms` is added each way. */
export async function delayed(url: string, ms: number): Promise<Delay> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.setNoDelay(true)
    from.on('data', (data) => setTimeout(() => to.write(data), ms))
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      // What was sent before arrives first.
      setTimeout(() => to.destroy(), ms)
    })
  }
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    pass(client, database)
    pass(database, client)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const through = new URL(url)
  through.port = String((server.address() as AddressInfo).port)
  return {
    url: through.href,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
