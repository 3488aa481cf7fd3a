/** Starts the measured servers as an operator would, on their own core if the system can. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const ROOT = join(import.meta.dirname, '../..')
const PEERS = join(ROOT, 'bench/peers')
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 3

export interface Running {
  readonly name: string
  readonly base: string
  readonly pid: number
  /** From the start of the process to its first response. */
  readonly startMs: number
  stop(): Promise<void>
}

export type Core = 'server' | 'load'
const cores = findCores()
export const PINNED = cores ? `server on core ${cores.server}, load on core ${cores.load}` : 'not pinned to cores'

/** The first two cores that this process may use, if there are two and a program that can pin processes. */
function findCores(): Record<Core, number> | undefined {
  if (process.platform !== 'linux' || !isInstalled('taskset')) return undefined
  const [, list = ''] = /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const allowed = list.split(',').flatMap((range) => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?]
    return Array.from({ length: to - from + 1 }, (_, i) => from + i)
  })
  return allowed.length < 2 ? undefined : { server: allowed[0]!, load: allowed[1]! }
}

export function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
}

/** A command that runs on one core only. */
export function onCore(core: Core, command: readonly string[]): [string, string[]] {
  const [program, ...rest] = cores ? ['taskset', '-c', String(cores[core]), ...command] : command
  return [program!, rest]
}

export interface NymdexOptions {
  readonly database: string
  readonly cache?: 'on' | 'records' | 'off'
  /** Where the access log goes; none is written by default. */
  readonly log?: string
  /** What is requested until it is answered. */
  readonly first?: string
  readonly node?: readonly string[]
  /** Whether it shares the core of the measured servers: a single process does by default. */
  readonly isPinned?: boolean
  /** Processes that answer reads. With several, no core is theirs alone. */
  readonly workers?: number
}

export async function startNymdex(options: NymdexOptions): Promise<Running> {
  const { database, cache = 'on', log, first = '/healthz', node = [], workers = 1, isPinned = workers === 1 } = options
  const port = await freePort()
  const env = {
    ...process.env,
    DATABASE_URL: database,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: log ? 'info' : 'warn',
    NYMDEX_CACHE: cache,
    NYMDEX_SAMPLE: 'off',
    NYMDEX_WORKERS: String(workers),
    // Thirty-two clients that do nothing else would reach it.
    NYMDEX_WRITE_LIMIT: 'off',
    NYMDEX_NEW_ACCOUNT_LIMIT: 'off',
  }
  const command = [process.execPath, ...startOptions(), ...node, join(ROOT, 'bin/nymdex.js'), 'serve']
  return start(`nymdex, cache ${cache}`, command, { port, first, env, log, isPinned })
}

/** The options for Node in `npm start`. */
export function startOptions(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return (scripts.start as string).split(' ').filter((word) => word.startsWith('--'))
}

/** One of bench/peers, with its port and what else it needs, and with the same options for Node. */
export async function startPeer(
  name: string,
  given: readonly string[],
  { first = '/', isPinned = true } = {},
): Promise<Running> {
  const port = await freePort()
  return start(name, [process.execPath, ...startOptions(), join(PEERS, `${name}.ts`), String(port), ...given], {
    port,
    first,
    isPinned,
  })
}

interface Start {
  readonly port: number
  readonly first: string
  readonly env?: NodeJS.ProcessEnv
  readonly log?: string | undefined
  /** Whether it runs on the core for servers only. */
  readonly isPinned?: boolean
  /** Ends with another signal than usual. */
  readonly signal?: NodeJS.Signals
}

export async function start(name: string, command: readonly string[], options: Start): Promise<Running> {
  const { port, first, env = process.env, log, signal = 'SIGINT', isPinned = true } = options
  const out = openSync(log ?? '/dev/null', 'w')
  const started = performance.now()
  const [program = '', ...args] = isPinned ? onCore('server', command).flat() : command
  const child = spawn(program, args, { cwd: ROOT, env, stdio: ['ignore', out, 'pipe'] })
  closeSync(out)
  const said: string[] = []
  child.stderr!.on('data', (chunk) => said.push(String(chunk)))
  const base = `http://127.0.0.1:${port}`
  await answering(`${base}${first}`, child, () => `${name} did not start: ${said.join('')}`)
  const startMs = performance.now() - started
  return {
    name,
    base,
    pid: child.pid!,
    startMs,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

async function answering(url: string, child: ChildProcess, why: () => string): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > until) {
      child.kill()
      throw new Error(why())
    }
    await pause(LOOK_EVERY_MS)
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise((told) => {
    get(url, { agent: false }, (reply) => {
      reply.resume()
      reply.on('end', () => told(true))
    }).on('error', () => told(false))
  })
}

export function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => found(port))
    })
  })
}

/** The current and the highest memory of a process, in megabytes, if the system reports it. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } | undefined {
  if (process.platform !== 'linux') return undefined
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s*(\\d+) kB`).exec(status)![1]) / 1024
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
}

/** The system counts in hundredths of a second. */
const TICK_MS = 10

/** A process and those that it has started. */
export function familyOf(pid: number): number[] {
  if (process.platform !== 'linux') return [pid]
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return [pid, ...children.map(Number)]
}

/** The processor time that a process has used so far. */
export function processorMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const after = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(after[11]) + Number(after[12])) * TICK_MS
}
