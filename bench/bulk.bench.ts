/**
 * Many records at once: how fast an import is, and how long a restore takes, on SQLite and PostgreSQL. `pg_restore` of
 * the same data, and a loop that copies the same rows into another SQLite file, run next to it.
 *
 *   npm run bench -- bulk              BULK_RECORDS=100000
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { detailOf, nymdex } from './bulk/measured-command.ts'
import { startBulkPostgres } from './bulk/postgres.ts'
import { writeSource } from './bulk/source.ts'
import { Results } from './speed/results.ts'

const RECORDS = Number(process.env['BULK_RECORDS'] ?? 100_000)

const folder = mkdtempSync(join(tmpdir(), 'nymdex-bulk-'))
const at = (name: string) => join(folder, name)
const results = new Results('bulk')
const postgres = await startBulkPostgres()
console.log(`${RECORDS} records; PostgreSQL of ${postgres.name}`)

/** The same rows, inserted with prepared statements in one transaction; then the indexes are created. */
function copyLoop(from: string, to: string): number {
  const started = performance.now()
  const [source, target] = [new SQLite(from, { readonly: true }), new SQLite(to)]
  target.pragma('journal_mode = OFF')
  target.pragma('synchronous = OFF')
  const made = source.prepare<[string], { name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_schema WHERE type = ? AND sql IS NOT NULL AND name NOT LIKE 'sqlite_%'`,
  )
  target.exec('BEGIN')
  for (const { name, sql } of made.all('table')) {
    target.exec(sql)
    const rows = source.prepare<[], unknown[]>(`SELECT * FROM "${name}"`).raw()
    const places = rows.columns().map(() => '?')
    const insert = target.prepare(`INSERT INTO "${name}" VALUES (${places.join(', ')})`)
    for (const row of rows.iterate()) insert.run(row)
  }
  for (const { sql } of made.all('index')) target.exec(sql)
  target.exec('COMMIT')
  for (const file of [source, target]) file.close()
  return (performance.now() - started) / 1000
}

async function checksums(database: string, name: string): Promise<string> {
  await nymdex(database, 'export', '--out', at(name))
  return readFileSync(join(at(name), 'SHA256SUMS'), 'utf8')
}

function add(what: string, seconds: number, detail: string): void {
  results.add({ what, figure: seconds, unit: 's', detail })
}

async function measureImport(engine: string, database: string, atLeast: number): Promise<void> {
  const ran = await nymdex(database, 'import', at('source'), '--keep-ids')
  const detail = `${ran.seconds.toFixed(1)} s, ${detailOf(ran)}`
  const figure = RECORDS / ran.seconds
  results.add({ what: `${engine}: import of NDJSON`, figure, unit: '/s', goal: { atLeast }, detail })
}

async function measureRestore(engine: string, database: string): Promise<number> {
  const ran = await nymdex(database, 'restore', at('all.backup'))
  add(`${engine}: restore`, ran.seconds, detailOf(ran))
  return ran.seconds
}

try {
  mkdirSync(at('source'))
  writeSource(at('source'), RECORDS)
  const source = `sqlite:${at('source.db')}`
  await measureImport('SQLite', source, 5000)
  await measureImport('PostgreSQL', await postgres.create('imported'), 3000)
  const backup = await nymdex(source, 'backup', at('all.backup'))
  add('SQLite: backup', backup.seconds, detailOf(backup))

  const file = `sqlite:${at('restored.db')}`
  const ours = await measureRestore('SQLite', file)
  const loop = copyLoop(at('source.db'), at('copy.db'))
  add('SQLite: a loop that copies the same rows', loop, 'it computes nothing')
  results.add({ what: 'SQLite: restore to the loop', figure: ours / loop, goal: { atMost: 3 } })

  const restored = await postgres.create('restored')
  const seconds = await measureRestore('PostgreSQL', restored)
  if (postgres.hasTools) {
    const dump = at('all.dump')
    postgres.run('pg_dump', ['-Fc', '-f', dump, restored])
    const theirs = postgres.run('pg_restore', ['-d', await postgres.create('other'), dump])
    add('PostgreSQL: pg_restore of the same', theirs, '')
    results.add({ what: 'PostgreSQL: restore to pg_restore', figure: seconds / theirs, goal: { atMost: 3 } })
  } else console.log('pg_restore: not installed')

  const sums = new Set<string>()
  for (const [i, database] of [source, file, restored].entries()) sums.add(await checksums(database, `out${i}`))
  console.log(sums.size === 1 ? 'all exports have the same checksums' : 'THE EXPORTS DIFFER')
  if (sums.size > 1) process.exitCode = 1
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
