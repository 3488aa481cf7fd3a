/** Reports of records, and blocked accounts. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { Browser, basic, PASSWORD, signUp } from './browser.ts'

const limits = {
  signIns: undefined,
  signUps: undefined,
  writes: undefined,
  reads: undefined,
  newAccounts: { count: 30, seconds: 86_400 },
}

onEachEngine('Care', { sample: false, settings: { limits } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const make = async (name: string, as: string): Promise<number> => {
    const { status, json } = await site.ask('/api/queue/', { method: 'POST', as, json: { name } })
    assert.equal(status, 201)
    return json.queue_id
  }
  const report = (json: object, as?: string) =>
    site.ask('/api/report/', { method: 'POST', json, ...(as ? { as } : {}) })

  test('{report.make} {report.staff} anybody reports a record, and staff see and settle it', async () => {
    site.clock = new Date('2026-05-01T10:00:00.000Z')
    const id = await make('buy now', 'spammer')
    const given = { resource: 'queue', id, reason: 'spam', note: ' An advertisement. ' }
    const first = await report(given)
    assert.equal(first.status, 201)
    const at = '2026-05-01T10:00:00.000Z'
    const shown = { id: first.json.id, at, resource: 'queue', record: id, reason: 'spam', note: 'An advertisement.' }
    assert.deepEqual(first.json, shown)
    const second = await report({ resource: 'queue', id: String(id), reason: 'other' }, 'ida')
    assert.deepEqual(second.json, { ...shown, id: second.json.id, reason: 'other', note: '', user: 'ida' })
    assert.equal((await site.ask('/api/report/')).status, 401)
    assert.equal((await site.ask('/api/report/', { as: 'ida' })).status, 403)
    const settle = (id: number, done: unknown, as: string) =>
      site.ask(`/api/report/${id}/`, { method: 'PATCH', as, json: { done } })
    assert.equal((await settle(first.json.id, true, 'ida')).status, 403)
    assert.equal((await settle(first.json.id, 'maybe', 'staff')).status, 400)
    assert.equal((await settle(999, true, 'staff')).status, 404)
    const done = await settle(first.json.id, true, 'staff')
    assert.deepEqual(done.json, { ...shown, done: at, done_by: 'staff' })
    const read = async (query = '') => (await site.ask(`/api/report/${query}`, { as: 'staff' })).json
    assert.deepEqual((await read()).results, [second.json])
    assert.deepEqual((await read('?done=true')).results, [done.json])
    assert.deepEqual((await settle(first.json.id, false, 'staff')).json, shown)
    assert.equal((await read()).count, 2)
    site.clock = undefined
  })

  test('{report.bad} a report names a record and a reason', async () => {
    for (const [body, errors] of [
      [
        {},
        { resource: ['This field is required.'], id: ['This field is required.'], reason: ['This field is required.'] },
      ],
      [{ resource: 'nothing', id: 1, reason: 'spam' }, { resource: ['"nothing" is not a valid choice.'] }],
      [{ resource: 'queue', id: 'x', reason: 'spam' }, { id: ['A valid integer is required.'] }],
      [{ resource: 'queue', id: 99, reason: 'spam' }, { id: ['Invalid pk "99" - object does not exist.'] }],
      [{ resource: 'queue', id: 1, reason: 'envy' }, { reason: ['"envy" is not a valid choice.'] }],
      [
        { resource: 'queue', id: 1, reason: 'spam', note: 'x'.repeat(501) },
        { note: ['Ensure this field has no more than 500 characters.'] },
      ],
      [{ resource: 'queue', id: 1, reason: 'spam', note: 'a\0b' }, { note: ['Not a valid string.'] }],
      [
        { resource: { toString: 1 }, id: {}, reason: [{ toString: 1 }] },
        {
          resource: ['"{"toString":1}" is not a valid choice.'],
          id: ['A valid integer is required.'],
          reason: ['"[{"toString":1}]" is not a valid choice.'],
        },
      ],
    ] as const) {
      const { status, json } = await report(body, 'careless')
      assert.deepEqual([status, json], [400, errors])
    }
  })

  test('{report.limit} each user and each address reports 20 times an hour', async () => {
    const id = await make('often', 'spammer')
    const given = { resource: 'queue', id, reason: 'wrong' }
    for (let i = 0; i < 20; i++) assert.equal((await report(given, 'eager')).status, 201)
    const refused = await report(given, 'eager')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers['retry-after']) > 3500)
    assert.equal((await report(given, 'another')).status, 201)
    // The form keeps what was written.
    const sent = { method: 'POST', as: 'eager', form: { reason: 'wrong', note: 'It has five.' } }
    const { status, text } = await site.ask(`/report/queue/${id}/`, { ...sent, headers: { accept: 'text/html' } })
    assert.equal(status, 429)
    assert.match(text, /role="alert">You have reported much\. Try again in 60 minutes\.</)
    assert.match(text, /value="wrong" required checked.*>It has five\.<\/textarea>/s)
  })

  test('{block.user} {block.staff} staff block a user, who can do nothing until they end it', async () => {
    const before = await signUp(site, 'Rogue')
    const cookie = before.headers['set-cookie']![0]!.split(';')[0]!
    const id = await make('mine', 'Rogue')
    const set = (name: string, blocked: boolean, as: string) =>
      site.ask(`/api/user/${name}/block/`, { method: 'PUT', as, json: { blocked } })
    assert.equal((await set('rogue', true, 'ida')).status, 403)
    assert.equal((await set('nobody', true, 'staff')).status, 404)
    assert.deepEqual((await set('staff', true, 'staff')).json, { blocked: ['Staff cannot be blocked.'] })
    assert.deepEqual((await set('rogue', true, 'staff')).json, { user: 'Rogue', blocked: true })
    const state = () => site.ask('/api/user/rogue/block/', { as: 'staff' })
    assert.deepEqual((await state()).json, { user: 'Rogue', blocked: true })
    assert.equal((await site.ask('/api/user/rogue/block/', { as: 'ida' })).status, 403)
    assert.equal((await site.ask('/api/queue/', { headers: basic('rogue', PASSWORD) })).status, 401)
    assert.equal((await site.ask('/api/queue/', { as: 'Rogue' })).status, 401)
    assert.equal((await site.ask('/accounts/', { headers: { cookie } })).status, 401)
    const login = () =>
      site.ask('/accounts/login/', { method: 'POST', json: { username: 'rogue', password: PASSWORD } })
    assert.equal((await login()).status, 400)
    assert.equal((await site.ask(`/api/queue/${id}/`)).status, 200)
    assert.deepEqual((await set('ROGUE', false, 'staff')).json, { user: 'Rogue', blocked: false })
    assert.equal((await login()).status, 200)
    assert.equal((await site.ask('/accounts/', { headers: { cookie } })).status, 401)
  })

  test('{staff.accounts} {staff.only} staff find accounts, and see their tokens and sessions', async () => {
    await signUp(site, 'Tess')
    const token = await site.ask('/accounts/tokens/', {
      method: 'POST',
      headers: basic('Tess', PASSWORD),
      json: { name: 'her script' },
    })
    await signUp(site, 'Tessa')
    const list = (query: string, as = 'staff') => site.ask(`/api/staff/user/${query}`, { as })
    const found = await list('?search=TESS')
    assert.deepEqual([found.status, found.headers['cache-control']], [200, 'no-store'])
    const { joined } = found.json.results[0]
    const tess = { user: 'Tess', staff: false, blocked: false, removed: false, can_sign_in: true, joined }
    assert.deepEqual(found.json.results[0], tess)
    assert.deepEqual(found.json.results[1].user, 'Tessa')
    assert.equal(found.json.count, 2)
    assert.equal((await list('?search=tess&page_size=1&page=2')).json.results[0].user, 'Tessa')
    assert.equal((await list('?search=tess&page=2')).status, 404)
    assert.equal((await list('?search=staff')).json.results[0].staff, true)
    for (const odd of ['%00', '%25', '_', '%F0%9F%98%80'])
      assert.equal((await list(`?search=tess${odd}`)).json.count, 0)
    const one = await site.ask('/api/staff/user/tess/', { as: 'staff' })
    const { id, name, created } = token.json
    const shown = { id, name, created }
    assert.deepEqual(one.json, { ...tess, sessions: 1, tokens: [shown] })
    assert.equal((await site.ask('/api/staff/user/nobody/', { as: 'staff' })).status, 404)
    for (const path of ['/api/staff/', '/api/staff/user/', '/api/staff/user/tess/', '/api/staff/user/nobody/']) {
      const { status, json } = await site.ask(path, { as: 'ida' })
      assert.deepEqual([status, json], [403, { detail: 'You do not have permission to perform this action.' }], path)
      assert.equal((await site.ask(path)).status, 401)
    }
  })

  test('{staff.act} {staff.only} {may.staff} staff sign a user out, revoke a token and reset a password', async () => {
    const { headers } = await signUp(site, 'Lost')
    const cookie = headers['set-cookie']![0]!.split(';')[0]!
    const byPassword = { headers: basic('Lost', PASSWORD) }
    const make = () => site.ask('/accounts/tokens/', { method: 'POST', ...byPassword, json: { name: 'x' } })
    const [first, second] = [(await make()).json, (await make()).json]
    const act = (json: object, { as = 'staff', name = 'lost' } = {}) =>
      site.ask(`/api/staff/user/${name}/`, { method: 'POST', as, json })
    const works = async (given: Record<string, string>) =>
      (await site.ask('/accounts/', { headers: given })).status === 200
    const bearer = ({ token }: { token: string }) => ({ authorization: `Token ${token}` })
    for (const json of [{ action: 'sign-out' }, { action: 'reset' }, { action: 'revoke', token: first.id }]) {
      assert.equal((await act(json, { as: 'ida' })).status, 403)
      assert.equal((await act(json, { as: 'ida', name: 'nobody' })).status, 403)
      assert.equal((await act(json, { name: 'nobody' })).status, json.action === 'reset' ? 403 : 404)
      if (json.action === 'reset') continue
      const detail = 'The accounts of staff are changed by their owners and the operator.'
      assert.deepEqual((await act(json, { name: 'staff' })).json, { action: [detail] })
    }
    assert.deepEqual((await act({})).json, { action: ['This field is required.'] })
    assert.deepEqual((await act({ action: 'staff' })).json, { action: ['"staff" is not a valid choice.'] })
    assert.deepEqual((await act({ action: 'revoke' })).json, { token: ['This field is required.'] })
    assert.deepEqual((await act({ action: 'revoke', token: 'x' })).json, { token: ['A valid integer is required.'] })
    assert.equal((await act({ action: 'revoke', token: 999_999 })).status, 404)
    assert.ok((await works({ cookie })) && (await works(bearer(first))))
    assert.equal((await act({ action: 'sign-out' })).json.sessions, 0)
    assert.ok(!(await works({ cookie })) && (await works(bearer(first))))
    const left = (await act({ action: 'revoke', token: first.id })).json.tokens
    assert.deepEqual([left.length, left[0].id], [1, second.id])
    assert.ok(!(await works(bearer(first))) && (await works(bearer(second))))
    // A token that was found must not open the accounts of others, so a reset needs a password or a session.
    await signUp(site, 'Chief')
    const chief = await site.engine.store.read(() => site.engine.store.accounts.byKey('chief'))
    await site.engine.store.write(() => site.engine.store.accounts.setStaff(chief!.id, true))
    const reset = (name: string) =>
      site.ask(`/api/staff/user/${name}/`, {
        method: 'POST',
        headers: basic('Chief', PASSWORD),
        json: { action: 'reset' },
      })
    const { status, json } = await reset('lost')
    assert.deepEqual([status, json.tokens, json.sessions], [200, [], 0])
    assert.ok(!(await works(basic('Lost', PASSWORD))) && !(await works(bearer(second))))
    const recovered = { username: 'lost', code: json.code, new_password: 'another long password' }
    assert.equal((await site.ask('/accounts/recover/', { method: 'POST', json: recovered })).status, 200)
    assert.ok(await works(basic('Lost', 'another long password')))
    await make()
    assert.deepEqual((await reset('ida')).json, { action: ['This account has no password.'] })
    assert.equal((await reset('nobody')).status, 404)
    assert.deepEqual(
      site.staffLog.filter((act) => /lost/i.test(JSON.stringify(act))),
      [
        { by: 'staff', action: 'sign-out', about: 'Lost' },
        { by: 'staff', action: 'revoke', about: 'Lost' },
        { by: 'Chief', action: 'reset', about: 'Lost' },
      ],
    )
  })

  test('{staff.server} staff see the state of the server, and the responses of the last hour', async () => {
    const before = (await site.ask('/api/staff/', { as: 'staff' })).json
    await site.ask('/nowhere/')
    const { status, json, headers } = await site.ask('/api/staff/', { as: 'staff' })
    assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
    const sum = (minutes: readonly { refused: number; ok: number }[]) =>
      minutes.reduce((total, { refused, ok }) => ({ refused: total.refused + refused, ok: total.ok + ok }), {
        refused: 0,
        ok: 0,
      })
    assert.equal(json.minutes.length, 60)
    assert.equal(sum(json.minutes).refused, sum(before.minutes).refused + 1)
    assert.ok(sum(json.minutes).ok > sum(before.minutes).ok)
    assert.deepEqual([json.health.database, json.health.writes], ['ok', 'ok'])
    assert.ok(json.health.generations.queue > 0)
    assert.deepEqual(
      json.processes.map(({ role }: { role: string }) => role),
      ['server'],
    )
    assert.ok(json.processes[0].memory > 10_000_000)
  })

  test('{hidden.staff} {hidden.log} {hidden.show} staff hide a record and show it again, with its history', async () => {
    const id = await make('secret words', 'hider')
    await site.ask(`/api/queue/${id}/`, { method: 'PATCH', as: 'hider', json: { name: 'secret words, changed' } })
    const before = await site.ask(`/api/queue/${id}/`)
    const put = (hidden: boolean, as: string) =>
      site.ask('/api/hidden/', { method: 'PUT', as, json: { resource: 'queue', id, hidden } })
    assert.equal((await put(true, 'ida')).status, 403)
    const unnamed = await site.ask('/api/hidden/', { method: 'PUT', as: 'staff', json: { hidden: true } })
    assert.deepEqual([unnamed.status, Object.keys(unnamed.json)], [400, ['id']])
    assert.deepEqual((await put(true, 'staff')).json, { hidden: ['Delete the record first.'] })
    const odd = { toString: 1 }
    for (const [json, status] of [
      [{ resource: odd, id, hidden: true }, 404],
      [{ resource: 'queue\0', id, hidden: true }, 404],
      [{ resource: 'queue', id: odd, hidden: true }, 400],
      [{ resource: 'queue', id, hidden: odd }, 400],
    ] as const) {
      const reply = await site.ask('/api/hidden/', { method: 'PUT', as: 'staff', json })
      assert.equal(reply.status, status, reply.text)
      const posted = await site.ask('/hidden/', { method: 'POST', as: 'staff', json, headers: { accept: 'text/html' } })
      assert.ok(posted.status >= 400 && posted.status < 500)
    }
    const page = (form: Record<string, string>, as: string) =>
      site.ask('/hidden/', { method: 'POST', form, as, headers: { accept: 'text/html' } })
    const form = { resource: 'queue', id: String(id) }
    assert.equal((await page({ ...form, hidden: 'true' }, 'ida')).status, 403)
    assert.equal((await page({ ...form, hidden: 'true' }, 'staff')).headers.location, '/hidden/')
    assert.equal((await site.ask(`/api/queue/${id}/`)).status, 404)
    assert.equal((await site.ask('/api/queue/?search=secret')).json.count, 0)
    for (const path of ['/api/changes/', `/api/queue/${id}/history/`, `/queue/${id}/history/`, '/changes/'])
      assert.doesNotMatch((await site.ask(path, { headers: { accept: 'text/html' } })).text, /secret words/, path)
    assert.equal((await site.ask('/api/hidden/', { as: 'hider' })).status, 403)
    const { json } = await site.ask('/api/hidden/', { as: 'staff' })
    const [{ user, name }] = json.results
    assert.deepEqual([json.count, json.results[0].id, user, name], [1, id, 'staff', 'secret words, changed'])
    const owner = await site.ask(`/api/changes/set/${json.results[0].set}/undo/`, {
      method: 'POST',
      as: 'hider',
      json: {},
    })
    assert.notEqual(owner.status, 200)
    const { text } = await site.page('/hidden/', 'staff')
    assert.match(text, new RegExp(`<h2>secret words, changed</h2>.*${id}</span>.*Show it again`, 's'))
    assert.match(text, /<nav class="chips" aria-label="Staff">.*href="\/hidden\/" aria-current="page"/s)
    assert.equal((await page({ ...form, hidden: 'false' }, 'staff')).headers.location, `/queue/${id}/`)
    assert.equal((await site.ask(`/api/queue/${id}/`)).text, before.text)
    assert.match((await site.ask(`/api/queue/${id}/history/`)).text, /secret words/)
    assert.equal((await site.ask('/api/hidden/', { as: 'staff' })).json.count, 0)
  })

  test('{hidden.owner} the owner of a hidden record and staff read that it is hidden, others that it is deleted', async () => {
    site.clock = new Date('2026-05-02T10:00:00.000Z')
    const body = 'Words that staff hide.'
    const made = await site.ask('/api/fortune/', { method: 'POST', as: 'hider', json: { body } })
    // Fortunes do not show their owner.
    for (const [kind, id] of [
      ['queue', await make('hidden words', 'hider')],
      ['fortune', made.json.fortune_id],
    ]) {
      const form = { resource: String(kind), id: String(id), hidden: 'true' }
      await site.ask('/hidden/', { method: 'POST', form, as: 'staff', headers: { accept: 'text/html' } })
      const read = async (as?: string) => {
        const { status, json } = await site.ask(`/api/${kind}/${id}/`, as ? { as } : {})
        assert.equal(status, 404)
        return json
      }
      const told = { detail: 'Staff have hidden this record.', hidden: '2026-05-02T10:00:00.000Z' }
      assert.deepEqual([await read('hider'), await read('staff')], [told, told])
      for (const as of [undefined, 'ida']) assert.deepEqual(await read(as), { detail: 'Not found.' })
      const page = async (as?: string) => (await site.page(`/${kind}/${id}/`, as)).text
      assert.match(await page('hider'), /<h1>Staff have hidden it<\/h1>/)
      assert.doesNotMatch(await page('hider'), /Show it again/)
      assert.match(await page('staff'), /Show it again/)
      for (const as of [undefined, 'ida']) assert.match(await page(as), /<h1>It was deleted<\/h1>/)
      await site.ask(`/hidden/`, { method: 'POST', form: { ...form, hidden: 'false' }, as: 'staff' })
      assert.equal((await site.ask(`/api/${kind}/${id}/`)).status, 200)
    }
    site.clock = undefined
  })

  test('the page of every record has a button for staff that hides it', async () => {
    const saying = await site.ask('/api/fortune/', { method: 'POST', as: 'hider', json: { body: 'To be hidden.' } })
    for (const path of [`/queue/${await make('to be hidden', 'hider')}/`, `/fortune/${saying.json.fortune_id}/`]) {
      assert.match((await site.page(path, 'staff')).text, /name="hidden" value="true">Hide</, path)
      for (const as of [undefined, 'hider']) assert.doesNotMatch((await site.page(path, as)).text, /name="hidden"/)
    }
  })

  test('{hidden.staff} {hidden.log} what was deleted together is hidden together, however much it is', async () => {
    const put = async (resource: string, id: number, hidden: boolean) => {
      const { json } = await site.ask('/api/hidden/', { method: 'PUT', as: 'staff', json: { resource, id, hidden } })
      return json
    }
    const isForgotten = async (line: number) =>
      (await site.ask(`/api/taleline/${line}/history/`)).json.results[0].forgotten
    const made = async (resource: string, json: object) =>
      (await site.ask(`/api/${resource}/`, { method: 'POST', as: 'staff', json })).json[`${resource}_id`]
    const fable = await made('fable', { name: 'Rain', qode: 'It will q1e.' })
    const quadranym = await made('quadranym', { name: 'rain', e: 'pour', r: 'drip', o: 'cloud', s: 'mood' })
    const tales: number[] = []
    for (const name of ['Whispered one', 'Whispered two', 'Whispered three']) {
      tales.push(await made('tale', { name, fable, lines: Array(1000).fill(quadranym) }))
    }
    const lines = Array.from({ length: 3000 }, (_, i) => i + 1)
    const { store, catalogue } = site.engine
    await store.write(function* () {
      for (const [name, ids] of [['taleline', lines] as const, ['tale', tales] as const]) {
        const resource = catalogue.find((each) => each.name === name)
        if (resource) yield* store.records.deleteMany(resource, ids)
      }
    })
    const last = tales.at(-1) ?? 0
    const { set } = await put('tale', last, true)
    for (const id of tales) assert.doesNotMatch((await site.ask(`/api/tale/${id}/history/`)).text, /Whispered/)
    assert.equal((await site.ask('/api/hidden/', { as: 'staff' })).json.count, 1)
    assert.deepEqual(await put('taleline', 2900, true), { resource: 'taleline', id: 2900, set, hidden: true })
    assert.equal(await isForgotten(2900), true)
    assert.deepEqual(await put('taleline', 2900, false), { resource: 'taleline', id: 2900, set, hidden: false })
    assert.equal(await isForgotten(2900), undefined)
    assert.match((await site.ask(`/api/tale/${last}/history/`)).text, /Whispered three/)
  })

  test('{throttle.new-account} a new account makes some records a day, until it is a day old', async () => {
    const post = (name: string, as: string) => site.ask('/api/queue/', { method: 'POST', as, json: { name } })
    site.clock = new Date('2026-06-01T10:00:00.000Z')
    for (let i = 0; i < 30; i++) assert.equal((await post(`new ${i}`, 'newcomer')).status, 201)
    assert.equal((await post('new 1', 'newcomer')).status, 429)
    const { status, headers } = await post('one more', 'newcomer')
    assert.equal(status, 429)
    assert.ok(Number(headers['retry-after']) > 80_000)
    const { json } = await site.ask('/api/queue/?name=new%201')
    const change = { method: 'PATCH', as: 'newcomer', json: { name: 'new one' } }
    assert.equal((await site.ask(`/api/queue/${json.results[0].queue_id}/`, change)).status, 200)
    assert.equal((await post('of another', 'newcomer-2')).status, 201)
    assert.equal((await post('of another', 'newcomer-2')).status, 400)
    const batch = (count: number) => {
      const records = Array.from({ length: count }, (_, i) => ({ name: `at once ${i}` }))
      return site.ask('/api/batch/', { method: 'POST', as: 'newcomer-3', json: { resource: 'queue', records } })
    }
    assert.equal((await batch(31)).status, 429)
    assert.equal((await batch(30)).status, 200)
    // A retry makes no new record.
    const retry = (resource: string, json: object) => {
      return site.ask(resource, { method: 'POST', as: 'newcomer-4', headers: { 'idempotency-key': resource }, json })
    }
    const many = Array.from({ length: 28 }, (_, i) => ({ name: `of a batch ${i}` }))
    for (let i = 0; i < 3; i++) {
      assert.equal((await retry('/api/queue/', { name: 'once' })).status, 201)
      assert.equal((await retry('/api/batch/', { resource: 'queue', records: many })).status, 200)
    }
    assert.equal((await post('the last', 'newcomer-4')).status, 201)
    assert.equal((await post('too many', 'newcomer-4')).status, 429)
    site.clock = new Date('2026-06-02T10:00:01.000Z')
    assert.equal((await post('a day later', 'newcomer')).status, 201)
    site.clock = undefined
  })

  test('pages: a visitor reports a record, staff find it, settle it and block its owner', async () => {
    const id = await make('page of a spammer', 'spammer')
    const visitor = new Browser(site)
    assert.match((await visitor.ask(`/queue/${id}/`)).text, new RegExp(`href="/report/queue/${id}/"`))
    const path = `/report/queue/${id}/`
    const send = (form: Record<string, string>, headers = {}) =>
      visitor.ask(path, { method: 'POST', form, headers: { origin: site.base, ...headers } })
    assert.equal((await visitor.ask('/report/queue/999/')).status, 404)
    assert.equal((await visitor.ask('/report/nothing/1/')).status, 404)
    const unsaid = await send({ note: 'hm' })
    assert.equal(unsaid.status, 400)
    assert.match(unsaid.text, /role="alert">Fill this in\./)
    assert.equal((await send({ reason: 'spam' }, { origin: 'https://evil.example' })).status, 403)
    assert.match((await send({ reason: 'spam', note: 'It <b>sells</b>.' })).text, /Thank you/)
    assert.equal((await visitor.ask('/reports/')).status, 401)
    const staff = (path: string, form?: Record<string, string>) =>
      site.ask(path, { as: 'staff', headers: { accept: 'text/html' }, ...(form ? { method: 'POST', form } : {}) })
    const reports = (await staff('/reports/')).text
    assert.match(reports, /href="\/reports\/\?page=2"/)
    assert.match(reports, /<nav class="chips" aria-label="Staff">.*href="\/reports\/" aria-current="page"/s)
    const { text } = await staff('/reports/?page=2')
    assert.match(text, /page of a spammer/)
    assert.match(text, /href="\/people\/spammer\/block\/"/)
    const { json } = await site.ask('/api/report/?page=last&page_size=1', { as: 'staff' })
    const [last] = json.results
    assert.equal(last.note, 'It <b>sells</b>.')
    assert.doesNotMatch(text, /<b>sells/)
    assert.equal((await staff('/reports/', { id: String(last.id), done: 'true' })).headers.location, '/reports/')
    assert.match((await staff('/reports/?done=true')).text, /It &lt;b>sells/)
    // Staff stay on the page of the button, as long as it has reports.
    const { json: waiting } = await site.ask('/api/report/?done=false&page_size=100', { as: 'staff' })
    const [beforeLast, lastOfPage, ...others] = waiting.results.map((each: { id: number }) => each.id)
    for (const other of others.slice(20)) {
      await site.ask(`/api/report/${other}/`, { method: 'PATCH', as: 'staff', json: { done: true } })
    }
    assert.match((await staff('/reports/?page=2')).text, /name="page" value="2"/)
    const settled = async (id: number, done: boolean) =>
      (await staff('/reports/', { id: String(id), done: String(done), page: '2' })).headers.location
    assert.equal(await settled(beforeLast, true), '/reports/?page=2')
    assert.equal(await settled(lastOfPage, true), '/reports/')
    assert.equal(await settled(lastOfPage, false), '/reports/?done=true')
    assert.match((await staff('/people/spammer/block/')).text, /Block spammer\?/)
    await staff('/people/spammer/block/', { blocked: 'true' })
    assert.match((await staff('/people/spammer/block/')).text, /spammer is blocked/)
    assert.equal((await site.ask('/api/queue/', { as: 'spammer' })).status, 401)
  })
})
