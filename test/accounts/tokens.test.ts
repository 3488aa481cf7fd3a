/** Tokens: their owner creates, lists, renames and revokes them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { type Database, query } from '../../src/store/database.ts'
import { onEachEngine } from '../support/site.ts'
import { Browser, basic, PASSWORD, signUp } from './browser.ts'

const NOT_FOUND = '{"detail":"Not found."}'
const START = new Date('2026-03-01T12:00:00.000Z')
const later = (ms: number) => new Date(START.getTime() + ms)
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** Every statement that changes a token. */
let written: string[] = []
/** Reads the database itself. */
let database: Database

function watch(given: Database): Database {
  database = given
  return {
    ...given,
    write: (work) =>
      given.write(function* () {
        const steps = work()
        let step = steps.next()
        while (!step.done) {
          if (/^UPDATE token/.test(step.value.sql)) written.push(step.value.sql)
          step = steps.next(yield step.value)
        }
        return step.value
      }),
  }
}

onEachEngine('Tokens', { sample: false, watch }, (site) => {
  const ask = (method: string, path: string, json?: unknown, username = 'ada') =>
    site.ask(path, { method, headers: basic(username), ...(json === undefined ? {} : { json }) })
  const make = async (json: object, username?: string) => (await ask('POST', '/accounts/tokens/', json, username)).json
  const whoami = async (key: string) =>
    (await site.ask('/accounts/', { headers: { authorization: `Token ${key}` } })).text
  const GOOD = '{"username":"ada","staff":false}'
  const BAD = '{"detail":"Invalid token."}'

  before(async () => {
    await signUp(site, 'ada')
    await signUp(site, 'eve')
    site.clock = START
  })

  test('{token.create} {token.hashed} a new token shows its key once, and only a hash is stored', async () => {
    const reply = await ask('POST', '/accounts/tokens/', { name: ' laptop ', days: 30 })
    const { id, token } = reply.json
    assert.match(token, /^[0-9a-f]{40}$/)
    assert.equal(reply.status, 201)
    assert.equal(reply.headers['cache-control'], 'no-store')
    const shown = {
      id,
      name: 'laptop',
      created: START.toISOString(),
      expires: later(30 * DAY_MS).toISOString(),
    }
    assert.equal(reply.text, JSON.stringify({ ...shown, token }))
    const listed = await ask('GET', '/accounts/tokens/')
    assert.equal(listed.text, JSON.stringify([shown]))
    assert.equal((await ask('GET', `/accounts/tokens/${id}/`)).text, JSON.stringify(shown))
    const rows = await database.read(() => query('SELECT * FROM token'))
    assert.equal(rows.length, 1)
    assert.equal(JSON.stringify(rows).includes(token), false)
    assert.match(String(rows[0]!['hash']), /^[A-Za-z0-9_-]{43}$/)
    await ask('DELETE', `/accounts/tokens/${id}/`)
  })

  test('the database contains no session secret', async () => {
    const browser = new Browser(site)
    await browser.submit('/accounts/login/', { username: 'ada', password: PASSWORD })
    const rows = await database.read(() => query('SELECT * FROM session'))
    assert.ok(rows.length >= 1)
    assert.equal(JSON.stringify(rows).includes(browser.cookies.get('nymdex_session')!), false)
  })

  test('{token.members} name and days are checked', async () => {
    const days = ['A whole number from 1 to 3650 is required.']
    const cases: [body: object, errors: object][] = [
      [{}, { name: ['This field is required.'] }],
      [{ name: '' }, { name: ['This field may not be blank.'] }],
      [{ name: '  ' }, { name: ['This field may not be blank.'] }],
      [{ name: null }, { name: ['This field may not be null.'] }],
      [{ name: 5 }, { name: ['Not a valid string.'] }],
      [{ name: 'a\u0000b' }, { name: ['Not a valid string.'] }],
      [{ name: 'a\ud800b' }, { name: ['Not a valid string.'] }],
      [{ name: '🙂'.repeat(101) }, { name: ['Ensure this field has no more than 100 characters.'] }],
      ...[0, -1, 3651, 1.5, 'soon', {}].map((each): [object, object] => [{ name: 'x', days: each }, { days }]),
    ]
    for (const [body, errors] of cases) {
      const reply = await ask('POST', '/accounts/tokens/', body)
      assert.deepEqual([reply.status, reply.json], [400, errors], JSON.stringify(body))
    }
    assert.equal((await ask('GET', '/accounts/tokens/')).text, '[]')
    for (const none of [{}, { days: null }, { days: '' }]) {
      const made = await make({ name: '🙂'.repeat(100), ...none })
      assert.deepEqual(Object.keys(made), ['id', 'name', 'created', 'token'])
      await ask('DELETE', `/accounts/tokens/${made.id}/`)
    }
    const form = { name: 'from a form', days: '3650' }
    const made = await site.ask('/accounts/tokens/', { method: 'POST', headers: basic('ada'), form })
    assert.equal(made.json.expires, later(3650 * DAY_MS).toISOString())
    await ask('DELETE', `/accounts/tokens/${made.json.id}/`)
  })

  test('days that are not a number, and other spellings of an id, are refused', async () => {
    await signUp(site, 'odd')
    const days = [true, [5], '0x10']
    const replies = await Promise.all(
      days.map((each) => ask('POST', '/accounts/tokens/', { name: 'x', days: each }, 'odd')),
    )
    for (const { status, json } of replies) {
      assert.deepEqual([status, json], [400, { days: ['A whole number from 1 to 3650 is required.'] }])
    }
    const { id } = await make({ name: 'one' }, 'odd')
    for (const spelling of [`0x${id.toString(16)}`, `${id}.0`, `+${id}`, `0${id}`, `${id}e0`, `%20${id}`]) {
      assert.equal((await ask('PATCH', `/accounts/tokens/${spelling}/`, { name: 'two' }, 'odd')).status, 404, spelling)
      assert.equal((await ask('DELETE', `/accounts/tokens/${spelling}/`, undefined, 'odd')).status, 404, spelling)
    }
    assert.equal((await ask('DELETE', `/accounts/tokens/${id}/`, undefined, 'odd')).status, 204)
  })

  test('{token.expires} a token is refused once it has expired', async () => {
    const { id, token } = await make({ name: 'short', days: 1 })
    site.clock = later(DAY_MS - 1)
    assert.equal(await whoami(token), GOOD)
    site.clock = later(DAY_MS)
    assert.equal(await whoami(token), BAD)
    site.clock = START
    await ask('DELETE', `/accounts/tokens/${id}/`)
  })

  test('{token.list} {token.last-used} the list says when a token was last used, to the hour', async () => {
    const first = await make({ name: 'first' })
    const second = await make({ name: 'second' })
    const lastUsed = async () => (await ask('GET', '/accounts/tokens/')).json[0].last_used
    written = []
    await whoami(first.token)
    const used = { id: first.id, name: 'first', created: START.toISOString(), last_used: START.toISOString() }
    const unused = { id: second.id, name: 'second', created: START.toISOString() }
    assert.equal((await ask('GET', '/accounts/tokens/')).text, JSON.stringify([used, unused]))
    for (const ms of [1, HOUR_MS - 1]) {
      site.clock = later(ms)
      await whoami(first.token)
      assert.equal(await lastUsed(), START.toISOString())
    }
    assert.equal(written.length, 1)
    site.clock = later(HOUR_MS)
    await whoami(first.token)
    await whoami(first.token)
    assert.equal(await lastUsed(), later(HOUR_MS).toISOString())
    assert.equal(written.length, 2)
    site.clock = START
    for (const { id } of [first, second]) await ask('DELETE', `/accounts/tokens/${id}/`)
  })

  test('{token.rename} {token.revoke} {token.own} only its owner renames and revokes a token', async () => {
    const { token: _, ...first } = await make({ name: 'first' })
    const second = await make({ name: 'second' })
    const path = `/accounts/tokens/${first.id}/`
    for (const [method, address] of [
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `${path}revoke/`],
    ] as const) {
      const body = method === 'GET' ? undefined : { name: 'mine' }
      const others = await ask(method, address, body, 'eve')
      assert.deepEqual([others.status, others.text], [404, NOT_FOUND])
      for (const id of ['0', '-1', 'x', '99999999', '9'.repeat(20)]) {
        const none = await ask(method, address.replace(String(first.id), id), body)
        assert.deepEqual([none.status, none.text], [404, NOT_FOUND])
      }
    }
    assert.equal((await ask('GET', '/accounts/tokens/', undefined, 'eve')).text, '[]')
    const renamed = await ask('PATCH', path, { name: ' renamed ' })
    assert.deepEqual([renamed.status, renamed.text], [200, JSON.stringify({ id: first.id, name: 'renamed' })])
    assert.deepEqual((await ask('GET', path)).json, { ...first, name: 'renamed' })
    assert.deepEqual((await ask('PATCH', path, { name: '' })).json, { name: ['This field may not be blank.'] })

    const revoked = await ask('DELETE', path)
    assert.deepEqual([revoked.status, revoked.text], [204, ''])
    const posted = await ask('POST', `/accounts/tokens/${second.id}/revoke/`)
    assert.deepEqual([posted.status, posted.text], [204, ''])
    assert.equal(await whoami(second.token), BAD)
    assert.equal((await ask('GET', '/accounts/tokens/')).text, '[]')
    assert.equal((await ask('DELETE', path)).status, 404)
  })

  test('{token.revoke-others} a token revokes itself, and no other token of its owner', async () => {
    const [first, second] = [await make({ name: 'first' }), await make({ name: 'second' })]
    const foreign = await make({ name: 'foreign' }, 'eve')
    const headers = { authorization: `Bearer ${first.token}` }
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', 'revoke/'],
    ] as const) {
      const revoke = (id: number) => site.ask(`/accounts/tokens/${id}/${suffix}`, { method, headers })
      const refused = await revoke(second.id)
      assert.deepEqual(
        [refused.status, refused.text],
        [403, '{"detail":"You do not have permission to perform this action."}'],
      )
      assert.equal((await revoke(foreign.id)).status, 404)
      assert.equal((await revoke(99999999)).status, 404)
    }
    assert.equal(await whoami(second.token), GOOD)
    const itself = await site.ask(`/accounts/tokens/${first.id}/`, { method: 'DELETE', headers })
    assert.equal(itself.status, 204)
    assert.equal(await whoami(first.token), BAD)
    assert.equal((await ask('DELETE', `/accounts/tokens/${second.id}/`)).status, 204)
    await ask('DELETE', `/accounts/tokens/${foreign.id}/`, undefined, 'eve')
  })

  test('{token.revoke} in a browser forms create and revoke tokens', async () => {
    const browser = new Browser(site)
    await browser.submit('/accounts/login/', { username: 'ada', password: PASSWORD })
    const made = await browser.submit('/accounts/tokens/', { name: '<i>mine</i>', days: '' })
    assert.equal(made.status, 201)
    const [, key] = /Your new token is ([0-9a-f]{40})\. It is shown this once\./.exec(made.text)!
    assert.equal(await whoami(key!), GOOD)
    const page = await browser.ask('/accounts/tokens/')
    assert.match(page.text, /Revoke<span class="unseen"> &lt;i(&gt;|>)mine&lt;\/i(&gt;|>)/)
    assert.equal(page.text.includes(key!), false)
    const [, action] = /action="(\/accounts\/tokens\/\d+\/revoke\/)"/.exec(page.text)!
    const csrfmiddlewaretoken = await browser.tokenOn('/accounts/tokens/')
    const revoked = await browser.ask(action!, { method: 'POST', form: { csrfmiddlewaretoken } })
    assert.deepEqual([revoked.status, revoked.headers.location], [303, '/accounts/tokens/'])
    assert.equal(await whoami(key!), BAD)
  })

  test('{token.obtain} /api-token-auth/ gives a token for a name and password', async () => {
    const members = { username: 'ADA', password: PASSWORD }
    for (const sent of [{ json: members }, { form: members }]) {
      const reply = await site.ask('/api-token-auth/', { method: 'POST', ...sent })
      assert.equal(reply.status, 200)
      assert.match(reply.text, /^\{"token":"[0-9a-f]{40}"\}$/)
      assert.equal(reply.headers['cache-control'], 'no-store')
      assert.equal(reply.headers['set-cookie'], undefined)
      assert.equal(await whoami(reply.json.token), GOOD)
    }
    const wrong = await site.ask('/api-token-auth/', { method: 'POST', json: { ...members, password: 'wrong' } })
    assert.deepEqual(
      [wrong.status, wrong.json],
      [400, { non_field_errors: ['Unable to log in with provided credentials.'] }],
    )
    const listed = (await ask('GET', '/accounts/tokens/')).json as { id: number; name: string }[]
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['api-token-auth', 'api-token-auth'],
    )
    for (const { id } of listed) await ask('DELETE', `/accounts/tokens/${id}/`)
  })

  test('{token.obtain-kept} it keeps the ten newest and revokes older ones', async () => {
    const kept = await make({ name: 'other' })
    const keys: string[] = []
    for (let i = 0; i < 12; i++) {
      const reply = await site.ask('/api-token-auth/', {
        method: 'POST',
        json: { username: 'ada', password: PASSWORD },
      })
      keys.push(reply.json.token)
    }
    const answers = await Promise.all(keys.map(whoami))
    assert.deepEqual(answers, [BAD, BAD, ...Array(10).fill(GOOD)])
    assert.equal(await whoami(kept.token), GOOD)
    assert.equal((await ask('GET', '/accounts/tokens/')).json.length, 11)
  })

  test('{token.options} OPTIONS says what /api-token-auth/ is for', async () => {
    const reply = await site.ask('/api-token-auth/', { method: 'OPTIONS' })
    assert.equal(reply.status, 200)
    assert.deepEqual(reply.json, {
      name: 'Obtain Auth Token',
      description: 'A token for a username and a password.',
    })
    assert.equal(reply.headers.allow, 'POST, OPTIONS')
    const get = await site.ask('/api-token-auth/')
    assert.deepEqual([get.status, get.text], [405, '{"detail":"Method \\"GET\\" not allowed."}'])
    assert.equal(get.headers.allow, 'POST, OPTIONS')
  })

  test('{cors.tokens} scripts of other sites get and manage tokens, without cookies', async () => {
    const origin = { origin: 'https://app.example' }
    const open = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': undefined }
    const preflight = { ...origin, 'access-control-request-method': 'POST' }
    const { id } = await make({ name: 'cors' })
    for (const [path, allow] of [
      ['/api-token-auth/', 'POST, OPTIONS'],
      ['/accounts/tokens/', 'GET, POST, HEAD, OPTIONS'],
      [`/accounts/tokens/${id}/`, 'GET, PATCH, DELETE, HEAD, OPTIONS'],
      [`/accounts/tokens/${id}/revoke/`, 'POST, OPTIONS'],
    ] as const) {
      const { status, headers } = await site.ask(path, { method: 'OPTIONS', headers: preflight })
      assert.deepEqual([status, headers['access-control-allow-methods']], [200, allow], path)
      assert.match(headers['access-control-allow-headers']!, /Authorization, Content-Type/)
    }
    const credentials = { username: 'ada', password: PASSWORD }
    const obtained = await site.ask('/api-token-auth/', { method: 'POST', headers: origin, form: credentials })
    const headers = { ...origin, authorization: `Token ${obtained.json.token}` }
    const managed = await site.ask(`/accounts/tokens/${id}/`, { method: 'PATCH', headers, json: { name: 'renamed' } })
    const anonymous = await site.ask('/accounts/tokens/', { headers: origin })
    const wrong = await site.ask('/api-token-auth/', { method: 'POST', headers: origin, json: {} })
    assert.deepEqual(
      [obtained, managed, anonymous, wrong].map(({ status }) => status),
      [200, 200, 401, 400],
    )
    for (const reply of [obtained, managed, anonymous, wrong]) {
      for (const [name, value] of Object.entries(open)) assert.equal(reply.headers[name], value)
    }
    for (const path of ['/accounts/', '/accounts/login/', '/accounts/signup/', '/accounts/password/']) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await site.ask(path, { method, headers: preflight })
        assert.equal(headers['access-control-allow-origin'], undefined, path)
      }
    }
  })

  test('{token.most} an account has at most a hundred tokens', async () => {
    for (let i = 0; i < 100; i++) await make({ name: `number ${i}` }, 'eve')
    const reply = await ask('POST', '/accounts/tokens/', { name: 'one more' }, 'eve')
    assert.deepEqual(
      [reply.status, reply.text],
      [400, '{"detail":"An account has at most 100 tokens: revoke one first."}'],
    )
    const { json } = await ask('GET', '/accounts/tokens/', undefined, 'eve')
    assert.equal(json.length, 100)
    await ask('DELETE', `/accounts/tokens/${json[0].id}/`, undefined, 'eve')
    assert.equal((await ask('POST', '/accounts/tokens/', { name: 'one more' }, 'eve')).status, 201)
  })

  test('the server logged no bug', () => assert.deepEqual(site.bugs, []))
})
