/** nymdex follow, serve --follow and promote, as an operator runs them. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { BIN, type Ended, ended, listening, runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'

const OTHER = { SQLite: 'PostgreSQL', PostgreSQL: 'SQLite' } as const
const PASSWORD = 'a good password'

for (const engine of ENGINES) {
  const other = ENGINES.length === 1 ? engine : OTHER[engine]
  describe(`Followers (${engine} to ${other})`, () => {
    const databases: FreshDatabase[] = []
    const running = new Set<ChildProcess>()
    let [source, copy] = ['', '']

    before(async () => {
      databases.push(await freshDatabase(engine, { sample: true }), await freshDatabase(other, { sample: false }))
      await works(0, ['user', 'add', 'ida', '--staff', '--password-stdin'], PASSWORD)
      source = await serve(0)
      copy = await serve(1, '--follow', source)
    })
    after(async () => {
      for (const child of running) await stop(child, 'SIGKILL')
      for (const { drop } of databases) await drop()
    })

    function environment(database: number) {
      return { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: databases[database]!.url, LOG_LEVEL: 'info' }
    }
    function start(database: number, args: readonly string[]): ChildProcess {
      return spawn(process.execPath, [BIN, ...args], { env: environment(database) })
    }
    function run(database: number, args: readonly string[], input = ''): Promise<Ended> {
      return runCommand(args, environment(database), input)
    }
    async function works(database: number, args: readonly string[], input?: string): Promise<string> {
      const { code, out, err } = await run(database, args, input)
      assert.equal(code, 0, err)
      return out
    }
    /** Its address, when it is ready: a copy when it has caught up. */
    async function serve(database: number, ...args: string[]): Promise<string> {
      const server = start(database, ['serve', ...args])
      running.add(server)
      const caughtUp = args.includes('--follow') ? said(server, 'caught up') : undefined
      const url = await listening(server)
      await caughtUp
      servers[database] = server
      return url
    }
    const servers: ChildProcess[] = []
    async function stop(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
      const gone = new Promise((exited) => server.once('exit', exited))
      running.delete(server)
      server.kill(signal)
      await gone
    }
    const ask = async (url: string, method: string, path: string, json?: object) => {
      const authorization = `Basic ${Buffer.from(`ida:${PASSWORD}`).toString('base64')}`
      const headers = { authorization, 'content-type': 'application/json' }
      const body = json ? { body: JSON.stringify(json) } : {}
      return await fetch(new URL(path, url), { method, headers, redirect: 'manual', ...body })
    }
    const seqAt = async (url: string): Promise<number> => {
      return ((await (await fetch(new URL('/api/changes/?limit=1', url))).json()) as any).latest
    }
    /** Waits until the copy has everything. */
    async function caughtUp(): Promise<void> {
      const latest = await seqAt(source)
      for (let since = await seqAt(copy); since < latest; ) {
        const reply = await fetch(new URL(`/api/changes/?since=${since}&wait=30&limit=1000`, copy))
        since = ((await reply.json()) as any).next
      }
    }
    const exported = (database: number) => works(database, ['export', '--format', 'ndjson'])

    test('a copy says that it is ready, and how far behind it is', async () => {
      assert.deepEqual(await (await fetch(new URL('/readyz', copy))).json(), { status: 'ready' })
      const { following } = (await (await fetch(new URL('/healthz', copy))).json()) as any
      assert.deepEqual(following, { complete: true, behind: 0 })
    })

    test('a copy sends writes on to the source, and responds to reads with any credentials', async () => {
      const reply = await ask(copy, 'POST', '/api/queue/?a=b', { name: 'for the source' })
      assert.deepEqual([reply.status, reply.headers.get('location')], [307, `${source}api/queue/?a=b`])
      const form = { method: 'POST', body: new URLSearchParams({ name: 'x' }), redirect: 'manual' } as const
      const page = await fetch(new URL('/accounts/login/', copy), form)
      assert.deepEqual([page.status, page.headers.get('location')], [303, `${source}accounts/login/`])
      assert.equal((await ask(copy, 'GET', '/api/queue/')).status, 200)
      assert.equal((await ask(copy, 'POST', '/api/qode/annotate/', { text: 'The bird sings.' })).status, 200)
    })

    test('kill -9 of the copy and of the source loses and doubles nothing', async () => {
      const create = async (name: string) => {
        const reply = await ask(source, 'POST', '/api/queue/', { name })
        assert.equal(reply.status, 201, await reply.text())
      }
      await create('before')
      await stop(servers[1]!, 'SIGKILL')
      await create('while the copy is away')
      copy = await serve(1, '--follow', source)
      await create('with both')
      const { port } = new URL(source)
      await stop(servers[0]!, 'SIGKILL')
      source = await serve(0, '--port', port)
      await create('after both')
      await caughtUp()
      assert.equal(await exported(1), await exported(0))
    })

    test('other commands do not change a copy, and a server of it must follow', async () => {
      const { code, err } = await run(1, ['serve'])
      assert.equal(code, 1)
      assert.match(err, /^nymdex: the database is a copy of http.*nymdex promote\n$/)
      const imported = await run(
        1,
        ['import', '-', '--collection', 'queue', '--format', 'ndjson'],
        '{"name":"not here"}\n',
      )
      assert.equal(imported.code, 1)
      assert.match(imported.err, /is a copy of http/)
      const strange = await run(1, ['follow', `${source}api/`, '--once'])
      assert.match(strange.err, /^nymdex: the database is a copy of http/)
      const renamed = await run(1, ['user', 'rename', 'odette', 'odile'])
      assert.equal(renamed.code, 1)
      assert.match(renamed.err, /^nymdex: .*is a copy of http.*nymdex promote\n$/)
    })

    test('everything is copied again after a user was renamed, also if users of the copy have recovery codes', async () => {
      await works(1, ['user', 'recovery-codes', 'mira'])
      const copiedAgain = said(servers[1]!, 'copying everything again')
      await works(0, ['user', 'rename', 'odette', 'odile'])
      await copiedAgain
      await said(servers[1]!, 'caught up')
      assert.equal(await exported(1), await exported(0))
    })

    test('a source that is away is tried again, and another server is refused in one line', async (t) => {
      let status = 404
      const stranger = createServer((_, reply) => reply.writeHead(status).end('Nothing here.'))
      stranger.listen(0, '127.0.0.1')
      await once(stranger, 'listening')
      const address = stranger.address()
      const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}/`
      const empty = await freshDatabase('SQLite', { sample: false })
      t.after(empty.drop)
      databases[2] = { ...empty, drop: async () => {} }
      const { code, err } = await run(2, ['follow', url])
      assert.deepEqual({ code, err }, { code: 1, err: `nymdex: ${url} is no Nymdex that can be followed\n` })
      status = 410
      const closed = `nymdex: ${url} cannot be followed: ${url}api/changes/records/ answered 410\n`
      assert.equal((await run(2, ['follow', url])).err, closed)
      stranger.close()
      const waiting = start(2, ['follow', url])
      const end = ended(waiting)
      await said(waiting, 'trying again in', 'stderr')
      waiting.kill('SIGTERM')
      const { code: stopped, out } = await end
      assert.equal(stopped, 0)
      assert.match(out, /^stopped before the first copy was complete/)
    })

    test('a promoted copy is a server of its own: ids and the log continue', async () => {
      const last = await ask(source, 'POST', '/api/queue/', { name: 'the last one' })
      const { queue_id: id } = (await last.json()) as any
      await ask(source, 'DELETE', `/api/queue/${id}/`)
      await caughtUp()
      const seq = await seqAt(source)
      for (const server of servers) await stop(server, 'SIGINT')
      assert.match(await works(1, ['promote']), new RegExp(`its log ends at ${seq}\\n$`))
      await works(1, ['user', 'passwd', 'ida', '--password-stdin'], PASSWORD)
      copy = await serve(1)
      const reply = await ask(copy, 'POST', '/api/queue/', { name: 'the first one here' })
      assert.equal(reply.status, 201)
      assert.equal(((await reply.json()) as any).queue_id, id + 1)
      assert.equal(await seqAt(copy), seq + 1)
      const again = await run(1, ['promote'])
      assert.equal(again.err, 'nymdex: the database is no copy of another server\n')
    })
  })
}

function said(child: ChildProcess, words: string, stream: 'stdout' | 'stderr' = 'stdout'): Promise<void> {
  return new Promise((done, failed) => {
    let out = ''
    child[stream]!.on('data', (chunk) => {
      out += chunk
      if (out.includes(words)) done()
    })
    child.once('close', () => failed(new Error(`ended early: ${out}`)))
  })
}
