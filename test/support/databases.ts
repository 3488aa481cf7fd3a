/** Databases for tests: new ones, empty or copied from one with the sample catalogue. */
import { randomBytes } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
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

/** Set when the tests run on SQLite alone. */
export const SQLITE_ALONE = 'NYMDEX_TEST_SQLITE_ALONE'
export const ENGINES: readonly EngineName[] = process.env[SQLITE_ALONE] ? ['SQLite'] : ['SQLite', 'PostgreSQL']

/** Loads the sample catalogue once into each engine; on SQLite alone, when a test first needs it. */
export async function prepareSamples(server: string | undefined, folder: string): Promise<Record<string, string>> {
  const file = join(folder, 'sample.db')
  if (server === undefined) return { [SQLITE_SAMPLE]: file }
  await administer(server, `CREATE DATABASE ${SAMPLE}`)
  for (const url of [`sqlite:${file}`, databaseAt(server, SAMPLE)]) await makeSample(url)
  return { [POSTGRES]: server, [SQLITE_SAMPLE]: file }
}

async function makeSample(url: string): Promise<void> {
  const store = await openStore(url, catalogue)
  await loadSample(engineOn(store, catalogue))
  await store.close()
}

async function sqliteSample(): Promise<string> {
  const file = given(SQLITE_SAMPLE)
  if (!existsSync(file)) {
    const mine = `${file}.${process.pid}`
    await makeSample(`sqlite:${mine}`)
    renameSync(mine, file)
  }
  return file
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
    if (sample) copyFileSync(await sqliteSample(), file)
    return { url: `sqlite:${file}`, drop: async () => rmSync(folder, { recursive: true }) }
  }
  const server = given(POSTGRES)
  const name = `nymdex_${randomBytes(6).toString('hex')}`
  // To copy the files costs the server less than to write every page to its log.
  const copied = sample ? ` TEMPLATE ${SAMPLE} STRATEGY FILE_COPY` : ''
  await administer(server, `CREATE DATABASE ${name}${copied}`)
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
