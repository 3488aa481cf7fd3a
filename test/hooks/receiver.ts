/** A receiver of hooks, on this machine: it remembers what it gets, and responds as a test says. */
import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Reply, Site } from '../support/site.ts'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly json: any
}

export interface Response {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

/** Many times what a delivery takes, with a few retries. */
const FIRST_LIMIT_MS = 120_000

export class Receiver {
  readonly got: Received[] = []
  /** The response to each message, now or later; undefined for none. */
  respond: (received: Received) => Response | undefined | Promise<Response> = () => ({ status: 204 })
  readonly #server: Server
  #wake: (() => void)[] = []

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const received = { headers: request.headers, body, json: JSON.parse(body) }
        const answer = this.respond(received)
        this.got.push(received)
        const send = ({ status, headers, body }: Response) => response.writeHead(status, headers).end(body)
        if (answer instanceof Promise) void answer.then(send)
        else if (answer) send(answer)
        for (const wake of this.#wake.splice(0)) wake()
      })
    })
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver()
    await new Promise<void>((listening) => receiver.#server.listen(0, '127.0.0.1', listening))
    return receiver
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`
  }

  /** The first messages, as soon as there are this many. */
  async first(count: number): Promise<Received[]> {
    const late = Promise.withResolvers<never>()
    const limit = setTimeout(() => late.reject(new Error(`only ${this.seqs.join(', ')} came`)), FIRST_LIMIT_MS)
    while (this.got.length < count)
      await Promise.race([late.promise, new Promise<void>((wake) => this.#wake.push(wake))])
    clearTimeout(limit)
    return this.got.slice(0, count)
  }

  get seqs(): number[] {
    return this.got.map(({ json }) => json.data.seq)
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((closed) => this.#server.close(closed))
  }
}

/** Checks the signature, as a receiver does, at the time at which the message was sent. */
export function verified({ body, headers }: Received, secret: string): unknown {
  const at = Number(headers['webhook-timestamp']) * 1000
  const clock = mock.method(Date, 'now', () => at)
  try {
    return new Webhook(secret).verify(body, headers as Record<string, string>)
  } finally {
    clock.mock.restore()
  }
}

const LOOK_AGAIN_MS = 10

/** Asks until the reply is as wanted: the server stores what it has done after the receiver has responded. */
export async function until(ask: () => Promise<Reply>, isWanted: (json: any) => boolean): Promise<any> {
  for (;;) {
    const { status, json } = await ask()
    assert.ok(status < 500)
    if (isWanted(json)) return json
    await new Promise((again) => setTimeout(again, LOOK_AGAIN_MS))
  }
}

/** The hooks of a site, as one user. */
export class HookClient {
  readonly #site: Pick<Site, 'ask'>
  readonly #as: string

  constructor(site: Pick<Site, 'ask'>, as = 'gus') {
    this.#site = site
    this.#as = as
  }

  ask(method: string, path = '', json?: object): Promise<Reply> {
    return this.#site.ask(`/api/hook/${path}`, { method, as: this.#as, ...(json ? { json } : {}) })
  }

  async made(members: object): Promise<{ id: number; secret: string; cursor: number }> {
    const { status, json, text } = await this.ask('POST', '', members)
    assert.equal(status, 201, text)
    return json
  }

  /** The hook, as soon as it is as wanted. */
  hook(id: number, isWanted: (hook: any) => boolean = () => true): Promise<any> {
    return until(() => this.ask('GET', `${id}/`), isWanted)
  }

  /** Its deliveries, newest first, as soon as there are this many. */
  async deliveries(id: number, count: number): Promise<any[]> {
    const ask = () => this.ask('GET', `${id}/deliveries/`)
    return (await until(ask, (json) => json.count >= count)).results
  }

  /** A new record, which is a change. */
  async write(name: string, rest: object = {}): Promise<number> {
    const json = { name, mode: 'part', p1: 'source', p2: 'mouth', ...rest }
    const { status, text, json: record } = await this.#site.ask('/api/polynym/', { method: 'POST', as: this.#as, json })
    assert.equal(status, 201, text)
    return record.polynym_id
  }
}
