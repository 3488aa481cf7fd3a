/**
 * A PostgreSQL with `pg_dump` and `pg_restore` of its own version, if the system has one; otherwise that of the npm
 * package, which has neither.
 */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../test/support/postgres.ts'
import { freePort } from '../speed/servers.ts'

const PROGRAMS = ['initdb', 'pg_ctl', 'pg_dump', 'pg_restore']
const FOLDERS = ['/usr/lib/postgresql/*/bin', '/usr/local/pgsql/bin', '/opt/homebrew/opt/postgresql*/bin']

export interface BulkPostgres {
  /** Whether it can dump and restore. */
  readonly hasTools: boolean
  readonly name: string
  /** Makes an empty database. */
  create(name: string): Promise<string>
  /** Runs one of its own programs, and returns how many seconds it took. */
  run(program: string, args: readonly string[]): number
  stop(): Promise<void>
}

export async function startBulkPostgres(): Promise<BulkPostgres> {
  const bin = FOLDERS.flatMap((folder) => globSync(folder))
    .sort()
    .findLast((folder) => PROGRAMS.every((program) => existsSync(join(folder, program))))
  const server = bin === undefined ? await startPostgres({ durable: true }) : await startOwn(bin)
  return {
    hasTools: bin !== undefined,
    name: bin ?? 'the npm package',
    async create(name) {
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      const url = new URL(server.url)
      url.pathname = `/${name}`
      return url.href
    },
    run(program, args) {
      const started = performance.now()
      mustRun(join(bin ?? '', program), args)
      return (performance.now() - started) / 1000
    },
    stop: () => server.stop(),
  }
}

/** With the settings that it has by itself: commits wait for the disk. */
async function startOwn(bin: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-bulk-postgres-'))
  const user = serverUser()
  if (user) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  const port = await freePort()
  const options = { ...user, cwd: folder }
  mustRun(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--encoding=UTF8', '--locale=C', '--no-sync'], options)
  const control = (...args: string[]) => mustRun(join(bin, 'pg_ctl'), ['-D', data, '-w', ...args], options)
  control('-o', `-p ${port} -k ${folder}`, '-l', join(folder, 'log'), 'start')
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      control('-m', 'fast', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root; its package has made a user for it. */
function serverUser(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (of: string) => Number(spawnSync('id', [of, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: id('-u'), gid: id('-g') }
}

function mustRun(program: string, args: readonly string[], options: SpawnSyncOptions = {}): void {
  const { status, stderr } = spawnSync(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  if (status !== 0) throw new Error(`${program} failed: ${String(stderr)}`)
}
