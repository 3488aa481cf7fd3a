/** Databases for tests: new ones, or copies of one with the sample catalogue or with empty tables. */
import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { catalogue } from '../../src/catalogue/index.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { engineOn } from '../../src/engine/index.ts'
import { openStore, type Store } from '../../src/store/index.ts'
import { newDatabaseFolder } from './database-folder.ts'

export type EngineName = 'SQLite' | 'PostgreSQL'

const POSTGRES = 'NYMDEX_TEST_POSTGRES'
/** The folder with the databases of SQLite that are copied. */
const SQLITE_TEMPLATES = 'NYMDEX_TEST_SQLITE_TEMPLATES'

/** What a copy begins with. To create the tables again in each database would cost PostgreSQL a second. */
const TEMPLATES = {
  tables: async (_: Store) => {},
  sample: async (store: Store) => void (await loadSample(engineOn(store, catalogue))),
}
type Template = keyof typeof TEMPLATES

/** Set when the tests run on SQLite alone. */
export const SQLITE_ALONE = 'NYMDEX_TEST_SQLITE_ALONE'
export const ENGINES: readonly EngineName[] = process.env[SQLITE_ALONE] ? ['SQLite'] : ['SQLite', 'PostgreSQL']

/** Makes each template once for each engine; on SQLite alone, when a test first needs it. */
export async function prepareTemplates(server: string | undefined, folder: string): Promise<Record<string, string>> {
  if (server === undefined) return { [SQLITE_TEMPLATES]: folder }
  for (const template of ['tables', 'sample'] as const) {
    await administer(server, `CREATE DATABASE ${postgresName(template)}`)
    await make(template, databaseAt(server, postgresName(template)))
    await make(template, `sqlite:${join(folder, sqliteName(template))}`)
  }
  return { [POSTGRES]: server, [SQLITE_TEMPLATES]: folder }
}

const postgresName = (template: Template) => `nymdex_${template}`
const sqliteName = (template: Template) => `${template}.db`

async function make(template: Template, url: string): Promise<void> {
  const store = await openStore(url, catalogue)
  await TEMPLATES[template](store)
  await store.close()
}

const sqliteTemplates = new Map<Template, Promise<string>>()

function sqliteTemplate(template: Template): Promise<string> {
  const made = sqliteTemplates.get(template) ?? makeSqliteTemplate(template)
  sqliteTemplates.set(template, made)
  return made
}

async function makeSqliteTemplate(template: Template): Promise<string> {
  const file = join(given(SQLITE_TEMPLATES), sqliteName(template))
  if (!existsSync(file)) {
    const mine = `${file}.${process.pid}`
    await make(template, `sqlite:${mine}`)
    renameSync(mine, file)
  }
  return file
}

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

export interface Wanted {
  /** Whether it has the sample catalogue. */
  readonly sample: boolean
  /** Whether it has the tables, if not the sample. */
  readonly tables?: boolean
}

export async function freshDatabase(engine: EngineName, { sample, tables }: Wanted): Promise<FreshDatabase> {
  const template = sample ? 'sample' : tables ? 'tables' : undefined
  if (engine === 'SQLite') {
    const folder = newDatabaseFolder('sqlite')
    const file = join(folder, 'n.db')
    if (template) copyFileSync(await sqliteTemplate(template), file)
    return { url: `sqlite:${file}`, drop: async () => rmSync(folder, { recursive: true }) }
  }
  return await createPostgres(template && postgresName(template))
}

async function createPostgres(template: string | undefined): Promise<FreshDatabase> {
  const server = given(POSTGRES)
  const name = `nymdex_${randomBytes(6).toString('hex')}`
  // To copy the files costs the server less than to write every page to its log.
  const copied = template ? ` TEMPLATE ${template} STRATEGY FILE_COPY` : ''
  await administer(server, `CREATE DATABASE ${name}${copied}`)
  return { url: databaseAt(server, name), drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

/** A copy of a database that nobody uses at the moment. */
export async function copyOf(engine: EngineName, { url }: FreshDatabase): Promise<FreshDatabase> {
  if (engine === 'SQLite') {
    const copy = await freshDatabase(engine, { sample: false })
    copyFileSync(url.slice('sqlite:'.length), copy.url.slice('sqlite:'.length))
    return copy
  }
  return await createPostgres(new URL(url).pathname.slice(1))
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
