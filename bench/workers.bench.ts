/**
 * `nymdex serve --workers 2` against two bare node:http processes that send the same bytes, and creates through two
 * workers against creates through one process. The load needs processor too, and there may be no core for it alone, so
 * the goal is about processor time: that of all processes of the server, for each request. See bench/README.md.
 *
 *   npm run bench -- workers           WORKERS_ENGINES=sqlite,postgres BENCH_SECONDS=3
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres.ts'
import { keepAnswer } from './speed/answer.ts'
import type { Spread } from './speed/client.ts'
import { interleaved, runClient, SECONDS } from './speed/load.ts'
import { familyOf, isInstalled, processorMs, type Running, startNymdex, startPeer } from './speed/servers.ts'
import { tokensFor } from './speed/tokens.ts'

const ENGINES = (process.env['WORKERS_ENGINES'] ?? 'sqlite,postgres').split(',')
const PAGE = '/api/polynym/?page_size=100'
const WORKERS = 2
const CONNECTIONS = 32
const CLIENTS = 32
const WRITERS = Array.from({ length: CLIENTS }, (_, i) => `writer${i}`)
const GOAL = 0.9
/** Until the compiler has optimised the code of two processes. */
const WARM_UP = 3 * SECONDS

const processorOf = (servers: readonly Running[]) =>
  servers.flatMap(({ pid }) => familyOf(pid)).reduce((sum, pid) => sum + processorMs(pid), 0)

/** Requests and requests a second, by one wrk for each base. */
function runWrk(base: string, seconds: number): Promise<{ count: number; rate: number }> {
  const connections = CONNECTIONS / WORKERS
  const child = spawn('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, `${base}${PAGE}`])
  return new Promise((done, failed) => {
    let out = ''
    child.stdout.on('data', (chunk) => (out += chunk))
    child.once('close', () => {
      const [, count] = /(\d+) requests in/.exec(out) ?? []
      const [, rate] = /Requests\/sec:\s*([\d.]+)/.exec(out) ?? []
      if (!count || !rate || /Non-2xx|Socket errors/.test(out)) failed(new Error(`wrk: ${out}`))
      else done({ count: Number(count), rate: Number(rate) })
    })
  })
}

/** Half of the connections go to each base. */
async function read(servers: readonly Running[], seconds = SECONDS): Promise<Spread> {
  const bases = Array.from({ length: WORKERS }, (_, i) => servers[i % servers.length]!.base)
  const before = processorOf(servers)
  const found = await Promise.all(bases.map((base) => runWrk(base, seconds)))
  const count = found.reduce((sum, each) => sum + each.count, 0)
  const rate = found.reduce((sum, each) => sum + each.rate, 0)
  return { count, rate, p50: Number.NaN, p99: Number.NaN, cost: ((processorOf(servers) - before) * 1000) / count }
}

let marks = 0

async function create({ base, pid }: Running, tokens: readonly string[], seconds = SECONDS): Promise<Spread> {
  const before = familyOf(pid).reduce((sum, each) => sum + processorMs(each), 0)
  const found = await runClient('create', { base, tokens, seconds, mark: `${process.pid} ${marks++}` })
  const after = familyOf(pid).reduce((sum, each) => sum + processorMs(each), 0)
  return { ...found, cost: ((after - before) * 1000) / found.count }
}

const shown = ({ rate, cost = Number.NaN }: Spread) => `${rate.toFixed(0)}/s, ${cost.toFixed(0)} µs of processor`

async function measure(engine: string, url: string, folder: string): Promise<void> {
  const tokens = await tokensFor(url, WRITERS, { sample: true })
  const running: Running[] = []
  const start = async (starting: Promise<Running>): Promise<Running> => {
    const started = await starting
    running.push(started)
    return started
  }
  try {
    const ours = await start(startNymdex({ database: url, workers: WORKERS }))
    const answer = await keepAnswer(ours.base, PAGE, folder)
    const bare: Running[] = []
    for (let i = 0; i < WORKERS; i++) bare.push(await start(startPeer('bare', [answer], { isPinned: false })))
    for (const servers of [[ours], bare]) await read(servers, WARM_UP)
    const reads = await interleaved({ ours: () => read([ours]), bare: () => read(bare) })
    const byCost = (reads.bare.cost ?? Number.NaN) / (reads.ours.cost ?? Number.NaN)
    // PostgreSQL is asked for the newest commits in every turn, which a bare process has no reason to do.
    const isMet = engine === 'PostgreSQL' || byCost >= GOAL
    const goal = engine === 'PostgreSQL' ? '' : `  at least ${GOAL}: ${isMet ? 'met' : 'MISSED'}`
    console.log(`${engine}: warm page of 100 polynyms by ${WORKERS} workers, to ${WORKERS} bare processes`)
    console.log(`  processor  ${byCost.toFixed(2)}${goal}`)
    console.log(`  rate       ${(reads.ours.rate / reads.bare.rate).toFixed(2)}`)
    console.log(`  ours ${shown(reads.ours)}; bare ${shown(reads.bare)}`)
    if (!isMet) process.exitCode = 1
    const alone = await start(startNymdex({ database: url }))
    for (const each of [ours, alone]) await create(each, tokens, WARM_UP)
    const creates = await interleaved({ ours: () => create(ours, tokens), alone: () => create(alone, tokens) })
    console.log(`${engine}: creates by ${CLIENTS} clients through ${WORKERS} workers, to one process`)
    console.log(`  rate       ${(creates.ours.rate / creates.alone.rate).toFixed(2)}`)
    console.log(`  ours ${shown(creates.ours)}; one process ${shown(creates.alone)}`)
  } finally {
    for (const each of running) await each.stop()
  }
}

if (!isInstalled('wrk') || process.platform !== 'linux') console.log('workers needs wrk and Linux: nothing is measured')
else {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-workers-'))
  try {
    if (ENGINES.includes('sqlite')) await measure('SQLite', `sqlite:${join(folder, 'n.db')}`, folder)
    if (ENGINES.includes('postgres')) {
      const postgres = await startPostgres({ durable: true })
      await measure('PostgreSQL', postgres.url, folder).finally(() => postgres.stop())
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
