/** Signing up, in and out; user names and passwords; changing the password and deleting the account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AccountDesk } from '../../src/engine/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'
import { Browser, basic, PASSWORD, signedUp, signUp } from './browser.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SESSION = /^nymdex_session=([A-Za-z0-9_-]{43}); Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax$/
const ENDED = 'nymdex_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'
const REFUSED = 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.'
const TAKEN = 'A user with that username already exists.'
const SHORT = 'This password is too short. It must contain at least 10 characters.'
const LONG = 'Ensure this field has no more than 1000 characters.'
const NAME = 'The password is the same as the username.'
const COMMON = 'This password is too common.'

const post = (site: Site, path: string, json: unknown, headers = {}) =>
  site.ask(path, { method: 'POST', json, headers })

const whoami = async (site: Site, secret: string) =>
  (await site.ask('/accounts/', { headers: { cookie: `nymdex_session=${secret}` } })).status

onEachEngine('Signing up and in', { sample: false }, (site) => {
  test('{account.signup} {account.self} {session.cookie} {account.no-store} signing up gives a session', async () => {
    const reply = await post(site, '/accounts/signup/', { username: 'ada', password: PASSWORD, more: 1 })
    assert.deepEqual([reply.status, reply.text], [201, '{"username":"ada"}'])
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(reply.headers['strict-transport-security'], undefined)
    const [cookie, ...others] = reply.headers['set-cookie']!
    assert.deepEqual(others, [])
    const [, secret] = SESSION.exec(cookie!)!
    const self = await site.ask('/accounts/', { headers: { cookie: `nymdex_session=${secret}` } })
    assert.deepEqual([self.status, self.text], [200, '{"username":"ada","staff":false}'])
    assert.equal(self.headers['cache-control'], 'no-store')
    assert.equal(self.headers.etag, undefined)
    assert.equal((await site.ask('/accounts/', { as: 'staff-sam' })).text, '{"username":"staff-sam","staff":true}')
  })

  test('{account.login} {session.cookie} {session.fresh} each sign-in creates its own session', async () => {
    const planted = 'A'.repeat(43)
    const secrets = new Set<string>()
    for (const username of ['ada', ' ADA ', 'Ada']) {
      const headers = { cookie: `nymdex_session=${planted}` }
      const reply = await post(site, '/accounts/login/', { username, password: PASSWORD }, headers)
      assert.deepEqual([reply.status, reply.text], [200, '{"username":"ada"}'])
      assert.equal(reply.headers['cache-control'], 'no-store')
      secrets.add(SESSION.exec(reply.headers['set-cookie']!.join())![1]!)
    }
    assert.equal(secrets.size, 3)
    assert.equal(await whoami(site, planted), 401)
    for (const secret of secrets) assert.equal(await whoami(site, secret), 200)
  })

  test('{account.login} a wrong password creates no session', async () => {
    const reply = await post(site, '/accounts/login/', { username: 'ada', password: `${PASSWORD} ` })
    assert.deepEqual(
      [reply.status, reply.json],
      [400, { non_field_errors: ['Unable to log in with provided credentials.'] }],
    )
    assert.doesNotMatch(String(reply.headers['set-cookie']), /nymdex_session/)
  })

  test('{account.members} each member that is missing, blank, null or not a text is named', async () => {
    const cases: [body: object, errors: object][] = [
      [{}, { username: ['This field is required.'], password: ['This field is required.'] }],
      [
        { username: '', password: null },
        { username: ['This field may not be blank.'], password: ['This field may not be null.'] },
      ],
      [
        { username: 5, password: ['x'] },
        { username: ['Not a valid string.'], password: ['Not a valid string.'] },
      ],
    ]
    for (const path of ['/accounts/signup/', '/accounts/login/', '/api-token-auth/']) {
      for (const [body, errors] of cases) {
        const reply = await post(site, path, body)
        assert.deepEqual([reply.status, reply.json], [400, errors])
      }
      const list = await post(site, path, ['ada', PASSWORD])
      assert.deepEqual(list.json, { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] })
    }
    const change = await post(site, '/accounts/password/', { old_password: '' }, basic('ada'))
    assert.deepEqual(change.json, {
      old_password: ['This field may not be blank.'],
      new_password: ['This field is required.'],
    })
    const removal = await post(site, '/accounts/delete/', {}, basic('ada'))
    assert.deepEqual(removal.json, { password: ['This field is required.'] })
  })

  test('a member that cannot be shown as text is refused like any other that is not a text', async () => {
    const reply = await post(site, '/accounts/login/', { username: { toString: 0, valueOf: 0 }, password: 'x' })
    assert.deepEqual([reply.status, reply.json], [400, { username: ['Not a valid string.'] }])
  })

  test('{session.lasts} a session ends after 14 days', async () => {
    site.clock = new Date('2026-03-01T12:00:00Z')
    const secret = SESSION.exec((await signUp(site, 'lasting')).headers['set-cookie']!.join())![1]!
    site.clock = new Date(site.clock.getTime() + 14 * DAY_MS - 1)
    assert.equal(await whoami(site, secret), 200)
    site.clock = new Date(site.clock.getTime() + 1)
    assert.equal(await whoami(site, secret), 401)
    site.clock = undefined
  })

  test('{session.logout} signing out ends this session on the server, and no other', async () => {
    const browser = await signedUp(site, 'leaver')
    const { headers } = await post(site, '/accounts/login/', { username: 'leaver', password: PASSWORD })
    const other = SESSION.exec(headers['set-cookie']!.join())![1]!
    const secret = browser.cookies.get('nymdex_session')!
    const csrfmiddlewaretoken = await browser.tokenOn('/accounts/')
    const reply = await browser.ask('/accounts/logout/', { method: 'POST', form: { csrfmiddlewaretoken } })
    assert.deepEqual([reply.status, reply.headers.location, reply.headers['set-cookie']![0]], [303, '/', ENDED])
    assert.equal(await whoami(site, secret), 401)
    assert.equal(await whoami(site, other), 200)
    const token = await tokenOf(site, other)
    const program = { cookie: `nymdex_session=${other}`, 'x-csrftoken': token }
    const second = await site.ask('/accounts/logout/', { method: 'POST', headers: program })
    assert.deepEqual([second.status, second.text, second.headers['set-cookie']], [204, '', [ENDED]])
    assert.equal(await whoami(site, other), 401)
  })

  test('signing out needs a session: a form of another site removes nobody’s cookie', async () => {
    // A cross-site form comes without the cookie, so there is nothing to sign out of.
    const headers = { origin: 'https://evil.example' }
    const reply = await site.ask('/accounts/logout/', { method: 'POST', headers, form: {} })
    assert.equal(reply.headers['set-cookie'], undefined)
  })

  test('{account.redirect} a browser is redirected, and to the sign-in form if it has no session', async () => {
    const browser = new Browser(site)
    for (const path of ['/accounts/', '/accounts/tokens/', '/accounts/password/', '/accounts/delete/']) {
      const { status, headers } = await browser.ask(path)
      assert.deepEqual([status, headers.location], [303, `/accounts/login/?next=${encodeURIComponent(path)}`])
    }
    const joined = await browser.submit('/accounts/signup/', { username: 'bella', password: PASSWORD })
    assert.deepEqual([joined.status, joined.headers.location], [201, undefined])
    const page = await browser.ask('/accounts/')
    assert.equal(page.status, 200)
    assert.match(page.text, /<a [^>]*href="\/accounts\/"[^>]*>bella<\/a>/)
    const changed = await browser.submit('/accounts/password/', {
      old_password: PASSWORD,
      new_password: 'another password',
    })
    assert.deepEqual([changed.status, changed.headers.location], [303, '/accounts/'])
    const gone = await browser.submit('/accounts/delete/', { password: 'another password' })
    assert.deepEqual([gone.status, gone.headers.location], [303, '/'])
    assert.equal(browser.cookies.has('nymdex_session'), false)
  })

  test('{account.next} after signing in a browser goes where next says, within this server', async () => {
    const within = ['/api/polynym/?page=2&x=%2F', '/', '/accounts/tokens/']
    const outside = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'evil.example',
      'javascript:alert(1)',
      '/\t/evil.example',
      ' //evil.example',
      '/a b',
      '/a\r\nSet-Cookie: x=y',
      '',
    ]
    for (const [nexts, wanted] of [
      [within, (next: string) => next],
      [outside, () => '/accounts/'],
    ] as const) {
      for (const next of nexts) {
        const browser = new Browser(site)
        const page = await browser.ask(`/accounts/login/?next=${encodeURIComponent(next)}`)
        const shown = /name="next" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&')
        assert.equal(shown, nexts === within ? next : undefined)
        const form = { username: 'ada', password: PASSWORD, next }
        const reply = await browser.submit('/accounts/login/', form)
        assert.deepEqual([reply.status, reply.headers.location], [303, wanted(next)])
      }
    }
    const asked = await new Browser(site).submit('/accounts/login/?next=/api/', { username: 'ada', password: PASSWORD })
    assert.equal(asked.headers.location, '/accounts/')
  })

  test('a next with characters that no header can have is ignored', { timeout: 10_000 }, async () => {
    for (const next of ['/\u20ac', '/\u0000', '/\u007f']) {
      const json = { username: 'ada', password: PASSWORD, next }
      const reply = await site.ask('/accounts/login/', { method: 'POST', headers: { accept: 'text/html' }, json })
      assert.deepEqual([reply.status, reply.headers.location], [303, '/accounts/'])
    }
  })

  test('{account.form} the form comes back with its errors, without the password', async () => {
    const browser = new Browser(site)
    const reply = await browser.submit('/accounts/login/', {
      username: '<b>"ada"',
      password: 'not the password',
      next: '/api/',
    })
    assert.equal(reply.status, 400)
    assert.match(reply.text, /role="alert">That name and password do not match\.</)
    assert.match(reply.text, /name="username" type="text" value="&lt;b(&gt;|>)&quot;ada&quot;"/)
    assert.match(reply.text, /name="next" value="\/api\/"/)
    assert.doesNotMatch(reply.text, /not the password|<b>"ada"/)
    const short = await browser.submit('/accounts/signup/', { username: 'ada', password: 'short' })
    assert.equal(short.status, 400)
    assert.match(short.text, /id="password-wrong">Use at least 10 characters\.</)
  })

  test('no page shows the secret of a session', async () => {
    const browser = new Browser(site)
    const reply = await browser.submit('/accounts/login/', { username: 'ada', password: PASSWORD })
    const secret = browser.cookies.get('nymdex_session')!
    assert.equal(reply.text.includes(secret), false)
    const wide = { accept: 'text/*' }
    const json = { username: 'ada', password: PASSWORD }
    const other = await site.ask('/accounts/login/', { method: 'POST', headers: wide, json })
    assert.doesNotMatch(other.text, /nymdex_session=/)
  })

  test('{name.allowed} {name.tidy} names are of letters, digits and @ . + - _ from any script', async () => {
    const names = {
      a: 'a',
      'x@y.example': 'x@y.example',
      '.+-_@1': '.+-_@1',
      '٣٤٥': '٣٤٥',
      Æsop: 'Æsop',
      李白: '李白',
      नमस्ते: 'नमस्ते',
      Иван: 'Иван',
      Ελένη: 'Ελένη',
      محمد: 'محمد',
      'יעל-1': 'יעל-1',
      さくら子: 'さくら子',
      김_kim: '김_kim',
      'ali.علی': 'ali.علی',
      Nguyễn: 'Nguyễn',
      𝒹ora: 'dora',
      'e\u0301mile': '\u00e9mile',
      ﬁona: 'fiona',
      '  spaced\u00a0': 'spaced',
      ['y'.repeat(150)]: 'y'.repeat(150),
      ['𠮷'.repeat(150)]: '𠮷'.repeat(150),
    }
    for (const [given, kept] of Object.entries(names)) {
      const reply = await post(site, '/accounts/signup/', { username: given, password: PASSWORD })
      assert.deepEqual([reply.status, reply.json], [201, { username: kept }])
    }
    const signedIn = await post(site, '/accounts/login/', { username: '𝒹ORA', password: PASSWORD })
    assert.deepEqual(signedIn.json, { username: 'dora' })
  })

  test('{name.refused} other characters, blanks and more than 150 are refused', async () => {
    const cases: Record<string, string> = {
      'a b': REFUSED,
      'a/b': REFUSED,
      'a:b': REFUSED,
      'a,b': REFUSED,
      '<b>': REFUSED,
      'a\u0000': REFUSED,
      'a\nb': REFUSED,
      'a\u200db': REFUSED,
      'a\u202eb': REFUSED,
      '\ud800': REFUSED,
      '🙂': REFUSED,
      ﷺ: REFUSED,
      '   ': 'This field may not be blank.',
      ['z'.repeat(151)]: 'Ensure this field has no more than 150 characters.',
      ['\ufdfa'.repeat(300_000)]: 'Ensure this field has no more than 150 characters.',
    }
    for (const [username, message] of Object.entries(cases)) {
      const reply = await post(site, '/accounts/signup/', { username, password: PASSWORD })
      assert.deepEqual(
        [reply.status, reply.json],
        [400, { username: [message] }],
        JSON.stringify(username.slice(0, 40)),
      )
    }
  })

  test('{name.lookalike} {name.reserved} names that can be mistaken for others are refused', async () => {
    const enter = (why: string) => `Enter a valid username. ${why}`
    const none = enter('This value must contain a letter or a number.')
    const mixed = enter('This value mixes letters of scripts that look alike.')
    const latin = enter('The letters of this value can be mistaken for Latin letters.')
    const reserved = 'This username is reserved.'
    const cases: Record<string, string> = {
      ...Object.fromEntries(['.', '..', '@', '+-_', '\uff0e\uff0e'].map((name) => [name, none])),
      ...Object.fromEntries(
        ['\u0430dmin', 'ad\u03bfra', 'Ивaн', 'Αlpha', 'И\u03bfв', 'Ꭰda', 'a\u0585a'].map((name) => [name, mixed]),
      ),
      ...Object.fromEntries(['сео', 'АВЕ.2', 'ΝΙΚ', '\u0440\u0430', 'ᎠᎡ', 'ꓮꓰ'].map((name) => [name, latin])),
      ...Object.fromEntries(
        ['import', 'WordNet', ' Admin', 'ｒoot', 'staff', 'nymdex', 'adm\u0131n', 'st\u0251ff'].map((name) => [
          name,
          reserved,
        ]),
      ),
      'a\u034fda': REFUSED,
      '\u3164': REFUSED,
    }
    for (const [username, message] of Object.entries(cases)) {
      const reply = await post(site, '/accounts/signup/', { username, password: PASSWORD })
      assert.deepEqual([reply.status, reply.json], [400, { username: [message] }], username)
    }
  })

  test('{name.taken} names are compared ignoring letter case', async () => {
    await signUp(site, 'Émile.Ödön')
    await site.ask('/api/', { as: 'shadow' })
    for (const username of [
      'émile.ödön',
      'ÉMILE.ÖDÖN',
      'E\u0301mile.O\u0308do\u0308n',
      'ＳＨＡＤＯＷ',
      'Shadow',
      'sh\u0251dow',
    ]) {
      const reply = await post(site, '/accounts/signup/', { username, password: PASSWORD })
      assert.deepEqual([reply.status, reply.json], [400, { username: [TAKEN] }])
    }
    const twins = await Promise.all(
      ['Twin', 'tWIN', 'TWIN'].map((username) => post(site, '/accounts/signup/', { username, password: PASSWORD })),
    )
    assert.deepEqual(twins.map(({ status }) => status).sort(), [201, 400, 400])
  })

  test('{password.rules} a new password is refused with all that is wrong with it', async () => {
    const cases: [username: string, password: string, faults: string[]][] = [
      ['rule', 'ninechars', [SHORT]],
      ['rule', 'öööäääüü1', [SHORT]],
      ['rule', '🙂🙃🙂🙃🙂🙃🙂🙃🙂', [SHORT]],
      ['rule', 'long'.repeat(251), [LONG]],
      ['rule', 'PassWord1234', [COMMON]],
      ['rule', '1234567890', [COMMON]],
      ['rule', 'aaaaaaaaaaaa', [COMMON]],
      ['rule', '🙂'.repeat(10), [COMMON]],
      ['rule', '0987654321', [COMMON]],
      ['rule', 'abcdefghijk', [COMMON]],
      ['rule', 'Terminator', [COMMON]],
      ['rule', 'dragon2024!', [COMMON]],
      ['rule', '!!Liverpool_99', [COMMON]],
      ['rule', 'monkey123456789', [COMMON]],
      ['rule', 'P4$$w0rd2019', [COMMON]],
      ['rule', 'abcabcabcabc', [COMMON]],
      ['rule', 'letmeinletmein', [COMMON]],
      ['rule', 'Rule_123456', [COMMON]],
      ['LongEnoughName', 'longenoughnamE', [NAME]],
      ['rule', 'RULE', [SHORT, NAME]],
      ['rule', 'xx', [SHORT, COMMON]],
    ]
    for (const [username, password, faults] of cases) {
      const reply = await post(site, '/accounts/signup/', { username, password })
      assert.deepEqual([reply.status, reply.json], [400, { password: faults }])
    }
    const both = await post(site, '/accounts/signup/', { username: 'a b', password: 'short' })
    assert.deepEqual(both.json, { username: [REFUSED], password: [SHORT] })
    const change = { old_password: PASSWORD, new_password: 'ada' }
    const changed = await post(site, '/accounts/password/', change, basic('ada'))
    assert.deepEqual([changed.status, changed.json], [400, { new_password: [SHORT, NAME] }])
    await signUp(site, 'rule', `${'x'.repeat(999)}y`)
    // Common words are no harm in a longer phrase, nor digits that nobody can guess after one.
    for (const [i, password] of ['a good password', 'dragon 8374629104', 'violet-harbour'].entries()) {
      await signUp(site, `phrase${i}`, password)
    }
  })

  test('{password.as-is} {password.hashed} a password is kept as it is, as a hash', async () => {
    const password = '  spaces around  '
    await signUp(site, 'exact', password)
    for (const [given, status] of [
      [password, 200],
      [password.trim(), 400],
      [password.toUpperCase(), 400],
    ] as const) {
      assert.equal((await post(site, '/accounts/login/', { username: 'exact', password: given })).status, status)
    }
    const { store } = site.engine
    const accounts = await store.read(() => store.accounts.all())
    assert.match(accounts.find(({ name }) => name === 'exact')!.password, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal(JSON.stringify(accounts).includes('spaces'), false)
  })

  test('{account.password} {session.password} {token.password} a new password ends sessions and tokens', async () => {
    const first = await signedUp(site, 'changer')
    const made = await post(site, '/accounts/tokens/', { name: 'script' }, basic('changer'))
    const wrong = { old_password: 'not this one', new_password: 'another password' }
    const refused = await post(site, '/accounts/password/', wrong, basic('changer'))
    assert.deepEqual(
      [refused.status, refused.json],
      [400, { old_password: ['Your old password was entered incorrectly.'] }],
    )
    const old = first.cookies.get('nymdex_session')!
    assert.equal(await whoami(site, old), 200)
    const change = { old_password: PASSWORD, new_password: 'another password' }
    const reply = await post(site, '/accounts/password/', change, basic('changer'))
    assert.deepEqual([reply.status, reply.text], [200, '{"detail":"Password changed."}'])
    assert.equal(reply.headers['cache-control'], 'no-store')
    assert.equal(await whoami(site, old), 401)
    assert.equal(await whoami(site, SESSION.exec(reply.headers['set-cookie']!.join())![1]!), 200)
    assert.equal((await site.ask('/api/', { headers: basic('changer') })).status, 401)
    assert.equal((await site.ask('/api/', { headers: basic('changer', 'another password') })).status, 200)
    const headers = { authorization: `Token ${made.json.token}` }
    assert.deepEqual((await site.ask('/accounts/', { headers })).json, { detail: 'Invalid token.' })
  })

  test('{token.password} the owner may keep the tokens', async () => {
    const browser = await signedUp(site, 'keeper')
    let password = PASSWORD
    let changes = 0
    const another = () => `password number ${++changes} of many`
    const make = async () =>
      (await post(site, '/accounts/tokens/', { name: 'x' }, basic('keeper', password))).json.token
    const works = async (token: string) =>
      (await site.ask('/api/', { headers: { authorization: `Token ${token}` } })).status === 200
    for (const [keep_tokens, kept] of [
      [true, true],
      ['true', true],
      [false, false],
      [null, false],
    ] as const) {
      const token = await make()
      const change = { old_password: password, new_password: another(), keep_tokens }
      assert.equal((await post(site, '/accounts/password/', change, basic('keeper', password))).status, 200)
      password = change.new_password
      assert.equal(await works(token), kept, String(keep_tokens))
    }
    const odd = { old_password: password, new_password: another(), keep_tokens: 'perhaps' }
    const refused = await post(site, '/accounts/password/', odd, basic('keeper', password))
    assert.deepEqual([refused.status, refused.json], [400, { keep_tokens: ['Must be a valid boolean.'] }])
    await browser.submit('/accounts/login/', { username: 'keeper', password })
    for (const kept of [true, false]) {
      const token = await make()
      const form = { old_password: password, new_password: another(), ...(kept ? { keep_tokens: 'true' } : {}) }
      assert.match(
        (await browser.ask('/accounts/password/')).text,
        /<input type="checkbox" name="keep_tokens" value="true"/,
      )
      assert.equal((await browser.submit('/accounts/password/', form)).status, 303)
      password = form.new_password
      assert.equal(await works(token), kept)
    }
  })

  test('{account.delete} {account.deleted} {name.removed} an account goes; its records and its name stay', async () => {
    const browser = await signedUp(site, 'Parting')
    const { token } = (await post(site, '/accounts/tokens/', { name: 'script' }, basic('Parting'))).json
    const polynym = { name: 'coat', mode: 'part', p1: 'sleeve', p2: 'collar' }
    const made = await post(site, '/api/polynym/', polynym, basic('Parting'))
    const path = `/api/polynym/${made.json.polynym_id}/`
    const voted = await post(site, `${path}vote/`, {}, basic('Parting'))
    assert.deepEqual(voted.json.voters, ['Parting'])
    const refused = await post(site, '/accounts/delete/', { password: 'not this one' }, basic('Parting'))
    assert.deepEqual([refused.status, refused.json], [400, { password: ['Your password was entered incorrectly.'] }])
    const reply = await post(site, '/accounts/delete/', { password: PASSWORD }, basic('Parting'))
    assert.deepEqual([reply.status, reply.text, reply.headers['set-cookie']], [204, '', [ENDED]])
    assert.equal(await whoami(site, browser.cookies.get('nymdex_session')!), 401)
    const bearer = { authorization: `Bearer ${token}` }
    for (const headers of [basic('Parting'), bearer]) assert.equal((await site.ask('/api/', { headers })).status, 401)
    const again = await post(site, '/accounts/login/', { username: 'Parting', password: PASSWORD })
    assert.equal(again.status, 400)
    for (const username of ['Parting', 'PARTING', ' ｐarting']) {
      const taken = await post(site, '/accounts/signup/', { username, password: PASSWORD })
      assert.deepEqual([taken.status, taken.json], [400, { username: [TAKEN] }])
    }
    assert.equal((await site.ask(path)).text, voted.text)
    assert.equal((await site.ask(path)).json.user, 'Parting')
  })

  test('the server logged no bug', () => assert.deepEqual(site.bugs, []))
})

/** The token that the session's pages hold. */
async function tokenOf(site: Site, secret: string): Promise<string> {
  const browser = new Browser(site)
  browser.cookies.set('nymdex_session', secret)
  return await browser.tokenOn('/accounts/')
}

onEachEngine(
  'Sign-up closed, behind https',
  { sample: false, settings: { signUpOpen: false, baseUrl: 'https://nymdex.example' } },
  (site) => {
    test('{account.closed} when sign-up is closed nobody can sign up', async () => {
      const json = await post(site, '/accounts/signup/', { username: 'ada', password: PASSWORD })
      assert.deepEqual([json.status, json.text], [403, '{"detail":"Sign-up is closed."}'])
      assert.equal(json.headers['set-cookie'], undefined)
      const browser = new Browser(site)
      const page = await browser.ask('/accounts/signup/')
      assert.deepEqual(
        [page.status, /Sign-up is closed/.test(page.text), /name="password"/.test(page.text)],
        [200, true, false],
      )
      const form = { username: 'ada', password: PASSWORD }
      assert.equal((await browser.ask('/accounts/signup/', { method: 'POST', form })).status, 403)
      assert.equal((await site.ask('/api/', { headers: basic('ada') })).status, 401)
      assert.doesNotMatch((await browser.ask('/accounts/login/')).text, /signup/)
    })

    test('{session.cookie} cookies are Secure when the server is reached over https', async () => {
      const page = await new Browser(site).ask('/accounts/login/')
      assert.match(
        page.headers['set-cookie']!.join(),
        /^__Host-nymdex_csrf=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/,
      )
      const reply = await site.ask('/accounts/logout/', { method: 'POST', as: 'ada' })
      for (const cookie of reply.headers['set-cookie'] ?? []) assert.match(cookie, /; Secure$/)
    })

    test('{session.host-cookie} over https the cookies are bound to the host, and others do not count', async () => {
      await new AccountDesk(site.engine).signUp('bea', PASSWORD)
      const signIn = { username: 'bea', password: PASSWORD }
      const { headers } = await post(site, '/accounts/login/', signIn)
      const [, secret] = /^__Host-nymdex_session=([^;]+); Path=\/; .*; Secure$/.exec(headers['set-cookie']!.join())!
      const who = async (cookie: string) => (await site.ask('/accounts/', { headers: { cookie } })).status
      assert.equal(await who(`__Host-nymdex_session=${secret}`), 200)
      assert.equal(await who(`nymdex_session=${secret}`), 401)
      assert.equal(await who(`nymdex_session=${secret}; __Host-nymdex_session=other`), 401)
      const browser = new Browser(site)
      const form = { csrfmiddlewaretoken: await browser.tokenOn('/accounts/login/'), ...signIn }
      const [planted] = [...browser.cookies.values()]
      const cookie = `nymdex_csrf=${planted}`
      const origin = 'https://nymdex.example'
      const forged = await site.ask('/accounts/login/', { method: 'POST', form, headers: { cookie, origin } })
      assert.deepEqual([forged.status, forged.text], [403, '{"detail":"CSRF Failed: CSRF token missing."}'])
      const own = await browser.submit('/accounts/login/', signIn, { headers: { origin } })
      assert.equal(own.status, 303)
      assert.match((await browser.ask('/accounts/')).text, /bea/)
    })

    test('{http.strict-transport} over https every response tells browsers to use only https', async () => {
      for (const [path, status, headers = {}] of [
        ['/api/', 200],
        ['/api/polynym/', 200],
        ['/api/polynym/', 200],
        ['/api/polynym/', 304, { 'if-none-match': '*' }],
        ['/api/nothing/', 404],
        ['/', 200, { accept: 'text/html' }],
        ['/healthz', 200],
        ['/api', 301],
      ] as const) {
        const reply = await site.ask(path, { headers: { ...headers } })
        assert.deepEqual([reply.status, reply.headers['strict-transport-security']], [status, 'max-age=31536000'], path)
      }
    })

    test('the server logged no bug', () => assert.deepEqual(site.bugs, []))
  },
)
