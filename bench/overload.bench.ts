/**
 * Five times more requests than the server can answer: how many are answered, how soon, how many are refused with
 * 503, and whether health checks get through. The capacity is measured first, by raising the rate until answers wait.
 *
 *   npm run bench -- overload          OVERLOAD_SECONDS=20 OVERLOAD_ENGINES=sqlite,postgres OVERLOAD_CAPACITY=500
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres.ts'
import { onCore, startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

interface Outcome {
  readonly count: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
}

interface Load {
  readonly sent: number
  readonly outcomes: Readonly<Record<string, Outcome>>
}

const SECONDS = Number(process.env['OVERLOAD_SECONDS'] ?? 20)
const ENGINES = (process.env['OVERLOAD_ENGINES'] ?? 'sqlite,postgres').split(',')
/** If it is already known, in requests per second. */
const CAPACITY = Number(process.env['OVERLOAD_CAPACITY'] ?? 0)
const HEALTH_EVERY_MS = 100

function runLoad(base: string, token: string, rate: number, seconds: number): Promise<Load> {
  const file = join(import.meta.dirname, 'overload', 'load.ts')
  const [program, args] = onCore('load', [process.execPath, file, base, token, String(rate), String(seconds)])
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.once('exit', (code) =>
      code === 0 ? done(JSON.parse(out)) : failed(new Error(`the load ended with ${code}`)),
    )
  })
}

/** The rate at which half of the responses still come within 100 ms, and none is refused. */
async function capacityOf(base: string, token: string): Promise<number> {
  let good = 50
  for (let rate = 100; rate < 20_000; rate = Math.ceil(rate * 1.4)) {
    const { outcomes } = await runLoad(base, token, rate, 4)
    const isGood = Object.entries(outcomes).every(([what, { p50 }]) => / 20[01]$/.test(what) && p50 < 100)
    if (!isGood) break
    good = rate
  }
  return good
}

/** New connections, like those of a load balancer. */
function probing(base: string): () => { readonly p99: number; readonly failed: number } {
  const times: number[] = []
  let failed = 0
  const timer = setInterval(() => {
    const begun = performance.now()
    get(`${base}/healthz`, { agent: false, timeout: 5000 }, (reply) => {
      reply.resume()
      reply.on('end', () => times.push(performance.now() - begun))
      if (reply.statusCode !== 200) failed++
    }).on('error', () => failed++)
  }, HEALTH_EVERY_MS)
  return () => {
    clearInterval(timer)
    const sorted = times.toSorted((a, b) => a - b)
    return { p99: Math.round(sorted[Math.floor(0.99 * (sorted.length - 1))] ?? Number.NaN), failed }
  }
}

async function measure(engine: string, url: string): Promise<void> {
  const token = await tokenFor(url, 'load', { sample: true })
  const server = await startNymdex({ database: url, cache: 'records' })
  try {
    const capacity = CAPACITY || (await capacityOf(server.base, token))
    console.log(`\n${engine}: ${capacity} requests a second without waiting; now ${5 * capacity}, for ${SECONDS} s`)
    const health = probing(server.base)
    const { sent, outcomes } = await runLoad(server.base, token, 5 * capacity, SECONDS)
    const { p99, failed } = health()
    for (const [what, { count, p50, p99: late, worst }] of Object.entries(outcomes).sort()) {
      const share = ((100 * count) / sent).toFixed(1)
      console.log(`  ${what.padEnd(16)} ${share.padStart(5)} %  p50 ${p50} ms, p99 ${late} ms, worst ${worst} ms`)
    }
    console.log(`  health           p99 ${p99} ms, ${failed} failed`)
    const { outcomes: after } = await runLoad(server.base, token, capacity / 2, 3)
    console.log(
      `  afterwards       ${Object.entries(after)
        .map(([what, { p99: late }]) => `${what} p99 ${late} ms`)
        .join(', ')}`,
    )
  } finally {
    await server.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'nymdex-overload-'))
const postgres = await startPostgres({ durable: true })
try {
  if (ENGINES.includes('sqlite')) await measure('SQLite', `sqlite:${join(folder, 'n.db')}`)
  if (ENGINES.includes('postgres')) await measure('PostgreSQL', postgres.url)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
