/**
 * A restore drill: a verified backup of 200,000 records, and a restore of it into a new database, plain and encrypted. At
 * the end the restored databases are exported, to see that they have all records.
 *
 *   npm run bench -- drill             DRILL_RECORDS=200000
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateX25519Identity } from 'age-encryption'
import { detailOf, nymdex } from './bulk/measured-command.ts'
import { writeSource } from './bulk/source.ts'
import { Results } from './speed/results.ts'

const RECORDS = Number(process.env['DRILL_RECORDS'] ?? 200_000)

const folder = mkdtempSync(join(tmpdir(), 'nymdex-drill-'))
const at = (name: string) => join(folder, name)
const results = new Results('drill')

async function drill(kind: 'plain' | 'encrypted', source: string): Promise<string> {
  const key = kind === 'encrypted' ? ['--key', at('key.txt')] : []
  const backup = await nymdex(source, 'backup', '--to', at(kind), ...key)
  const [name = ''] = readdirSync(at(kind)).filter((each) => !each.endsWith('.json'))
  const megabytes = (statSync(join(at(kind), name)).size / 1e6).toFixed(1)
  const made = { what: `${kind}: backup and verify`, figure: backup.seconds, unit: 's' }
  results.add({ ...made, detail: `${detailOf(backup)}, a file of ${megabytes} MB` })
  const restored = `sqlite:${at(`${kind}.db`)}`
  const restore = await nymdex(restored, 'restore', join(at(kind), name), ...key)
  results.add({ what: `${kind}: restore`, figure: restore.seconds, unit: 's', detail: detailOf(restore) })
  const whole = { what: `${kind}: restore drill: backup, verify, restore`, unit: 's' }
  results.add({ ...whole, figure: backup.seconds + restore.seconds })
  return restored
}

async function checksums(database: string, name: string): Promise<string> {
  await nymdex(database, 'export', '--out', at(name))
  return readFileSync(join(at(name), 'SHA256SUMS'), 'utf8')
}

try {
  mkdirSync(at('source'))
  writeSource(at('source'), RECORDS)
  writeFileSync(at('key.txt'), await generateX25519Identity(), { mode: 0o600 })
  const source = `sqlite:${at('source.db')}`
  await nymdex(source, 'import', at('source'), '--keep-ids')
  console.log(`${RECORDS} records on SQLite`)
  const restored = [await drill('plain', source), await drill('encrypted', source)]
  const sums = new Set<string>()
  for (const [i, database] of [source, ...restored].entries()) sums.add(await checksums(database, `out${i}`))
  console.log(sums.size === 1 ? 'all exports have the same checksums' : 'THE EXPORTS DIFFER')
  if (sums.size > 1) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
