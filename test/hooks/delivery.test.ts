/** Hooks: what receivers get, and what happens when they fail. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { statement } from '../support/servers.ts'
import { onEachEngine } from '../support/site.ts'
import { HookClient, Receiver, verified } from './receiver.ts'

const NONE = { seq: undefined, error: undefined }

onEachEngine('Hooks', { sample: false, settings: { hooks: { allowsPrivate: true } } }, (site) => {
  const hooks = new HookClient(site)
  let receiver: Receiver
  let number = 0
  const write = (rest: object = {}) => hooks.write(`made ${++number}`, rest)
  const later = (ms: number) => {
    site.clock = new Date((site.clock ?? new Date()).getTime() + ms)
  }
  before(async () => {
    receiver = await Receiver.start()
  })
  beforeEach(async () => {
    for (const { id } of (await hooks.ask('GET')).json.results) await hooks.ask('DELETE', `${id}/`)
    await receiver.stop()
    receiver = await Receiver.start()
    site.clock = undefined
  })
  after(async () => {
    await receiver.stop()
    assert.deepEqual(site.bugs, [])
  })

  test('{hooks.message} a change is sent as a signed message', async () => {
    const { secret, id, cursor } = await hooks.made({ url: receiver.url })
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const record = await write()
    const [message] = await receiver.first(1)
    const feed = await site.ask(`/api/changes/?since=${cursor}`)
    const [entry] = feed.json.results
    const expected = { type: 'polynym.create', timestamp: '2026-11-16T05:00:00.000Z', data: entry }
    assert.equal(message!.body, JSON.stringify(expected))
    assert.equal(entry.id, record)
    const { headers } = message!
    assert.equal(headers['webhook-id'], `hook_${id}_${feed.headers['nymdex-log']}_${entry.seq}`)
    assert.equal(headers['webhook-timestamp'], String(Date.parse('2026-11-16T05:00:00.000Z') / 1000))
    assert.deepEqual([headers['content-type'], headers['user-agent']], ['application/json', 'Nymdex'])
    assert.deepEqual(verified(message!, secret), expected)
    assert.throws(() => verified({ ...message!, body: message!.body.replace('create', 'remove') }, secret))
  })

  test('{hooks.trace} a message names the trace of the request that wrote, if that was well-formed', async () => {
    const { id } = await hooks.made({ url: receiver.url })
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`
    const writes: Record<string, string>[] = [
      { traceparent, tracestate: 'rojo=00f067aa0ba902b7, congo=t61rcWkgMzE' },
      { traceparent: `cc-${trace}-00f067aa0ba902b7-00-what-comes-later`, tracestate: 'no member' },
      {},
      ...[
        `00-${trace}-0000000000000000-01`,
        `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
        `ff-${trace}-00f067aa0ba902b7-01`,
        `${traceparent}-more`,
        traceparent.toUpperCase(),
        `${traceparent}, ${traceparent}`,
        'x'.repeat(10_000),
      ].map((traceparent) => ({ traceparent })),
    ]
    for (const headers of writes) {
      const json = { name: `made ${++number}`, mode: 'part', p1: 'a', p2: 'b' }
      assert.equal((await site.ask('/api/polynym/', { method: 'POST', as: 'gus', json, headers })).status, 201)
    }
    await site.ask(`/api/hook/${id}/test/`, { method: 'POST', as: 'gus', headers: { traceparent } })
    const got = await receiver.first(writes.length + 1)
    const ofTest = got.filter(({ json }) => json.type === 'test').map(({ headers }) => headers['traceparent'])
    assert.deepEqual(ofTest, [traceparent])
    const told = got.flatMap(({ headers, json }) =>
      json.type === 'test' ? [] : [[headers['traceparent'], headers['tracestate']]],
    )
    assert.deepEqual(told, [
      [traceparent, 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE'],
      [`00-${trace}-00f067aa0ba902b7-00`, undefined],
      ...Array.from({ length: writes.length - 2 }, () => [undefined, undefined]),
    ])
  })

  test('{hooks.order} {hooks.filters} a hook gets what it wants, in the order of the log', async () => {
    const other = await Receiver.start()
    await hooks.made({ url: receiver.url, resources: ['polynym'] })
    await hooks.made({ url: other.url, resources: ['queue', 'polynym'], actions: ['remove', 'vote'] })
    const since = (await site.ask('/api/changes/?limit=1')).json.latest
    const ids: number[] = []
    for (let i = 0; i < 20; i++) ids.push(await write())
    await site.ask('/api/queue/', { method: 'POST', as: 'gus', json: { name: `queue ${++number}` } })
    for (const id of ids.slice(0, 5)) await site.ask(`/api/polynym/${id}/vote/`, { method: 'POST', as: 'ida' })
    for (const id of ids.slice(0, 5)) await site.ask(`/api/polynym/${id}/`, { method: 'DELETE', as: 'gus' })
    const all = (await site.ask(`/api/changes/?since=${since}&limit=1000`)).json.results
    const polynyms = all.filter(({ resource }: any) => resource === 'polynym')
    await receiver.first(polynyms.length)
    assert.deepEqual(
      receiver.got.map(({ json }) => json.data),
      polynyms,
    )
    const wanted = all.filter(({ action }: any) => action === 'remove' || action === 'vote')
    await other.first(wanted.length)
    assert.deepEqual(
      other.got.map(({ json }) => json.data),
      wanted,
    )
    assert.equal(wanted.length, 10)
    await other.stop()
  })

  test('{hooks.large} a message has at most 20,000 bytes: without the old values if they are too long', async () => {
    const { secret } = await hooks.made({ url: receiver.url, actions: ['change'] })
    const json = { name: `long ${++number}`, qode: `Once q1n_NN met q2n_NN. ${'水'.repeat(8000)}` }
    const made = await site.ask('/api/fable/', { method: 'POST', as: 'gus', json })
    assert.equal(made.status, 201, made.text)
    await site.ask(`/api/fable/${made.json.fable_id}/`, {
      method: 'PATCH',
      as: 'gus',
      json: { qode: 'Once q1n_NN met q2n_NN again.' },
    })
    const [message] = await receiver.first(1)
    const { old, old_left_out } = message!.json.data
    assert.deepEqual([old, old_left_out], [null, true])
    verified(message!, secret)
  })

  test('{hooks.retries} {hooks.deliveries} a failed delivery is tried again, with the same id and a new signature', async () => {
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const { id, secret, cursor } = await hooks.made({ url: receiver.url })
    receiver.respond = () => ({ status: 500 })
    await write()
    await write()
    const failing = await hooks.hook(id, (hook) => hook.next_try !== undefined)
    assert.deepEqual([failing.active, failing.cursor], [true, cursor])
    assert.equal(failing.failing_since, '2026-11-16T05:00:00.000Z')
    assert.equal(failing.last_error, 'the response had status 500')
    const pause = Date.parse(failing.next_try) - Date.parse(failing.failing_since)
    assert.ok(pause >= 5000 && pause <= 5500, `${pause} ms`)
    receiver.respond = () => ({ status: 200, body: 'thanks' })
    // A commit makes the server look; the pause is not over.
    later(4000)
    await write()
    assert.equal(receiver.got.length, 1)
    later(2000)
    await write()
    const [first, second] = await receiver.first(5)
    assert.deepEqual(
      receiver.seqs,
      [1, 1, 2, 3, 4].map((each) => cursor + each),
    )
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id'])
    assert.equal(first!.body, second!.body)
    assert.equal(Number(second!.headers['webhook-timestamp']) - Number(first!.headers['webhook-timestamp']), 6)
    for (const message of receiver.got) verified(message, secret)
    const well = await hooks.hook(id, (hook) => hook.cursor === cursor + 4)
    for (const member of ['failing_since', 'next_try', 'last_error', 'ended']) assert.ok(!(member in well), member)
    const tries = await hooks.deliveries(id, 5)
    const shown = tries.map(({ kind, seq, try: number, at, status, error }) => [
      kind,
      seq - cursor,
      number,
      at,
      status,
      error,
    ])
    const [at, then] = ['2026-11-16T05:00:00.000Z', '2026-11-16T05:00:06.000Z']
    assert.deepEqual(shown, [
      ['change', 4, 1, then, 200, null],
      ['change', 3, 1, then, 200, null],
      ['change', 2, 1, then, 200, null],
      ['change', 1, 2, then, 200, null],
      ['change', 1, 1, at, 500, null],
    ])
  })

  test('{hooks.returns} a receiver that returns after a day gets everything it has missed, in order', async () => {
    const { id, cursor } = await hooks.made({ url: receiver.url })
    receiver.respond = () => ({ status: 500 })
    await write()
    await hooks.hook(id, (hook) => hook.next_try !== undefined)
    for (let i = 0; i < 5; i++) await write()
    receiver.respond = () => ({ status: 204 })
    later(24 * 60 * 60 * 1000)
    await write()
    await receiver.first(8)
    assert.deepEqual(
      receiver.seqs,
      [1, 1, 2, 3, 4, 5, 6, 7].map((each) => cursor + each),
    )
  })

  test('{hooks.end} pauses grow for three days; then the hook ends, and begins again when its owner says so', async () => {
    const { id, cursor } = await hooks.made({ url: receiver.url })
    receiver.respond = () => ({ status: 500 })
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    await write()
    const pauses: number[] = []
    for (let tries = 1; tries < 10; tries++) {
      await hooks.deliveries(id, tries)
      const { next_try } = await hooks.hook(id, (hook) => Date.parse(hook.next_try ?? 0) > site.clock!.getTime())
      pauses.push((Date.parse(next_try) - site.clock!.getTime()) / 1000)
      site.clock = new Date(next_try)
      await write()
    }
    const least = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    for (const [i, pause] of pauses.entries()) assert.ok(pause >= least[i]! && pause <= least[i]! * 1.1, `${pauses}`)
    const ended = await hooks.hook(id, ({ active }) => !active)
    assert.equal(ended.ended, '10 tries have failed. The last one: the response had status 500.')
    assert.deepEqual([receiver.got.length, ended.cursor, ended.failing_since], [10, cursor, '2026-11-16T05:00:00.000Z'])
    receiver.respond = () => ({ status: 204 })
    const { json } = await hooks.ask('PATCH', `${id}/`, { active: true })
    assert.deepEqual([json.active, json.ended, json.failing_since, json.cursor], [true, undefined, undefined, cursor])
    await receiver.first(20)
    assert.deepEqual(
      receiver.seqs.slice(10),
      Array.from({ length: 10 }, (_, i) => cursor + 1 + i),
    )
  })

  test('{hooks.change} {hooks.replay} what the owner changes during a try stays', async () => {
    const other = await Receiver.start()
    const late = Promise.withResolvers<{ status: number }>()
    const moved = await hooks.made({ url: receiver.url })
    receiver.respond = () => late.promise
    await write()
    await receiver.first(1)
    await hooks.ask('PATCH', `${moved.id}/`, { url: other.url })
    late.resolve({ status: 410 })
    await other.first(1)
    assert.deepEqual([receiver.seqs, other.seqs], [[moved.cursor + 1], [moved.cursor + 1]])
    await hooks.ask('DELETE', `${moved.id}/`)
    await other.stop()
    // The try of a message that has failed before.
    receiver.respond = () => ({ status: 500 })
    const { id, cursor } = await hooks.made({ url: receiver.url })
    await write()
    await hooks.hook(id, (hook) => hook.next_try !== undefined)
    const slow = Promise.withResolvers<{ status: number }>()
    receiver.respond = () => slow.promise
    later(6000)
    await write()
    await receiver.first(3)
    assert.equal((await hooks.ask('POST', `${id}/replay/`, { since: cursor })).status, 202)
    receiver.respond = () => ({ status: 204 })
    slow.resolve({ status: 204 })
    await receiver.first(6)
    const sent = [1, 1, 2, 1, 2].map((each) => cursor + each)
    assert.deepEqual(receiver.seqs.slice(1), sent)
    const { failing_since } = await hooks.hook(id, (hook) => hook.replay === undefined)
    assert.equal(failing_since, undefined)
  })

  test('{hooks.gone} 410 ends a hook at once', async () => {
    const { id } = await hooks.made({ url: receiver.url })
    receiver.respond = () => ({ status: 410 })
    await write()
    const { ended, active } = await hooks.hook(id, (hook) => !hook.active)
    assert.deepEqual([ended, active, receiver.got.length], ['The receiver returned 410.', false, 1])
  })

  test('{hooks.slow-down} 429 and 503 with Retry-After delay the next try, up to 12 hours', async () => {
    const cases = [
      { status: 429, 'retry-after': '3600', seconds: 3600 },
      { status: 503, 'retry-after': 'Mon, 16 Nov 2026 05:30:00 GMT', seconds: 1800 },
      { status: 503, 'retry-after': '999999', seconds: 43_200 },
      { status: 429, 'retry-after': '1', seconds: 5 },
      { status: 500, 'retry-after': '3600', seconds: 5 },
    ]
    for (const { status, seconds, ...headers } of cases) {
      site.clock = new Date('2026-11-16T05:00:00.000Z')
      const { id } = await hooks.made({ url: receiver.url })
      receiver.respond = () => ({ status, headers })
      await write()
      const { next_try } = await hooks.hook(id, (hook) => hook.next_try !== undefined)
      const pause = (Date.parse(next_try) - site.clock.getTime()) / 1000
      assert.ok(pause >= seconds && pause <= seconds * 1.1, `${status}: ${pause}`)
      await hooks.ask('DELETE', `${id}/`)
    }
  })

  test('{hooks.redirects} a redirect is a failure, and is not followed', async () => {
    const other = await Receiver.start()
    const { id } = await hooks.made({ url: receiver.url })
    receiver.respond = () => ({ status: 307, headers: { location: other.url } })
    await write()
    const [{ status, error }] = await hooks.deliveries(id, 1)
    assert.deepEqual([status, error, other.got.length], [307, null, 0])
    assert.equal((await hooks.hook(id)).last_error, 'the response had status 307')
    await other.stop()
  })

  test('{hooks.independent} a receiver that hangs delays no other hook', async () => {
    const hanging = await Receiver.start()
    hanging.respond = () => undefined
    await hooks.made({ url: hanging.url })
    await hooks.made({ url: receiver.url })
    await write()
    await hanging.first(1)
    for (let i = 0; i < 5; i++) await write()
    await receiver.first(6)
    assert.equal(hanging.got.length, 1)
    await hanging.stop()
  })

  test('{hooks.independent} however many receivers hang, others are soon served', async () => {
    const hanging = await Receiver.start()
    hanging.respond = () => undefined
    const clients = Array.from({ length: 5 }, (_, i) => new HookClient(site, `hanging-${i}`))
    for (const client of clients) for (let i = 0; i < 20; i++) await client.made({ url: hanging.url })
    await hooks.made({ url: receiver.url })
    await write()
    await receiver.first(1)
    // No try of the others has ended.
    const staff = new HookClient(site, 'staff')
    const { results } = (await staff.ask('GET', '?page_size=1000')).json
    for (const { id, url } of results) {
      if (url === hanging.url) assert.equal((await staff.ask('GET', `${id}/deliveries/`)).json.count, 0)
      await staff.ask('DELETE', `${id}/`)
    }
    assert.equal(hanging.got.length, 100)
    await hanging.stop()
  })

  test('{hooks.body} an endless response is cut, and its status counts', async () => {
    const { id, cursor } = await hooks.made({ url: receiver.url })
    receiver.respond = () => ({ status: 200, body: 'x'.repeat(1_000_000) })
    await write()
    await write()
    await receiver.first(2)
    const [{ status }] = await hooks.deliveries(id, 2)
    assert.equal(status, 200)
    assert.equal((await hooks.hook(id)).cursor, cursor + 2)
  })

  test('{hooks.unreachable} a receiver that cannot be reached is a failure', async () => {
    const gone = await Receiver.start()
    const { url } = gone
    await gone.stop()
    const { id } = await hooks.made({ url })
    await write()
    const [{ status, error }] = await hooks.deliveries(id, 1)
    assert.deepEqual([status, error], [null, 'the connection was refused'])
    const nowhere = await hooks.made({ url: 'http://no-such-host.invalid/' })
    await write()
    const [lost] = await hooks.deliveries(nowhere.id, 1)
    assert.equal(lost.status, null)
    assert.match(lost.error, /^the host name (has no address|cannot be looked up)$/)
  })

  test('{hooks.pause} a hook that is not active gets nothing, and later all of it', async () => {
    const { id, cursor } = await hooks.made({ url: receiver.url })
    await hooks.ask('PATCH', `${id}/`, { active: false })
    const watching = await Receiver.start()
    await hooks.made({ url: watching.url })
    await write()
    await write()
    await watching.first(2)
    assert.equal(receiver.got.length, 0)
    await hooks.ask('PATCH', `${id}/`, { active: true })
    await receiver.first(2)
    assert.deepEqual(receiver.seqs, [cursor + 1, cursor + 2])
    // The cursor can be moved: to skip something, or to begin in the past.
    await hooks.hook(id, (hook) => hook.cursor === cursor + 2)
    await hooks.ask('PATCH', `${id}/`, { cursor: cursor + 1 })
    await receiver.first(3)
    assert.deepEqual(receiver.seqs, [cursor + 1, cursor + 2, cursor + 2])
    await watching.stop()
  })

  test('{hooks.lost} a hook that waits longer than the log is kept says which entries are lost', async () => {
    const { id, cursor } = await hooks.made({ url: receiver.url })
    await hooks.ask('PATCH', `${id}/`, { active: false })
    for (let i = 0; i < 3; i++) await write()
    await site.engine.store.write(() => statement(`DELETE FROM change WHERE seq <= ${cursor + 2}`))
    await hooks.ask('PATCH', `${id}/`, { active: true })
    await receiver.first(1)
    assert.deepEqual(receiver.seqs, [cursor + 3])
    const [sent, lost] = await hooks.deliveries(id, 2)
    const error = `the log no longer has the entries ${cursor + 1} to ${cursor + 2}`
    assert.deepEqual([sent.status, lost.status, lost.error, lost.seq], [204, null, error, cursor + 2])
  })

  test('{hooks.rotate} both secrets sign for a day after a rotation', async () => {
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const { id, secret: first } = await hooks.made({ url: receiver.url })
    const { json } = await hooks.ask('POST', `${id}/rotate/`)
    const { secret: second } = json
    assert.match(second, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(second, first)
    assert.equal((await hooks.hook(id)).secret, undefined)
    later(24 * 60 * 60 * 1000 - 1000)
    await write()
    const [both] = await receiver.first(1)
    for (const secret of [first, second]) verified(both!, secret)
    later(1000)
    await write()
    const [, one] = await receiver.first(2)
    verified(one!, second)
    assert.throws(() => verified(one!, first))
  })

  test('{hooks.replay} a range is sent again, with the same ids, and the cursor stays', async () => {
    const { id, cursor, secret } = await hooks.made({ url: receiver.url, resources: ['polynym'] })
    for (let i = 0; i < 4; i++) await write()
    await receiver.first(4)
    await hooks.hook(id, (hook) => hook.cursor === cursor + 4)
    const { status, json } = await hooks.ask('POST', `${id}/replay/`, { since: cursor + 1, until: cursor + 3 })
    assert.deepEqual([status, json.replay, json.cursor], [202, { cursor: cursor + 1, until: cursor + 3 }, cursor + 4])
    await receiver.first(6)
    const after = await hooks.hook(id, (hook) => hook.replay === undefined)
    assert.equal(after.cursor, cursor + 4)
    assert.deepEqual(
      receiver.seqs,
      [1, 2, 3, 4, 2, 3].map((each) => cursor + each),
    )
    assert.equal(receiver.got[4]!.headers['webhook-id'], receiver.got[1]!.headers['webhook-id'])
    for (const message of receiver.got) verified(message, secret)
    const [newest] = await hooks.deliveries(id, 6)
    assert.deepEqual([newest.kind, newest.seq, newest.try, newest.status], ['replay', cursor + 3, 1, 204])
    // A failure ends the replay, and is not counted.
    receiver.respond = () => ({ status: 500 })
    await hooks.ask('POST', `${id}/replay/`, { since: cursor })
    await receiver.first(7)
    const failed = await hooks.hook(id, (hook) => hook.replay === undefined)
    assert.deepEqual([failed.active, failed.failing_since, failed.cursor], [true, undefined, cursor + 4])
    assert.equal((await hooks.deliveries(id, 7)).length, 7)
  })

  test('{hooks.test} a test message is sent at once, and its result returned', async () => {
    const { id, secret, cursor } = await hooks.made({ url: receiver.url })
    const { status, json } = await hooks.ask('POST', `${id}/test/`)
    const { ms, at, id: try_id, ...rest } = json
    assert.equal(status, 200)
    assert.deepEqual(rest, { kind: 'test', seq: null, try: 1, status: 204, error: null })
    const [message] = await receiver.first(1)
    assert.deepEqual(verified(message!, secret), { type: 'test', timestamp: at, data: { hook: id } })
    receiver.respond = () => ({ status: 410 })
    assert.equal((await hooks.ask('POST', `${id}/test/`)).json.status, 410)
    const hook = await hooks.hook(id)
    assert.deepEqual([hook.active, hook.cursor, hook.failing_since], [true, cursor, undefined])
    assert.deepEqual((await hooks.deliveries(id, 2)).map(({ id }) => id).at(-1), try_id)
    const { store } = site.engine
    const many = Array.from({ length: 1000 }, () => ({ kind: 'test', try: 1, at, status: 204, ms, ...NONE }) as const)
    await store.write(() => store.hooks.addDeliveries(id, many))
    await hooks.ask('POST', `${id}/test/`)
    assert.equal((await hooks.ask('GET', `${id}/deliveries/`)).json.count, 1000)
  })
})

onEachEngine(
  'Hooks with little time',
  { sample: false, settings: { hooks: { allowsPrivate: true, timeoutMs: 300 } } },
  (site) => {
    test('{hooks.time} a receiver that does not respond in time is a failure', async () => {
      const hooks = new HookClient(site)
      const hanging = await Receiver.start()
      hanging.respond = () => undefined
      const { id } = await hooks.made({ url: hanging.url })
      await hooks.write('river')
      const [{ status, error }] = await hooks.deliveries(id, 1)
      assert.deepEqual([status, error], [null, 'no response within 0.3 seconds'])
      const tested = (await hooks.ask('POST', `${id}/test/`)).json
      assert.deepEqual([tested.status, tested.error], [null, 'no response within 0.3 seconds'])
      await hooks.ask('DELETE', `${id}/`)
      await hanging.stop()
      assert.deepEqual(site.bugs, [])
    })

    test('{hooks.body} a response that changes the protocol, or whose body does not end, is its status', async () => {
      const hooks = new HookClient(site)
      const receiver = await Receiver.start()
      const { id } = await hooks.made({ url: receiver.url })
      const [upgrade, stalled] = [{ connection: 'upgrade', upgrade: 'other' }, { 'content-length': '9' }]
      receiver.respond = ({ json }) =>
        json.type === 'test' ? { status: 101, headers: upgrade } : { status: 200, headers: stalled, body: 'short' }
      const tested = (await hooks.ask('POST', `${id}/test/`)).json
      assert.deepEqual([tested.status, tested.error], [101, null])
      await hooks.write('brook')
      const [{ status, error }] = await hooks.deliveries(id, 2)
      assert.deepEqual([status, error], [200, null])
      await receiver.stop()
    })
  },
)
