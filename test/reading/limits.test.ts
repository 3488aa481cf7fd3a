/** Time limits. The server starts with short ones, so that the tests need not wait for the documented ones. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { AccountDesk, accountNamed } from '../../src/engine/index.ts'
import { shortLimits } from '../support/short-limits.ts'
import { onEachEngine, type Site } from '../support/site.ts'

const DOCUMENTED = shortLimits({ headersMs: 100, requestMs: 200, idleMs: 100 })

function open(site: Site, start: string): { readonly socket: Socket; readonly rest: Promise<string> } {
  const socket = connect(site.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(start)
  const rest = new Promise<string>((closed) => socket.on('close', () => closed(Buffer.concat(chunks).toString('utf8'))))
  return { socket, rest }
}

const TOO_LATE = /^HTTP\/1\.1 408 Request Timeout\r\n.*\r\n\r\n\{"detail":"The request took too long to arrive\."\}$/s

onEachEngine('Time limits', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{limit.header-time} {refuse.headers} headers that do not arrive within 15 seconds return 408', async () => {
    assert.equal(DOCUMENTED.headersMs, 15_000)
    for (const start of ['', 'GET /api/ HTTP/1.1\r\nHost: nymdex.example\r\n']) {
      const answer = await open(site, start).rest
      assert.match(answer, TOO_LATE)
      for (const line of ['Content-Type: application/json', 'Vary: Accept', 'X-Content-Type-Options: nosniff']) {
        assert.ok(answer.includes(`\r\n${line}\r\n`))
      }
      assert.match(answer, /\r\nX-Request-Id: [\w-]+\r\n/)
      assert.doesNotMatch(answer, /\r\n(Allow|Access-Control-[\w-]+):/)
    }
  })

  test('{limit.body-time} a body that does not arrive within 60 seconds returns 408, and the connection is closed', async () => {
    assert.equal(DOCUMENTED.requestMs, 60_000)
    const { engine } = site
    const gus = await engine.store.write(() => accountNamed(engine, 'gus'))
    const { key } = await new AccountDesk(engine).createToken(gus, 'raw')
    const head = `Host: nymdex.example\r\nAuthorization: Token ${key}\r\nContent-Type: application/json\r\n`
    assert.match(await open(site, `POST /api/queue/ HTTP/1.1\r\n${head}Content-Length: 9\r\n\r\n{`).rest, TOO_LATE)
    assert.equal((await site.ask('/api/queue/')).json.count, 0)
  })

  test('{limit.idle} an unused connection is closed', async () => {
    assert.equal(DOCUMENTED.idleMs, 65_000)
    const answer = await open(site, 'GET /healthz HTTP/1.1\r\nHost: nymdex.example\r\n\r\n').rest
    assert.match(answer, /^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n\{"status":"ok",.*\}$/s)
  })
})
