/**
 * Creates a second by 32 clients on PostgreSQL with fsync: one, two and four processes, and bare one-row inserts by 32
 * connections, in turns. Then the same with a database that is 1 ms away each way.
 *
 *   npm run bench -- creates           BENCH_SECONDS=4 CREATES_ROUNDS=3
 */
import { Agent, request } from 'node:http'
import pg from 'pg'
import { startPostgres } from '../test/support/postgres.ts'
import { delayed } from './creates/delay.ts'
import { SECONDS } from './speed/load.ts'
import { Results } from './speed/results.ts'
import { type Running, startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const ROUNDS = Number(process.env['CREATES_ROUNDS'] ?? 3)
const CLIENTS = 32
const MOST_PROCESSES = 4
const DELAY_MS = 1

type Create = (client: number) => Promise<void>

const results = new Results('creates')
const postgres = await startPostgres({ durable: true })
const token = await tokenFor(postgres.url, 'creator')
let count = 0

/** Spread over the list, as names are. */
function body(): string {
  const letter = 'abcdefghijklmnopqrstuvwxyz'[(++count * 7) % 26]
  const name = `${letter} made ${count}`
  return JSON.stringify({
    name,
    area: 'bench',
    src: 'a bench',
    mode: 'type',
    p1: `alpha ${count}`,
    p2: 'beta two',
    p3: 'gamma',
  })
}

function over(servers: readonly Running[]): Create {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' }
  return (client) =>
    new Promise((done, failed) => {
      const { base } = servers[client % servers.length]!
      const sent = request(`${base}/api/polynym/`, { method: 'POST', headers, agent }, (reply) => {
        reply.resume()
        reply.on('end', () => (reply.statusCode === 201 ? done() : failed(new Error(`${reply.statusCode}`))))
      })
      sent.on('error', failed)
      sent.end(body())
    })
}

/** One row with a text and an index, each in its own transaction. */
async function bare(url: string): Promise<{ create: Create; close(): Promise<void> }> {
  const clients = Array.from({ length: CLIENTS }, () => new pg.Client({ connectionString: url }))
  for (const client of clients) await client.connect()
  await clients[0]!.query(
    'CREATE TABLE IF NOT EXISTS bare (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name TEXT UNIQUE)',
  )
  return {
    create: async (client) => {
      const text = 'INSERT INTO bare (name) VALUES ($1)'
      await clients[client]!.query({ name: 'bare', text, values: [`made ${++count}`] })
    },
    close: async () => {
      for (const client of clients) await client.end()
    },
  }
}

async function rateOf(create: Create): Promise<number> {
  const began = performance.now()
  const end = began + SECONDS * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (; performance.now() < end; done++) await create(client)
    }),
  )
  return (done * 1000) / (performance.now() - began)
}

/** The medians of several rounds in turns. A first round does not count. */
async function medians(creates: ReadonlyMap<string, Create>): Promise<ReadonlyMap<string, number>> {
  const rates = new Map(Array.from(creates.keys(), (name): [string, number[]] => [name, []]))
  for (const create of creates.values()) await rateOf(create)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, create] of creates) rates.get(name)!.push(await rateOf(create))
  }
  return new Map(Array.from(rates, ([name, list]) => [name, list.sort((a, b) => a - b)[list.length >> 1]!]))
}

async function measure(url: string): Promise<ReadonlyMap<string, number>> {
  const servers: Running[] = []
  const inserts = await bare(url)
  try {
    for (let i = 0; i < MOST_PROCESSES; i++) servers.push(await startNymdex({ database: url, isPinned: false }))
    // Until the compiler has optimised the code of each: among four, one would get only a quarter of a round.
    for (const server of servers) await rateOf(over([server]))
    return await medians(
      new Map([
        ['bare', inserts.create],
        ...[1, 2, MOST_PROCESSES].map((n): [string, Create] => [String(n), over(servers.slice(0, n))]),
      ]),
    )
  } finally {
    for (const server of servers) await server.stop()
    await inserts.close()
  }
}

try {
  const near = await measure(postgres.url)
  const proxy = await delayed(postgres.url, DELAY_MS)
  const far = await measure(proxy.url)
  await proxy.close()
  const rate = (rates: ReadonlyMap<string, number>, name: string) => rates.get(name)!
  const ratio = (a: number, b: number) => `${a.toFixed(0)}/s against ${b.toFixed(0)}/s`
  const add = (what: string, a: number, b: number, atLeast: number) =>
    results.add({ what, figure: a / b, goal: { atLeast }, detail: ratio(a, b) })
  add('PostgreSQL: creates by 32 clients, against bare one-row inserts', rate(near, '1'), rate(near, 'bare'), 0.15)
  add('PostgreSQL: creates through two processes, against one', rate(near, '2'), rate(near, '1'), 1)
  add('PostgreSQL: creates through four processes, against one', rate(near, '4'), rate(near, '1'), 1)
  add('PostgreSQL 1 ms away each way: creates, against none', rate(far, '1'), rate(near, '1'), 0.7)
  add('PostgreSQL 1 ms away each way: four processes, against one', rate(far, '4'), rate(far, '1'), 1.5)
  results.save()
} finally {
  await postgres.stop()
}
