/**
 * A walk through 100,000 records with `as_of`, while another client writes 50 times a second (FROZEN_WRITES), on SQLite and
 * PostgreSQL: it must return exactly the records of its moment. Prints the time of a page, and how many records a walk
 * without `as_of` misses or repeats under the same writes.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { patiently, Writer } from './frozen/writer.ts'
import { sqliteData } from './speed/data.ts'
import { postgresData } from './speed/postgres.ts'
import { startNymdex } from './speed/servers.ts'
import { tokenFor } from './speed/tokens.ts'

const PER_SECOND = Number(process.env['FROZEN_WRITES'] ?? 50)
const PAGE_SIZE = 100
const ENGINES = (process.env['FROZEN_ENGINES'] ?? 'SQLite,PostgreSQL').split(',')

const folder = mkdtempSync(join(tmpdir(), 'nymdex-frozen-'))
try {
  if (ENGINES.includes('SQLite')) {
    const file = join(folder, 'frozen.db')
    copyFileSync(await sqliteData('100k'), file)
    await measure('SQLite', `sqlite:${file}`)
  }
  if (ENGINES.includes('PostgreSQL')) {
    const postgres = await postgresData('100k')
    try {
      await measure('PostgreSQL', await copyOf(postgres.url))
    } finally {
      await postgres.stop()
    }
  }
} finally {
  rmSync(folder, { recursive: true })
}

/** The data stay as they are for the next run. */
async function copyOf(url: string): Promise<string> {
  const [name, template] = ['frozen', new URL(url).pathname.slice(1)]
  const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, 'template1') })
  await client.connect()
  await client.query(`DROP DATABASE IF EXISTS ${name}`)
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`)
  await client.end()
  const copy = url.replace(/[^/]+$/, name)
  await continueIds(copy)
  return copy
}

/** The records were copied with their ids, so the sequences do not know them. */
async function continueIds(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ table: string }>(
    "SELECT quote_ident(table_name) AS table FROM information_schema.columns WHERE column_name = 'id' AND is_identity = 'YES'",
  )
  for (const { table } of rows) {
    await client.query(`SELECT setval(pg_get_serial_sequence('${table}', 'id'), COALESCE(max(id), 1)) FROM ${table}`)
  }
  await client.end()
}

async function measure(engine: string, database: string): Promise<void> {
  const token = await tokenFor(database, 'writer', { staff: true })
  const server = await startNymdex({ database })
  const stop = new AbortController()
  try {
    const { base } = server
    const lines = async () => (await (await fetch(`${base}/api/polynym.ndjson`)).text()).trimEnd().split('\n')
    const before = await lines()
    const seq = Number((await fetch(`${base}/api/polynym/?as_of=latest`)).headers.get('nymdex-seq'))
    const writer = new Writer(base, token)
    const writing = writer.write(PER_SECOND, stop.signal)
    const plain = await walk(`${base}/api/polynym/?page_size=${PAGE_SIZE}`)
    const frozen = await walk(`${base}/api/polynym/?as_of=${seq}&page_size=${PAGE_SIZE}`)
    stop.abort()
    await writing
    const latest = Number((await fetch(`${base}/api/polynym/?as_of=latest`)).headers.get('nymdex-seq'))
    const isExact = frozen.records.length === before.length && frozen.records.every((each, i) => each === before[i])
    console.log(`\n${engine}: ${before.length} records, ${latest - seq} changes in ${writer.seconds.toFixed(0)} s`)
    report('without as_of', plain)
    const ids = plain.records.map(idOf)
    const [there, then] = [new Set(ids), new Set(before.map(idOf))]
    const missed = [...then].filter((id) => !there.has(id) && !writer.removed.has(id)).length
    console.log(`  missed ${missed} records that nobody deleted, repeated ${ids.length - there.size}`)
    report('with as_of', frozen)
    console.log(
      `  ${isExact ? 'met: exactly the records of the moment' : 'MISSED: other records than those of the moment'}`,
    )
    if (!isExact) process.exitCode = 1
  } finally {
    stop.abort()
    await server.stop()
  }
}

interface Walked {
  readonly records: readonly string[]
  readonly ms: readonly number[]
}

async function walk(first: string): Promise<Walked> {
  const records: string[] = []
  const ms: number[] = []
  for (let address: string | null = first; address !== null; ) {
    const started = performance.now()
    const reply = await patiently(address)
    const text = await reply.text()
    ms.push(performance.now() - started)
    if (reply.status !== 200) throw new Error(`${address}: ${reply.status} ${text}`)
    const page = JSON.parse(text)
    records.push(...page.results.map((record: object) => JSON.stringify(record)))
    address = page.next
  }
  return { records, ms }
}

function report(name: string, { records, ms }: Walked): void {
  const sorted = ms.toSorted((a, b) => a - b)
  const at = (share: number) => `${sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1)} ms`
  const all = (ms.reduce((sum, each) => sum + each, 0) / 1000).toFixed(1)
  console.log(
    `  ${name}: ${records.length} records on ${ms.length} pages in ${all} s; a page takes ${at(0.5)} (median),`,
  )
  console.log(`    ${at(0.99)} (99 %), ${at(1)} (longest)`)
}

function idOf(record: string): number {
  return JSON.parse(record).polynym_id
}
