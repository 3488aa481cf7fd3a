/** The program as an operator sees it: starting, stopping, and one clear line when something is wrong. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { watch } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import SQLite from 'better-sqlite3'
import { SETTINGS } from '../src/cli/setting-list.ts'
import { readSettings } from '../src/cli/settings.ts'
import { BIN, type Ended, ended, listening, PROGRAM, runCommand } from './support/command.ts'
import { metricsAt, metricValue } from './support/metrics.ts'

let folder = ''
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'nymdex-command-'))
  chmodSync(folder, 0o755)
})
after(() => rmSync(folder, { recursive: true, force: true }))

interface Options {
  readonly env?: Record<string, string>
  readonly uid?: number
  readonly cwd?: string
}

function start(args: readonly string[], { env = {}, uid, ...options }: Options = {}): ChildProcess {
  const as = uid === undefined ? {} : { uid, gid: uid }
  return spawn(process.execPath, [BIN, ...args], { env: environment(env), ...as, ...options })
}

function environment(env: Record<string, string>) {
  const database = `sqlite:${join(folder, 'n.db')}`
  return { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: database, NYMDEX_DRAIN_SECONDS: '0', ...env }
}

/** Runs a command that ends by itself. */
function run(args: readonly string[], { env = {}, uid }: Options = {}): Promise<Ended> {
  return uid === undefined ? runCommand(args, environment(env)) : ended(start(args, { env, uid }))
}

test('serve loads the sample catalogue into an empty database, once, and the log of requests has no secrets', async () => {
  for (const loads of [true, false]) {
    const env = loads ? { NYMDEX_ACCESS_LOG: 'combined' } : { NYMDEX_ACCESS_LOG_SHARE: '0' }
    const child = start(['serve'], { env })
    let out = ''
    child.stdout!.on('data', (chunk) => (out += chunk))
    const url = await listening(child)
    const page = (await (await fetch(`${url}api/polynym/`)).json()) as { count: number }
    assert.ok(page.count >= 60)
    assert.equal(out.includes('loaded the sample catalogue'), loads)
    const headers = {
      authorization: 'Other secret1',
      cookie: 'session=secret2',
      referer: 'https://here.example/?token=secret3&page=2',
      'user-agent': 'a "quoted" name\\',
    }
    const query = 'token=secret4&text=secret7&access_token=secret5&page=2&next=%2Fx%2F%3Fa%3D1%26token%3Dsecret6'
    await (await fetch(`${url}api/nowhere/?${query}`, { headers })).text()
    child.kill('SIGHUP')
    while (!out.includes('SIGHUP: nothing is reloaded')) await once(child.stdout!, 'data')
    child.kill('SIGTERM')
    assert.equal(await new Promise((ended) => child.once('close', ended)), 0)
    assert.ok(!out.includes('secret'), out)
    const path = '/api/nowhere/?token=...&text=...&access_token=...&page=2&next=%2Fx%2F%3Fa%3D1%26token%3D...'
    const lines = out.split('\n').filter((line) => (loads ? line.startsWith('127.') : line.includes('"msg":"request"')))
    if (loads) {
      const time = String.raw`\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\]`
      const [good = '', bad = ''] = lines.map((line) => line.replace(new RegExp(time), '[now]'))
      assert.match(good, /^127\.0\.0\.1 - - \[now\] "GET \/api\/polynym\/ HTTP\/1\.1" 200 \d+ "-" "node"$/)
      const from = 'https://here.example/?token=...&page=2'
      const end = ` "${from}" "${String.raw`a \"quoted\" name\\`}"`
      assert.match(bad, /^127\.0\.0\.1 - - \[now\] /)
      assert.ok(bad.includes(` "GET ${path} HTTP/1.1" 404 `) && bad.endsWith(end), bad)
    } else {
      const logged = lines.map((line) => JSON.parse(line)).map(({ url, status }) => [url, status])
      assert.deepEqual(logged, [[path, 404]], 'those that fail are always logged')
    }
  }
})

test('NYMDEX_READ_ONLY=on refuses changes, and reads work; backups are made; metrics and top show figures; systemd is told', async (t) => {
  // This machine may not have the program of systemd.
  const told = join(folder, 'told')
  writeFileSync(join(folder, 'systemd-notify'), `#!/bin/sh\necho "$1" >> ${told}\n`, { mode: 0o755 })
  const systemd = {
    NOTIFY_SOCKET: join(folder, 'none'),
    WATCHDOG_USEC: '1000000',
    PATH: `${folder}:${process.env['PATH']}`,
  }
  const backups = join(folder, 'backups')
  // The server and its backups read the file that is named, and not that of the working folder.
  const cwd = join(folder, 'working')
  mkdirSync(cwd)
  writeFileSync(join(cwd, 'nymdex.json'), '{"prot": 80}')
  const named = join(folder, 'read-only.json')
  writeFileSync(named, JSON.stringify({ 'read-only': true }))
  const child = start(['serve', '--config', named], {
    cwd,
    env: { NYMDEX_METRICS: '0', NYMDEX_BACKUP_TO: backups, ...systemd },
  })
  t.after(() => child.kill('SIGKILL'))
  let out = ''
  child.stdout!.on('data', (chunk) => (out += chunk))
  const url = await listening(child)
  assert.equal((await fetch(`${url}polynym/1/`)).status, 200)
  const body = JSON.stringify({ username: 'ada', password: 'a long and quiet river' })
  const headers = { 'content-type': 'application/json' }
  const refused = await fetch(`${url}accounts/signup/`, { method: 'POST', headers, body })
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '2'])
  const detail = 'This server can only read at the moment: its database takes no changes.'
  assert.deepEqual(await refused.json(), { detail })
  const form = await fetch(`${url}accounts/signup/`, { headers: { accept: 'text/html' } })
  const [, csrfmiddlewaretoken = ''] = /name="csrfmiddlewaretoken" value="(\S+)"/.exec(await form.text()) ?? []
  const written = await fetch(`${url}accounts/signup/`, {
    method: 'POST',
    headers: {
      accept: 'text/html',
      cookie: form.headers.getSetCookie()[0]!.split(';')[0]!,
      origin: new URL(url).origin,
    },
    body: new URLSearchParams({ csrfmiddlewaretoken, username: 'ada', password: 'a long and quiet river' }),
  })
  assert.deepEqual([written.status, written.headers.get('retry-after')], [503, '2'])
  assert.match(await written.text(), /Nothing can be saved at the moment\. Try again later\.[\s\S]*value="ada"/)
  const play = await fetch(`${url}play/thegist/`, { method: 'POST', headers: { accept: 'text/html' } })
  assert.equal(play.status, 503)
  assert.match(
    await play.text(),
    /<h1>Not at the moment<\/h1>\s*<p>Nothing can be saved at the moment\. Try again later\./,
  )
  const health = await (await fetch(`${url}healthz`)).json()
  assert.deepEqual(health, { status: 'ok', database: 'ok', writes: 'NYMDEX_READ_ONLY is on' })
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  for (const path of ['api/polynym/1/', 'api/polynym/1/?page=2', 'nowhere/'])
    await (await fetch(url + path, { headers: { traceparent } })).text()
  const [, address = ''] = /metrics are at (\S+)"/.exec(out) ?? []
  const metrics = await metricsAt(address)
  const requests = (route: string, status: string) =>
    metricValue(metrics.get('nymdex_http_requests_total'), { method: 'GET', route, status })
  assert.deepEqual([requests('/api/polynym/:id/', '200'), requests('none', '404')], [2, 1])
  assert.equal(metricValue(metrics.get('nymdex_database_up')), 1)
  assert.ok(Number(metricValue(metrics.get('nymdex_log_position'))) > 1000)
  assert.equal((await fetch(new URL('/', address))).status, 404)
  assert.equal((await fetch(`${url}metrics`)).status, 404, 'not where everybody can ask')
  const listed = readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `(nymdex_\w+)` \|/gm)
  const own = [...metrics.keys()].filter((name) => name.startsWith('nymdex_'))
  assert.deepEqual(Array.from(listed, ([, name]) => name).toSorted(), own.toSorted())
  const rules = /# nymdex-rules\.yml[\s\S]*?```/.exec(readFileSync('docs/operations.md', 'utf8'))?.[0] ?? ''
  const used = [...rules.matchAll(/\b(?:nymdex|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  )
  assert.ok(used.length >= 8)
  for (const name of used) assert.ok(metrics.has(name), `the alarms use ${name}`)
  const top = await run(['top', new URL(address).host, '--once', '--every', '0.1'])
  assert.deepEqual([top.code, top.err], [0, ''])
  const drawn = top.out.trimEnd().split('\n')
  assert.ok(
    drawn.every((line) => /^[ -~]{0,80}$/.test(line)),
    'plain characters, 80 columns',
  )
  assert.match(drawn[0]!, /^Nymdex \d+\.\d+\.\d+ at 127\.0\.0\.1:\d+ +\d\d:\d\d:\d\d$/)
  for (const figure of [
    /^requests +[\d.]+\/s {3}2xx [\d.]+\/s {3}3xx .* {3}4xx .* {3}5xx /m,
    /^times +p50 [\d.]+ ms {3}p90 [\d.]+ m?s {3}p99 [\d.]+ m?s$/m,
    /^cache +\[#*\.*\] [\d.]+ % hits$/m,
    /^event loop +p99 /m,
    /^memory +\d+ MB$/m,
    /^database +up$/m,
    /^writes +0 waiting {3}log at [1-9],\d{3}$/m,
    /^streams +0 open$/m,
    /^hooks +0 active, 0 at work {3}0\.0\/s sent {3}0 failed$/m,
    /^\/api\/polynym\/:id\/ +[\d.]+\/s +[\d.]+ m?s +2$/m,
  ])
    assert.match(top.out, figure)
  const away = await run(['top', '1', '--once'])
  const line = 'nymdex: there are no metrics at http://127.0.0.1:1/metrics: start the server with NYMDEX_METRICS=9464\n'
  assert.deepEqual([away.code, away.err], [1, line])
  for await (const _ of watch(folder)) if (readFileSync(told, 'utf8').includes('WATCHDOG')) break
  // The server answers while another process makes the backup and restores it.
  while (!out.includes('backed up ')) await once(child.stdout!, 'data')
  const after = await metricsAt(address)
  assert.equal(metricValue(after.get('nymdex_backups')), 1)
  const [name = ''] = readdirSync(backups).filter((each) => each.endsWith('.backup'))
  const { at, bytes, seconds } = JSON.parse(readFileSync(join(backups, `${name}.json`), 'utf8'))
  const said = ['last_good_timestamp_seconds', 'last_good_bytes', 'last_good_seconds', 'failures_total']
  assert.deepEqual(
    said.map((each) => metricValue(after.get(`nymdex_backup_${each}`))),
    [Date.parse(at) / 1000, bytes, seconds, 0],
  )
  assert.equal(metricValue(after.get('nymdex_backups_damaged')), 0)
  child.kill('SIGTERM')
  assert.equal(await new Promise((ended) => child.once('close', ended)), 0)
  const traced = out.split('\n').filter((line) => line.includes('"trace":"4bf92f3577b34da6a3ce929d0e0e4736"'))
  assert.equal(traced.length, 3, 'the log names the trace of a request')
  assert.deepEqual([...new Set(readFileSync(told, 'utf8').trim().split('\n'))], ['READY=1', 'WATCHDOG=1', 'STOPPING=1'])
})

test('a server or a command that is stopped while it makes a backup leaves nothing of it among temporary files', async () => {
  const place = join(folder, 'stopped')
  mkdirSync(place)
  const to = join(folder, 'stopped-backups')
  for (const [given, code] of [
    [['serve', '--backup-to', to], 0],
    [['backup', '--to', to], null],
  ] as const) {
    const child = start([...given], { env: { TMPDIR: place } })
    for await (const { filename } of watch(place)) if (filename?.startsWith('nymdex-verify-')) break
    child.kill('SIGTERM')
    assert.equal(await new Promise((ended) => child.once('close', ended)), code)
    assert.deepEqual(readdirSync(place), [])
  }
})

test('only its owner can read a database file, and a group if the operator allows it', async () => {
  const file = join(folder, 'private.db')
  const env = { DATABASE_URL: `sqlite:${file}` }
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const child = start(['serve', '--sample', 'off'], { env })
  await listening(child)
  assert.deepEqual(
    ['', '-wal', '-shm'].map((each) => modeOf(file + each)),
    ['600', '600', '600'],
  )
  child.kill('SIGTERM')
  await new Promise((ended) => child.once('exit', ended))
  for (const [mode, then] of [
    [0o644, '600'],
    [0o666, '600'],
    [0o640, '640'],
    [0o660, '660'],
  ] as const) {
    chmodSync(file, mode)
    assert.equal((await run(['user', 'list'], { env })).code, 0)
    assert.equal(modeOf(file), then)
  }
})

test('NYMDEX_SAMPLE=off leaves an empty database empty; nymdex.json says so too, and the environment wins over it', async (t) => {
  const cwd = join(folder, 'settings')
  mkdirSync(cwd)
  const file = join(cwd, 'nymdex.json')
  writeFileSync(file, JSON.stringify({ sample: false, 'database-url': 'sqlite:unused.db' }))
  // A folder of backups that cannot be used does not harm the server.
  const to = join(folder, 'no-folder')
  writeFileSync(to, '')
  const env = { DATABASE_URL: `sqlite:${join(folder, 'empty.db')}`, NYMDEX_BACKUP_TO: to }
  const child = start(['serve'], { cwd, env })
  t.after(() => child.kill('SIGKILL'))
  const failed = new Promise<string>((found) => {
    child.stdout!.on('data', (chunk) => String(chunk).includes('backup: ') && found(String(chunk)))
  })
  const url = await listening(child)
  assert.match(await failed, /"level":50,.*"msg":"backup: .*no-folder.*not a directory/)
  assert.equal(((await (await fetch(`${url}api/polynym/`)).json()) as { count: number }).count, 0)
  // Staff see the failure.
  await runCommand(['user', 'add', 'mina', '--staff', '--password-stdin'], environment(env), 'a long and quiet river')
  const authorization = `Basic ${Buffer.from('mina:a long and quiet river').toString('base64')}`
  const { jobs } = (await (await fetch(`${url}api/staff/`, { headers: { authorization } })).json()) as {
    jobs: readonly { name: string; state: string; says: string }[]
  }
  const backups = jobs.find(({ name }) => name === 'Backups')
  assert.equal(backups?.state, 'failed')
  assert.match(backups.says, /^0 good, 0 damaged; \d+ failures? since the start$/)
  child.kill('SIGINT')
  assert.equal(await new Promise((ended) => child.once('exit', ended)), 0)
  assert.deepEqual(readdirSync(cwd), ['nymdex.json'])
  if (process.getuid?.() !== 0) return
  chownSync(file, 65534, 65534)
  const foreign = await ended(start(['config', 'check'], { cwd }))
  assert.match(foreign.out, /^fail {2}nymdex\.json belongs to another user: name it with --config if you trust it\n/)
  const named = await ended(start(['config', 'check'], { cwd, env: { NYMDEX_CONFIG: 'nymdex.json' } }))
  assert.match(named.out, /^ok {4}all settings are valid\n/)
})

test('a settings file: each fault names its place, and nymdex config shows what is in force', async () => {
  const file = join(folder, 'other.json')
  const config = async (text: string, args: readonly string[], env: Record<string, string> = {}) => {
    writeFileSync(file, text)
    const { code, out, err } = await run([...args, '--config', file], { env: { DATABASE_URL: '', ...env } })
    return { code, said: (out + err).replaceAll(file, 'FILE') }
  }
  const faults: Record<string, string> = {
    '{"port": 80,\n}': 'FILE is not valid JSON: line 2, column 1: expected the name of a setting in double quotes',
    '{"port": tru}': 'FILE is not valid JSON: line 1, column 10: expected a string, a number, true, false or an array',
    '{\n"hosts": ["a",\n"b"], "port": 80, "port": 81}':
      'FILE is not valid JSON: line 3, column 25: "port" is there twice',
    '': 'FILE is not valid JSON: line 1, column 1: expected {',
    '{"prot": 80}': 'unknown setting "prot" in FILE, line 1: did you mean "port"?',
    '{"pgConnections": 80}': 'unknown setting "pgConnections" in FILE, line 1: did you mean "pg-connections"?',
    '{"colour": "red"}': 'unknown setting "colour" in FILE, line 1: nymdex serve --help lists all',
    '{"port":\n 65536}': '"port" in FILE, line 1: "65536" is not a whole number from 0 to 65535',
    '{"port": "80"}': '"port" in FILE, line 1: the string "80" is not a whole number from 0 to 65535',
    '{"sample": 1}': '"sample" in FILE, line 1: the number 1 is not on or off',
    '{"hosts": ["a,b"]}':
      '"hosts" in FILE, line 1: this array is not a host name without a port, such as nymdex.example or *.nymdex.example',
    '{"database-url": "mysql://ada:secret@db/x"}':
      '"database-url" in FILE, line 1: "mysql://ada@db/x" is not sqlite:PATH or postgres://...',
  }
  for (const [text, line] of Object.entries(faults)) {
    const port = text.includes('"port"') || text === '' ? { PORT: '' } : {}
    assert.deepEqual(await config(text, ['serve'], port), { code: 1, said: `nymdex: ${line}\n` })
  }
  const good = JSON.stringify({
    $schema: 'x',
    'database-url': 'postgres://ada:secret@db.example/words',
    'pg-connections': 20,
    'read-limit': false,
    hosts: ['a.example', 'b.example'],
  })
  chmodSync(file, 0o644)
  const env = { NYMDEX_READ_LIMIT: '9/minute', NYMDEX_TOKEN: 'x', NYMDEX_PORT: 'tcp://10.0.0.1:80' }
  const { code, said } = await config(good, ['config', 'check'], env)
  assert.equal(code, 0)
  assert.deepEqual(said.split('\n').slice(0, 3), [
    'ok    all settings are valid',
    'warn  other users of this machine can read FILE, and "database-url" has a password: chmod 600 FILE',
    'warn  unknown setting "NYMDEX_TOKEN" in the environment: nymdex serve --help lists all',
  ])
  assert.match(said, /^database-url {4}postgres:\/\/ada@db\.example\/words {2}"database-url" in FILE, line 1$/m)
  assert.match(said, /^read-limit {6}9\/minute {2,}NYMDEX_READ_LIMIT$/m)
  const shown = JSON.parse((await config(good, ['config', 'show', '--json'], env)).said)
  const named = (name: string) => shown.find((each: { name: string }) => each.name === name)
  assert.deepEqual(named('NYMDEX_HOSTS').value, 'a.example,b.example')
  const byDefault = { name: 'NYMDEX_SIGNUP', option: 'signup', value: 'open', from: 'default', where: '' }
  assert.deepEqual(named('NYMDEX_SIGNUP'), byDefault)
  const typo = await config('{"port": -1}', ['config', 'check'], { PORT: '', NYMDEX_PG_CONECTIONS: '9' })
  assert.deepEqual(
    [typo.code, ...typo.said.split('\n').slice(0, 2)],
    [
      1,
      'fail  unknown setting "NYMDEX_PG_CONECTIONS" in the environment: did you mean "NYMDEX_PG_CONNECTIONS"?',
      'fail  "port" in FILE, line 1: "-1" is not a whole number from 0 to 65535',
    ],
  )
  const copies = await config('{"replica-urls": ["postgres://a:secret@h/x"]}', ['config', 'check'])
  const primary = 'a copy of sqlite:var/nymdex.db: set DATABASE_URL to the primary server'
  assert.equal(copies.said.split('\n')[0], `fail  NYMDEX_REPLICA_URLS: "postgres://a@h/x" is not ${primary}`)
  assert.equal(copies.code, 1)
  const wrong = { port: 8000, metrics: '127.0.0.1:8000', 'backup-to': 'b', 'backup-key': '/no/such/key' }
  const refused = await config(JSON.stringify(wrong), ['config', 'check'], { PORT: '' })
  assert.deepEqual(
    [refused.code, ...refused.said.split('\n').slice(0, 2)],
    [
      1,
      'fail  NYMDEX_METRICS: 127.0.0.1 has the port 8000 already, which is PORT',
      'fail  NYMDEX_BACKUP_KEY: /no/such/key: no such file or directory',
    ],
  )
  const schema = JSON.parse((await config('{}', ['config', 'schema'])).said)
  const check = new Ajv2020().compile(schema)
  assert.ok(check(JSON.parse(good)), JSON.stringify(check.errors))
  for (const bad of [{ prot: 80 }, { port: '80' }, { sample: 1 }, { 'read-limit': '9 a day' }]) assert.ok(!check(bad))
})

test('an invalid setting stops the start with one line and exit code 1', async () => {
  const cases: Record<string, RegExp> = {
    'PORT=eighty': /^nymdex: PORT: "eighty" is not a whole number from 0 to 65535\n$/,
    'HOST=192.0.2.1': /^nymdex: HOST: this machine has no address 192\.0\.2\.1: set it to one that it has, such as /,
    'DATABASE_URL=postgres://127.0.0.1:1/x': /^nymdex: cannot reach PostgreSQL at .*: nothing listens there\n$/,
  }
  for (const [setting, line] of Object.entries(cases)) {
    const [name, value] = setting.split(/=(.*)/s) as [string, string]
    const { code, err } = await run(['serve'], { env: { [name]: value } })
    assert.match(err, line)
    assert.equal(err.trimEnd().split('\n').length, 1, err)
    assert.equal(code, 1)
  }
})

test('every invalid setting is refused in one line', () => {
  // The program prints these lines as in the test above; a process for each would take half a minute.
  const cases: Record<string, RegExp> = {
    'PORT=65536': /^PORT: /,
    'DATABASE_URL=mysql://x': /^DATABASE_URL: "mysql:\/\/x" is not sqlite:PATH or postgres/,
    'DATABASE_URL=postgres://a:secret@h:99999/x':
      /^DATABASE_URL: "postgres:\/\/a@h:99999\/x" is not an address such as postgres:/,
    'DATABASE_URL=postgres://a:secret@h/x?sslmode=verify':
      /^DATABASE_URL: "sslmode=verify" is not one of disable, .*, verify-full$/m,
    'NYMDEX_REPLICA_URLS=postgres://h:99999/x': /^NYMDEX_REPLICA_URLS: "postgres:\/\/h:99999\/x" is not an address/,
    'DATABASE_URL=sqlite::memory:': /^DATABASE_URL: "sqlite::memory:" is not sqlite:PATH or postgres/,
    'NYMDEX_SAMPLE=perhaps': /^NYMDEX_SAMPLE: "perhaps" is not on or off$/,
    'NYMDEX_METRICS=10.0.0.5:': /^NYMDEX_METRICS: "10\.0\.0\.5:" is not off, a port, or an address and a port /,
    'NYMDEX_BASE_URL=nymdex.example': /^NYMDEX_BASE_URL: /,
    'NYMDEX_PAGE_SIZE=0': /^NYMDEX_PAGE_SIZE: "0" is not a whole number from 1 to 1000$/,
    'NYMDEX_TRUST_PROXY=10.0.0.0/99': /^NYMDEX_TRUST_PROXY: /,
    'NYMDEX_COMPRESS=zip': /^NYMDEX_COMPRESS: /,
    'NYMDEX_CACHE=maybe': /^NYMDEX_CACHE: "maybe" is not on, off, records or check$/,
    'NYMDEX_HOOKS=maybe': /^NYMDEX_HOOKS: "maybe" is not on, off or private$/,
    'NYMDEX_CACHE_MB=lots': /^NYMDEX_CACHE_MB: /,
    'NYMDEX_SHARED_CACHE=on': /^NYMDEX_SHARED_CACHE: "on" is not off or SECONDS or SECONDS,SECONDS, up to 86400$/,
    'NYMDEX_SHARED_CACHE=60,99999': /^NYMDEX_SHARED_CACHE: /,
    'NYMDEX_QUERY_SECONDS=0': /^NYMDEX_QUERY_SECONDS: /,
    'NYMDEX_ACCESS_LOG=xml': /^NYMDEX_ACCESS_LOG: "xml" is not json, combined or off$/,
    'NYMDEX_ACCESS_LOG_SHARE=1%': /^NYMDEX_ACCESS_LOG_SHARE: "1%" is not a number from 0 to 1, such as 0\.01$/,
    'NYMDEX_SLOW_QUERY_MS=slow': /^NYMDEX_SLOW_QUERY_MS: "slow" is not off or a whole number from 0 to 60000$/,
    'NYMDEX_TRACES=collector': /^NYMDEX_TRACES: "collector" is not off or the address of a collector/,
    'OTEL_EXPORTER_OTLP_ENDPOINT=ftp://x': /^OTEL_EXPORTER_OTLP_ENDPOINT: /,
    'OTEL_TRACES_SAMPLER=some': /^OTEL_TRACES_SAMPLER: "some" is not one of always_on, /,
    'OTEL_TRACES_SAMPLER_ARG=2': /^OTEL_TRACES_SAMPLER_ARG: "2" is not a number from 0 to 1, such as 0\.01$/,
    'LOG_LEVEL=loud': /^LOG_LEVEL: /,
  }
  for (const [setting, line] of Object.entries(cases)) {
    const [name, value] = setting.split(/=(.*)/s) as [string, string]
    assert.throws(
      () => readSettings({ [name]: value }),
      ({ message }: Error) => line.test(message) && !message.includes('\n'),
      setting,
    )
  }
})

test('docs/operations.md lists every setting, with its option', () => {
  const rows = readFileSync('docs/operations.md', 'utf8').matchAll(/^\| `([A-Z_]+)` \| `--([a-z-]+)` \|/gm)
  const listed = Array.from(rows, ([, name, option]) => `${name} --${option}`)
  assert.deepEqual(listed.toSorted(), SETTINGS.map(({ name, option }) => `${name} --${option}`).toSorted())
})

test('traces go where OpenTelemetry has its names for it', () => {
  const urlOf = (given: Record<string, string>) => readSettings(given).traces?.url
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }
  assert.equal(urlOf({}), undefined)
  assert.equal(urlOf(endpoint), 'http://collector:4318/v1/traces')
  assert.equal(urlOf({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:1/in' }), 'http://traces:1/in')
  assert.equal(urlOf({ ...endpoint, NYMDEX_TRACES: 'https://ours/otlp' }), 'https://ours/otlp/v1/traces')
  for (const off of [{ NYMDEX_TRACES: 'off' }, { OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])
    assert.equal(urlOf({ ...endpoint, ...off }), undefined)
})

test('a port in use is reported in one line', async () => {
  const other = createServer()
  await new Promise<void>((up) => other.listen(0, '127.0.0.1', up))
  const { port } = other.address() as { port: number }
  const { code, err } = await ended(start(['serve'], { env: { PORT: String(port) } }))
  other.close()
  assert.equal(err, `nymdex: port ${port} on 127.0.0.1 is in use: stop what listens there, or set PORT\n`)
  assert.equal(code, 1)
})

test('{outage.version} a process ends with one line when a newer one has migrated its database', async () => {
  const file = join(folder, 'newer.db')
  const child = start(['serve', '--sample', 'off'], { env: { DATABASE_URL: `sqlite:${file}` } })
  const end = ended(child)
  const url = await listening(child)
  new SQLite(file).exec("INSERT INTO migration VALUES (999, 'From the future', '2999')").close()
  assert.equal((await fetch(`${url}api/polynym/`)).status, 503)
  const { code, err } = await end
  assert.match(
    err,
    /^nymdex: another process has migrated the database to version 999, and this program knows \d+: .*\n$/,
  )
  assert.equal(code, 1)
})

test('a file that is not a database, not ours, or newer than the program is left alone, with one line', async () => {
  const text = join(folder, 'text.db')
  writeFileSync(
    text,
    'This is a text of more than a hundred bytes, so that it cannot be taken for a database. '.repeat(20),
  )
  const foreign = join(folder, 'foreign.db')
  new SQLite(foreign).exec('CREATE TABLE recipes (id INTEGER)').close()
  // From the test before.
  const newer = join(folder, 'newer.db')
  const cases = {
    [text]: `nymdex: ${text} is not an SQLite database\n`,
    [foreign]: `nymdex: ${foreign} is the database of another program\n`,
    [newer]: /^nymdex: the database has version 999, and this program knows up to \d+: use a newer Nymdex\n$/,
  }
  for (const [file, line] of Object.entries(cases)) {
    chmodSync(file, 0o644)
    const { code, err } = await run(['serve'], { env: { DATABASE_URL: `sqlite:${file}` } })
    // We must not change the permissions of a file that is not ours.
    if (file !== newer) assert.equal(statSync(file).mode & 0o777, 0o644)
    if (typeof line === 'string') assert.equal(err, line)
    else assert.match(err, line)
    assert.equal(code, 1)
  }
})

test('a folder that cannot be written to is reported in one line', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0o555)
  // Root may write anywhere, so the program runs as nobody here.
  const uid = process.getuid?.() === 0 ? 65534 : undefined
  for (const path of [join(closed, 'n.db'), join(closed, 'deeper', 'n.db')]) {
    const { code, err } = await run(['serve'], { env: { DATABASE_URL: `sqlite:${path}` }, ...(uid ? { uid } : {}) })
    assert.match(err, /^nymdex: .*closed.* (is not writable|cannot be opened for writing)\n$/)
    assert.equal(code, 1)
  }
})

test('the compile cache is below var/, for its owner only, and not where all users can write', async () => {
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  assert.equal((await ended(start(['serve', '--help'], { env: { TMPDIR: temporary } }))).code, 0)
  assert.deepEqual(readdirSync(temporary), [])
  const cache = join(dirname(PROGRAM), '..', 'var', 'compile-cache')
  assert.equal(statSync(cache).mode & 0o777, 0o700)
  assert.ok(readdirSync(cache).length > 0)
})

/** Starts the program as if another version of Node ran it. */
function runOn(given: { readonly node: string; readonly platform?: string; readonly arch?: string }): Ended {
  const { node, ...rest } = given
  const set = Object.entries({ versions: { ...process.versions, node }, ...rest })
  const pretend = set.map(
    ([key, value]) => `Object.defineProperty(process, '${key}', { value: ${JSON.stringify(value)} })`,
  )
  const code = [...pretend, `import(${JSON.stringify(PROGRAM)})`].join('; ')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', code, 'nymdex', 'serve', '--help'], {
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

test('an older Node, or one without security fixes, stops with one line that says what to do', () => {
  for (const node of ['18.20.8', '20.1.0', '23.11.1', '24.0.0', '24.9.9', '24.18.0']) {
    const { code, err } = runOn({ node, platform: 'linux', arch: 'x64' })
    const [, found, todo] = /^nymdex: needs Node 24\.18\.1 or newer, and this is Node (\S+)\. (.+)\n$/.exec(err) ?? []
    assert.deepEqual([code, found], [1, node])
    assert.equal(todo, 'Run it through npm (npm start, npx nymdex), which uses the Node that "npm ci" installed.')
  }
  const { code, err } = runOn({ node: '24.0.0', platform: 'darwin', arch: 'arm64' })
  assert.equal(code, 1)
  assert.match(
    err,
    /^nymdex: .+ this is Node 24\.0\.0\. On Apple silicon "npm ci" installs no Node: install a newer one\.\n$/,
  )
})

test('the versions of Node that npm ci installs, and newer ones, are accepted', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const installed = Object.entries<string>(optionalDependencies).filter(([name]) => name.startsWith('node-'))
  const [oldest] = installed.map(([, version]) => version).sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  for (const node of [oldest!, '24.100.0', '25.0.0']) {
    const { code, out, err } = runOn({ node })
    assert.deepEqual([node, code, err], [node, 0, ''])
    assert.match(out, /^Usage: nymdex /)
  }
})

test('a server whose log nobody reads goes on; a running request is finished before it stops', async () => {
  const child = start(['serve'], { env: { LOG_LEVEL: 'info' } })
  const url = new URL(await listening(child))
  // More than the pipe takes, and more than the server keeps.
  child.stdout!.pause()
  for (let i = 0; i < 250; i++) assert.equal((await fetch(`${url}healthz?${'x'.repeat(8000)}`)).status, 200)
  const leftOut = new Promise<void>((said) => {
    let out = ''
    child.stdout!.on('data', (chunk) => {
      out += chunk
      if (/"lines":[1-9]\d*,"msg":"lines of the log were left out"/.test(out)) said()
    })
  })
  child.stdout!.resume()
  await leftOut
  const socket = connect(Number(url.port), url.hostname)
  // Browsers open connections that they may use later.
  const unused = connect(Number(url.port), url.hostname)
  await Promise.all([once(socket, 'connect'), once(unused, 'connect')])
  // Half a request has arrived when the signal comes; the rest follows when the server has said that it is stopping.
  socket.write('GET /api/ HTTP/1.1\r\nHost: nymdex.example\r\n')
  const stopping = new Promise<void>((said) => {
    child.stdout!.on('data', (chunk) => String(chunk).includes('finishing') && said())
  })
  // One finished request first, so that the half one is known to have arrived.
  await fetch(url)
  child.kill('SIGTERM')
  await stopping
  await once(unused.resume(), 'close')
  socket.write('\r\n')
  const answer = await new Promise<string>((all) => {
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.on('close', () => all(text))
  })
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(answer, /\r\nConnection: close\r\n/)
  assert.equal(await new Promise((ended) => child.once('exit', ended)), 0)
})

/** As systemd does it: listens on a port, and when a line comes, becomes the server, which gets the socket. */
const ACTIVATE = `import os, socket, sys
listening = socket.socket()
listening.bind(('127.0.0.1', 0))
listening.listen()
print(listening.getsockname()[1], flush=True)
sys.stdin.readline()
os.dup2(listening.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[1], sys.argv[1:])
`

test('{stop.drain} a server that systemd hands a socket answers who waits there; told to stop, it says so', async (t) => {
  const env = environment({ NYMDEX_DRAIN_SECONDS: '600' })
  const child = spawn('python3', ['-c', ACTIVATE, process.execPath, BIN, 'serve'], { env })
  t.after(() => child.kill('SIGKILL'))
  const port = await new Promise<number>((said) => child.stdout.once('data', (chunk) => said(Number(chunk))))
  const url = `http://127.0.0.1:${port}/`
  const waiting = fetch(`${url}api/polynym/1/`)
  let printed = ''
  child.stdout.on('data', (chunk) => (printed += chunk))
  child.stdin.end('\n')
  assert.equal((await waiting).status, 200)
  assert.ok(printed.includes(`Nymdex is at ${url}`), printed)
  assert.ok(!printed.includes('loaded the sample catalogue'), 'it is there')
  const said = new Promise<void>((stopping) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('finishing') && stopping())
  })
  child.kill('SIGTERM')
  await said
  const ready = await fetch(`${url}readyz`)
  assert.deepEqual([ready.status, await ready.json()], [503, { status: 'stopping' }])
  for (const path of ['healthz', 'api/', 'api/polynym/', 'api/polynym/']) {
    const { status, headers } = await fetch(url + path)
    assert.deepEqual([path, status, headers.get('connection')], [path, 200, 'close'])
  }
  // A second signal ends it at once.
  child.kill('SIGINT')
  assert.equal(await new Promise((ended) => child.once('exit', (_, signal) => ended(signal))), 'SIGINT')
  const without = `export LISTEN_FDS=1 LISTEN_PID=$$; exec "$0" "$@" 3</dev/null`
  const { code, err } = await ended(spawn('sh', ['-c', without, process.execPath, BIN, 'serve'], { env }))
  assert.equal(code, 1)
  assert.match(err, /^nymdex: LISTEN_FDS is set, but file descriptor 3 is not a socket: [^\n]+\n$/)
})

test('SIGTERM to npm stops the server, too, and its threads', {
  skip: process.platform === 'win32',
  timeout: 40_000,
}, async () => {
  const database = `sqlite:${join(folder, 'npm.db')}`
  const env = { ...process.env, PORT: '0', DATABASE_URL: database, NYMDEX_DRAIN_SECONDS: '0', NYMDEX_SAMPLE: 'off' }
  const child = spawn('npm', ['start'], { cwd: join(import.meta.dirname, '..'), env })
  const url = await listening(child)
  assert.equal((await (await fetch(`${url}preview.png`)).bytes())[0], 0x89, 'a thread has drawn it')
  child.kill('SIGTERM')
  // Its output ends when no process is left to write to it.
  await new Promise((closed) => child.once('close', closed))
  await assert.rejects(fetch(url))
})

test('a command stops without a message when its reader closes the pipe', async () => {
  const child = start(['config', 'check'])
  child.stdout!.destroy()
  const { code, err } = await ended(child)
  assert.deepEqual([code, err], [0, ''])
})

test('an unknown command or option is reported, with exit code 1', async () => {
  for (const args of [['fly'], ['serve', '--wings']]) {
    const { code, err } = await run(args)
    assert.match(err, /^nymdex: unknown (command|option) /)
    assert.equal(code, 1)
  }
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test('the units of systemd in deploy/ are valid', { skip: !hasSystemd }, () => {
  const units = join(folder, 'units')
  mkdirSync(units)
  const names = readdirSync('deploy').filter((name) => /\.(service|timer)$/.test(name))
  for (const name of names) {
    // The program is not installed here.
    const unit = readFileSync(join('deploy', name), 'utf8').replaceAll(/\/opt\/\S*\/node\b/g, process.execPath)
    writeFileSync(join(units, name), unit)
  }
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...names.map((name) => join(units, name))])
  assert.deepEqual([names.length, status, String(stderr)], [3, 0, ''])
})

test('every way to start the server gives Node the same options', () => {
  const optionsIn = (file: string, line: RegExp) =>
    line.exec(readFileSync(file, 'utf8'))?.[0].match(/--m\S+=\d+|--no-[a-z-]+/g)
  const options = optionsIn('package.json', /"start": .*/)
  assert.equal(options?.length, 2)
  for (const [file, line] of [
    ['bin/nymdex.js', /^#!.*/],
    ['deploy/Containerfile', /^ENTRYPOINT .*/m],
    ['deploy/nymdex.service', /^ExecStart=.*/m],
    ['docs/operations.md', /^\S*node .*nymdex\.js serve$/m],
  ] as const) {
    assert.deepEqual(optionsIn(file, line), options, file)
  }
})
