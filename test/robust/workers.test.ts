/** `serve --workers`: several processes that behave like one, also while one of them is killed or replaced. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { Agent, request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type CollectedSpan, Collector } from '../support/collector.ts'
import { BIN, ended, listening } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { metricsAt, metricValue } from '../support/metrics.ts'
import { Served } from '../support/servers.ts'

type Json = any

interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly json: Json
  /** Which process answered: request ids begin with it. */
  readonly process: string
}

interface Question {
  readonly method?: string
  readonly json?: object
  readonly headers?: Record<string, string>
}

/** Each request comes from another address, so that only those that name theirs meet limits. */
let addresses = 0
const nextAddress = () => `10.${(++addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`

/** One connection at a time, which stays open. */
class Client {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  readonly #base: string
  readonly #token: string

  constructor(base: string, token: string) {
    this.#base = base
    this.#token = token
  }

  ask(path: string, { method = 'GET', json, headers: given }: Question = {}): Promise<Reply> {
    const body = json && JSON.stringify(json)
    const headers = {
      'x-forwarded-for': nextAddress(),
      ...(method === 'GET' ? {} : { authorization: `Token ${this.#token}` }),
      ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
      ...given,
    }
    return new Promise((answered, failed) => {
      const request = httpRequest(new URL(path, this.#base), { method, headers, agent: this.#agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', failed)
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          const process = String(reply.headers['x-request-id']).slice(0, 8)
          const json = reply.headers['content-type'] === 'application/json' && text ? JSON.parse(text) : text
          answered({ status: reply.statusCode!, headers: reply.headers, json, process })
        })
      })
      request.on('error', failed)
      request.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Of each client of a load, between two requests. */
const PAUSE_MS = 20

const polynym = (name: string) => ({ name, mode: 'part', p1: 'a', p2: 'b' })
const environment = {
  PATH: process.env['PATH'],
  PORT: '0',
  NYMDEX_SAMPLE: 'off',
  NYMDEX_DRAIN_SECONDS: '0',
  // The machine may be busy with other tests.
  NYMDEX_QUEUE_MS: '60000',
  NYMDEX_DATABASE_SECONDS: '60',
  NYMDEX_QUERY_SECONDS: '60',
}

for (const name of ENGINES) {
  describe(`Two workers and a writer (${name})`, () => {
    let fresh: FreshDatabase
    let collector: Collector
    let server: ChildProcess
    let base = ''
    let token = ''
    let out = ''
    /** Connected to different workers. */
    let clients: Client[] = []
    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      collector = await Collector.start()
      const desk = await Served.on(fresh.url, { keeps: 'nothing' })
      token = await desk.tokenOf('staff-gus')
      await desk.stop()
      const env = {
        ...environment,
        DATABASE_URL: fresh.url,
        NYMDEX_WORKERS: '2',
        NYMDEX_METRICS: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: 'words',
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0',
        NYMDEX_WRITE_LIMIT: 'off',
        NYMDEX_NEW_ACCOUNT_LIMIT: 'off',
        NYMDEX_SIGNIN_LIMIT: '3/hour',
        NYMDEX_READ_LIMIT: '10/hour',
        NYMDEX_STREAMS: '4',
        NYMDEX_TRUST_PROXY: 'loopback',
      }
      server = spawn(process.execPath, [BIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      server.stdout!.on('data', (chunk) => (out += chunk))
      base = await listening(server)
      clients = await clientsOfEach()
    })
    after(async () => {
      for (const client of clients) client.close()
      server.kill('SIGKILL')
      collector.stop()
      await fresh.drop()
    })

    /** A client for each worker. */
    async function clientsOfEach(): Promise<Client[]> {
      const found = new Map<string, Client>()
      while (found.size < 2) {
        const client = new Client(base, token)
        const { process } = await client.ask('/api/')
        if (found.has(process)) client.close()
        else found.set(process, client)
      }
      return [...found.values()]
    }

    interface OpenStream {
      readonly status: number
      /** What came up to the first creation. */
      readonly heard: Promise<string>
      end(): void
    }

    function openStream(given: Record<string, string>): Promise<OpenStream> {
      return new Promise((opened, failed) => {
        const headers = { accept: 'text/event-stream', ...given }
        const request = httpRequest(new URL('/api/changes/', base), { headers, agent: false }, (reply) => {
          let text = ''
          const heard = new Promise<string>((told) => {
            reply.on('data', (chunk) => {
              text += chunk
              if (/^data: .*"create"/m.test(text)) told(text)
            })
          })
          reply.on('error', () => {})
          opened({ status: reply.statusCode!, end: () => request.destroy(), heard })
        })
        request.on('error', failed)
        request.end()
      })
    }

    const idsOf = (role: string) =>
      Array.from(out.matchAll(new RegExp(`a ${role} serves, with process id (\\d+)`, 'g')), ([, id]) => Number(id))

    async function untilSaid(what: RegExp, from: number): Promise<void> {
      while (!what.test(out.slice(from))) await once(server.stdout!, 'data')
    }

    /** Asks, and leaves at once. */
    const leave = (path: string, headers: OutgoingHttpHeaders) =>
      new Promise<void>((gone) => {
        const sent = httpRequest(new URL(path, base), { headers, agent: false })
        sent.on('error', () => gone())
        sent.on('response', () => gone())
        sent.on('finish', () => sent.destroy())
        sent.end()
      })

    test('what was written through one is seen at once through each, and each request is logged once', async () => {
      const posts: string[] = []
      for (let turn = 0; turn < 40; turn++) {
        const [writer, reader] = turn % 2 ? clients : [...clients].reverse()
        const made = await writer!.ask('/api/polynym/', { method: 'POST', json: polynym(`seen ${turn}`) })
        assert.equal(made.status, 201, JSON.stringify(made.json))
        assert.equal(made.headers['location'], `${base}api/polynym/${made.json.polynym_id}/`)
        posts.push(String(made.headers['x-request-id']))
        for (const client of [reader!, writer!]) {
          const found = await client.ask('/api/polynym/?name__startswith=seen&page_size=1')
          assert.equal(found.json.count, turn + 1)
          assert.equal((await client.ask(`/api/polynym/${made.json.polynym_id}/`)).status, 200)
        }
        if (turn % 4 === 3) {
          const path = `/api/polynym/${made.json.polynym_id}/`
          await writer!.ask(path, { method: 'PATCH', json: { p1: 'changed' } })
          assert.equal((await reader!.ask(path)).json.p1, 'changed')
        }
      }
      await untilSaid(new RegExp(posts.at(-1)!), 0)
      const lines = out.split('\n').filter((line) => line !== '')
      const logged = lines
        .map((line) => JSON.parse(line))
        .filter(({ id, msg }) => msg === 'request' && posts.includes(id))
      assert.deepEqual(
        logged.map(({ id, method, status }) => [id, method, status]),
        posts.map((id) => [id, 'POST', 201]),
      )
      assert.ok(logged.every(({ address }) => address.startsWith('10.')))
      // Metrics are those of all processes together.
      const metrics = await metricsAt(/metrics are at (\S+)"/.exec(out)?.[1] ?? '')
      const created = { method: 'POST', route: '/api/polynym/', status: '201' }
      assert.equal(metricValue(metrics.get('nymdex_http_requests_total'), created), posts.length)
      assert.equal(metricValue(metrics.get('nymdex_build_info')), 1)
      // So is what staff see, and any worker shows it.
      for (const client of clients) {
        const { json } = await client.ask('/api/staff/', { headers: { authorization: `Token ${token}` } })
        const roles = json.processes.map(({ role }: { role: string }) => role)
        assert.deepEqual(roles, ['writer', 'worker', 'worker'])
        const answered = json.minutes.reduce((sum: number, { ok }: { ok: number }) => sum + ok, 0)
        assert.ok(answered >= 3 * posts.length, String(answered))
        const [port] = json.settings
        assert.deepEqual(port, { name: 'PORT', option: 'port', value: '0', from: 'environment', where: 'PORT' })
        assert.equal(json.jobs.length, 3)
      }
    })

    test('a trace goes through the worker and the writer to the database, and has no secrets', async () => {
      const [traceId, caller] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
      const headers = { traceparent: `00-${traceId}-${caller}-01`, tracestate: 'rojo=1' }
      const asked = { method: 'POST', json: polynym('a traced river'), headers }
      const made = await clients[0]!.ask('/api/polynym/?token=hidden', asked)
      assert.equal(made.status, 201, JSON.stringify(made.json))
      const spans = await collector.trace(traceId, (spans) => spans.some(({ kind }) => kind === 2))
      const request = spans.find(({ kind }) => kind === 2)!
      assert.deepEqual([request.name, request.parentSpanId], ['POST /api/polynym/', caller])
      assert.deepEqual(request.attributes, {
        'http.request.method': 'POST',
        'http.route': '/api/polynym/',
        'http.response.status_code': 201,
        'http.response.body.size': Number(made.headers['content-length']),
        'nymdex.request.id': made.headers['x-request-id'],
        'nymdex.cached': false,
      })
      assert.equal(request.resource['service.name'], 'words')
      const written = (spans: readonly CollectedSpan[]) => spans.some(({ name }) => name === 'writer')
      const all = await collector.trace(traceId, written)
      const writer = all.find(({ name }) => name === 'writer')!
      assert.equal(writer.parentSpanId, request.spanId)
      const write = all.find(({ name }) => name === 'write')!
      assert.deepEqual([write.parentSpanId, write.attributes['nymdex.write.group_size']], [writer.spanId, 1])
      const inserts = all.filter(({ name }) => /^INSERT polynym/.test(name))
      assert.ok(inserts.length > 0)
      for (const { kind, attributes } of inserts) {
        assert.equal(kind, 3)
        assert.equal(attributes['db.system.name'], name === 'SQLite' ? 'sqlite' : 'postgresql')
        assert.match(String(attributes['db.query.text']), /^INSERT INTO "polynym/)
      }
      // A trace that is not sampled is not collected, but the log names it.
      const other = 'a3ce929d0e0e47364bf92f3577b34da6'
      await clients[0]!.ask('/api/', { headers: { traceparent: `00-${other}-${caller}-00` } })
      await untilSaid(new RegExp(`"trace":"${other}"`), 0)
      assert.deepEqual([...new Set(collector.spans.map(({ traceId }) => traceId))], [traceId])
      for (const secret of [token, 'hidden', 'a traced river']) assert.ok(!collector.text.includes(secret), secret)
      // A collector that fails affects no request, and the log says so.
      collector.status = 500
      assert.equal((await clients[0]!.ask('/api/', { headers })).status, 200)
      await untilSaid(/the collector of traces did not take \d+ span/, 0)
      collector.status = 200
    })

    test('answers are the same as from one process, also refusals and bodies that nobody wants', async () => {
      const [client] = clients
      const known = await client!.ask('/api/polynym/', { method: 'POST', json: { mode: 'part' } })
      assert.deepEqual([known.status, Object.keys(known.json)], [400, ['name', 'p1', 'p2']])
      const stranger = { method: 'POST', json: polynym('nobody'), headers: { authorization: 'Token wrong' } }
      assert.equal((await client!.ask('/api/polynym/', stranger)).status, 401)
      const long = { method: 'POST', json: { name: 'x'.repeat(1024 * 1024) } }
      assert.equal((await client!.ask('/api/polynym/', long)).status, 413)
      assert.equal(
        (await client!.ask('/api/polynym/1/', { method: 'DELETE', headers: { authorization: '' } })).status,
        401,
      )
      const basic = `Basic ${Buffer.from('nobody:nothing').toString('base64')}`
      assert.equal((await client!.ask('/api/', { headers: { authorization: basic } })).status, 401)
      const expecting = { method: 'POST', json: polynym('expected'), headers: { expect: '100-continue' } }
      assert.equal((await client!.ask('/api/polynym/', expecting)).status, 201)
      assert.equal((await client!.ask('/api/polynym/1/vote/', { method: 'POST' })).status, 200)
      const { json } = await client!.ask('/healthz', { headers: { authorization: basic } })
      assert.deepEqual(json, { status: 'ok', database: 'ok', writes: 'ok' })
    })

    test('reads with a password are answered by the writer, also those that are streamed', async () => {
      const [client, other] = clients
      const account = { username: 'bo', password: 'a long and quiet river' }
      const signedUp = { method: 'POST', json: account, headers: { authorization: '' } }
      assert.equal((await client!.ask('/accounts/signup/', signedUp)).status, 201)
      const headers = { authorization: `Basic ${Buffer.from(`bo:${account.password}`).toString('base64')}` }
      const [mine, theirs] = await Promise.all([
        client!.ask('/api/polynym.ndjson', { headers }),
        other!.ask('/api/polynym.ndjson'),
      ])
      assert.deepEqual([mine.status, mine.json], [200, theirs.json])
      // Those whose client leaves before the answer must give back their snapshots: there are few.
      for (let i = 0; i < 6; i++) {
        await leave('/api/polynym.ndjson', headers)
        assert.equal((await other!.ask('/api/polynym.ndjson', { headers })).status, 200)
      }
      const head = await client!.ask('/api/polynym/', { method: 'HEAD', headers })
      const whole = await client!.ask('/api/polynym/', { headers })
      assert.equal(head.headers['content-length'], whole.headers['content-length'])
      assert.equal(head.json, '')
      const stream = await openStream({ ...headers, 'x-forwarded-for': nextAddress() })
      assert.equal(stream.status, 200)
      await other!.ask('/api/queue/', { method: 'POST', json: { name: 'heard with a password' } })
      assert.match(await stream.heard, /"resource":"queue"/)
      stream.end()
    })

    test('tries to sign in count together, and no header of a client says where it comes from', async () => {
      const login = { username: 'staff-gus', password: 'a wrong password' }
      const statuses: number[] = []
      for (let i = 0; i < 5; i++) {
        const headers = {
          authorization: '',
          'x-forwarded-for': '192.0.2.1',
          'nymdex-passed-address': nextAddress(),
          'nymdex-passed-secret': 'x',
        }
        const reply = await clients[i % 2]!.ask('/api-token-auth/', { method: 'POST', json: login, headers })
        statuses.push(reply.status)
      }
      assert.deepEqual(statuses, [400, 400, 400, 429, 429])
    })

    test('requests of an address count together', async () => {
      const headers = { 'x-forwarded-for': '192.0.2.2' }
      const statuses: number[] = []
      for (let i = 0; i < 12; i++) statuses.push((await clients[i % 2]!.ask('/api/', { headers })).status)
      assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
    })

    test('live streams count together, and a stream of one worker tells what another one wrote', async () => {
      const open = () => openStream({ 'x-forwarded-for': '192.0.2.3' })
      const streams = [await open(), await open()]
      assert.deepEqual(
        streams.map(({ status }) => status),
        [200, 200],
      )
      const another = await open()
      assert.equal(another.status, 429, 'as many as are left for others')
      await clients[0]!.ask('/api/queue/', { method: 'POST', json: { name: 'heard' } })
      await Promise.all(streams.map(({ heard }) => heard))
      for (const { end } of [...streams, another]) end()
    })

    /** Asks again and again through connections of its own, until it is told to stop. There are always requests on the way. */
    function loadOf(title: string, onFailure: (what: string) => void) {
      const written: string[] = []
      let isOver = false
      let answered = 0
      const run = async (number: number) => {
        for (let i = 0; !isOver; i++) {
          const client = new Client(base, token)
          try {
            for (let each = 0; each < 10 && !isOver; each++, i++) {
              const isWrite = number % 2 === 0
              const name = `${title} ${number} ${i}`
              const reply = isWrite
                ? await client.ask('/api/queue/', { method: 'POST', json: { name } })
                : await client.ask(`/api/queue/?page=${1 + (i % 3)}&page_size=1`)
              // Without a pause, the load would take the processors from the processes that start meanwhile.
              await setTimeout(PAUSE_MS)
              if (reply.status === 201) written.push(name)
              if (reply.status > 201) onFailure(`${reply.status} ${JSON.stringify(reply.json)}`)
              else answered++
            }
          } catch (error) {
            onFailure(String(error))
          }
          client.close()
        }
      }
      const running = Promise.all(Array.from({ length: 6 }, (_, number) => run(number)))
      return {
        written,
        /** Resolves when this many more are answered. */
        async more(count: number) {
          const wanted = answered + count
          while (answered < wanted) await setTimeout(PAUSE_MS)
        },
        async stop() {
          isOver = true
          await running
        },
      }
    }

    async function demandAll(title: string, written: readonly string[]): Promise<void> {
      for (const client of await clientsOfEach()) {
        const { status, json } = await client.ask('/api/queue.ndjson')
        assert.equal(status, 200)
        const lines: string[] = json.trim().split('\n')
        const names = lines.map((line) => JSON.parse(line).name).filter((each) => each.startsWith(title))
        const known = new Set(names)
        assert.deepEqual(
          written.filter((each) => !known.has(each)),
          [],
        )
        assert.equal(known.size, names.length)
        client.close()
      }
    }

    test('kill -9 of a worker and of the writer: nothing acknowledged is lost, and the service goes on', async () => {
      const load = loadOf('killed', () => {})
      await load.more(50)
      for (const role of ['worker', 'writer']) {
        const from = out.length
        process.kill(idsOf(role).at(-1)!, 'SIGKILL')
        await untilSaid(new RegExp(`a ${role} serves`), from)
        await load.more(50)
      }
      await load.stop()
      await demandAll('killed', load.written)
    })

    test('SIGHUP replaces every process without a single failed request', async () => {
      const failures: string[] = []
      const load = loadOf('reloaded', (what) => failures.push(what))
      await load.more(50)
      const from = out.length
      const before = [...idsOf('worker'), ...idsOf('writer')].length
      server.kill('SIGHUP')
      await untilSaid(/all processes are replaced/, from)
      await load.more(100)
      await load.stop()
      assert.deepEqual(failures, [])
      assert.equal([...idsOf('worker'), ...idsOf('writer')].length, before + 3)
      await demandAll('reloaded', load.written)
    })

    test('SIGTERM ends all of it with exit code 0', async () => {
      for (const client of clients) client.close()
      const [exited, from] = [once(server, 'exit'), out.length]
      server.kill('SIGTERM')
      await untilSaid(/SIGTERM: finishing/, from)
      server.kill('SIGHUP')
      assert.deepEqual(await exited, [0, null])
      assert.match(out, /"msg":"stopped"/)
      for (const id of [...idsOf('worker'), ...idsOf('writer')]) assert.throws(() => process.kill(id, 0))
    })
  })
}

test('after more connections than files may be open, the server gives back what it could not hand to a worker', {
  skip: process.platform !== 'linux',
}, async () => {
  const fresh = await freshDatabase('SQLite', { sample: true })
  const env = { ...environment, DATABASE_URL: fresh.url, NYMDEX_WORKERS: '2' }
  const server = spawn('sh', ['-c', 'ulimit -n 200; exec "$0" "$@"', process.execPath, BIN, 'serve'], { env })
  const url = await listening(server)
  const files = () => readdirSync(`/proc/${server.pid}/fd`).length
  const before = files()
  let isTold = false
  server.stdout.on('data', (chunk) => {
    isTold ||= /"connections":\d+,"msg":"no worker has taken/.test(chunk)
  })
  const crowd: Socket[] = []
  // In small groups, which the server accepts. On a busy machine it has no room itself for some of them: others follow until
  // the workers have none.
  while (!isTold) {
    const group = Array.from({ length: 50 }, () =>
      connect(Number(new URL(url).port), '127.0.0.1')
        .on('error', () => {})
        .resume(),
    )
    await Promise.all(group.map((each) => Promise.race([once(each, 'connect'), once(each, 'close')])))
    crowd.push(...group)
    if (crowd.length >= 800) await setTimeout(PAUSE_MS * 10)
  }
  for (const each of crowd) each.destroy()
  const status = async () => (await fetch(`${url}healthz`, { headers: { connection: 'close' } })).status
  while (files() > before + 5) {
    await status().catch(() => {})
    await setTimeout(PAUSE_MS * 10)
  }
  assert.equal(await status(), 200)
  server.kill('SIGTERM')
  assert.equal((await ended(server)).code, 0)
  await fresh.drop()
})

test('whatever keeps workers from starting is one line', async () => {
  const port = createServer().listen(0, '127.0.0.1')
  await once(port, 'listening')
  const { port: taken } = port.address() as { port: number }
  const fresh = await freshDatabase('SQLite', { sample: true })
  const faults: [Record<string, string>, RegExp][] = [
    [{ NYMDEX_WORKERS: '0' }, /^nymdex: NYMDEX_WORKERS: "0" is not auto or a whole number from 1 to 256\n$/],
    [{ DATABASE_URL: 'sqlite:/dev/null/x.db' }, /^nymdex: .*\/dev\/null.*\n$/],
    [{ PORT: String(taken) }, new RegExp(`^nymdex: port ${taken} on 127.0.0.1 is in use: .* set PORT\\n$`)],
    [{ NYMDEX_METRICS: String(taken) }, new RegExp(`^nymdex: port ${taken} on 127.0.0.1 .* set NYMDEX_METRICS\\n$`)],
  ]
  for (const [settings, line] of faults) {
    const env = { ...environment, DATABASE_URL: fresh.url, NYMDEX_WORKERS: '2', LOG_LEVEL: 'silent', ...settings }
    const { code, out, err } = await ended(spawn(process.execPath, [BIN, 'serve'], { env }))
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, line)
  }
  port.close()
  // Told to stop while it starts, it leaves nothing behind.
  const sockets = mkdtempSync(join(tmpdir(), 'nymdex-sockets-'))
  const watching = watch(sockets)
  const changed = once(watching, 'change')
  const env = { ...environment, DATABASE_URL: fresh.url, NYMDEX_WORKERS: '2', TMPDIR: sockets }
  const server = spawn(process.execPath, [BIN, 'serve'], { env })
  const end = ended(server)
  await changed
  watching.close()
  server.kill('SIGTERM')
  assert.deepEqual([(await end).code, readdirSync(sockets)], [0, []])
  rmSync(sockets, { recursive: true })
  await fresh.drop()
})
