/** A proxy between a server and PostgreSQL: it counts the reads that are answered, and can become silent. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class ReadProxy {
  /** Reads that were answered. One that ends with ROLLBACK was not. */
  reads = 0
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #isSilent = false

  /** The address to connect to in place of the given one. */
  async between(url: string): Promise<string> {
    const target = new URL(url)
    this.#server = createServer((client) => this.#pass(client, connect(Number(target.port), target.hostname)))
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    const through = new URL(url)
    through.port = String((this.#server.address() as AddressInfo).port)
    return through.href
  }

  /** It accepts connections and says nothing until the task is done. */
  async silent(task: () => Promise<void>): Promise<void> {
    this.#isSilent = true
    for (const socket of this.#sockets) socket.pause()
    try {
      await task()
    } finally {
      this.#isSilent = false
      for (const socket of this.#sockets) socket.resume()
    }
  }

  close(): void {
    this.#server?.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #pass(client: Socket, server: Socket): void {
    let isReading = false
    client.on('data', (data) => {
      server.write(data)
      if (data.includes('REPEATABLE READ READ ONLY')) isReading = true
      if (data.includes('COMMIT\0') && isReading) {
        isReading = false
        this.reads++
      }
    })
    server.on('data', (data) => client.write(data))
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      if (this.#isSilent) socket.pause()
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
    }
  }
}
