/** Load on a server, from another core: by wrk if it is installed, otherwise by our own client. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ask } from './answer.ts'
import type { LoadOrder, Spread, tasks } from './client.ts'
import { isInstalled, onCore, processorMs } from './servers.ts'

/** How long a round lasts; short rounds are for trying things out. */
export const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3)
export const ROUNDS = 3
const CONNECTIONS = 32
const hasWrk = isInstalled('wrk')
export const GENERATOR = hasWrk ? `wrk -t1 -c${CONNECTIONS}` : `a client of our own with ${CONNECTIONS} connections`
const CLIENT = join(import.meta.dirname, 'client.ts')

type Tasks = typeof tasks

/** As root, the client that probes is never kept waiting by those that make load on its core: it measures the server. */
const FIRST = process.getuid?.() === 0 && isInstalled('nice') ? ['nice', '-n', '-10'] : []

/** Runs one of the client's tasks in a process on the core for load. */
export async function runClient<Name extends keyof Tasks>(
  task: Name,
  order: Parameters<Tasks[Name]>[0],
): Promise<Awaited<ReturnType<Tasks[Name]>>> {
  const command = [process.execPath, CLIENT, JSON.stringify({ task, ...order })]
  return JSON.parse(await output(task === 'probe' ? [...FIRST, ...command] : command))
}

export interface Target {
  readonly base: string
  readonly pid: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

export async function load({ base, path, headers = {}, pid }: Target, seconds = SECONDS): Promise<Spread> {
  const order: LoadOrder = { base, path, headers, connections: CONNECTIONS, seconds }
  const before = processorMs(pid)
  const found = await (hasWrk ? runWrk(order) : runClient('load', order))
  const cost = ((processorMs(pid) - before) * 1000) / found.count
  // A slow server may still be busy with earlier requests, which must not count against the next round.
  await ask(base, path)
  return { ...found, cost }
}

async function runWrk({ base, path, headers, connections, seconds }: LoadOrder): Promise<Spread> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const said = await output([
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '--timeout',
    '60s',
    ...given,
    `${base}${path}`,
  ])
  const wrong = /Non-2xx.*|Socket errors.*/.exec(said)
  if (wrong) throw new Error(`${base}${path}: ${wrong[0]}`)
  return {
    count: Number(/(\d+) requests in/.exec(said)![1]),
    rate: Number(/Requests\/sec:\s*([\d.]+)/.exec(said)![1]),
    p50: milliseconds(/^\s*50%\s+(\S+)/m.exec(said)![1]!),
    p99: milliseconds(/^\s*99%\s+(\S+)/m.exec(said)![1]!),
  }
}

const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

function milliseconds(text: string): number {
  const [, number, unit] = /^([\d.]+)([a-z]+)$/.exec(text)!
  return Number(number) * UNITS[unit!]!
}

export function output(command: readonly string[], core: 'server' | 'load' = 'load'): Promise<string> {
  const [program, args] = onCore(core, command)
  return new Promise((done, failed) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err]: [string[], string[]] = [[], []]
    child.stdout.on('data', (chunk) => out.push(String(chunk)))
    child.stderr.on('data', (chunk) => err.push(String(chunk)))
    child.on('error', failed)
    child.on('close', (code) => {
      if (code === 0) done(out.join(''))
      else failed(new Error(`${command.slice(0, 3).join(' ')} ended with ${code}: ${err.join('')}${out.join('')}`))
    })
  })
}

/** Each in turn, round after round, so that other work on the machine affects all alike; returns the medians. */
export async function interleaved<Name extends string>(
  runs: Readonly<Record<Name, () => Promise<Spread>>>,
  rounds = ROUNDS,
): Promise<Record<Name, Spread>> {
  const found = Object.entries<() => Promise<Spread>>(runs).map(([name, run]) => ({
    name,
    run,
    spreads: [] as Spread[],
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { run, spreads } of found) spreads.push(await run())
  }
  return Object.fromEntries(found.map(({ name, spreads }) => [name, medians(spreads)])) as Record<Name, Spread>
}

function medians(spreads: readonly Spread[]): Spread {
  const of = (key: keyof Spread) => median(spreads.map((each) => each[key] ?? Number.NaN))
  return { count: of('count'), rate: of('rate'), p50: of('p50'), p99: of('p99'), cost: of('cost') }
}

export function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
