/** More requests than the server can handle: it refuses some at once, and still answers health checks. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { onEachEngine } from '../support/site.ts'

const MANY = 400

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
    const clients = Array.from({ length: 100 }, () => connect(site.port, '127.0.0.1'))
    await Promise.all(clients.map((socket) => once(socket, 'connect')))
    for (const [i, socket] of clients.entries()) {
      socket.write(`GET /api/polyset/?gone=${i} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      socket.destroy()
    }
    const lines = () => site.accessLog.filter(({ url }) => url.includes('?gone='))
    while (lines().length < clients.length) await setImmediate()
    assert.ok(lines().some(({ status }) => status === 499))
  })
})
