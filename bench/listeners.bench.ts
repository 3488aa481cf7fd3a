/**
 * A thousand live streams of changes on one process: how soon an event arrives after the commit, how much memory a
 * stream takes, and how fast warm pages are meanwhile, compared with the same writes without streams.
 *
 *   npm run bench -- listeners          LISTENERS=1000 LISTENERS_RATE=20 BENCH_SECONDS=3 LISTENERS_ENGINES=sqlite,postgres
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../test/support/postgres.ts'
import type { Order, Written } from './listeners/client.ts'
import { load, ROUNDS, SECONDS } from './speed/load.ts'
import { memoryOf, onCore, PINNED, processorMs, type Running, startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const LISTENERS = Number(process.env['LISTENERS'] ?? 1000)
const RATE = Number(process.env['LISTENERS_RATE'] ?? 20)
const ENGINES = (process.env['LISTENERS_ENGINES'] ?? 'sqlite,postgres').split(',')
const PAGE = '/api/polynym/'
/** The goals. */
const MOST_DELAY_MS = 50
const MOST_KB = 30
const LEAST_RATIO = 0.8
const SETTLE_MS = 2000

class Client {
  readonly #child: ChildProcess
  readonly #ended: Promise<never>

  constructor(base: string, token: string) {
    const file = join(import.meta.dirname, 'listeners', 'client.ts')
    const [program, args] = onCore('load', [process.execPath, file, base, token])
    this.#child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#ended = new Promise((_, failed) => {
      this.#child.once('exit', (code) => code !== 0 && failed(new Error('the client has failed')))
    })
  }

  async open(count: number): Promise<void> {
    await this.#order({ do: 'open', count })
  }

  async close(): Promise<void> {
    await this.#order({ do: 'close' })
  }

  async write(seconds: number): Promise<Written> {
    return (await this.#order({ do: 'write', seconds, rate: RATE })) as Written
  }

  end(): void {
    this.#child.disconnect()
  }

  #order(order: Order): Promise<unknown> {
    this.#child.send(order)
    return Promise.race([new Promise((done) => this.#child.once('message', done)), this.#ended])
  }
}

const median = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const verdict = (isMet: boolean) => (isMet ? 'met' : 'MISSED')

function tell({ events, writes, delays }: Written, when: string): void {
  if (events < writes * LISTENERS) console.log(`  ${writes * LISTENERS - events} events of ${when} are missing`)
  if (!delays) return
  const [p50, p99, worst] = [delays.p50, delays.p99, delays.worst].map((ms) => ms.toFixed(1))
  const goal = verdict(delays.p99 <= MOST_DELAY_MS)
  console.log(
    `  commit to event, ${when}: p50 ${p50} ms, p99 ${p99} ms (goal ${MOST_DELAY_MS}: ${goal}), worst ${worst} ms`,
  )
}

async function measure(server: Running, token: string): Promise<void> {
  const client = new Client(server.base, token)
  const target = { base: server.base, pid: server.pid, path: PAGE }
  const pages = () => Promise.all([load(target), client.write(SECONDS)])
  const processorFor = async (task: () => Promise<unknown>) => {
    const before = processorMs(server.pid)
    await task()
    return processorMs(server.pid) - before
  }
  // The first round warms both up.
  await pages()
  await pause(SETTLE_MS)
  const before = memoryOf(server.pid)
  const aloneMs = await processorFor(() => client.write(SECONDS))
  await client.open(LISTENERS)
  let quiet: Written | undefined
  const listenedMs = await processorFor(async () => {
    quiet = await client.write(SECONDS)
  })
  await pause(SETTLE_MS)
  const after = memoryOf(server.pid)
  if (before && after) {
    const kilobytes = ((after.now - before.now) * 1024) / LISTENERS
    console.log(`  memory: ${kilobytes.toFixed(1)} KB a listener (goal ${MOST_KB}: ${verdict(kilobytes <= MOST_KB)})`)
  }
  tell(quiet!, 'without other load')
  const each = ((listenedMs - aloneMs) * 1000) / quiet!.events
  console.log(`  processor: ${each.toFixed(1)} µs an event`)
  const [alone, together]: [number[], number[]] = [[], []]
  const costs: [number[], number[]] = [[], []]
  let busy: Written | undefined
  for (let round = 0; round < ROUNDS; round++) {
    const [withThem, written] = await pages()
    together.push(withThem.rate)
    costs[1].push(withThem.cost ?? Number.NaN)
    if (!busy?.delays || (written.delays && written.delays.p99 > busy.delays.p99)) busy = written
    await client.close()
    const [without] = await pages()
    alone.push(without.rate)
    costs[0].push(without.cost ?? Number.NaN)
    await client.open(LISTENERS)
  }
  tell(busy!, 'while pages are read as fast as possible')
  const ratio = median(together) / median(alone)
  const [free, loaded] = costs.map((each) => median(each).toFixed(0))
  console.log(
    `  warm pages: ${median(together).toFixed(0)}/s with listeners, ${median(alone).toFixed(0)}/s without: ` +
      `${ratio.toFixed(2)} (goal ${LEAST_RATIO}: ${verdict(ratio >= LEAST_RATIO)}); processor ${loaded} and ${free} µs a page`,
  )
  client.end()
}

console.log(`${LISTENERS} listeners, ${RATE} writes a second, ${PINNED}`)
for (const engine of ENGINES) {
  console.log(engine)
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-listeners-'))
  const postgres = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined
  try {
    const database = postgres?.url ?? `sqlite:${join(folder, 'bench.db')}`
    const token = await tokenFor(database, 'load', { sample: true })
    const server = await startNymdex({ database })
    try {
      await measure(server, token)
    } finally {
      await server.stop()
    }
  } finally {
    await postgres?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
