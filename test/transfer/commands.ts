/** The program as an operator uses it to move catalogues: runs commands on new databases, and reads the result. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogue } from '../../src/catalogue/index.ts'
import { type StartedServer, startServer } from '../../src/cli/index.ts'
import { engineOn } from '../../src/engine/index.ts'
import { openStore } from '../../src/store/index.ts'
import { exportOrder, exportTogether } from '../../src/transfer/index.ts'
import { BIN, type Ended, runCommand } from '../support/command.ts'
import { type EngineName, type FreshDatabase, freshDatabase } from '../support/databases.ts'

export { ENGINES } from '../support/databases.ts'
/** The beginning of absolute links, so that the pages of two servers can be compared. */
export const BASE = 'http://nymdex.example'

/** Databases, files and servers of one test file; all are removed when it ends. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'nymdex-transfer-'))
  readonly #databases: FreshDatabase[] = []
  readonly #servers: StartedServer[] = []
  #count = 0

  async database(engine: EngineName, { sample = false } = {}): Promise<string> {
    const database = await freshDatabase(engine, { sample, tables: true })
    this.#databases.push(database)
    return database.url
  }

  /** A file in its own folder, so that it can have any name. */
  file(name: string, content: string | readonly object[]): string {
    return join(this.files({ [name]: content }), name)
  }

  /** A folder with these files; records are written as NDJSON. */
  files(contents: Readonly<Record<string, string | readonly object[]>>): string {
    const folder = this.path('files')
    mkdirSync(folder)
    for (const [name, content] of Object.entries(contents)) {
      writeFileSync(join(folder, name), typeof content === 'string' ? content : ndjson(content))
    }
    return folder
  }

  /** A path that does not exist yet. */
  path(name: string): string {
    return join(this.folder, `${++this.#count}-${name}`)
  }

  start(database: string, args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [BIN, ...args], { env: this.#environment(database) })
  }

  #environment(database: string) {
    return { PATH: process.env['PATH'], DATABASE_URL: database, TMPDIR: this.folder }
  }

  /** Removes progress lines, which only slow machines print. */
  async run(database: string, args: readonly string[], input = ''): Promise<Ended> {
    const { err, ...rest } = await runCommand(args, this.#environment(database), input)
    return {
      ...rest,
      err: err.replaceAll(/^.* {2}(?:\[[#.]{24}\] \d+ % {2}.*|[\d,]+ records(?:, [\d,]+\/s)?)\n/gm, ''),
    }
  }

  /** Runs the command, which must succeed without a complaint, and returns what it printed. */
  async works(database: string, args: readonly string[], input?: string): Promise<string> {
    const { code, out, err } = await this.run(database, args, input)
    assert.deepEqual({ code, err }, { code: 0, err: '' })
    return out
  }

  /** The line that stops the command before anything was done. */
  async refuses(database: string, args: readonly string[], input?: string): Promise<string> {
    const { code, out, err } = await this.run(database, args, input)
    assert.deepEqual({ code, out }, { code: 1, out: '' })
    assert.match(err, /^nymdex: [^\n]+\n$/)
    return err.slice('nymdex: '.length, -1)
  }

  async serve(database: string): Promise<string> {
    const settings = { NYMDEX_BASE_URL: BASE }
    const server = await startServer({ databaseUrl: database, port: 0, sample: false, settings })
    this.#servers.push(server)
    return server.address
  }

  async close(): Promise<void> {
    for (const server of this.#servers) await server.close()
    for (const database of this.#databases) await database.drop()
    rmSync(this.folder, { recursive: true })
  }
}

/** The content of the database, as an export writes it. */
export async function contents(database: string): Promise<string> {
  const store = await openStore(database, catalogue)
  try {
    const engine = engineOn(store, catalogue)
    const texts: string[] = []
    await exportTogether(engine, exportOrder(engine, catalogue), 'ndjson', { write: (text) => texts.push(text) })
    return texts.join('')
  } finally {
    await store.close()
  }
}

/** The records of one kind, in the order of their ids. */
export async function records(database: string, collection: string): Promise<any[]> {
  const all = (await contents(database)).split('\n').filter((line) => line !== '')
  return all.map((line) => JSON.parse(line)).filter((record) => Object.keys(record).at(-1) === `${collection}_id`)
}

/** All pages of all collections as a client gets them, byte for byte, with their addresses. */
export async function pages(ask: (path: string) => Promise<string>): Promise<Map<string, string>> {
  const read = new Map([['/api/', await ask('/api/')]])
  for (const { name, views } of catalogue) {
    for (const collection of [name, ...Object.keys(views ?? {})]) {
      let path: string | undefined = `/api/${collection}/?page_size=100`
      while (path !== undefined) {
        const page = await ask(path)
        read.set(path, page)
        const { next } = JSON.parse(page)
        path = next?.slice(BASE.length)
      }
    }
  }
  return read
}

export function ndjson(bodies: readonly object[]): string {
  return bodies.map((body) => `${JSON.stringify(body)}\n`).join('')
}

/** The rows of a report's table, by collection: { polynym: { read: 3, made: 2, bad: 1 } }. */
export function table(report: string): Record<string, Record<string, number>> {
  const lines = report
    .replace(/^Dry run: .*\n/, '')
    .split('\n\n', 1)[0]!
    .trimEnd()
    .split('\n')
  const [columns, ...rows] = lines.map((line) => line.trim().split(/\s+/))
  return Object.fromEntries(
    rows.map(([name, ...cells]) => {
      const counts = cells.map((cell, i) => [columns![i]!, Number(cell.replaceAll(',', ''))] as const)
      return [name!, Object.fromEntries(counts.filter(([, count]) => count > 0))]
    }),
  )
}

/** A different polynym for each number. */
export function polynym(number: number): Record<string, unknown> {
  return { name: `set ${number}`, user: 'gus', mode: 'type', p1: `first of ${number}`, p2: `second of ${number}` }
}
