/** Recovery codes, sessions, likes wished for before signing in: over HTTP, and under attack. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { AccountDesk, engineOn, RecoveryDesk } from '../../src/engine/index.ts'
import { hashPassword } from '../../src/engine/passwords.ts'
import { openStore, type Work } from '../../src/store/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'
import { Browser, basic, PASSWORD, signedUp, signUp } from './browser.ts'

const CODE = /<code>([0-9a-z]{4}(?:-[0-9a-z]{4}){3})<\/code>/g
const NEW = 'a new good password'
const WRONG = { non_field_errors: ['This user name and this recovery code do not belong together.'] }
const LIMITS = { signIns: { count: 10, seconds: 60 }, signInsByAddress: undefined, signInsByName: undefined }

const post = (site: Site, path: string, json: unknown, headers = {}) =>
  site.ask(path, { method: 'POST', json, headers })
const codesIn = (page: string) => Array.from(page.matchAll(CODE), ([, code]) => code!)
const cookieOf = (browser: Browser) => ({ cookie: `nymdex_session=${browser.cookies.get('nymdex_session')}` })

async function newCodes(site: Site, username: string, password = PASSWORD): Promise<string[]> {
  const reply = await post(site, '/accounts/recovery-codes/', { password }, basic(username, password))
  assert.equal(reply.status, 201, reply.text)
  return reply.json.codes
}

/** Begins a request whose body the server asks for, once it knows who sends it. Call the result to send the body. */
async function held(site: Site, path: string, json: object, credentials: object): Promise<() => Promise<number>> {
  const body = JSON.stringify(json)
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const way = { host: '127.0.0.1', port: site.port, method: 'POST', path, headers: { ...headers, ...credentials } }
  const request = httpRequest({ ...way, agent: false })
  request.flushHeaders()
  await once(request, 'continue')
  return async () => {
    request.end(body)
    const [reply] = await once(request, 'response')
    reply.resume()
    return reply.statusCode
  }
}

/** Of the database of the server that runs. */
let url = ''

onEachEngine(
  'Recovery',
  {
    sample: false,
    settings: { limits: { ...LIMITS, signUps: undefined, writes: undefined, reads: undefined } },
    through: async (address) => {
      url = address
      return address
    },
  },
  (site) => {
    test('{recovery.codes} signing up shows eight codes, once; their hashes are stored', async () => {
      const browser = new Browser(site)
      const page = await browser.submit('/accounts/signup/', { username: 'ada', password: PASSWORD, next: '/polynym/' })
      assert.equal(page.status, 201)
      const codes = codesIn(page.text)
      assert.equal(new Set(codes).size, 8)
      assert.match(page.text, /<a class="btn go" href="\/polynym\/">Continue<\/a>/)
      assert.match(String(page.headers['cache-control']), /no-store/)
      const again = await browser.ask('/accounts/recovery-codes/')
      assert.deepEqual(codesIn(again.text), [])
      const left = await site.ask('/accounts/recovery-codes/', { headers: basic('ada') })
      assert.deepEqual([left.text, left.headers['cache-control']], ['{"left":8}', 'no-store'])
      const { store } = site.engine
      const rows = await store.read(function* (): Work<readonly { readonly [column: string]: unknown }[]> {
        return yield { sql: 'SELECT hash FROM recovery_code', parameters: [] }
      })
      for (const { hash } of rows) assert.match(String(hash), /^[A-Za-z0-9_-]{43}$/)
    })

    test('{recovery.renew} the password makes new codes; a token does not, and the old ones are void', async () => {
      const [old] = await newCodes(site, 'ada')
      const codes = await newCodes(site, 'ada')
      const wrong = await post(site, '/accounts/recovery-codes/', { password: 'x' }, basic('ada'))
      assert.deepEqual([wrong.status, wrong.json], [400, { password: ['Your password was entered incorrectly.'] }])
      const token = await post(site, '/accounts/tokens/', { name: 'x' }, basic('ada'))
      const byToken = { authorization: `Token ${token.json.token}` }
      assert.equal((await post(site, '/accounts/recovery-codes/', { password: PASSWORD }, byToken)).status, 403)
      assert.equal((await post(site, '/accounts/recovery-codes/', { password: PASSWORD })).status, 401)
      const reply = await post(site, '/accounts/recover/', { username: 'ada', code: old, new_password: NEW })
      assert.deepEqual([reply.status, reply.json], [400, WRONG])
      assert.equal(codes.length, 8)
    })

    test('{recovery.use} a code sets a new password once; sessions and tokens end', async () => {
      const browser = await signedUp(site, 'bea')
      const [code] = await newCodes(site, 'bea')
      const token = await post(site, '/accounts/tokens/', { name: 'x' }, basic('bea'))
      const short = await post(site, '/accounts/recover/', { username: 'bea', code, new_password: 'short' })
      assert.deepEqual(Object.keys(short.json), ['new_password'])
      const written = ` ${code!.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`
      const reply = await post(site, '/accounts/recover/', { username: ' BEA ', code: written, new_password: NEW })
      assert.deepEqual([reply.status, reply.text], [200, '{"username":"bea"}'])
      assert.match(reply.headers['set-cookie']![0]!, /^nymdex_session=[A-Za-z0-9_-]{43};/)
      assert.equal((await site.ask('/accounts/', { headers: cookieOf(browser) })).status, 401)
      const old = { authorization: `Token ${token.json.token}` }
      assert.equal((await site.ask('/accounts/', { headers: old })).status, 401)
      assert.equal((await site.ask('/accounts/', { headers: basic('bea') })).status, 401)
      assert.equal((await site.ask('/accounts/', { headers: basic('bea', NEW) })).status, 200)
      const again = await post(site, '/accounts/recover/', { username: 'bea', code, new_password: PASSWORD })
      assert.deepEqual([again.status, again.json], [400, WRONG])
      assert.equal((await site.ask('/accounts/recovery-codes/', { headers: basic('bea', NEW) })).json.left, 7)
    })

    test('{recovery.use} many who try one code at the same time, in two processes, get in once', async () => {
      await signUp(site, 'cleo')
      const [code] = await newCodes(site, 'cleo')
      // With connections of its own, as another process has them.
      const store = await openStore(url, catalogue)
      const engines = [site.engine, engineOn(store, catalogue)]
      const desks = engines.map((engine) => new RecoveryDesk(engine, new AccountDesk(engine)))
      const tries = Array.from({ length: 6 }, (_, i) =>
        desks[i % 2]!.byCode('cleo', code!, `${NEW} ${i}`).then(
          () => i,
          () => undefined,
        ),
      )
      const winners = (await Promise.all(tries)).filter((each) => each !== undefined)
      await store.close()
      assert.equal(winners.length, 1)
      const reply = await site.ask('/accounts/', { headers: basic('cleo', `${NEW} ${winners[0]}`) })
      assert.equal(reply.status, 200)
    })

    test('{recovery.use} a body that arrives after the recovery makes nothing with what was valid before', async () => {
      const browser = await signedUp(site, 'dee')
      const [code] = await newCodes(site, 'dee')
      const session = { ...cookieOf(browser), 'x-csrftoken': await browser.tokenOn('/accounts/tokens/') }
      const key = (await post(site, '/accounts/tokens/', { name: 'x' }, basic('dee'))).json.token
      const finish = [
        await held(site, '/accounts/tokens/', { name: 'by session' }, session),
        await held(site, '/api/queue/', { name: 'by session' }, session),
        await held(site, '/api/queue/', { name: 'by token' }, { authorization: `Token ${key}` }),
        await held(site, '/api/queue/', { name: 'by password' }, basic('dee')),
      ]
      const reply = await post(site, '/accounts/recover/', { username: 'dee', code, new_password: NEW })
      assert.equal(reply.status, 200)
      assert.deepEqual(await Promise.all(finish.map((send) => send())), [401, 401, 401, 401])
      assert.deepEqual((await site.ask('/accounts/tokens/', { headers: basic('dee', NEW) })).json, [])
    })

    test('{session.end} {token.password} a late body makes no token for a session that has ended', async () => {
      const browser = await signedUp(site, 'dot')
      const session = { ...cookieOf(browser), 'x-csrftoken': await browser.tokenOn('/accounts/tokens/') }
      const key = (await post(site, '/accounts/tokens/', { name: 'x' }, basic('dot'))).json.token
      const bySession = await held(site, '/accounts/tokens/', { name: 'late' }, session)
      const byToken = await held(site, '/api/queue/', { name: 'late' }, { authorization: `Token ${key}` })
      assert.equal((await post(site, '/accounts/sessions/end-others/', {}, basic('dot'))).status, 204)
      assert.equal(await bySession(), 401)
      // The token stays valid, so what it began does too.
      const change = { old_password: PASSWORD, new_password: NEW, keep_tokens: true }
      assert.equal((await post(site, '/accounts/password/', change, basic('dot'))).status, 200)
      assert.equal(await byToken(), 201)
    })

    test('{session.password} what the old password allowed is not made once there is a new one', async () => {
      const desk = new AccountDesk(site.engine)
      const recovery = new RecoveryDesk(site.engine, desk)
      const { store } = site.engine
      await desk.signUp('rae', PASSWORD)
      const proved = await desk.verify('rae', PASSWORD)
      assert.ok(proved)
      const renewed = await hashPassword(NEW)
      await store.write(() => store.accounts.setPassword(proved.id, renewed))
      for (const write of [
        // It knows that the old password was right, and now hashes the one of the thief.
        () => desk.setPassword(proved, 'the thief knows it', 'new_password'),
        () => desk.sessions.open(proved),
        () => desk.createToken(proved, 'thief'),
        () => recovery.makeCodes(proved),
        () => recovery.beginAddress(proved, 'thief@example.org'),
        () => recovery.forgetAddress(proved),
      ]) {
        await assert.rejects(write, { status: 401 })
      }
      assert.ok(await desk.verify('rae', NEW))
    })

    test('{recovery.wrong} names that do not exist get the same answer, and tries are limited', async () => {
      await signUp(site, 'dora')
      const [code] = await newCodes(site, 'dora')
      for (const username of ['dora', 'nobody-at-all', '\u0000', 'x'.repeat(2000)]) {
        const json = { username, code: 'k7qd-9x2m-4hfz-w3tb', new_password: NEW }
        const reply = await post(site, '/accounts/recover/', json)
        assert.deepEqual([reply.status, reply.json], [400, WRONG], username)
      }
      for (let i = 0; i < 9; i++) {
        await post(site, '/accounts/recover/', { username: 'dora', code: `wrong ${i}`, new_password: NEW })
      }
      const limited = await post(site, '/accounts/recover/', { username: 'dora', code, new_password: NEW })
      assert.equal(limited.status, 429)
      const missing = await post(site, '/accounts/recover/', { username: 'dora' })
      assert.deepEqual(Object.keys(missing.json), ['code', 'new_password'])
    })

    test('a form of another site recovers nothing', async () => {
      const form = { username: 'ada', code: 'x', new_password: NEW }
      const reply = await site.ask('/accounts/recover/', { method: 'POST', form, headers: { accept: 'text/html' } })
      assert.equal(reply.status, 403)
    })

    test('{session.list} {session.end} sessions are listed, and ended one by one or all others', async () => {
      const browser = new Browser(site)
      const agent = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
      await browser.submit('/accounts/signup/', { username: 'eva', password: PASSWORD }, { headers: agent })
      const signIn = () =>
        post(site, '/accounts/login/', { username: 'eva', password: PASSWORD }, { 'user-agent': 'curl/8.5.0' })
      const secrets = []
      for (let i = 0; i < 3; i++) {
        const [, secret] = /^nymdex_session=([^;]+)/.exec((await signIn()).headers['set-cookie']![0]!)!
        secrets.push(secret!)
      }
      const list = async () => (await site.ask('/accounts/sessions/', { headers: cookieOf(browser) })).json
      const sessions = await list()
      assert.deepEqual(
        sessions.map((each: any) => [Object.keys(each), each.browser, each.this]).toSorted(),
        [
          ...Array(3).fill([['id', 'browser', 'created', 'last_used', 'this'], 'curl', false]),
          [['id', 'browser', 'created', 'last_used', 'this'], 'Firefox on Linux', true],
        ].toSorted(),
      )
      for (const secret of secrets) assert.ok(!JSON.stringify(sessions).includes(secret))
      const page = await browser.ask('/accounts/sessions/')
      assert.match(page.text, /Firefox on Linux \(this one\)/)
      const csrfmiddlewaretoken = await browser.tokenOn('/accounts/sessions/')
      const other = sessions.find((each: any) => !each.this).id
      const end = (path: string, form = { csrfmiddlewaretoken }) =>
        browser.ask(`/accounts/sessions/${path}/`, { method: 'POST', form, headers: { origin: site.base } })
      assert.equal((await end(`${other}/end`, { csrfmiddlewaretoken: 'x' })).status, 403)
      assert.equal((await end(`${other}/end`)).status, 303)
      assert.equal((await end(`${other}/end`)).status, 404)
      assert.equal((await list()).length, 3)
      const stranger = await signedUp(site, 'eve')
      const foreign = (await list())[0].id
      const token = await stranger.tokenOn('/accounts/sessions/')
      const tried = await stranger.ask(`/accounts/sessions/${foreign}/end/`, {
        method: 'POST',
        form: { csrfmiddlewaretoken: token },
      })
      assert.equal(tried.status, 404)
      const byToken = await site.ask('/accounts/sessions/end-others/', { method: 'POST', as: 'eva' })
      assert.equal(byToken.status, 403)
      const program = await site.ask('/accounts/sessions/end-others/', {
        method: 'POST',
        headers: { ...cookieOf(browser), 'x-csrftoken': csrfmiddlewaretoken },
      })
      assert.deepEqual([program.status, program.text], [204, ''])
      assert.deepEqual(
        (await list()).map((each: any) => each.this),
        [true],
      )
    })

    test('{account.like} a like wished for before signing in is given with the form, never by a link', async () => {
      const made = await site.ask('/api/phrase/', {
        method: 'POST',
        as: 'zoe',
        json: { name: 'Ebb', qode: 'The q1n_NN will turn.' },
      })
      const path = `/phrase/${made.json.phrase_id}/`
      const likes = async () => (await site.ask(`/api${path}`)).json.voters ?? []
      const browser = new Browser(site)
      const address = `/accounts/login/?next=${encodeURIComponent(path)}&like=true`
      const page = await browser.ask(address)
      assert.match(
        page.text,
        /<input type="checkbox" name="like" value="true" checked[^>]*> Like “Ebb”|<input type="checkbox" name="like" value="true" checked="?(true)?"?\/?> Like “Ebb”/,
      )
      assert.ok(page.text.includes(`href="/accounts/signup/?next=${encodeURIComponent(path)}&amp;like=true"`))
      assert.deepEqual(await likes(), [])
      await signUp(site, 'fay')
      const form = { username: 'fay', password: PASSWORD, next: path, wish: 'true', like: 'true' }
      const wrong = await browser.submit('/accounts/login/', { ...form, password: 'wrong wrong wrong' })
      assert.match(wrong.text, /Like “Ebb”/)
      const signedIn = await browser.submit('/accounts/login/', form)
      assert.deepEqual([signedIn.status, signedIn.headers.location], [303, path])
      assert.deepEqual(await likes(), ['fay'])
      const joined = await new Browser(site).submit('/accounts/signup/', { ...form, username: 'gus' })
      assert.match(joined.text, /Your like is added\./)
      assert.deepEqual((await likes()).sort(), ['fay', 'gus'])
      await new Browser(site).submit('/accounts/signup/', {
        username: 'hal',
        password: PASSWORD,
        next: path,
        wish: 'true',
      })
      await new Browser(site).submit('/accounts/signup/', { ...form, username: 'ian', next: '/phrase/999999/' })
      assert.deepEqual((await likes()).sort(), ['fay', 'gus'])
      for (const next of ['/phrase/999999/', '/queue/1/', '//evil.example/', '/people/ada/']) {
        const shown = await new Browser(site).ask(`/accounts/login/?next=${encodeURIComponent(next)}&like=true`)
        assert.deepEqual([shown.status, /name="like"/.test(shown.text)], [200, false], next)
      }
    })

    test('{account.again} a new password is typed twice, by people', async () => {
      const form = { username: 'jan', password: PASSWORD, password_again: `${PASSWORD}x` }
      const reply = await new Browser(site).submit('/accounts/signup/', form)
      assert.equal(reply.status, 400)
      assert.match(reply.text, /id="password_again-wrong">This is not the same password\./)
      const good = await new Browser(site).submit('/accounts/signup/', { ...form, password_again: PASSWORD })
      assert.equal(good.status, 201)
    })

    test('an account that is blocked cannot be recovered, and keeps its codes', async () => {
      await signUp(site, 'liv')
      const [code] = await newCodes(site, 'liv')
      const block = (blocked: boolean) =>
        site.ask('/api/user/liv/block/', { method: 'PUT', json: { blocked }, as: 'staff-sam' })
      const json = { username: 'liv', code, new_password: NEW }
      assert.equal((await block(true)).status, 200)
      assert.deepEqual((await post(site, '/accounts/recover/', json)).json, WRONG)
      assert.equal((await block(false)).status, 200)
      assert.equal((await post(site, '/accounts/recover/', json)).status, 200)
    })

    test('an account that is deleted has no codes, and cannot be recovered', async () => {
      await signUp(site, 'kim')
      const [code] = await newCodes(site, 'kim')
      await post(site, '/accounts/delete/', { password: PASSWORD }, basic('kim'))
      const reply = await post(site, '/accounts/recover/', { username: 'kim', code, new_password: NEW })
      assert.deepEqual([reply.status, reply.json], [400, WRONG])
    })
  },
)
