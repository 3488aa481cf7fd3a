/** The server disconnects clients that do not read, and clients that never close. The tests set low limits. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { LIMITS } from '../../src/http/exchange/wire-limits.ts'
import { shortLimits } from '../support/short-limits.ts'
import { Site } from '../support/site.ts'

const DOCUMENTED = { ...LIMITS }
shortLimits({ takeMs: 200, lingerMs: 50, headersMs: 100 })
const SOON = { timeout: 30_000 }

describe('Connections', () => {
  const site = new Site('SQLite')
  before(() => site.start())
  after(() => site.stop())

  /** Once the server has closed it, writing to a connection fails. */
  const letGo = async (socket: Socket) => {
    const writing = setInterval(() => socket.write('x'), 20)
    await new Promise((closed) => socket.once('close', closed))
    clearInterval(writing)
  }

  test('{limit.take} a client that reads no byte of its response for a minute is disconnected', SOON, async () => {
    assert.equal(DOCUMENTED.takeMs, 60_000)
    const socket = connect(site.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET /api/polynym/?page_size=1000 HTTP/1.1\r\nHost: nymdex.example\r\n\r\n'.repeat(400))
    await letGo(socket)
    assert.equal((await site.ask('/api/polynym/')).status, 200)
  })

  test('{limit.linger} a client that is refused and does not close is disconnected', SOON, async () => {
    const socket = connect({ port: site.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.resume()
    await new Promise((ended) => socket.once('end', ended))
    await letGo(socket)
  })
})
