/** Databases and addresses that are not set up correctly: one clear line each, without secrets. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { redactUrl } from '../../src/store/index.ts'
import { BIN, type Ended, ended, listening, runCommand } from '../support/command.ts'

const SERVER = process.env['NYMDEX_TEST_POSTGRES']!
const NAME = `nymdex_setup_${randomBytes(4).toString('hex')}`
let folder = ''

async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

/** The address of a database of the test's server. */
function at(name: string, user?: string): string {
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  if (user) [url.username, url.password] = [user, user]
  return url.href
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nymdex-setup-'))
  chmodSync(folder, 0o755)
  await administer(
    `CREATE ROLE ${NAME} LOGIN PASSWORD '${NAME}'`,
    `CREATE DATABASE ${NAME}`,
    `CREATE DATABASE ${NAME}_ascii ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    `CREATE DATABASE ${NAME}_standby`,
    `ALTER DATABASE ${NAME}_standby SET default_transaction_read_only = on`,
  )
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  const databases = ['', '_ascii', '_standby'].map((each) => `DROP DATABASE ${NAME}${each} WITH (FORCE)`)
  await administer(...databases, `DROP ROLE ${NAME}`)
})

function run(args: readonly string[], env: Record<string, string>, uid?: number): Promise<Ended> {
  const whole = { PATH: process.env['PATH'], PORT: '0', ...env }
  if (uid === undefined) return runCommand(args, whole)
  return ended(spawn(process.execPath, [BIN, ...args], { env: whole, uid, gid: uid }))
}

/** The one line that stops the command. */
async function refuses(args: readonly string[], env: Record<string, string>, uid?: number): Promise<string> {
  const { code, out, err } = await run(args, env, uid)
  assert.deepEqual({ code, out }, { code: 1, out: '' }, err)
  assert.match(err, /^nymdex: [^\n]+\n$/)
  return err.slice('nymdex: '.length, -1)
}

test('a PostgreSQL user without permission to create tables gets a line that says what to grant', async () => {
  const env = { DATABASE_URL: at(NAME, NAME) }
  assert.equal(
    await refuses(['serve'], env),
    'PostgreSQL says "permission denied for schema public": GRANT USAGE, CREATE ON SCHEMA public to the user of ' +
      'DATABASE_URL, or make that user the owner of the database',
  )
  await administer(`ALTER DATABASE ${NAME} OWNER TO ${NAME}`)
  assert.deepEqual(await run(['user', 'list'], env), { code: 0, out: '', err: '' })
})

test('a PostgreSQL database that is read-only, or not in UTF-8, is refused', async () => {
  const file = join(folder, 'queue.ndjson')
  writeFileSync(file, '{"name":"umbrella"}\n')
  for (const args of [['serve'], ['import', file]]) {
    assert.equal(
      await refuses(args, { DATABASE_URL: at(`${NAME}_standby`) }),
      'the database is read-only, or a standby, and does not have the tables of this Nymdex: start this version on the ' +
        'primary server first, or set DATABASE_URL to that',
    )
  }
  assert.equal(
    await refuses(['serve'], { DATABASE_URL: at(`${NAME}_ascii`) }),
    "the encoding of the database is SQL_ASCII: make a database with ENCODING 'UTF8'",
  )
})

test('an SQLite file that cannot be written to is refused', async () => {
  const file = join(folder, 'n.db')
  const env = { DATABASE_URL: `sqlite:${file}` }
  const made = spawn(process.execPath, [BIN, 'serve', '--sample', 'off'], { env: { ...env, PORT: '0' } })
  await listening(made)
  made.kill('SIGTERM')
  await new Promise((gone) => made.once('exit', gone))
  chmodSync(file, 0o444)
  // Root may write anywhere, so the program runs as nobody here.
  const uid = process.getuid?.() === 0 ? 65534 : undefined
  assert.match(await refuses(['serve'], env, uid), /n\.db (is not writable|cannot be opened for writing)$/)
})

test('HOST may be written with brackets, and must be an address of this machine', async () => {
  const env = { DATABASE_URL: `sqlite:${join(folder, 'host.db')}`, NYMDEX_SAMPLE: 'off' }
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  if (addresses.some(({ address }) => address === '::1')) {
    const child = spawn(process.execPath, [BIN, 'serve'], {
      env: { PATH: process.env['PATH'], PORT: '0', ...env, HOST: '[::1]' },
    })
    assert.match(await listening(child), /^http:\/\/\[::1\]:\d+\/$/)
    child.kill('SIGTERM')
    await new Promise((gone) => child.once('exit', gone))
  }
  assert.equal(
    await refuses(['serve'], { ...env, HOST: '/run/nymdex.sock' }),
    'HOST: "/run/nymdex.sock" is not an address or a host name, such as 127.0.0.1, ::1 or 0.0.0.0',
  )
  assert.match(
    await refuses(['serve'], { ...env, HOST: 'nowhere.invalid' }),
    /^HOST: this machine has no address nowhere\.invalid: set it to one that it has, such as /,
  )
})

test('no line contains a password of DATABASE_URL, however it is misspelt', async () => {
  const cases: Record<string, string> = {
    'postgres://ada:XsecretX@127.0.0.1:1/words': 'postgres://ada@127.0.0.1:1/words',
    'postgres://ada:Xsec@retX@127.0.0.1:1/words': 'postgres://ada@127.0.0.1:1/words',
    'postgres://ada:Xsec/retX@127.0.0.1:1/words': 'postgres://ada@127.0.0.1:1/words',
    'postgres://ada:12/retX@127.0.0.1:1/words': 'postgres://ada@127.0.0.1:1/words',
    'postgres://ada:Xsec?retX@127.0.0.1:1/words': 'postgres://...',
    'postgres://ada:Xsec#retX@127.0.0.1:1/words': 'postgres://ada@127.0.0.1:1/words',
    'postgres://ada:Xsec%retX@127.0.0.1:1/words': 'postgres://ada@127.0.0.1:1/words',
    'postgres://127.0.0.1:1/words?password=XsecretX': 'postgres://127.0.0.1:1/words',
    'postgres://127.0.0.1:1/words?password=Xsec@retX': 'postgres://...',
    'postgres://127.0.0.1:1/words?user=ada&password=XsecretX#x': 'postgres://127.0.0.1:1/words',
    'postgres://ada:XsecretX': 'postgres://...',
    'postgres:ada:XsecretX@127.0.0.1': '...',
    'mysql://ada:XsecretX@db/words': 'mysql://ada@db/words',
    'mysql://XsecretX:@db': 'mysql://XsecretX@db',
    'host=db password=XsecretX': '...',
    'nymdex.db': 'nymdex.db',
  }
  for (const [url, shown] of Object.entries(cases)) assert.equal(redactUrl(url), shown, url)
  const secret = /Xsec|retX|secretX/
  for (const url of [
    'postgres://ada:Xsec/retX@127.0.0.1:1/words',
    'postgres://127.0.0.1:1/words?password=XsecretX',
    'host=db password=XsecretX',
  ]) {
    const line = await refuses(['user', 'list'], { DATABASE_URL: url })
    assert.doesNotMatch(line, secret, line)
  }
  const misplaced = await run(['--database-url=postgres://ada:Xsec@retX@db/words', 'serve'], {})
  assert.equal(misplaced.err, "nymdex: unknown option '--database-url=postgres://ada@db/words'\n")
  const base = await refuses(['serve'], { NYMDEX_BASE_URL: 'https://ada:XsecretX@db' })
  assert.match(base, /^NYMDEX_BASE_URL: "https:\/\/ada@db" is not an address such as /)
  const { out } = await run(['doctor'], { DATABASE_URL: 'postgres://ada:Xsec@retX@127.0.0.1:1/words' })
  assert.match(
    out,
    /^fail {2}cannot reach PostgreSQL at postgres:\/\/ada@127\.0\.0\.1:1\/words: nothing listens there/m,
  )
  const misspelt = await run(['doctor'], { DATABASE_URL: 'mysql://ada:XsecretX@db' })
  assert.match(misspelt.out, /^fail {2}DATABASE_URL: "mysql:\/\/ada@db" is not sqlite:PATH or postgres:/m)
  assert.doesNotMatch(misspelt.out + misspelt.err, secret)
})
