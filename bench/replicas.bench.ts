/**
 * Two servers read from two standbys, while clients write through one server and read through the other: at once, with
 * a lag of a second, and while a standby hangs, is killed, and comes back. No response may be older than a write that
 * was acknowledged before the request, and none may fail.
 *
 *   npm run bench -- replicas            REPLICAS_PAIRS=10000
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres, type TestPostgres } from '../test/support/postgres.ts'
import { ReadProxy } from '../test/support/read-proxy.ts'
import { startStandby } from '../test/support/standby.ts'
import { type Running, startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const PAIRS = Number(process.env['REPLICAS_PAIRS'] ?? 10_000)
const CLIENTS = 8
const COLD_READS = 2000
const HANG_MS = 5000
const DOWN_MS = 2000
/** How long one request may lose to a replica that hangs. */
const LONGEST_MS = 600

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const folder = mkdtempSync(join(tmpdir(), 'nymdex-replicas-'))
const servers: Running[] = []
const standbys: TestPostgres[] = []
const [onPrimary, ...onStandbys] = [new ReadProxy(), new ReadProxy(), new ReadProxy()] as const
const faults: string[] = []
const failures = new Set<string>()
const tally = { pairs: 0, stale: 0, failed: 0, ms: [] as number[] }
let token = ''
let count = 0

interface Reply {
  readonly isGood: boolean
  readonly json: { readonly queue_id?: number; readonly name?: string; readonly count?: number }
}

function ask(server: number, method: string, path: string, json?: object): Promise<Reply> {
  const { base } = servers[server % servers.length]!
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  const begun = performance.now()
  return new Promise((done) => {
    const finish = (status: number, text: string) => {
      tally.ms.push(performance.now() - begun)
      const json = text.startsWith('{') ? JSON.parse(text) : {}
      const isGood = status >= 200 && status <= 299
      if (!isGood) {
        tally.failed++
        failures.add(`${method} ${status} ${json.detail ?? text}`)
      }
      done({ isGood, json })
    }
    const sent = request(base + path, { method, headers, agent, timeout: 30_000 }, (reply) => {
      let text = ''
      reply.on('data', (chunk) => (text += chunk))
      reply.on('end', () => finish(reply.statusCode!, text))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', (error) => finish(0, error.message))
    sent.end(json && JSON.stringify(json))
  })
}

/** Creates a record, finds it in a list, changes it and reads it: each time through another server than the write. */
async function twoPairs(): Promise<void> {
  const server = ++count
  const [first, second] = [`replica ${server} a`, `replica ${server} b`]
  const made = await ask(server, 'POST', '/api/queue/', { name: first })
  if (!made.isGood) return
  const list = await ask(server + 1, 'GET', `/api/queue/?name=${encodeURIComponent(first)}`)
  if (list.isGood && list.json.count !== 1) tally.stale++
  tally.pairs++
  const path = `/api/queue/${made.json.queue_id}/`
  const changed = await ask(server + 1, 'PATCH', path, { name: second })
  const found = await ask(server, 'GET', path)
  if (!changed.isGood) return
  if (found.isGood && found.json.name !== second) tally.stale++
  tally.pairs++
}

/** A list that no cache holds. */
async function readCold(): Promise<void> {
  const number = ++count
  await ask(number, 'GET', `/api/queue/?name=cold%20${number}`)
}

/** Clients that repeat a task until it was done so often, or for as long as another task takes. */
async function repeat(task: () => Promise<void>, until: number | Promise<void>): Promise<void> {
  let left = typeof until === 'number' ? until : Number.POSITIVE_INFINITY
  const ended = Promise.resolve(until).then(() => {
    if (typeof until !== 'number') left = 0
  })
  const client = async () => {
    while (left-- > 0) await task()
  }
  await Promise.all([ended, ...Array.from({ length: CLIENTS }, client)])
}

/** Returns the time of the slowest request. */
async function phase(name: string, run: () => Promise<unknown>): Promise<number> {
  Object.assign(tally, { pairs: 0, stale: 0, failed: 0, ms: [] })
  const before = [onPrimary, ...onStandbys].map(({ reads }) => reads)
  const said = await run()
  const [primary = 0, ...replicas] = [onPrimary, ...onStandbys].map(({ reads }, i) => reads - before[i]!)
  const read = replicas.reduce((sum, reads) => sum + reads, 0)
  const times = tally.ms.sort((a, b) => a - b)
  const at = (share: number) => `${(times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0)} ms`
  const { pairs, stale, failed } = tally
  console.log(
    `${name}: ${pairs} pairs, ${stale} stale, ${failed} failed; ${times.length} requests, p50 ${at(0.5)}, p99 ${at(0.99)}, ` +
      `worst ${at(1)}; database reads: ${primary} primary, ${replicas.join(' and ')} replicas ` +
      `(${((100 * read) / Math.max(1, read + primary)).toFixed(0)} %)${said ? `; ${said}` : ''}`,
  )
  if (stale > 0) faults.push(`${name}: ${stale} stale`)
  if (failed > 0) faults.push(`${name}: ${failed} failed`)
  return times.at(-1) ?? 0
}

/** Until every replica has answered a read, in milliseconds. */
async function recovery(): Promise<string> {
  const begun = performance.now()
  const before = onStandbys.map(({ reads }) => reads)
  while (!onStandbys.every(({ reads }, i) => reads > before[i]!)) await Promise.all([readCold(), pause(5)])
  return `all replicas answer again after ${Math.round(performance.now() - begun)} ms`
}

async function setLag(lag: string): Promise<void> {
  for (const { url } of standbys) {
    const client = new pg.Client({ connectionString: url })
    // The server may end while it is asked.
    client.on('error', () => {})
    await client.connect()
    await client.query(`ALTER SYSTEM SET recovery_min_apply_delay = '${lag}'`)
    await client.query('SELECT pg_reload_conf()')
    await client.end()
  }
}

const primary = await startPostgres({ durable: true })
try {
  token = await tokenFor(primary.url, 'replicas')
  for (let i = 0; i < onStandbys.length; i++) standbys.push(await startStandby(primary))
  const through = await Promise.all(onStandbys.map((proxy, i) => proxy.between(standbys[i]!.url)))
  process.env['NYMDEX_REPLICA_URLS'] = through.join(',')
  const database = await onPrimary.between(primary.url)
  for (let i = 0; i < 2; i++) servers.push(await startNymdex({ database, log: join(folder, `${i}.log`) }))
  await twoPairs()
  await recovery()
  await phase('cold reads', () => repeat(readCold, COLD_READS))
  const usual = await phase('pairs without lag', () => repeat(twoPairs, COLD_READS / 2))
  await setLag('1s')
  await phase('pairs with a lag of 1 s', () => repeat(twoPairs, PAIRS / 2))
  await setLag('0')
  await recovery()
  const both = async () => {
    await Promise.all([twoPairs(), readCold(), readCold(), readCold(), readCold()])
  }
  const worst = await phase(`one replica hangs for ${HANG_MS / 1000} s`, async () => {
    await standbys[0]!.pause(() => repeat(both, pause(HANG_MS)))
    return await recovery()
  })
  if (worst > usual + LONGEST_MS) faults.push(`a request took ${worst.toFixed(0)} ms`)
  await phase(`one replica is killed, and started after ${DOWN_MS / 1000} s`, async () => {
    await repeat(
      both,
      standbys[1]!.crash(() => pause(DOWN_MS)),
    )
    return await recovery()
  })
} finally {
  agent.destroy()
  for (const server of servers) await server.stop().catch(() => {})
  for (const proxy of [onPrimary, ...onStandbys]) proxy.close()
  for (const standby of standbys) await standby.stop()
  await primary.stop()
}
for (let i = 0; i < servers.length; i++) {
  const lines = readFileSync(join(folder, `${i}.log`), 'utf8').split('\n')
  const said = lines.filter((line) => /"msg":"replica /.test(line)).map((line) => JSON.parse(line).msg as string)
  console.log(`server ${i + 1} said:\n  ${said.join('\n  ')}`)
}
rmSync(folder, { recursive: true })
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(faults.length > 0 ? `MISSED: ${faults.join('; ')}` : 'met: nothing stale, nothing failed')
if (faults.length > 0) process.exitCode = 1
