/** A proxy between a server and PostgreSQL: it counts the reads that are answered, and can become silent. */
import type { Socket } from 'node:net'
import { DatabaseProxy } from './database-proxy.ts'

export class ReadProxy extends DatabaseProxy {
  /** Reads that were answered. One that ends with ROLLBACK was not. */
  reads = 0
  #isSilent = false

  /** It accepts connections and says nothing until the task is done. */
  async silent(task: () => Promise<void>): Promise<void> {
    this.#isSilent = true
    for (const socket of this.sockets) socket.pause()
    try {
      await task()
    } finally {
      this.#isSilent = false
      for (const socket of this.sockets) socket.resume()
    }
  }

  protected override pass(client: Socket, server: Socket): void {
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
    if (this.#isSilent) for (const socket of [client, server]) socket.pause()
  }
}
