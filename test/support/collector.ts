/** A collector of traces, as OpenTelemetry's exporters see it: OTLP as JSON over HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly attributes: Readonly<Record<string, unknown>>
  /** What the service says about itself. */
  readonly resource: Readonly<Record<string, unknown>>
}

export class Collector {
  readonly spans: CollectedSpan[] = []
  /** All that it got, to look for secrets in. */
  text = ''
  /** The status with which it answers. */
  status = 200
  readonly #server: Server
  #wake: (() => void)[] = []

  private constructor() {
    this.#server = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        if (request.url === '/v1/traces' && this.status === 200) this.#take(body)
        response.writeHead(this.status, { 'content-type': 'application/json' }).end('{}')
      })
    })
  }

  static async start(): Promise<Collector> {
    const collector = new Collector()
    await new Promise<void>((listening) => collector.#server.listen(0, '127.0.0.1', listening))
    return collector
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The spans of a trace, as soon as they are what is wanted. */
  async trace(id: string, isWhole: (spans: readonly CollectedSpan[]) => boolean): Promise<readonly CollectedSpan[]> {
    for (;;) {
      const spans = this.spans.filter(({ traceId }) => traceId === id)
      if (isWhole(spans)) return spans
      await new Promise<void>((wake) => this.#wake.push(wake))
    }
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #take(body: string): void {
    this.text += body
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      for (const { spans } of scopeSpans) {
        for (const span of spans) {
          const attributes = valuesIn(span.attributes)
          this.spans.push({ ...span, attributes, resource: valuesIn(resource.attributes) })
        }
      }
    }
    for (const wake of this.#wake.splice(0)) wake()
  }
}

function valuesIn(attributes: readonly { key: string; value: object }[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
