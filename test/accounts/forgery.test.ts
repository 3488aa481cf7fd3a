/** CSRF: writes authenticated by a cookie must come from our own pages. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { Browser, basic, PASSWORD, signedUp, signUp, tokenIn } from './browser.ts'

const MISSING = '{"detail":"CSRF Failed: CSRF token missing."}'
const INCORRECT = '{"detail":"CSRF Failed: CSRF token incorrect."}'
const BOUNDARY = '----boundary-7MA4YWxk'
const foreign = (origin: string) =>
  `{"detail":"CSRF Failed: Origin checking failed - ${origin} does not match any trusted origins."}`

const FOREIGN: readonly (readonly [headers: Record<string, string>, origin: string])[] = [
  [{ origin: 'https://evil.example' }, 'https://evil.example'],
  [{ origin: 'null' }, 'null'],
  [{ origin: 'http://127.0.0.1' }, 'http://127.0.0.1'],
  [{ referer: 'https://evil.example/page?x' }, 'https://evil.example'],
  [{ referer: 'nonsense' }, 'null'],
]

onEachEngine('Forgery', { sample: false }, (site) => {
  let ada: Browser
  let cookie = ''
  let token = ''
  let strangers = ''
  const json = { accept: 'application/json' }
  let topics = 0
  const topic = () => ({ name: `topic ${++topics}` })

  before(async () => {
    ada = await signedUp(site, 'ada')
    cookie = `nymdex_session=${ada.cookies.get('nymdex_session')}`
    token = await ada.tokenOn('/accounts/')
    strangers = await (await signedUp(site, 'eve')).tokenOn('/accounts/')
  })

  test('{csrf.token} every page with forms has the token, and every kind of write takes it', async () => {
    for (const path of [
      '/accounts/',
      '/accounts/tokens/',
      '/accounts/password/',
      '/accounts/delete/',
      '/accounts/login/',
    ]) {
      assert.equal(await ada.tokenOn(path), token)
    }
    const headers = { cookie, 'x-csrftoken': token }
    const made = await site.ask('/api/queue/', { method: 'POST', headers, json: topic() })
    assert.equal(made.status, 201)
    const path = `/api/queue/${made.json.queue_id}/`
    assert.equal((await site.ask(path, { method: 'PUT', headers, json: topic() })).status, 200)
    assert.equal((await site.ask(path, { method: 'PATCH', headers, form: topic() })).status, 200)
    assert.equal((await site.ask(path, { method: 'DELETE', headers })).status, 204)
    const form = { ...topic(), csrfmiddlewaretoken: token }
    assert.equal((await site.ask('/api/queue/', { method: 'POST', headers: { cookie }, form })).status, 201)
    const type = { cookie, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
    const body = multipart({ ...topic(), csrfmiddlewaretoken: token })
    assert.equal((await site.ask('/api/queue/', { method: 'POST', headers: type, body })).status, 201)
  })

  test('{csrf.refused} without the token, or with a wrong one, nothing is written', async () => {
    const made = await site.ask('/api/queue/', { method: 'POST', headers: basic('ada'), json: topic() })
    const path = `/api/queue/${made.json.queue_id}/`
    const calls = [
      ['POST', '/api/queue/'],
      ['PUT', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', '/accounts/logout/'],
      ['POST', '/accounts/login/'],
      ['POST', '/accounts/signup/'],
      ['POST', '/accounts/password/'],
      ['POST', '/accounts/delete/'],
      ['POST', '/accounts/tokens/'],
      ['PATCH', '/accounts/tokens/1/'],
      ['DELETE', '/accounts/tokens/1/'],
      ['POST', '/accounts/tokens/1/revoke/'],
      ['POST', '/api-token-auth/'],
    ] as const
    const members = { name: 'forged', username: 'mallory', password: PASSWORD }
    const wrong = [strangers, token.slice(1), `${token}A`, token.toLowerCase(), 'é']
    for (const [method, address] of calls) {
      const ask = async (sent: object, headers = {}) => {
        const reply = await site.ask(address, { method, ...sent, headers: { cookie, ...headers } })
        assert.equal(reply.status, 403, `${method} ${address}`)
        assert.equal(reply.headers['set-cookie'], undefined)
        return reply.text
      }
      assert.equal(await ask({}), MISSING)
      assert.equal(await ask({ json: members }), MISSING)
      assert.equal(await ask({ form: members }), MISSING)
      assert.equal(await ask({ form: members }, { 'x-csrftoken': '' }), MISSING)
      assert.equal(await ask({ form: { ...members, csrfmiddlewaretoken: '' } }), MISSING)
      assert.equal(
        await ask({ body: multipart(members) }, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }),
        MISSING,
      )
      for (const given of wrong) {
        assert.equal(await ask({ json: members }, { 'x-csrftoken': given }), INCORRECT)
        // Node's client sends no body with DELETE.
        if (method === 'DELETE') continue
        assert.equal(await ask({ form: { ...members, csrfmiddlewaretoken: given } }), INCORRECT)
      }
      // The header counts if both are sent.
      assert.equal(
        await ask({ form: { ...members, csrfmiddlewaretoken: token } }, { 'x-csrftoken': strangers }),
        INCORRECT,
      )
    }
    assert.equal((await site.ask(path)).text, made.text)
    assert.equal((await site.ask('/accounts/', { headers: { cookie } })).text, '{"username":"ada","staff":false}')
  })

  test('{csrf.page} a form of our own page with an old token is shown again, and nothing is written', async () => {
    const send = (path: string, given: string, headers: Record<string, string>) => {
      const form = { name: 'forged', note: 'kept', table: 'Name\tExpansive\nforged\topen', csrfmiddlewaretoken: given }
      return ada.ask(path, { method: 'POST', form: { ...form, action: 'save' }, headers })
    }
    const { json: record } = await site.ask('/api/queue/', { method: 'POST', headers: basic('ada'), json: topic() })
    const own = { origin: site.base, referer: `${site.base}/queue/${record.queue_id}/` }
    for (const given of [strangers, '']) {
      for (const path of ['/make/queue/', `/make/queue/${record.queue_id}/`]) {
        const again = await send(path, given, own)
        assert.equal(again.status, 403, path)
        assert.match(
          again.text,
          /You have signed in again since you opened this page\. You are ada now\. Nothing is saved yet/,
        )
        assert.match(again.text, /<input id="name"[^>]* value="forged"/)
        assert.equal(tokenIn(again.text), token)
        // Without a word from the browser about its origin, nothing that was sent is shown.
        for (const headers of [{}, ...FOREIGN.map(([foreigner]) => foreigner)]) {
          const refused = await send(path, given, headers)
          assert.equal(refused.status, 403, path)
          assert.doesNotMatch(refused.text, /forged/)
        }
      }
      assert.match((await send(`/report/queue/${record.queue_id}/`, given, own)).text, />kept<\/textarea>/)
      const removal = await send(`/queue/${record.queue_id}/delete/`, given, own)
      assert.equal(removal.status, 403)
      assert.match(removal.text, new RegExp(`<a class="btn go" href="/queue/${record.queue_id}/">Go back</a>`))
    }
    assert.equal((await site.ask('/api/queue/?name=forged')).json.count, 0)
    assert.equal((await site.ask(`/api/queue/${record.queue_id}/`)).json.name, record.name)
  })

  test('{csrf.json} in a JSON body the token does not count', async () => {
    const body = { ...topic(), csrfmiddlewaretoken: token }
    const reply = await site.ask('/api/queue/', { method: 'POST', headers: { cookie }, json: body })
    assert.deepEqual([reply.status, reply.text], [403, MISSING])
    const plain = { cookie, 'content-type': 'text/plain' }
    const text = await site.ask('/api/queue/', { method: 'POST', headers: plain, body: JSON.stringify(body) })
    assert.equal(text.status, 415)
  })

  test('{csrf.origin} the right token from another origin is refused', async () => {
    for (const [headers, origin] of FOREIGN) {
      for (const sent of [{ json: topic() }, { form: { ...topic(), csrfmiddlewaretoken: token } }]) {
        const all = { cookie, 'x-csrftoken': token, ...headers }
        const reply = await site.ask('/api/queue/', { method: 'POST', headers: all, ...sent })
        assert.deepEqual([reply.status, reply.text], [403, foreign(origin)])
      }
    }
    const own: Record<string, string>[] = [
      { origin: site.base },
      { referer: `${site.base}/accounts/` },
      { origin: site.base, referer: 'https://evil.example/' },
    ]
    for (const headers of own) {
      const all = { cookie, 'x-csrftoken': token, ...headers }
      assert.equal((await site.ask('/api/queue/', { method: 'POST', headers: all, json: topic() })).status, 201)
    }
  })

  test('a Host that is not a web address is not our origin', async () => {
    const headers = { cookie, 'x-csrftoken': token, host: '1.2.3.4.5', origin: 'http://evil.example' }
    const reply = await site.ask('/api/queue/', { method: 'POST', headers, json: topic() })
    assert.ok(reply.status === 400 || reply.status === 403, reply.text)
  })

  test('{csrf.credentials} credentials in the header need no token, from any origin', async () => {
    const { token: key } = (
      await site.ask('/accounts/tokens/', { method: 'POST', headers: basic('ada'), json: { name: 'script' } })
    ).json
    for (const authorization of [basic('ada').authorization, `Token ${key}`, `Bearer ${key}`]) {
      const headers = { authorization, cookie, origin: 'https://app.example' }
      assert.equal((await site.ask('/api/queue/', { method: 'POST', headers, json: topic() })).status, 201)
    }
    const own = { authorization: `Token ${key}` }
    assert.equal((await site.ask('/api/queue/', { method: 'POST', headers: own, form: topic() })).status, 201)
  })

  test('{csrf.sign-in} a form of another site cannot sign anybody in', async () => {
    const visitor = new Browser(site)
    const visitorsToken = await visitor.tokenOn('/accounts/login/')
    assert.match(visitor.cookies.get('nymdex_csrf')!, /^[A-Za-z0-9_-]{43}$/)
    assert.equal(await visitor.tokenOn('/accounts/signup/'), visitorsToken)
    const other = await new Browser(site).tokenOn('/accounts/login/')
    const members = { username: 'eve', password: PASSWORD }
    for (const path of ['/accounts/login/', '/accounts/signup/']) {
      const submit = async (browser: Browser, form: Record<string, string>, headers = {}) => {
        const reply = await browser.ask(path, { method: 'POST', form, headers: { ...json, ...headers } })
        assert.equal(reply.status, 403)
        assert.equal(browser.cookies.has('nymdex_session'), false)
        return reply.text
      }
      const whole = { ...members, csrfmiddlewaretoken: visitorsToken }
      assert.equal(await submit(visitor, members), MISSING)
      assert.equal(await submit(new Browser(site), whole), MISSING)
      assert.equal(await submit(visitor, { ...members, csrfmiddlewaretoken: other }), INCORRECT)
      for (const [headers, origin] of FOREIGN) assert.equal(await submit(visitor, whole, headers), foreign(origin))
      const type = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
      const reply = await visitor.ask(path, { method: 'POST', headers: type, body: multipart(members) })
      assert.equal(reply.status, 403)
    }
    const right = await visitor.submit('/accounts/login/', members)
    assert.deepEqual([right.status, right.headers.location], [303, '/accounts/'])
    // The session has another token.
    assert.notEqual(await visitor.tokenOn('/accounts/'), visitorsToken)
  })

  test('{csrf.json-sign-in} a JSON body signs in and up without a token', async () => {
    await signUp(site, 'jo')
    const reply = await site.ask('/accounts/login/', { method: 'POST', json: { username: 'jo', password: PASSWORD } })
    assert.equal(reply.status, 200)
    const preflight = await site.ask('/accounts/login/', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(preflight.headers['access-control-allow-origin'], undefined)
  })

  test('the server logged no bug', () => assert.deepEqual(site.bugs, []))
})

function multipart(members: Readonly<Record<string, string>>): string {
  const parts = Object.entries(members).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}
