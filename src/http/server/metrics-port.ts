/** The port for Prometheus. It is another one than that of the site, so that only who may reach it sees the figures. */
import type { Server, ServerResponse } from 'node:http'
import { http } from '../../engine/index.ts'
import { listen, type Place, urlOf } from './listeners.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export class MetricsPort {
  readonly #server: Server
  readonly #collect: () => Promise<string>

  /** `collect` returns the figures in the text format of Prometheus. */
  constructor(collect: () => Promise<string>) {
    this.#collect = collect
    this.#server = http.createServer({ requestTimeout: 10_000 }, (request, response) => {
      const isKnown = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD')
      if (isKnown) void this.#send(response)
      else response.writeHead(404, { 'Content-Type': 'text/plain' }).end('The metrics are at /metrics.\n')
    })
  }

  /** Returns its address. */
  async listen(place: Place): Promise<string> {
    await listen(this.#server, place)
    return `${urlOf(this.#server)}metrics`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise<void>((closed) => this.#server.close(() => closed()))
  }

  async #send(response: ServerResponse): Promise<void> {
    try {
      const text = await this.#collect()
      response.writeHead(200, { 'Content-Type': TYPE }).end(text)
    } catch {
      response.writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '5' }).end('Not available.\n')
    }
  }
}
