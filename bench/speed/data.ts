/** The measured catalogues: built once, stored in var/bench, the same on every machine. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { catalogue } from '../../src/catalogue/index.ts'
import { Connection } from '../../src/store/connection.ts'
import { copiedTables, NEWEST_VERSION, openDatabase, openStore, storeOn } from '../../src/store/index.ts'
import { recordsOf, type Size } from './records.ts'

/** Increase it when the records change; files of another version, or of other tables, are built again. */
const RECORDS_VERSION = 1
export const FOLDER = join(import.meta.dirname, '../../var/bench')

/** BENCH_POLYNYMS makes the largest catalogue smaller, to try things out. */
const MILLION = Number(process.env['BENCH_POLYNYMS'] ?? 1_000_000)

export const SIZES = {
  '10k': { polynyms: 10_000, others: 1000, rest: 60, users: 200 },
  '100k': { polynyms: 100_000, others: 1000, rest: 60, users: 200 },
  million: { polynyms: MILLION, others: 1000, rest: 1000, users: 2000 },
} as const satisfies Record<string, Size>
export type SizeName = keyof typeof SIZES

const BATCH = 1000

/** Where the data of a size are stored, for one database; data for older tables are removed. */
export function placeFor(name: SizeName, ending: 'db' | 'postgres'): string {
  mkdirSync(FOLDER, { recursive: true })
  const label = name === 'million' && MILLION !== 1_000_000 ? `polynyms-${MILLION}` : name
  const current = `${label}-v${RECORDS_VERSION}.${NEWEST_VERSION}.${ending}`
  for (const each of readdirSync(FOLDER)) {
    const isOld = each.startsWith(`${label}-v`) && each.includes(`.${ending}`) && !each.startsWith(current)
    if (isOld) rmSync(join(FOLDER, each), { recursive: true })
  }
  return join(FOLDER, current)
}

export async function sqliteData(name: SizeName): Promise<string> {
  const file = placeFor(name, 'db')
  if (existsSync(file)) return file
  const started = performance.now()
  console.log(`making ${file}, this once`)
  const unfinished = `${file}.unfinished`
  for (const end of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + end, { force: true })
  await (await openStore(`sqlite:${unfinished}`, catalogue)).close()
  await fill(unfinished, SIZES[name])
  // Opened and closed like a server does, so that it has the same statistics.
  await (await openStore(`sqlite:${unfinished}`, catalogue)).close()
  renameSync(unfinished, file)
  console.log(`made in ${((performance.now() - started) / 1000).toFixed(0)} s`)
  return file
}

/**
 * The bulk path of a restore, on a connection that need not survive a power cut, with the indexes created at the end.
 */
async function fill(file: string, size: Size): Promise<void> {
  const database = await openDatabase(`sqlite:${file}`)
  const { copies } = storeOn(database)
  await database.close()
  const connection = new SQLite(file)
  connection.pragma('journal_mode = OFF')
  connection.pragma('synchronous = OFF')
  connection.pragma('foreign_keys = OFF')
  connection.pragma('cache_size = -500000')
  const indexes = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[]
  const bulk = new Connection(connection)
  connection.exec('BEGIN')
  for (const { name } of indexes) connection.exec(`DROP INDEX "${name}"`)
  const tables = new Map(copiedTables(catalogue).map((table) => [table.name, table]))
  for (const [table, rows] of recordsOf(size, [...tables.keys()], BATCH)) {
    bulk.execute(() => copies.insert(tables.get(table)!, rows))
  }
  for (const { sql } of indexes) connection.exec(sql)
  bulk.execute(() => copies.rank(catalogue))
  // What a write would have counted.
  connection.exec('UPDATE generation SET number = layout')
  connection.exec('COMMIT')
  connection.pragma('journal_mode = WAL')
  connection.close()
}

/** A file, or all files of a folder. */
function filesAt(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  const all = readdirSync(path, { recursive: true, withFileTypes: true })
  return all.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
}

export function bytesIn(path: string): number {
  return filesAt(path).reduce((sum, file) => sum + statSync(file).size, 0)
}

/** Reads it, so that the system has it in its memory. */
export function readThrough(path: string): void {
  const chunk = Buffer.alloc(1 << 20)
  for (const each of filesAt(path)) {
    const file = openSync(each, 'r')
    while (readSync(file, chunk) > 0);
    closeSync(file)
  }
}
