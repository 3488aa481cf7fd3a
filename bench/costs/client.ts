/** Sends one request at a time, and asks the server for its cost. */
import { type ChildProcess, fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { startOptions } from '../speed/servers.ts'
import type { Input } from './inputs.ts'

export interface Reply {
  readonly status: number
  readonly body: Buffer
}

export interface Cost extends Input {
  readonly ms: number
  readonly status: number
  readonly bytes: number
}

export class Client {
  readonly #child: ChildProcess
  readonly #base: string
  readonly #token: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** Bugs and outages that the server reported. */
  readonly complaints: string[] = []

  private constructor(child: ChildProcess, base: string, token: string) {
    this.#child = child
    this.#base = base
    this.#token = token
    child.on('message', ({ complaint }: { complaint?: string }) => complaint && this.complaints.push(complaint))
  }

  static async start(url: string): Promise<Client> {
    const child = fork(join(import.meta.dirname, 'server.ts'), [url], {
      execArgv: startOptions(),
    })
    const { base, token } = await new Promise<{ base: string; token: string }>((told, failed) => {
      child.once('message', (message) => told(message as never))
      child.once('exit', (code) => failed(new Error(`the server ended with ${code}`)))
    })
    return new Client(child, base, token)
  }

  send({ method, path, headers = {}, body }: Input): Promise<Reply> {
    const given = { authorization: `Token ${this.#token}`, ...headers }
    return new Promise((answered, failed) => {
      const sent = request(this.#base + path.slice(1), { method, headers: given, agent: this.#agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', failed)
        reply.on('end', () => answered({ status: reply.statusCode!, body: Buffer.concat(chunks) }))
      })
      sent.on('error', failed)
      sent.end(body)
    })
  }

  /** The processor time of one request, for all threads of the server, in milliseconds. */
  async measure(input: Input): Promise<Cost> {
    const before = await this.#cpu()
    const { status, body } = await this.send(input)
    const ms = ((await this.#cpu()) - before) / 1000
    return { ...input, ms, status, bytes: body.length }
  }

  #cpu(): Promise<number> {
    return new Promise((told) => {
      const listen = ({ cpu }: { cpu?: number }) => {
        if (cpu === undefined) return
        this.#child.off('message', listen)
        told(cpu)
      }
      this.#child.on('message', listen)
      this.#child.send('cpu')
    })
  }

  stop(): void {
    this.#agent.destroy()
    this.#child.disconnect()
  }
}
