/** Rate limits: a number of requests per window of time, then 429 until the oldest leaves it. */
import assert from 'node:assert/strict'
import { BlockList } from 'node:net'
import { after, before, test } from 'node:test'
import { onEachEngine, type Reply } from '../support/site.ts'
import { basic, PASSWORD, signedUp } from './browser.ts'

const START = new Date('2026-03-01T12:00:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The test reaches the server like a proxy does, so it can use any address. */
const trustedProxies = new BlockList()
trustedProxies.addSubnet('127.0.0.0', 8)

function throttled(reply: Reply, seconds: number): void {
  const detail = `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`
  assert.deepEqual([reply.status, reply.text], [429, JSON.stringify({ detail })])
  assert.equal(reply.headers['retry-after'], String(seconds))
}

const limits = {
  signIns: { count: 3, seconds: 3600 },
  signInsByAddress: { count: 12, seconds: 3600 },
  signInsByName: { count: 6, seconds: 3600 },
  signUps: { count: 6, seconds: 3600 },
  writes: { count: 3, seconds: 60 },
  reads: undefined,
}

onEachEngine('Rate limits', { sample: false, settings: { limits, trustedProxies } }, (site) => {
  /** When the running test began, on the monotonic clock. A test that says `at(0)` begins after all others. */
  let began = 0
  const at = (ms: number) => {
    if (ms === 0) began += DAY_MS
    site.ticks = began + ms
  }
  const signUp = (username: string, address: string, password = PASSWORD) =>
    site.ask('/accounts/signup/', {
      method: 'POST',
      headers: { 'x-forwarded-for': address },
      json: { username, password },
    })
  const login = (username: string, password = PASSWORD, headers = {}) =>
    site.ask('/accounts/login/', { method: 'POST', headers, json: { username, password } })
  const read = (username: string, password?: string, headers = {}) =>
    site.ask('/api/queue/', { headers: { ...basic(username, password), ...headers } })
  const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status)

  before(async () => {
    at(0)
    for (const [i, name] of ['ada', 'bob', 'cy', 'dee', 'eli', 'fay', 'gil', 'hal'].entries()) {
      assert.equal((await signUp(name, `192.0.2.${i}`)).status, 201)
    }
  })
  after(() => assert.deepEqual(site.bugs, []))

  test('{throttle.answer} {throttle.sign-in} sign-ins are counted, right or wrong, for an hour here', async () => {
    at(0)
    assert.equal((await login('ada')).status, 200)
    at(MINUTE_MS)
    assert.equal((await login('ada', 'wrong password')).status, 400)
    const token = { method: 'POST', json: { username: 'ada', password: PASSWORD } }
    assert.equal((await site.ask('/api-token-auth/', token)).status, 200)
    throttled(await login('ada'), 3540)
    throttled(await site.ask('/api-token-auth/', token), 3540)
    at(60 * MINUTE_MS - 1001)
    throttled(await login('ada'), 2)
    at(60 * MINUTE_MS - 1)
    throttled(await login('ada'), 1)
    // The oldest has left the window, the others have not.
    at(60 * MINUTE_MS)
    assert.equal((await login('ada')).status, 200)
    throttled(await login('ada'), 60)
    at(61 * MINUTE_MS)
    assert.deepEqual(statuses([await login('ada'), await login('ada')]), [200, 200])
  })

  test('{throttle.sign-in} tries of the old password are counted too', async () => {
    at(0)
    const browser = await signedUp(site, 'ivy')
    const headers = { accept: 'application/json' }
    const change = { old_password: 'wrong password', new_password: 'another password' }
    for (const status of [400, 400]) {
      assert.equal((await browser.submit('/accounts/password/', change, { headers })).status, status)
    }
    assert.equal((await browser.submit('/accounts/delete/', { password: 'wrong' }, { headers })).status, 400)
    throttled(await browser.submit('/accounts/password/', change, { headers }), 3600)
    throttled(await browser.submit('/accounts/delete/', { password: PASSWORD }, { headers }), 3600)
    throttled(await login('ivy'), 3600)
  })

  test('{throttle.apart} names are counted separately, in any letter case, and by address', async () => {
    at(0)
    for (const name of ['bob', 'BOB', ' ｂob ']) assert.equal((await login(name, 'wrong password')).status, 400)
    throttled(await login('Bob'), 3600)
    assert.equal((await login('cy')).status, 200)
    assert.equal((await login('bob', PASSWORD, { 'x-forwarded-for': '198.51.100.7' })).status, 200)
    throttled(await login('bob', PASSWORD, { 'x-forwarded-for': '127.0.0.1' }), 3600)
    // Unknown names are counted like known ones.
    for (let i = 0; i < 3; i++) assert.equal((await login('nobody')).status, 400)
    throttled(await login('nobody'), 3600)
  })

  test('{throttle.clock} changing the time of day does not change a limit', async () => {
    at(0)
    site.clock = START
    for (let i = 0; i < 3; i++) assert.equal((await login('clock')).status, 400)
    for (const days of [-10, 10]) {
      site.clock = new Date(START.getTime() + days * DAY_MS)
      throttled(await login('clock'), 3600)
    }
    site.clock = undefined
  })

  test('{throttle.address} an address may try a limited number of names', async () => {
    at(0)
    const from = (address: string, username: string, password = 'wrong password') =>
      login(username, password, { 'x-forwarded-for': address })
    const networks = Array.from({ length: 12 }, (_, i) => `2001:db8:1:${i.toString(16)}::${i}`)
    for (const [address, others] of [
      // An IPv4 address has more than one spelling.
      [
        '198.51.100.20',
        ['::ffff:198.51.100.20', '0:0:0:0:0:FFFF:198.51.100.20', '::ffff:c633:6414', '198.51.100.20:80'],
      ],
      // IPv6 addresses are counted by network, and by the wider network around it.
      ['2001:db8::1', ['2001:db8:0:0:ffff::', '2001:DB8:0:1::']],
      ['2001:db8:1::', networks],
    ] as const) {
      const same = [address, ...others]
      for (let i = 0; i < 12; i++) {
        assert.equal((await from(same[i % same.length]!, `many${i}`)).status, 400)
      }
      for (const each of same) throttled(await from(each, 'another', PASSWORD), 3600)
    }
    assert.equal((await from('198.51.100.21', 'bob', PASSWORD)).status, 200)
    assert.equal((await from('2001:db8:2::', 'bob', PASSWORD)).status, 200)
    // A right password does not count.
    at(60 * MINUTE_MS)
    for (let i = 0; i < 12; i++) assert.equal((await from('192.0.2.5', `new${i}`)).status, 400)
    throttled(await from('192.0.2.5', 'fay', PASSWORD), 3600)
    at(120 * MINUTE_MS)
    for (const name of ['fay', 'fay', 'bob', 'bob', 'cy', 'cy']) {
      assert.equal((await from('192.0.2.5', name, PASSWORD)).status, 200)
    }
    for (let i = 0; i < 12; i++) assert.equal((await from('192.0.2.5', `new${i}`)).status, 400)
    throttled(await from('192.0.2.5', 'fay', PASSWORD), 3600)
  })

  test('{throttle.name} strangers may try a name a limited number of times, and do not lock out known clients', async () => {
    at(0)
    const from = (address: string, password: string) => login('fay', password, { 'x-forwarded-for': address })
    for (let i = 0; i < 6; i++) assert.equal((await from(`203.0.113.${i}`, 'wrong password')).status, 400)
    throttled(await from('203.0.113.7', 'wrong password'), 3600)
    throttled(await read('fay', PASSWORD, { 'x-forwarded-for': '203.0.113.7' }), 3600)
    // Fay signed up from this address; the other is one that she signs in from before the limit is reached again.
    assert.equal((await from('192.0.2.5', PASSWORD)).status, 200)
    at(60 * MINUTE_MS)
    assert.equal((await from('203.0.113.8', PASSWORD)).status, 200)
    for (let i = 0; i < 6; i++) assert.equal((await from(`203.0.113.${i}`, 'wrong password')).status, 400)
    throttled(await from('203.0.113.7', PASSWORD), 3600)
    assert.equal((await from('203.0.113.8', PASSWORD)).status, 200)
    assert.equal((await read('fay', PASSWORD, { 'x-forwarded-for': '203.0.113.8' })).status, 200)
    assert.equal((await from('203.0.113.8', 'wrong password')).status, 400)
    throttled(await from('203.0.113.8', PASSWORD), 3600)
  })

  test('{throttle.hashes} many tries at once wait their turn, and the rest get 429', async () => {
    at(0)
    const tries = Array.from({ length: 60 }, (_, i) =>
      login(`crowd${i}`, 'wrong password', { 'x-forwarded-for': `192.0.2.${i}` }),
    )
    const replies = await Promise.all(tries)
    const refused = replies.filter(({ status }) => status === 429)
    assert.ok(refused.length > 0)
    for (const reply of refused) throttled(reply, 1)
    const others = replies.filter(({ status }) => status !== 429)
    assert.ok(others.length > 10)
    assert.deepEqual(new Set(statuses(others)), new Set([400]))
    assert.equal((await login('cy')).status, 200)
  })

  test('{throttle.basic} wrong Basic credentials are counted, right ones are not', async () => {
    at(0)
    for (let i = 0; i < 5; i++) {
      assert.equal((await read('dee')).status, 200)
      // After the cache has forgotten it, the password is checked again, and still not counted.
      at(i * 6 * MINUTE_MS)
    }
    at(30 * MINUTE_MS)
    for (const password of ['wrong 1', 'wrong 2']) assert.equal((await read('dee', password)).status, 401)
    assert.equal((await login('dee', 'wrong 3')).status, 400)
    throttled(await read('dee', 'wrong 4'), 3600)
    throttled(await login('dee'), 3600)
    throttled(await read('dee'), 3600)
    at(90 * MINUTE_MS)
    assert.equal((await read('dee')).status, 200)
  })

  test('{auth.remembered} credentials that were right are not checked again for five minutes', async () => {
    at(0)
    assert.equal((await read('eli')).status, 200)
    for (const password of ['wrong 1', 'wrong 2', 'wrong 3']) assert.equal((await read('eli', password)).status, 401)
    // A check would now be refused; cached credentials need none.
    throttled(await read('eli', 'wrong 4'), 3600)
    const many = await Promise.all(Array.from({ length: 50 }, () => read('eli')))
    assert.deepEqual(new Set(statuses(many)), new Set([200]))
    at(5 * MINUTE_MS - 1)
    assert.equal((await read('ELI')).status, 200)
    at(5 * MINUTE_MS)
    throttled(await read('eli'), 55 * 60)
  })

  test('{throttle.sign-up} new accounts are counted by address', async () => {
    at(0)
    const address = '203.0.113.9'
    for (let i = 0; i < 6; i++) assert.equal((await signUp(`many${i}`, address)).status, 201)
    throttled(await signUp('many6', address), 3600)
    assert.equal((await signUp('many6', '203.0.113.10')).status, 201)
    at(60 * MINUTE_MS)
    assert.equal((await signUp('many7', address)).status, 201)
  })

  test('{throttle.write} {fit.account} writes, votes and judgements are counted by user, however the user signed in; reads are not', async () => {
    at(0)
    const write = (sent: object, i: number) =>
      site.ask('/api/polynym/', {
        method: 'POST',
        ...sent,
        json: { name: `coat ${i}`, mode: 'part', p1: 'sleeve', p2: 'collar' },
      })
    const { token } = (
      await site.ask('/accounts/tokens/', { method: 'POST', headers: basic('gil'), json: { name: 'x' } })
    ).json
    const byName = basic('gil')
    const byToken = { authorization: `Token ${token}`, 'x-forwarded-for': '198.51.100.1' }
    const made = await write({ headers: byName }, 1)
    assert.equal(made.status, 201)
    const path = `/api/polynym/${made.json.polynym_id}/`
    assert.equal((await site.ask(`${path}vote/`, { method: 'POST', headers: byToken })).status, 200)
    assert.equal((await site.ask(path, { method: 'PATCH', headers: byName, json: { mode: 'nonsense' } })).status, 400)
    for (const headers of [byName, byToken]) throttled(await write({ headers }, 2), 60)
    throttled(await site.ask(path, { method: 'PUT', headers: byName, json: {} }), 60)
    throttled(await site.ask(path, { method: 'DELETE', headers: byName }), 60)
    throttled(await site.ask(`${path}vote/`, { method: 'DELETE', headers: byName }), 60)
    throttled(await site.ask('/api/fit/', { method: 'POST', headers: byName, json: {} }), 60)
    const page = `/polynym/${made.json.polynym_id}/`
    const table = 'Name\tMode\nkept\tpart'
    for (const [address, shown] of [
      [`${page}vote/`, `href="${page}">Go back</a>`],
      [`${page}delete/`, `href="${page}">Go back</a>`],
      ['/make/polynym/table/', 'kept\tpart'],
    ] as const) {
      const headers = { ...byToken, accept: 'text/html' }
      const { status, text } = await site.ask(address, { method: 'POST', headers, form: { table, action: 'save' } })
      assert.equal(status, 429, address)
      assert.match(text, /That was too often\. Try again in 60 seconds\./)
      assert.ok(text.includes(shown), address)
    }
    for (let i = 0; i < 5; i++) assert.equal((await site.ask(path, { headers: byName })).status, 200)
    assert.equal((await write({ headers: basic('hal') }, 3)).status, 201)
    at(MINUTE_MS)
    assert.equal((await write({ headers: byToken }, 4)).status, 201)
  })
})

const readLimits = { ...limits, reads: { count: 4, seconds: 60 } }

onEachEngine('A limit for everything', { sample: false, settings: { limits: readLimits, trustedProxies } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{throttle.read} every request is counted by address', async () => {
    site.ticks = 0
    const headers = { 'x-forwarded-for': '192.0.2.1' }
    for (const [method, path, status] of [
      ['GET', '/api/', 200],
      ['HEAD', '/api/queue/', 200],
      ['POST', '/api/queue/', 401],
      ['GET', '/accounts/login/', 200],
    ] as const) {
      assert.equal((await site.ask(path, { method, headers })).status, status)
    }
    throttled(await site.ask('/api/', { headers }), 60)
    throttled(await site.ask('/api/', { headers: { ...headers, authorization: 'Token wrong' } }), 60)
    assert.equal((await site.ask('/api/', { headers: { 'x-forwarded-for': '192.0.2.2' } })).status, 200)
    site.ticks = MINUTE_MS
    assert.equal((await site.ask('/api/', { headers })).status, 200)
  })
})
