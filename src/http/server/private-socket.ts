/** A socket for the other processes of the same server: a file in a folder that only their user can enter. */
import { Server as NetServer, type Server } from 'node:net'
import type { Intake } from './listeners.ts'

export class PrivateSocket implements Intake {
  readonly url = ''
  readonly #server: Server
  readonly #path: string

  constructor(server: Server, path: string) {
    this.#server = server
    this.#path = path
  }

  listen(): Promise<void> {
    return new Promise((listening, failed) => {
      this.#server.once('error', failed)
      this.#server.listen(this.#path, () => {
        this.#server.off('error', failed)
        listening()
      })
    })
  }

  /** Connections with a running request stay until it is answered. */
  close(): Promise<void> {
    return new Promise((closed) => NetServer.prototype.close.call(this.#server, () => closed()))
  }
}
