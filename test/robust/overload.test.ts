/** More requests than the server can handle: it refuses some at once, and still answers health checks. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../../src/store/index.ts'
import { shortLimits } from '../support/short-limits.ts'
import { onEachEngine, type Site } from '../support/site.ts'

shortLimits({ idleMs: 100 })

const MANY = 400
const SOON = { timeout: 30_000 }

async function connected(site: Site, count: number): Promise<Socket[]> {
  const clients = Array.from({ length: count }, () => connect(site.port, '127.0.0.1'))
  await Promise.all(clients.map((socket) => once(socket, 'connect')))
  return clients
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

onEachEngine('Overload', { settings: { queueMs: 5 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{overload.shed} {overload.health} what cannot be answered soon returns 503, the rest is answered, and health checks are', async () => {
    const asked = Array.from({ length: MANY }, (_, i) => site.ask(`/api/polyset/?page_size=${1 + (i % 100)}&n=${i}`))
    const health = [site.ask('/healthz'), site.ask('/readyz')]
    const replies = await Promise.all(asked)
    const shed = replies.filter(({ status }) => status !== 200)
    assert.ok(shed.length > 0 && shed.length < MANY, `${shed.length} of ${MANY}`)
    for (const { status, headers, json } of shed) {
      const detail = 'The server has too much to do. Try again in a moment.'
      assert.deepEqual([status, headers['retry-after'], json], [503, '2', { detail }])
    }
    for (const { status } of await Promise.all(health)) assert.equal(status, 200)
    assert.equal((await site.ask('/api/polyset/')).status, 200)
  })

  test('{overload.gone} a request whose client disconnects while it waits is logged with 499', async () => {
    const clients = await connected(site, 100)
    for (const [i, socket] of clients.entries()) {
      socket.write(get(`/api/polyset/?gone=${i}`))
      socket.destroy()
    }
    const lines = () => site.accessLog.filter(({ url }) => url.includes('?gone='))
    while (lines().length < clients.length) await setImmediate()
    assert.ok(lines().some(({ status }) => status === 499))
  })

  test('a connection whose request was refused is closed when it is unused', SOON, async () => {
    const clients = await connected(site, MANY)
    const closed = clients.map((socket) => once(socket.resume(), 'close'))
    for (const [i, socket] of clients.entries()) socket.write(get(`/api/polyset/?page_size=${1 + (i % 100)}&kept=${i}`))
    await Promise.all(closed)
    const lines = site.accessLog.filter(({ url }) => url.includes('&kept='))
    assert.equal(lines.length, MANY)
    assert.ok(lines.some(({ status }) => status === 503))
  })
})

/** Reads that have begun and wait until the test lets them continue. */
class Gate {
  isOpen = true
  readonly #waiting: (() => void)[] = []

  get waiting(): number {
    return this.#waiting.length
  }

  open(): void {
    this.isOpen = true
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  watch = (database: Database): Database => ({
    ...database,
    readAt: async (work, seconds) => {
      if (!this.isOpen) await new Promise<void>((goOn) => this.#waiting.push(goOn))
      return await database.readAt(work, seconds)
    },
  })
}

const gate = new Gate()

onEachEngine('Reads that take long', { sample: false, watch: gate.watch }, (site) => {
  after(() => {
    gate.open()
    assert.deepEqual(site.bugs, [])
  })

  test('no more than 16 run at once, and the others run afterwards', SOON, async () => {
    const clients = await connected(site, 40)
    gate.isOpen = false
    for (const [i, socket] of clients.entries()) socket.write(get(`/api/polynym/?search=x${i}`))
    while (gate.waiting < 16) await setImmediate()
    // Their packets arrived later.
    for (let i = 0; i < 3; i++) assert.equal((await site.ask('/healthz')).status, 200)
    assert.equal(gate.waiting, 16)
    gate.open()
    for (const socket of clients) {
      const [chunk] = await once(socket, 'data')
      assert.match(String(chunk), /^HTTP\/1\.1 200 OK\r\n/)
      socket.destroy()
    }
  })
})

const HOLD_MS = 300
let holds = false

/** Keeps the whole process busy, and so the event loop of the server. */
function hold(): void {
  for (const end = performance.now() + HOLD_MS + 50; performance.now() < end; );
}

const held = (database: Database): Database => ({
  ...database,
  readAt: (work, seconds) => {
    if (holds) hold()
    holds = false
    return database.readAt(work, seconds)
  },
})

onEachEngine('A blocked event loop', { sample: false, settings: { holdMs: HOLD_MS }, watch: held }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('it is logged with the request that blocked it, if one did, and nothing else is', async () => {
    hold()
    await site.ask('/healthz')
    assert.ok(site.holds.some(({ id }) => id === undefined))
    holds = true
    const url = '/api/polynym/?search=x'
    const { headers } = await site.ask(url)
    for (let i = 0; i < 10; i++) await site.ask('/healthz')
    const { ms, ...line } = site.holds.find(({ id }) => id === headers['x-request-id'])
    assert.deepEqual(line, { id: headers['x-request-id'], method: 'GET', url })
    assert.ok(ms > HOLD_MS)
    for (const each of site.holds) assert.ok(each.ms > HOLD_MS, JSON.stringify(each))
    // Each is a block of its own: together they are no longer than the process has run.
    assert.ok(site.holds.reduce((sum, each) => sum + each.ms, 0) < performance.now())
  })
})
