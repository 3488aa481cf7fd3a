/** A persistent connection with minimal overhead: the load must not cost more than the response. */
import { connect, type Socket } from 'node:net'

export interface Reply {
  readonly status: number
  readonly ms: number
  readonly head: string
  readonly body: Buffer
}

export class Wire {
  readonly #socket: Socket
  readonly #host: string
  #pending: Buffer = Buffer.alloc(0)
  #take: ((reply: Reply) => void) | undefined
  #fail: ((error: Error) => void) | undefined
  #asked = 0
  /** Where the answer ends, once its head is there. */
  #end = -1
  #bodyAt = 0
  #head = ''

  private constructor(socket: Socket, host: string) {
    this.#socket = socket
    this.#host = host
    socket.setNoDelay(true)
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#fail?.(error))
    socket.on('close', () => this.#fail?.(new Error('the server hung up')))
  }

  static open(base: string): Promise<Wire> {
    const { hostname, port, host } = new URL(base)
    return new Promise((opened, failed) => {
      const socket = connect(Number(port), hostname, () => {
        socket.off('error', failed)
        opened(new Wire(socket, host))
      }).once('error', failed)
    })
  }

  /** The bytes of a request. */
  request(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
    const all = { Host: this.#host, ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    const length = body ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
    return `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n${body}`
  }

  ask(request: string): Promise<Reply> {
    return new Promise((take, fail) => {
      this.#take = take
      this.#fail = fail
      this.#asked = performance.now()
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#fail = undefined
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    if (this.#end < 0) {
      const headEnd = this.#pending.indexOf('\r\n\r\n')
      if (headEnd < 0) return
      this.#head = this.#pending.toString('latin1', 0, headEnd)
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(this.#head) ?? []
      this.#bodyAt = headEnd + 4
      this.#end = this.#bodyAt + Number(length ?? 0)
    }
    if (this.#pending.length < this.#end) return
    const body = this.#pending.subarray(this.#bodyAt, this.#end)
    this.#pending = this.#pending.subarray(this.#end)
    this.#end = -1
    const status = Number(this.#head.slice(9, 12))
    const take = this.#take!
    this.#take = undefined
    this.#fail = undefined
    take({ status, ms: performance.now() - this.#asked, head: this.#head, body })
  }
}
