/** A proxy that caches as RFC 9111 lets a shared cache do, and trusts the headers of the server in everything. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Reply, Site } from './site.ts'

interface Stored {
  readonly reply: Reply
  readonly asked: IncomingHttpHeaders
}

export class CachingProxy {
  /** How many requests were answered without the server. */
  hits = 0
  readonly #site: Site
  readonly #stored = new Map<string, Stored[]>()
  readonly #server = createServer(async ({ method = '', url = '', headers: asked }, response) => {
    const { status, headers, text } = await this.#answer(method, url, asked)
    const { 'transfer-encoding': _, connection: __, ...others } = headers
    response.writeHead(status, others).end(text)
  })

  constructor(site: Site) {
    this.#site = site
  }

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(method: string, url: string, asked: IncomingHttpHeaders): Promise<Reply> {
    const all = this.#stored.get(url) ?? []
    const known = method === 'GET' && all.find(({ reply, asked: before }) => isSelected(reply, before, asked))
    if (known) {
      this.hits++
      return known.reply
    }
    const sent = Object.entries(asked).filter(([name]) => name !== 'connection' && name !== 'host')
    const reply = await this.#site.ask(url, { method, headers: Object.fromEntries(sent) as Record<string, string> })
    const lasting = String(reply.headers['cache-control'])
    const isOpen = /\bs-maxage=[1-9]/.test(lasting) && !/\b(private|no-store|no-cache)\b/.test(lasting)
    if (method === 'GET' && isOpen) this.#stored.set(url, [{ reply, asked }, ...all])
    return reply
  }
}

/** Whether the requests agree on all headers that the stored response names (RFC 9111, section 4.1). */
function isSelected(
  { headers: { vary = '' } }: Reply,
  before: IncomingHttpHeaders,
  asked: IncomingHttpHeaders,
): boolean {
  const names = vary.toLowerCase().split(', ')
  return names.every((name) => before[name] === asked[name])
}
