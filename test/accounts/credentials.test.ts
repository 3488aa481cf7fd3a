/** Authentication and permissions. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { AccountDesk } from '../../src/engine/index.ts'
import { hashPassword } from '../../src/engine/passwords.ts'
import { onEachEngine, type Reply } from '../support/site.ts'
import { basic, PASSWORD, signUp } from './browser.ts'

const NOT_SIGNED_IN = '{"detail":"Authentication credentials were not provided."}'
const FORBIDDEN = '{"detail":"You do not have permission to perform this action."}'
const encoded = (text: string) => Buffer.from(text).toString('base64')

const MALFORMED: readonly (readonly [mark: string, header: string, detail: string])[] = [
  ['auth.basic-malformed', 'Basic', 'Invalid basic header. No credentials provided.'],
  ['auth.basic-malformed', 'Basic   ', 'Invalid basic header. No credentials provided.'],
  [
    'auth.basic-malformed',
    `Basic ${encoded('ada:x')} ${encoded('y')}`,
    'Invalid basic header. Credentials string should not contain spaces.',
  ],
  ['auth.basic-malformed', 'Basic ada:x', 'Invalid basic header. Credentials not correctly base64 encoded.'],
  [
    'auth.basic-malformed',
    `Basic ${encoded('no colon')}`,
    'Invalid basic header. Credentials not correctly base64 encoded.',
  ],
  ['auth.token-malformed', 'Token', 'Invalid token header. No credentials provided.'],
  ['auth.token-malformed', 'Bearer ', 'Invalid token header. No credentials provided.'],
  ['auth.token-malformed', 'Token a b', 'Invalid token header. Token string should not contain spaces.'],
  ['auth.token-malformed', 'Bearer a b', 'Invalid token header. Token string should not contain spaces.'],
]

/** The content of a reply, without what differs with every request. */
function essence({ status, headers, text }: Reply): object {
  const { 'x-request-id': _, date: __, ...rest } = headers
  return { status, headers: rest, text }
}

onEachEngine('Credentials', { sample: false }, (site) => {
  let key = ''
  const whoami = async (authorization: string) => (await site.ask('/accounts/', { headers: { authorization } })).text

  before(async () => {
    await signUp(site, 'Ada')
    const { json } = await site.ask('/accounts/tokens/', {
      method: 'POST',
      headers: basic('Ada'),
      json: { name: 'test' },
    })
    key = json.token
  })

  test('{auth.basic} a user name in any letter case and its password authenticate a request', async () => {
    for (const name of ['Ada', 'ada', 'ADA', ' ada ']) {
      assert.equal(await whoami(basic(name).authorization), '{"username":"Ada","staff":false}')
    }
    assert.equal(await whoami(`bASIC   ${encoded(`ada:${PASSWORD}`)}`), '{"username":"Ada","staff":false}')
    const made = await site.ask('/api/queue/', { method: 'POST', headers: basic('ada'), json: { name: 'umbrella' } })
    assert.equal(made.status, 201)
    assert.deepEqual(made.json, { name: 'umbrella', queue_id: made.json.queue_id })
  })

  test('{auth.basic} a password may contain colons and non-ASCII letters, in UTF-8 or Latin-1', async () => {
    await signUp(site, 'zoë', 'pass:wörd:1234')
    const text = 'zoë:pass:wörd:1234'
    for (const encoding of ['utf8', 'latin1'] as const) {
      const reply = await whoami(`Basic ${Buffer.from(text, encoding).toString('base64')}`)
      assert.equal(reply, '{"username":"zoë","staff":false}')
    }
  })

  test('{auth.token} Token and Bearer take the same key, in any letter case of the scheme', async () => {
    for (const scheme of ['Token', 'Bearer', 'token', 'BEARER', 'bearer  ']) {
      assert.equal(await whoami(`${scheme} ${key}`), '{"username":"Ada","staff":false}')
    }
    const headers = { authorization: `Bearer ${key}` }
    assert.equal((await site.ask('/api/queue/', { method: 'POST', headers, json: { name: 'kettle' } })).status, 201)
  })

  test('{auth.unknown} other schemes and unknown cookies are ignored', async () => {
    const cases: Record<string, string>[] = [
      { authorization: 'Digest username="ada"' },
      { authorization: 'Negotiate abc' },
      { authorization: key },
      { cookie: 'nymdex_session=unknown' },
      { cookie: 'nymdex_session=' },
      { cookie: 'nymdex_session' },
      { cookie: ';;=;x=y; nymdex_session="' },
    ]
    for (const headers of cases) {
      assert.equal((await site.ask('/api/queue/', { headers })).status, 200)
      assert.equal((await site.ask('/api/queue/', { method: 'POST', headers, json: {} })).text, NOT_SIGNED_IN)
    }
  })

  test('{auth.header-first} Authorization takes precedence over the cookie', async () => {
    const { headers } = await signUp(site, 'grace')
    const cookie = headers['set-cookie']![0]!.split(';', 1)[0]!
    const whoWith = async (authorization: string) =>
      (await site.ask('/accounts/', { headers: { cookie, authorization } })).text
    assert.equal(await whoWith('Other x'), '{"username":"grace","staff":false}')
    assert.equal(await whoWith(`Token ${key}`), '{"username":"Ada","staff":false}')
    assert.equal(await whoWith('Token wrong'), '{"detail":"Invalid token."}')
  })

  test('{auth.wrong} {auth.challenge} wrong credentials return 401 with a challenge, whatever the request', async () => {
    const calls = [
      ['GET', '/api/'],
      ['GET', '/api/queue/'],
      ['HEAD', '/api/queue/'],
      ['OPTIONS', '/api/queue/'],
      ['GET', '/api/queue/99999/'],
      ['POST', '/api/queue/'],
      ['DELETE', '/api/queue/1/'],
      ['GET', '/accounts/login/'],
      ['POST', '/api-token-auth/'],
    ]
    for (const [method, path] of calls) {
      const reply = await site.ask(path!, { method: method!, headers: { authorization: 'Token wrong' } })
      assert.equal(reply.status, 401, `${method} ${path}`)
      assert.equal(reply.headers['www-authenticate'], 'Basic realm="api"')
      assert.equal(reply.text, method === 'HEAD' ? '' : '{"detail":"Invalid token."}')
    }
    for (const authorization of [basic('ada', 'wrong').authorization, 'Basic', 'Token']) {
      const reply = await site.ask('/api/queue/', { headers: { authorization } })
      assert.deepEqual([reply.status, reply.headers['www-authenticate']], [401, 'Basic realm="api"'])
    }
  })

  test('{auth.alike} the reply for an unknown user is the same as for a wrong password', async () => {
    await site.ask('/api/queue/', { as: 'nopassword' })
    await signUp(site, 'gone')
    await site.ask('/accounts/delete/', { method: 'POST', headers: basic('gone'), json: { password: PASSWORD } })
    const names = ['ada', 'nobody', 'nopassword', 'gone', '', '\ufeff', 'x'.repeat(5000)]
    for (const password of ['wrong', '', 'x'.repeat(1001)]) {
      const replies = await Promise.all(
        names.map((name) => site.ask('/api/queue/', { headers: basic(name, password) })),
      )
      for (const reply of replies) {
        assert.deepEqual([reply.status, reply.text], [401, '{"detail":"Invalid username/password."}'])
        assert.deepEqual(essence(reply), essence(replies[0]!))
      }
    }
    // The password was right before the user was removed.
    assert.equal((await site.ask('/api/queue/', { headers: basic('gone') })).status, 401)
    const signIns = ['ada', 'nobody', 'nopassword', 'gone', '\ud800', '\ufdfa'.repeat(300_000)].map((username) => ({
      username,
      password: 'wrong password',
    }))
    // A client that has the cookie of the forms gets no new one.
    const headers = { cookie: 'nymdex_csrf=given' }
    for (const path of ['/accounts/login/', '/api-token-auth/']) {
      const replies = await Promise.all(signIns.map((json) => site.ask(path, { method: 'POST', headers, json })))
      for (const reply of replies) {
        assert.equal(reply.text, '{"non_field_errors":["Unable to log in with provided credentials."]}')
        assert.deepEqual(essence(reply), essence(replies[0]!))
      }
    }
  })

  for (const mark of ['auth.basic-malformed', 'auth.token-malformed']) {
    test(`{${mark}} a header that cannot be read says why`, async () => {
      for (const [, authorization, detail] of MALFORMED.filter(([its]) => its === mark)) {
        const reply = await site.ask('/api/queue/', { headers: { authorization } })
        assert.deepEqual([reply.status, reply.json], [401, { detail }])
      }
    })
  }

  test('{auth.token-wrong} an invalid key is refused', async () => {
    for (const wrong of [key.slice(1), key.toUpperCase(), `${key}0`, '\u00e9', encoded(`ada:${PASSWORD}`)]) {
      assert.equal(await whoami(`Token ${wrong}`), '{"detail":"Invalid token."}')
    }
  })

  test('{auth.missing} {may.read} {may.create} anyone reads; creating and voting need credentials', async () => {
    const queue = await site.ask('/api/queue/', { method: 'POST', as: 'gus', json: { name: 'teapot' } })
    const polynym = { name: 'tea', mode: 'part', p1: 'leaf', p2: 'water' }
    const tea = (await site.ask('/api/polynym/', { method: 'POST', as: 'gus', json: polynym })).json
    const path = `/api/queue/${queue.json.queue_id}/`
    assert.equal((await site.ask(path)).text, queue.text)
    const calls = [
      ['POST', '/api/queue/'],
      ['PUT', path],
      ['PATCH', path],
      ['DELETE', path],
      ['POST', `/api/polynym/${tea.polynym_id}/vote/`],
      ['DELETE', `/api/polynym/${tea.polynym_id}/vote/`],
      ['POST', '/accounts/password/'],
      ['POST', '/accounts/delete/'],
      ['GET', '/accounts/'],
      ['GET', '/accounts/tokens/'],
      ['POST', '/accounts/tokens/'],
      ['GET', '/accounts/tokens/1/'],
      ['PATCH', '/accounts/tokens/1/'],
      ['DELETE', '/accounts/tokens/1/'],
      ['POST', '/accounts/tokens/1/revoke/'],
    ]
    for (const [method, address] of calls) {
      const reply = await site.ask(address!, { method: method!, ...(method === 'GET' ? {} : { json: {} }) })
      assert.deepEqual([reply.status, reply.text], [401, NOT_SIGNED_IN], `${method} ${address}`)
      assert.equal(reply.headers['www-authenticate'], 'Basic realm="api"')
    }
    const voted = await site.ask(`/api/polynym/${tea.polynym_id}/vote/`, { method: 'POST', as: 'lou' })
    assert.deepEqual([voted.status, voted.json.voters], [200, ['lou']])
  })

  test('{auth.forbidden} {may.change} only the owner and staff change and delete', async () => {
    for (const [i, as] of ['gus', 'staff-sam'].entries()) {
      const made = await site.ask('/api/queue/', { method: 'POST', as: 'gus', json: { name: `topic ${i}` } })
      const path = `/api/queue/${made.json.queue_id}/`
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        const reply = await site.ask(path, { method, as: 'lou', json: { name: 'mine now' } })
        assert.deepEqual([reply.status, reply.text], [403, FORBIDDEN])
        assert.equal(reply.headers['www-authenticate'], undefined)
      }
      assert.equal((await site.ask(path)).text, made.text)
      for (const method of ['PUT', 'PATCH']) {
        const reply = await site.ask(path, { method, as, json: { name: `${method} ${i}` } })
        assert.deepEqual([reply.status, reply.json.name], [200, `${method} ${i}`])
      }
      assert.equal((await site.ask(path, { method: 'DELETE', as })).status, 204)
    }
  })

  test('{may.lines} only the owner of a story and staff add and change its lines', async () => {
    const as = 'gus'
    const terms = { name: 'rain', e: 'pour', r: 'drip', o: 'cloud', s: 'mood' }
    const quadranym = (await site.ask('/api/quadranym/', { method: 'POST', as, json: terms })).json.quadranym_id
    const text = { name: 'wet', qode: 'It will q1e_VB .' }
    const phrase = (await site.ask('/api/phrase/', { method: 'POST', as, json: text })).json.phrase_id
    const story = (await site.ask('/api/story/', { method: 'POST', as, json: { name: 'A day' } })).json.story_id
    const line = (rank: number) => ({ rank, story, phrase, quadranym })
    const add = (rank: number, who: string) =>
      site.ask('/api/storyline/', { method: 'POST', as: who, json: line(rank) })
    assert.equal((await add(0, 'lou')).text, FORBIDDEN)
    const made = await add(0, 'gus')
    assert.equal(made.status, 201)
    assert.equal((await add(1, 'staff-sam')).status, 201)
    const path = `/api/storyline/${made.json.storyline_id}/`
    for (const method of ['PUT', 'DELETE']) {
      assert.equal((await site.ask(path, { method, as: 'lou', json: line(5) })).text, FORBIDDEN)
    }
    assert.equal((await site.ask(path, { method: 'PUT', as: 'gus', json: line(5) })).json.rank, 5)
  })

  test('{may.staff-only} only staff write winners, for the user they name', async () => {
    const winner = { by: 'L.', user: 'lou', app: 'flip', score: 3, round: 1 }
    await site.ask('/api/', { as: 'lou' })
    const refused = await site.ask('/api/winner/', { method: 'POST', as: 'lou', json: winner })
    assert.deepEqual([refused.status, refused.text], [403, FORBIDDEN])
    const made = await site.ask('/api/winner/', { method: 'POST', as: 'staff-sam', json: winner })
    assert.deepEqual([made.status, made.json], [201, { ...winner, winner_id: made.json.winner_id }])
    const path = `/api/winner/${made.json.winner_id}/`
    assert.equal((await site.ask(path, { method: 'DELETE', as: 'lou' })).text, FORBIDDEN)
    assert.equal((await site.ask(path, { method: 'DELETE', as: 'staff-sam' })).status, 204)
    const unknown = { ...winner, user: 'nobody' }
    const nobody = await site.ask('/api/winner/', { method: 'POST', as: 'staff-sam', json: unknown })
    assert.deepEqual([nobody.status, nobody.json], [400, { user: ['Object with username=nobody does not exist.'] }])
  })

  test('{may.staff} nobody becomes staff over HTTP', async () => {
    const wishes = { password: PASSWORD, staff: true, is_staff: true, id: 1 }
    await site.ask('/accounts/signup/', { method: 'POST', json: { username: 'climber', ...wishes } })
    const wished = { ...wishes, old_password: PASSWORD, new_password: 'another password' }
    await site.ask('/accounts/password/', { method: 'POST', headers: basic('climber'), json: wished })
    assert.deepEqual((await site.ask('/accounts/', { headers: basic('climber', 'another password') })).json, {
      username: 'climber',
      staff: false,
    })
  })

  test('an old password is wrong even if the check began before the change', async () => {
    const desk = new AccountDesk(site.engine)
    const { id } = await desk.signUp('hasty', PASSWORD)
    const renewed = await hashPassword('another password')
    let first: Promise<unknown> = Promise.resolve()
    await new Promise<void>((begun) => {
      first = desk.verify('hasty', PASSWORD, () => {
        begun()
        return { forgive() {}, cancel() {} }
      })
    })
    await site.engine.store.write(() => site.engine.store.accounts.setPassword(id, renewed))
    const second = await desk.verify('hasty', PASSWORD)
    await first
    assert.equal(second, undefined)
    assert.equal(await desk.verify('hasty', PASSWORD), undefined)
  })

  test('a user name with a character that no database can store belongs to nobody', async () => {
    const name = 'no\u0000body'
    const credentials = { username: name, password: PASSWORD }
    assert.equal(await whoami(basic(name).authorization), '{"detail":"Invalid username/password."}')
    const login = await site.ask('/accounts/login/', { method: 'POST', json: credentials })
    assert.equal(login.text, '{"non_field_errors":["Unable to log in with provided credentials."]}')
    const winner = { by: '', user: name, app: 'flip', score: 3, round: 1 }
    const made = await site.ask('/api/winner/', { method: 'POST', as: 'staff-sam', json: winner })
    assert.deepEqual([made.status, made.json], [400, { user: [`Object with username=${name} does not exist.`] }])
  })

  test('the server logged no bug', () => assert.deepEqual(site.bugs, []))
})
