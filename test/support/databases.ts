/** Databases for tests: fresh ones, empty or as copies of one that holds the sample catalogue. */
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { catalogue } from '../../src/catalogue/index.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { engineOn } from '../../src/engine/index.ts'
import { openStore } from '../../src/store/index.ts'

export type EngineName = 'SQLite' | 'PostgreSQL'

const SAMPLE = 'nymdex_sample'
const POSTGRES = 'NYMDEX_TEST_POSTGRES'
const SQLITE_SAMPLE = 'NYMDEX_TEST_SQLITE_SAMPLE'

/** Loads the sample catalogue once into each engine; the environment for the tests says where. */
export async function prepareSamples(server: string, folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'sample.db')
  await administer(server, `CREATE DATABASE ${SAMPLE}`)
  for (const url of [`sqlite:${file}`, databaseAt(server, SAMPLE)]) {
    const store = await openStore(url, catalogue)
    await loadSample(engineOn(store, catalogue))
    await store.close()
  }
  return { [POSTGRES]: server, [SQLITE_SAMPLE]: file }
}

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

export async function freshDatabase(
  engine: EngineName,
  { sample }: { readonly sample: boolean },
): Promise<FreshDatabase> {
  if (engine === 'SQLite') {
    const folder = mkdtempSync(join(tmpdir(), 'nymdex-sqlite-'))
    chmodSync(folder, 0o755)
    const file = join(folder, 'n.db')
    if (sample) copyFileSync(given(SQLITE_SAMPLE), file)
    return { url: `sqlite:${file}`, drop: async () => rmSync(folder, { recursive: true }) }
  }
  const server = given(POSTGRES)
  const name = `nymdex_${randomBytes(6).toString('hex')}`
  await administer(server, `CREATE DATABASE ${name}${sample ? ` TEMPLATE ${SAMPLE}` : ''}`)
  return { url: databaseAt(server, name), drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

function given(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error('Run the tests with "npm test", which starts what they need.')
  return value
}

function databaseAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function administer(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
