/** Several servers on one database: every other server shows an acknowledged write in the very next read. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import SQLite from 'better-sqlite3'
import { AccountDesk, accountNamed, type Engine } from '../../src/engine/index.ts'
import { note, openDatabase, PEOPLE_CHANGED } from '../../src/store/index.ts'
import { Chance } from '../robust/chance.ts'
import { BIN, listening } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { HOST, Served, statement } from '../support/servers.ts'
import { StatementCounter } from '../support/statements.ts'

const TURNS = NIGHTLY ? 120 : 40
const WRITERS = NIGHTLY ? 20 : 8
const EACH = 6

type Json = any
type Ask = (path: string, method?: string, json?: object) => Promise<Json>

/** Everything that can happen to a polynym; after each write, the other servers show it in every way. */
async function takeTurns(asks: readonly Ask[], turns: number, chance: Chance): Promise<void> {
  const set = (await asks[0]!('/api/polyset/', 'POST', { name: '!set', polynyms: [await made(asks[0]!, 'member')] }))
    .polyset_id
  const member = (await asks[0]!(`/api/polyset/${set}/`)).polynyms[0].polynym_id
  let { count } = await asks[0]!('/api/polynym/?page_size=3')
  let last: number | undefined
  for (let turn = 0; turn < turns; turn++) {
    const [writer, ...readers] = chance.shuffle(asks)
    const name = `!${String(turns - turn).padStart(6, '0')}`
    const kind = turn % 4
    if (kind === 0) {
      last = await made(writer!, name)
      count++
    } else if (kind === 1) await writer!(`/api/polynym/${last}/`, 'PATCH', { name, p1: `turn ${turn}` })
    else if (kind === 2) await writer!(`/api/polynym/${member}/`, 'PATCH', { p1: `turn ${turn}` })
    else {
      await writer!(`/api/polynym/${last}/`, 'DELETE')
      count--
    }
    for (const reader of readers) {
      const list = await reader('/api/polynym/?page_size=3')
      assert.equal(list.count, count, `turn ${turn}`)
      assert.equal(
        list.results.some((each: Json) => each.polynym_id === last),
        kind !== 3,
        `turn ${turn}`,
      )
      if (kind < 2) assert.equal(list.results[0].name, name)
      if (kind === 1) assert.equal((await reader(`/api/polynym/${last}/`)).p1, `turn ${turn}`)
      if (kind === 2) assert.equal((await reader(`/api/polyset/${set}/`)).polynyms[0].p1, `turn ${turn}`)
      if (kind === 2)
        assert.equal((await reader('/api/polyset/?page_size=1')).results[0].polynyms[0].p1, `turn ${turn}`)
    }
  }
}

async function accountCalled(engine: Engine, name: string) {
  return await engine.store.write(() => accountNamed(engine, name))
}

async function made(ask: Ask, name: string): Promise<number> {
  return (await ask('/api/polynym/', 'POST', { name, mode: 'part', p1: 'a', p2: 'b' })).polynym_id
}

/** All write at the same time, through all servers, and then each server has all of it. */
async function writeAtOnce(asks: readonly Ask[], title: string): Promise<void> {
  const before = (await asks[0]!('/api/queue/')).count
  const shared = await made(asks[0]!, `${title} shared`)
  const names: string[] = []
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let i = 0; i < EACH; i++) {
        const ask = asks[(writer + i) % asks.length]!
        const name = `${title} ${writer} ${i}`
        names.push((await ask('/api/queue/', 'POST', { name })).name)
        await ask(`/api/polynym/${shared}/`, 'PATCH', { p3: name })
        // The next one is asked, and already knows it.
        const next = asks[(writer + i + 1) % asks.length]!
        assert.equal((await next(`/api/queue/?name=${encodeURIComponent(name)}`)).count, 1)
      }
    }),
  )
  const wanted = names.sort()
  assert.equal(new Set(wanted).size, WRITERS * EACH)
  const records = await Promise.all(asks.map((ask) => ask(`/api/polynym/${shared}/`)))
  for (const [i, ask] of asks.entries()) {
    const { count, results } = await ask(`/api/queue/?page_size=1000`)
    assert.equal(count, before + wanted.length)
    const mine = results.map(({ name }: Json) => name).filter((name: string) => name.startsWith(title))
    assert.deepEqual(mine.sort(), wanted)
    assert.deepEqual(records[i], records[0])
  }
}

for (const name of ENGINES) {
  describe(`Two servers on one database (${name})`, () => {
    let fresh: FreshDatabase
    const servers: Served[] = []
    const asks: Ask[] = []
    /** Of the last one. */
    const counter = new StatementCounter()
    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      for (const keeps of ['everything', 'everything', 'records'] as const) {
        const server = await Served.on(fresh.url, { keeps, ...(keeps === 'records' ? { watch: counter.watch } : {}) })
        servers.push(server)
        asks.push(async (path, method = 'GET', json = undefined) => {
          const write = method === 'GET' ? {} : { as: 'staff-gus', ...(json ? { json } : {}) }
          const reply = await server.ask(path, { method, ...write })
          assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
          return reply.json
        })
      }
    })
    after(async () => {
      for (const server of servers) {
        await server.stop()
        assert.deepEqual(server.bugs, [])
      }
      await fresh.drop()
    })

    test('what one has acknowledged, the others show in the very next read, again and again', async () => {
      await takeTurns(asks, TURNS, new Chance(7))
    })

    test('concurrent writers through all of them lose nothing', async () => {
      await writeAtOnce(asks, 'at once')
    })

    test('a write through one costs another only the records that it changed', async () => {
      const [writer, , reader] = asks
      const read = async () => {
        counter.count = 0
        for (const page of [1, 2, 3]) await reader!(`/api/polynym/?page_size=100&page=${page}`)
        return counter.count
      }
      await read()
      assert.equal(await read(), 0)
      const id = await made(writer!, 'a costly one')
      assert.ok((await read()) <= 3, 'the blocks, the ids of one of them, and the record')
      await writer!(`/api/polynym/${id}/`, 'PATCH', { p3: 'changed' })
      assert.equal(await read(), 1, 'the record')
      await reader!(`/api/polynym/${id}/`, 'PATCH', { p3: 'changed again' })
      assert.equal(await read(), 0, 'it has made the record itself')
      await reader!(`/api/polynym/${id}/vote/`, 'POST')
      assert.equal(await read(), 0)
      await reader!(`/api/polynym/${id}/vote/`, 'DELETE')
      assert.equal(await read(), 0)
      await writer!(`/api/polynym/${id}/vote/`, 'POST')
      assert.equal(await read(), 1, 'the record')
      await writer!(`/api/polynym/${id}/`, 'PATCH', { p3: 'changed again' })
      assert.equal(await read(), 0, 'it was so before')
      assert.equal(await read(), 0)
    })

    test('a token, account or password that one has ended writes nothing through another', async () => {
      const [first, second] = servers
      const desk = new AccountDesk(first!.engine)
      const { store } = first!.engine
      const endings: Record<string, (account: number, token: number) => Promise<unknown>> = {
        // As a restore of another catalogue leaves it.
        replaced: (_, token) =>
          store.write(function* () {
            yield* statement(`UPDATE token SET hash = 'of another' WHERE id = ${token}`)
            yield* note(PEOPLE_CHANGED)
          }),
        revoked: (account, token) => desk.revokeToken({ id: account }, token),
        blocked: (account) => store.write(() => store.accounts.setBlocked(account, true)),
        unowned: (account) => store.write(() => store.accounts.remove(account)),
      }
      for (const [name, end] of Object.entries(endings)) {
        const account = await accountCalled(first!.engine, `was-${name}`)
        const { id: token, key } = await desk.createToken(account, 'test')
        const send = async (method: string, path: string, json?: object, accept = '*/*') => {
          const headers = { authorization: `Token ${key}`, accept }
          const { status, text } = await second!.ask(path, { method, headers, ...(json ? { json } : {}) })
          return [status, text]
        }
        const record = { name: `by ${name}`, mode: 'type', p1: 'a', p2: 'b' }
        const [status, text] = await send('POST', '/api/polynym/', record)
        assert.equal(status, 201)
        const address = `/api/polynym/${JSON.parse(String(text)).polynym_id}/`
        await end(account.id, token)
        const refused = [401, '{"detail":"Invalid token."}']
        assert.deepEqual(await send('POST', '/api/polynym/', { ...record, name: `late ${name}` }), refused)
        assert.deepEqual(await send('PATCH', address, { p1: 'late' }), refused)
        assert.deepEqual(await send('POST', `${address}vote/`), refused)
        assert.deepEqual(await send('DELETE', address), refused)
        // What else is wrong with the request does not matter.
        assert.deepEqual(await send('POST', '/api/polynym/', { mode: 'none' }), refused)
        assert.deepEqual(await send('PATCH', '/api/polynym/999999999/', {}), refused)
        const [, page] = await send('POST', '/api/polynym/', record, 'text/html')
        assert.ok(!String(page).includes(account.name), 'nobody is signed in')
        assert.equal((await asks[0]!(address)).p1, 'a')
        assert.equal((await asks[0]!(`/api/polynym/?name=late+${name}`)).count, 0)
      }
    })

    test('a token that has ended is refused before its body is asked for, and when it ends while its body arrives', async () => {
      const [first, second] = servers
      const desk = new AccountDesk(first!.engine)
      for (const [i, expect] of [{}, { expect: '100-continue' }].entries()) {
        const account = await accountCalled(first!.engine, `slow-${i}`)
        const { id, key } = await desk.createToken(account, 'test')
        const headers = { host: HOST, authorization: `Token ${key}`, 'content-type': 'application/json' }
        const record = { name: `slow ${i}`, mode: 'type', p1: 'a', p2: 'b' }
        assert.equal((await second!.ask('/api/polynym/', { method: 'POST', headers, json: record })).status, 201)
        const body = JSON.stringify({ ...record, name: `late ${i}` })
        const options = { host: '127.0.0.1', port: second!.port, path: '/api/polynym/', method: 'POST' }
        const isWaiting = 'expect' in expect
        if (isWaiting) await desk.revokeToken(account, id)
        const sent = request({ ...options, headers: { ...headers, ...expect, 'content-length': body.length } })
        let isAsked = false
        sent.on('continue', () => {
          isAsked = true
        })
        const answered = once(sent, 'response')
        if (isWaiting) sent.flushHeaders()
        else {
          await new Promise((written) => sent.write(body.slice(0, 5), written))
          await desk.revokeToken(account, id)
          sent.end(body.slice(5))
        }
        const [{ statusCode }] = await answered
        assert.deepEqual([statusCode, isAsked], [401, false])
        sent.destroy()
      }
    })

    test('a limit for new accounts ends and begins with the rights that another has given and taken', async () => {
      const [first] = servers
      const { store } = first!.engine
      const limits = { signIns: undefined, signUps: undefined, reads: undefined, writes: undefined }
      const limited = await Served.on(fresh.url, {
        keeps: 'everything',
        settings: { limits: { ...limits, newAccounts: { count: 1, seconds: 3600 } } },
      })
      try {
        const account = await accountCalled(first!.engine, 'promoted')
        const { key } = await new AccountDesk(first!.engine).createToken(account, 'test')
        let number = 0
        const create = async () => {
          const json = { name: `limited ${++number}`, mode: 'type', p1: 'a', p2: 'b' }
          const headers = { authorization: `Token ${key}` }
          return (await limited.ask('/api/polynym/', { method: 'POST', headers, json })).status
        }
        assert.deepEqual([await create(), await create()], [201, 429])
        await store.write(() => store.accounts.setStaff(account.id, true))
        assert.deepEqual([await create(), await create()], [201, 201])
        await store.write(() => store.accounts.setStaff(account.id, false))
        assert.deepEqual([await create(), await create()], [429, 429])
      } finally {
        await limited.stop()
      }
    })

    test('a log that was replaced by a shorter one hides nothing from another process', async () => {
      const [writer, reader] = asks
      const ids: number[] = []
      for (const each of [1, 2, 3, 4]) ids.push(await made(writer!, `replaced ${each}`))
      const page = '/api/polynym/?name__startswith=replaced&ordering=id'
      await reader!(page)
      const { latest } = await reader!('/api/changes/?limit=1')
      // As a restore leaves it.
      await servers[0]!.store.write(function* () {
        yield* statement(`DELETE FROM change WHERE seq > ${latest - 2}`)
        yield* note({ resource: 'polynym', ids: 'all' })
      })
      for (const id of ids) await reader!(`/api/polynym/${id}/`)
      for (const id of ids) await writer!(`/api/polynym/${id}/`, 'PATCH', { p3: 'new' })
      for (const id of ids) assert.equal((await reader!(`/api/polynym/${id}/`)).p3, 'new', `${id}`)
    })

    test('{changes.wait} what one commits, a request that waits at another one gets', async () => {
      const [writer, reader] = asks
      const { latest } = await reader!('/api/changes/?limit=1')
      const waiting = reader!(`/api/changes/?since=${latest}&wait=30`)
      const id = await made(writer!, 'heard')
      const heard = (await waiting).results.map((each: Json) => [each.action, each.id])
      assert.deepEqual(heard, [['create', id]])
    })
  })

  describe(`Two processes on one database (${name})`, () => {
    let fresh: FreshDatabase
    const children: ChildProcess[] = []
    const asks: Ask[] = []
    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      const desk = await Served.on(fresh.url, { keeps: 'nothing' })
      const authorization = `Token ${await desk.tokenOf('staff-gus')}`
      await desk.stop()
      const env = {
        PATH: process.env['PATH'],
        // The machine may be busy with other tests.
        NYMDEX_QUEUE_MS: '60000',
        NYMDEX_DATABASE_SECONDS: '60',
        PORT: '0',
        DATABASE_URL: fresh.url,
        LOG_LEVEL: 'info',
        NYMDEX_WRITE_LIMIT: 'off',
        NYMDEX_NEW_ACCOUNT_LIMIT: 'off',
      }
      for (let i = 0; i < 2; i++) children.push(spawn(process.execPath, [BIN, 'serve', '--sample', 'off'], { env }))
      for (const child of children) {
        child.stderr!.pipe(process.stderr)
        const base = (await listening(child)).replace(/\/$/, '')
        asks.push(async (path, method = 'GET', json = undefined) => {
          const headers = {
            ...(method === 'GET' ? {} : { authorization }),
            ...(json ? { 'content-type': 'application/json' } : {}),
          }
          const reply = await fetch(base + path, { method, headers, ...(json ? { body: JSON.stringify(json) } : {}) })
          const text = await reply.text()
          assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`)
          return text === '' ? undefined : JSON.parse(text)
        })
      }
    })
    after(async () => {
      for (const child of children) {
        child.kill('SIGINT')
        if (child.exitCode === null) await new Promise((exited) => child.once('exit', exited))
      }
      await fresh.drop()
    })

    test('what one has acknowledged, the other shows in the very next read, again and again', async () => {
      await takeTurns(asks, TURNS, new Chance(11))
    })

    test('concurrent writers through both lose nothing', async () => {
      await writeAtOnce(asks, 'at once')
    })
  })
}

test('a server that has just looked in a timer or an immediate looks again when a request arrives', async () => {
  const fresh = await freshDatabase('SQLite', { sample: true })
  const database = await openDatabase(fresh.url)
  const other = new SQLite(fresh.url.replace('sqlite:', ''))
  const numberNow = () => database.generations.now.get('polynym')?.number
  await new Promise((turn) => setImmediate(turn))
  await database.refresh()
  const before = numberNow()
  // Another process commits before the next turn.
  other.exec(`UPDATE generation SET number = number + 1 WHERE resource = 'polynym'`)
  await database.refresh(true)
  assert.equal(numberNow(), before! + 1)
  other.close()
  await database.close()
  await fresh.drop()
})
