/**
 * PostgreSQL is restarted, killed, paused and robbed of its connections, again and again, while clients read and write
 * through two servers. Every answer must be 2xx, 4xx or 503; what was acknowledged must be there, and nothing twice; the
 * servers must stay up and recover by themselves.
 *
 *   npm run bench -- outage            OUTAGE_ROUNDS=5
 */
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres.ts'
import { type Running, startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const ROUNDS = Number(process.env['OUTAGE_ROUNDS'] ?? 5)
const CLIENTS = 8
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const statuses = new Map<string, number>()
const made = new Set<string>()
let count = 0
let isRunning = true

const postgres = await startPostgres({ durable: true })
const servers: Running[] = []

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.url })
  client.on('error', () => {})
  await client.connect()
  return client
}

function ask(
  method: string,
  path: string,
  json?: object,
): Promise<{ status: number | string; retry?: string | undefined }> {
  const { base } = servers[++count % servers.length]!
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  return new Promise((done) => {
    const sent = request(base + path, { method, headers, agent, timeout: 30_000 }, (reply) => {
      reply.resume()
      reply.on('end', () => done({ status: reply.statusCode!, retry: reply.headers['retry-after'] }))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', (error: NodeJS.ErrnoException) => done({ status: error.code ?? error.message }))
    sent.end(json && JSON.stringify(json))
  })
}

async function client(isWriter: boolean): Promise<void> {
  while (isRunning) {
    const name = `outage ${++count}`
    const { status, retry } = isWriter
      ? await ask('POST', '/api/queue/', { name })
      : await ask('GET', `/api/queue/?page_size=${1 + (count % 40)}`)
    if (status === 201) made.add(name)
    const key = `${isWriter ? 'POST' : 'GET'} ${status}${status === 503 && !retry ? ' without Retry-After' : ''}`
    statuses.set(key, (statuses.get(key) ?? 0) + 1)
    if (typeof status === 'string' || status >= 400) await pause(20)
  }
}

/** Until all servers read and write again, in milliseconds. */
async function recovery(): Promise<number> {
  const begun = performance.now()
  for (const { base } of servers) {
    while (
      !(await fetch(`${base}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await pause(20)
  }
  for (let good = 0; good < 2 * servers.length; ) {
    const name = `outage ${++count}`
    const { status } = await ask('POST', '/api/queue/', { name })
    if (status === 201) made.add(name)
    good = status === 201 ? good + 1 : 0
  }
  return Math.round(performance.now() - begun)
}

const WAYS: Readonly<Record<string, () => Promise<void>>> = {
  'stopped and started': () => postgres.restart(() => pause(1000)),
  'killed and started': () => postgres.crash(() => pause(1000)),
  'paused for 8 s': () => postgres.pause(() => pause(8000)),
  'its connections ended': async () => {
    const admin = await connect()
    for (let i = 0; i < 10; i++) {
      await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nymdex'")
      await pause(200)
    }
    await admin.end()
  },
  'out of connections for 3 s': async () => {
    const admin = await connect()
    const { rows } = await admin.query("SELECT current_setting('max_connections')::int AS most")
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'nymdex'")
    const hogs = await Promise.allSettled(Array.from({ length: rows[0].most }, connect))
    await pause(3000)
    for (const hog of hogs) if (hog.status === 'fulfilled') await hog.value.end().catch(() => {})
    await admin.end().catch(() => {})
  },
}

let token = ''
const faults: string[] = []
try {
  token = await tokenFor(postgres.url, 'outage')
  for (let i = 0; i < 2; i++) servers.push(await startNymdex({ database: postgres.url }))
  const clients = Array.from({ length: CLIENTS }, (_, i) => client(i % 2 === 0))
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [way, harm] of Object.entries(WAYS)) {
      await pause(1000)
      await harm()
      console.log(`round ${round}: ${way}; recovered after ${await recovery()} ms`)
    }
  }
  isRunning = false
  await Promise.all(clients)
  const admin = await connect()
  const names: string[] = (await admin.query('SELECT name FROM queue')).rows.map(({ name }) => name)
  await admin.end()
  const lost = [...made].filter((name) => !names.includes(name)).length
  console.log(`${made.size} writes acknowledged, ${lost} lost, ${names.length - new Set(names).size} doubled`)
  console.log('answers:', Object.fromEntries([...statuses].sort()))
  if (lost > 0) faults.push(`${lost} acknowledged writes are lost`)
  if (new Set(names).size !== names.length) faults.push('some writes are there twice')
  for (const key of statuses.keys()) if (!/ (2\d\d|4\d\d|503)$/.test(key)) faults.push(key)
  for (const { base } of servers) {
    const { count: counted } = (await (await fetch(`${base}/api/queue/`)).json()) as { count: number }
    if (counted !== names.length) faults.push(`a server counts ${counted} records, and there are ${names.length}`)
  }
} finally {
  isRunning = false
  agent.destroy()
  for (const server of servers) await server.stop().catch(() => {})
  await postgres.stop()
}
console.log(
  faults.length > 0 ? `MISSED: ${faults.join('; ')}` : 'met: only 2xx, 4xx and 503, nothing lost, nothing double',
)
if (faults.length > 0) process.exitCode = 1
