/** What deploy/ describes, run by processes: PostgreSQL, two servers, and nginx in front of them. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Receiver } from '../hooks/receiver.ts'
import { type CollectedSpan, Collector } from '../support/collector.ts'
import { BIN, listening } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { metricsAt, metricValue } from '../support/metrics.ts'
import { NGINX, type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.ts'
import { Served } from '../support/servers.ts'

const PROXY = NGINX === undefined ? 'a proxy with the rules of deploy/nginx.conf, because nginx is missing' : 'nginx'

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

interface Asked {
  readonly method?: string
  readonly json?: object
  readonly headers?: Record<string, string>
}

class RunningServer {
  readonly port: number
  readonly #child: ChildProcess
  /** What it has logged so far. */
  readonly #logged: () => string

  private constructor(port: number, child: ChildProcess, logged: () => string) {
    this.port = port
    this.#child = child
    this.#logged = logged
  }

  static async start(env: Record<string, string | undefined>, port = 0): Promise<RunningServer> {
    const given = { ...env, PORT: String(port) }
    const child = spawn(process.execPath, [BIN, 'serve'], { env: given, stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout!.on('data', (chunk) => (out += chunk))
    const url = await listening(child)
    return new RunningServer(Number(new URL(url).port), child, () => out)
  }

  get metrics(): string {
    return /metrics are at (\S+)"/.exec(this.#logged())?.[1] ?? ''
  }

  /** Resolves with its exit code. */
  stop(): Promise<unknown> {
    const ended = new Promise((exit) => this.#child.once('exit', exit))
    this.#child.kill('SIGTERM')
    return ended
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

/** How many connections are closed without an answer. */
async function resetsUntil(port: number, ready: Promise<unknown>): Promise<number> {
  let [isReady, resets] = [false, 0]
  void ready.finally(() => {
    isReady = true
  })
  while (!isReady) {
    await fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).catch(({ cause }) => {
      if (cause.code !== 'ECONNREFUSED') resets++
    })
  }
  return resets
}

describe(`Two servers on PostgreSQL behind ${PROXY}`, { skip: !ENGINES.includes('PostgreSQL') }, () => {
  let fresh: FreshDatabase
  let collector: Collector
  let receiver: Receiver
  let proxy: ReverseProxy
  let servers: RunningServer[] = []
  let env: Record<string, string | undefined> = {}
  let token = ''
  const agent = new Agent({ keepAlive: true })

  before(async () => {
    fresh = await freshDatabase('PostgreSQL', { sample: true })
    const desk = await Served.on(fresh.url, { keeps: 'nothing' })
    token = await desk.tokenOf('staff-gus')
    await desk.stop()
    collector = await Collector.start()
    receiver = await Receiver.start()
    env = {
      PATH: process.env['PATH'],
      DATABASE_URL: fresh.url,
      NYMDEX_TRUST_PROXY: 'loopback',
      NYMDEX_SHARED_CACHE: '600',
      NYMDEX_METRICS: '0',
      NYMDEX_HOOKS: 'private',
      NYMDEX_WRITE_LIMIT: 'off',
      NYMDEX_DRAIN_SECONDS: '1',
      // The machine may be busy with other tests.
      NYMDEX_QUEUE_MS: '60000',
      NYMDEX_DATABASE_SECONDS: '60',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    }
    servers = await Promise.all([RunningServer.start(env), RunningServer.start(env)])
    proxy = await startReverseProxy(servers.map(({ port }) => port))
  })
  after(async () => {
    agent.destroy()
    await proxy.stop()
    for (const server of servers) server.kill()
    await receiver.stop()
    collector.stop()
    await fresh.drop()
  })

  const signedIn = () => ({ authorization: `Token ${token}` })

  function ask(path: string, { method = 'GET', json, headers: given }: Asked = {}): Promise<Reply> {
    const body = json && JSON.stringify(json)
    const type = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}
    const headers = { ...(method === 'GET' ? {} : signedIn()), ...type, ...given }
    return new Promise((answered, failed) => {
      const request = httpRequest(new URL(path, proxy.url), { method, headers, agent }, async (reply) => {
        let text = ''
        for await (const chunk of reply) text += chunk
        answered({ status: reply.statusCode!, headers: reply.headers, text })
      })
      request.on('error', failed)
      request.end(body)
    })
  }

  test('the proxy caches what is the same for everybody, and nothing for those who sign in', async () => {
    const path = '/api/polynym/1/'
    const status = async (headers: Record<string, string> = {}) => {
      const reply = await ask(path, { headers })
      assert.equal(reply.status, 200)
      return [reply.headers['x-cache-status'], reply.headers['content-type']?.split(';')[0]]
    }
    const json = 'application/json'
    assert.deepEqual(await status(), ['MISS', json])
    assert.deepEqual(await status(), ['HIT', json])
    assert.deepEqual(await status({ accept: 'text/html' }), ['MISS', 'text/html'])
    assert.deepEqual(await status({ host: 'other.example' }), ['MISS', json])
    assert.deepEqual(await status(), ['HIT', json])
    assert.deepEqual(await status(signedIn()), ['BYPASS', json])
    const changed = await ask(path, { method: 'PATCH', json: { p1: 'another word' } })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(JSON.parse((await ask(path, { headers: signedIn() })).text).p1, 'another word')
    assert.equal((await ask('/healthz')).status, 404)
  })

  test('a trace goes from the client through the proxy to the database and to a hook', async () => {
    const made = await ask('/api/hook/', { method: 'POST', json: { url: receiver.url } })
    assert.equal(made.status, 201, made.text)
    const [traceId, caller] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
    const headers = { traceparent: `00-${traceId}-${caller}-01` }
    const path = `/api/hook/${JSON.parse(made.text).id}/test/`
    assert.equal((await ask(path, { method: 'POST', headers })).status, 200)
    const ofServer = ({ kind }: CollectedSpan) => kind === 2
    const spans = await collector.trace(traceId, (spans) => spans.some(ofServer))
    const request = spans.find(ofServer)!
    assert.deepEqual([request.name, request.parentSpanId], ['POST /api/hook/:id/test/', caller])
    const sent = spans.find(({ name }) => name === 'POST hook')!
    assert.equal(sent.parentSpanId, request.spanId)
    const [message] = await receiver.first(1)
    assert.equal(message!.headers['traceparent'], `00-${traceId}-${sent.spanId}-01`)
    assert.ok(spans.some(({ attributes }) => attributes['db.system.name'] === 'postgresql'))
    assert.ok(spans.some(({ name }) => name === 'write'))
  })

  test('both servers count what they do, in a form that Prometheus reads', async () => {
    for (let i = 0; i < 4; i++) assert.equal((await ask(`/api/queue/?page_size=${i + 1}`)).status, 200)
    for (const { metrics: address } of servers) {
      const metrics = await metricsAt(address)
      const asked = { method: 'GET', route: '/api/queue/', status: '200' }
      assert.equal(metricValue(metrics.get('nymdex_http_requests_total'), asked), 2, 'they take turns')
      assert.equal(metricValue(metrics.get('nymdex_database_up')), 1)
      assert.equal(metricValue(metrics.get('nymdex_connections'), { use: 'writing', state: 'waiting' }), 0)
    }
    // One of them sends the next change to the hook.
    assert.equal((await ask('/api/queue/', { method: 'POST', json: { name: 'for the hook' } })).status, 201)
    let delivered: number
    do {
      const counted = await Promise.all(
        servers.map(async ({ metrics }) => (await metricsAt(metrics)).get('nymdex_hook_deliveries_total')),
      )
      delivered = counted.reduce((sum, family) => sum + (metricValue(family, { result: 'delivered' }) ?? 0), 0)
    } while (delivered === 0)
    assert.equal(delivered, 1)
  })

  test('both servers are restarted in turn, and no request fails', async () => {
    const failures: string[] = []
    let isOver = false
    let answered = 0
    const client = async (number: number) => {
      for (let i = 0; !isOver; i++) {
        const isWrite = number % 2 === 0
        const name = `rolling ${number} ${i}`
        const reply = isWrite
          ? await ask('/api/queue/', { method: 'POST', json: { name } })
          : await ask(`/api/queue/?name=${encodeURIComponent(name)}`)
        answered++
        if (reply.status !== (isWrite ? 201 : 200)) failures.push(`${reply.status} ${reply.text}`)
      }
    }
    const clients = Promise.all([0, 1, 2, 3].map(client))
    for (const [i, server] of servers.entries()) {
      const ready = `http://127.0.0.1:${server.port}/readyz`
      assert.deepEqual(await (await fetch(ready)).json(), { status: 'ready' })
      const stopped = server.stop()
      let told = await (await fetch(ready)).json()
      while (told.status === 'ready') told = await (await fetch(ready)).json()
      assert.deepEqual(told, { status: 'stopping' })
      assert.equal(await stopped, 0)
      const started = RunningServer.start(env, server.port)
      const reset = resetsUntil(server.port, started)
      servers[i] = await started
      assert.equal(await reset, 0, 'while it starts, it refuses connections or answers')
      const before = answered
      while (answered < before + 20) await new Promise((turn) => setImmediate(turn))
    }
    isOver = true
    await clients
    assert.deepEqual(failures, [])
  })
})
