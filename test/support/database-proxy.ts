/** Between a server and PostgreSQL: what proxies of tests share, whatever they do with what passes. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export abstract class DatabaseProxy {
  protected readonly sockets = new Set<Socket>()
  #server: Server | undefined

  /** The address to connect to in place of the given one. */
  async between(url: string): Promise<string> {
    const target = new URL(url)
    this.#server = createServer((client) => this.#join(client, connect(Number(target.port), target.hostname)))
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    const through = new URL(url)
    through.hostname = '127.0.0.1'
    through.port = String((this.#server.address() as AddressInfo).port)
    return through.href
  }

  close(): void {
    this.#server?.close()
    for (const socket of this.sockets) socket.destroy()
  }

  /** Passes on what either says. */
  protected abstract pass(client: Socket, server: Socket): void

  #join(client: Socket, server: Socket): void {
    this.pass(client, server)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
