/** nymdex restore builds keys and indexes after the rows: none is missing afterwards, and each still refuses. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import SQLite from 'better-sqlite3'
import pg from 'pg'
import { catalogue } from '../../src/catalogue/index.ts'
import { openStore } from '../../src/store/index.ts'
import { runCommand } from '../support/command.ts'
import { ENGINES, type EngineName, freshDatabase } from '../support/databases.ts'

let folder = ''
let good = ''

async function nymdex(url: string, ...args: string[]) {
  const env = { PATH: process.env['PATH'], DATABASE_URL: url }
  return await runCommand(args, env)
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nymdex-restore-'))
  good = join(folder, 'good.backup')
  const sample = await freshDatabase('SQLite', { sample: true })
  await nymdex(sample.url, 'backup', good)
  await sample.drop()
})
after(() => rmSync(folder, { recursive: true, force: true }))

/** Everything that the database says about its tables. */
async function schemaOf(engine: EngineName, url: string): Promise<unknown[]> {
  if (engine === 'SQLite') {
    const file = new SQLite(url.slice('sqlite:'.length), { readonly: true })
    const rows = file.prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name`,
    )
    const schema = rows.all()
    file.close()
    return schema
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    `SELECT 'column' AS type, table_name || '.' || column_name AS name,
       concat_ws(' ', ordinal_position, data_type, collation_name, is_nullable, column_default, is_identity) AS is
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname,
       concat_ws(' ', contype, convalidated, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  )
  await client.end()
  return rows
}

/** Whether PostgreSQL knows what the values of the records are like. */
async function hasStatistics(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rowCount } = await client.query(`SELECT FROM pg_stats WHERE schemaname = 'public' AND tablename = 'polynym'`)
  await client.end()
  return rowCount! > 0
}

/** The backup with a change. */
function changed(change: (lines: any[], counts: Record<string, number>) => void): string {
  const lines = gunzipSync(readFileSync(good)).toString('utf8').trimEnd().split('\n')
  const { counts } = JSON.parse(lines.pop()!)
  const rows = lines.map((line) => JSON.parse(line))
  change(rows, counts)
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const sha256 = createHash('sha256').update(text).digest('hex')
  const file = join(folder, 'changed.backup')
  writeFileSync(file, Buffer.concat([gzipSync(text), gzipSync(`${JSON.stringify({ end: true, counts, sha256 })}\n`)]))
  return file
}

for (const engine of ENGINES) {
  describe(`A restore into a new database on ${engine}`, () => {
    test('has all keys and indexes, and its stored values are correct', async () => {
      const [restored, fresh] = [
        await freshDatabase(engine, { sample: false }),
        await freshDatabase(engine, { sample: false }),
      ]
      try {
        const { code, err } = await nymdex(restored.url, 'restore', good)
        assert.deepEqual({ code, err }, { code: 0, err: '' })
        if (engine === 'PostgreSQL') assert.ok(await hasStatistics(restored.url))
        await (await openStore(fresh.url, catalogue)).close()
        const schema = await schemaOf(engine, restored.url)
        assert.ok(schema.length > 100)
        assert.deepEqual(schema, await schemaOf(engine, fresh.url))
        const { out } = await nymdex(restored.url, 'doctor')
        assert.doesNotMatch(out, /^fail /m)
        assert.match(out, /^ok +the stored keys of all \d{3,} records are correct$/m)
        assert.match(out, /^ok +the search words, terms, votes and counters of all \d{3,} records are correct$/m)
      } finally {
        await restored.drop()
        await fresh.drop()
      }
    })

    test('refuses records that break a rule, in one line, and leaves nothing', async () => {
      const database = await freshDatabase(engine, { sample: false })
      try {
        const twice = changed((rows, counts) => {
          const place = rows.findIndex((row) => row.in === 'polynym')
          rows.splice(place, 0, { ...rows[place], id: 1_000_000 })
          counts['polynym']!++
        })
        const { code, err } = await nymdex(database.url, 'restore', twice)
        const rule = 'two records of polynym have the same name, src, area, wiki, p, which no two may share'
        assert.deepEqual({ code, err }, { code: 1, err: `nymdex: ${rule}\n` })
        const dangling = changed((rows) => {
          rows.find((row) => row.in === 'polyset').links.polynyms = [1_000_000]
        })
        const refused = await nymdex(database.url, 'restore', dangling)
        assert.equal(refused.code, 1)
        const words = engine === 'SQLite' ? /references to missing records/ : /violates foreign key constraint/
        assert.match(refused.err, words)
        assert.match(refused.err, /^nymdex: [^\n]+\n$/)
        const store = await openStore(database.url, catalogue)
        const held = await store.read(() => store.copies.holdings(catalogue))
        await store.close()
        assert.deepEqual(held, { records: 0, accounts: 0 })
      } finally {
        await database.drop()
      }
    })
  })
}
