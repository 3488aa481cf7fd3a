/**
 * An open load: requests are sent when their time has come, whether or not earlier ones were answered, as from people
 * who do not know of each other. A process of its own, so that the server has its core to itself.
 *
 *   node load.ts BASE TOKEN RATE SECONDS      prints what came of it as JSON
 */
import { Agent, request } from 'node:http'

const [base = '', token = '', rate = '100', seconds = '10'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxFreeSockets: 2000 })
/** As many connections as existing clients. */
const CONNECTIONS = 500
const timings = new Map<string, number[]>()
let sent = 0

/** Of a hundred requests, one writes, a third are pages for people, the rest read the API without its cache. */
function nextRequest(): { method: string; path: string; html: boolean; body?: string } {
  const n = ++sent
  if (n % 100 === 0) {
    return {
      method: 'POST',
      path: '/api/queue/',
      html: false,
      body: JSON.stringify({ name: `load ${process.pid} ${n}` }),
    }
  }
  if (n % 3 === 0) return { method: 'GET', path: ['/quadranym/', '/', '/polynym/', '/fortune/7/'][n % 4]!, html: true }
  return { method: 'GET', path: `/api/polynym/?page=${1 + (n % 15)}&x=${n}`, html: false }
}

function ask(due: number): Promise<void> {
  const { method, path, html, body } = nextRequest()
  const headers = {
    accept: html ? 'text/html' : 'application/json',
    ...(body ? { authorization: `Token ${token}`, 'content-type': 'application/json' } : {}),
  }
  return new Promise((done) => {
    const note = (what: string) => {
      const known = timings.get(what) ?? []
      if (known.push(performance.now() - due) === 1) timings.set(what, known)
      done()
    }
    const call = request(base + path, { method, headers, agent, timeout: 30_000 }, (reply) => {
      reply.resume()
      reply.on('error', () => note('broken'))
      reply.on('end', () => note(`${method} ${reply.statusCode}`))
    })
    call.on('timeout', () => call.destroy())
    call.on('error', (error: NodeJS.ErrnoException) => note(`error ${error.code}`))
    call.end(body)
  })
}

function connected(): Promise<void> {
  return new Promise((done) => {
    const call = request(`${base}/api/`, { agent }, (reply) => {
      reply.resume()
      reply.on('end', done)
    })
    call.on('error', () => done())
    call.end()
  })
}
await Promise.all(Array.from({ length: CONNECTIONS }, connected))

const started = performance.now()
const all: Promise<void>[] = []
await new Promise<void>((over) => {
  const timer = setInterval(() => {
    const now = performance.now() - started
    if (now > Number(seconds) * 1000) {
      clearInterval(timer)
      return over()
    }
    while (all.length < (now / 1000) * Number(rate)) all.push(ask(started + (all.length / Number(rate)) * 1000))
  }, 2)
})
await Promise.all(all)
const spread = Array.from(timings, ([what, ms]) => {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!)
  return [what, { count: ms.length, p50: at(0.5), p99: at(0.99), worst: at(1) }]
})
console.log(JSON.stringify({ sent: all.length, outcomes: Object.fromEntries(spread) }))
process.exit(0)
