/** Hooks: their addresses, members and rights. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { HookClient, Receiver } from './receiver.ts'

const URL = 'https://receiver.example/nymdex?key=1'

onEachEngine('Members of hooks', { sample: false, settings: { hooks: { allowsPrivate: false } } }, (site) => {
  const [gus, ida, staff] = ['gus', 'ida', 'staff'].map((name) => new HookClient(site, name)) as [
    HookClient,
    HookClient,
    HookClient,
  ]
  before(async () => {
    await gus.write('river')
  })
  after(() => assert.deepEqual(site.bugs, []))

  test('{hooks.make} {hooks.secret} a new hook begins with the next change; its secret is shown once', async () => {
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const { status, json, headers } = await gus.ask('POST', '', { url: ` ${URL}#part ` })
    site.clock = undefined
    const { secret, ...hook } = json
    const { latest } = (await site.ask('/api/changes/')).json
    assert.deepEqual([status, headers.location], [201, `${site.base}/api/hook/${hook.id}/`])
    assert.equal(headers['cache-control'], 'no-store')
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    const shown = { id: hook.id, user: 'gus', url: URL, resources: [], actions: [], lookups: '', active: true }
    assert.equal(
      JSON.stringify(hook),
      JSON.stringify({ ...shown, cursor: latest, created: '2026-11-16T05:00:00.000Z' }),
    )
    assert.deepEqual((await gus.ask('GET', `${hook.id}/`)).json, hook)
    const list = await gus.ask('GET')
    assert.deepEqual(list.json, { count: 1, next: null, previous: null, results: [hook] })
    assert.ok(!list.text.includes(secret))
  })

  test('{hooks.rights} users see their own hooks, staff all of them', async () => {
    const { id } = await ida.made({ url: URL })
    const mine = (await ida.ask('GET')).json.results
    assert.deepEqual(
      mine.map((hook: any) => [hook.id, hook.user]),
      [[id, 'ida']],
    )
    assert.equal((await staff.ask('GET', '?page_size=1&page=last')).json.results[0].id, id)
    assert.equal((await staff.ask('PATCH', `${id}/`, { lookups: '' })).json.user, 'ida')
    const others: [string, string][] = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', 'deliveries/'],
      ['POST', 'test/'],
      ['POST', 'replay/'],
      ['POST', 'rotate/'],
    ]
    for (const [method, rest] of others) {
      const json = { url: URL, since: 0 }
      const sent = method === 'GET' ? {} : { json }
      const [other, nobody] = [
        await gus.ask(method, `${id}/${rest}`, sent.json),
        await site.ask(`/api/hook/${id}/${rest}`, { method, ...sent }),
      ]
      assert.deepEqual([other.status, nobody.status], [404, 401], `${method} ${rest}`)
    }
    for (const method of ['GET', 'POST']) assert.equal((await site.ask('/api/hook/', { method })).status, 401)
    assert.equal((await ida.ask('GET', '999999/')).status, 404)
    assert.equal((await ida.ask('GET', 'x/')).status, 404)
    assert.equal((await staff.ask('DELETE', `${id}/`)).status, 204)
    assert.equal((await ida.ask('GET', `${id}/`)).status, 404)
  })

  test('{hooks.change} PATCH changes the members that it gives', async () => {
    const { id } = await ida.made({ url: URL, resources: ['polynym'], actions: ['create'], lookups: '?depth__gte=2' })
    const changed = (await ida.ask('PATCH', `${id}/`, { actions: ['vote', 'unvote', 'vote'] })).json
    const { resources, actions, lookups, url } = changed
    assert.deepEqual([url, resources, actions, lookups], [URL, ['polynym'], ['vote', 'unvote'], 'depth__gte=2'])
    const wrong = (await ida.ask('PATCH', `${id}/`, { resources: [] })).json
    assert.deepEqual(wrong, { lookups: ['Lookups need exactly one resource.'] })
    // Its address was allowed by other settings.
    const { store } = site.engine
    await store.write(() => store.hooks.change(id, { url: 'http://127.0.0.1/' }))
    const paused = (await ida.ask('PATCH', `${id}/`, { active: false })).json
    assert.deepEqual([paused.active, paused.url], [false, 'http://127.0.0.1/'])
    const replayed = await ida.ask('POST', `${id}/replay/`, { since: 0 })
    assert.deepEqual([replayed.status, replayed.json], [400, { detail: 'The hook is not active.' }])
    await ida.ask('DELETE', `${id}/`)
  })

  test('{hooks.faults} what is wrong returns 400 and names the member', async () => {
    const { latest } = (await site.ask('/api/changes/')).json
    const cases: [object, object][] = [
      [{}, { url: ['This field is required.'] }],
      [{ url: null }, { url: ['This field may not be null.'] }],
      [{ url: 7 }, { url: ['Not a valid string.'] }],
      [{ url: ' ' }, { url: ['This field may not be blank.'] }],
      [{ url: 'ftp://receiver.example/' }, { url: ['Enter a valid http or https URL.'] }],
      [{ url: 'receiver' }, { url: ['Enter a valid http or https URL.'] }],
      [
        { url: `https://receiver.example/${'x'.repeat(2000)}` },
        { url: ['Ensure this field has no more than 2000 characters.'] },
      ],
      [
        { url: `https://receiver.example/${'ü'.repeat(400)}` },
        { url: ['Ensure this field has no more than 2000 characters.'] },
      ],
      [{ url: 'https://me:secret@receiver.example/' }, { url: ['A URL with a user name or password is not allowed.'] }],
      [{ url: URL, resources: ['word'] }, { resources: ['"word" is not a valid choice.'] }],
      [
        { url: URL, resources: 3, actions: [3] },
        { resources: ['Expected a list of names.'], actions: ['Expected a list of names.'] },
      ],
      [{ url: URL, actions: ['undo'] }, { actions: ['"undo" is not a valid choice.'] }],
      [{ url: URL, active: 'maybe' }, { active: ['Must be a valid boolean.'] }],
      [{ url: URL, cursor: latest + 1 }, { cursor: [`Ensure this value is from 0 to ${latest}.`] }],
      [{ url: URL, cursor: 'x' }, { cursor: ['A valid integer is required.'] }],
      [{ url: URL, lookups: 'depth__gte=5' }, { lookups: ['Lookups need exactly one resource.'] }],
      [{ url: URL, lookups: 5, resources: ['polynym'] }, { lookups: ['Not a valid string.'] }],
    ]
    const one = { url: URL, resources: ['polynym'] }
    const lookups: [string, string][] = [
      ['depth__gte=x', 'depth__gte: A valid integer is required.'],
      ['dpeth=5', '"dpeth" is not a lookup of polynym, or has no value.'],
      ['depth=', '"depth" is not a lookup of polynym, or has no value.'],
      ['depth=5&ordering=name', '"ordering" is not a lookup of polynym, or has no value.'],
    ]
    cases.push(...lookups.map(([lookups, message]): [object, object] => [{ ...one, lookups }, { lookups: [message] }]))
    for (const [body, errors] of cases) {
      const { status, json } = await gus.ask('POST', '', body)
      assert.deepEqual([status, json], [400, errors], JSON.stringify(body).slice(0, 100))
    }
    const { id } = await gus.made({ url: URL })
    const ranges: [object, object][] = [
      [{}, { since: ['This field is required.'] }],
      [
        { since: 'x', until: 'y' },
        { since: ['A valid integer is required.'], until: ['A valid integer is required.'] },
      ],
      [{ since: latest + 1 }, { since: [`Ensure this value is from 0 to ${latest}.`] }],
      [{ since: latest }, { until: ['Ensure this value is greater than since.'] }],
    ]
    for (const [body, errors] of ranges) {
      const { status, json } = await gus.ask('POST', `${id}/replay/`, body)
      assert.deepEqual([status, json], [400, errors], JSON.stringify(body))
    }
  })

  test('{hooks.private} private addresses are refused, however they are written', async () => {
    const hosts = [
      '127.0.0.1',
      'localhost',
      'a.localhost',
      '0x7f.1',
      '2130706433',
      '10.1.2.3',
      '192.168.0.1',
      '172.31.0.1',
    ]
    hosts.push('169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '[::1]', '[::]', '[fe80::1]')
    hosts.push(
      '[fc00::1]',
      '[ff02::1]',
      '[::ffff:8.8.8.8]',
      '[::ffff:127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
    )
    for (const host of hosts) {
      const { status, json } = await gus.ask('POST', '', { url: `http://${host}/` })
      assert.deepEqual([status, json], [400, { url: ['This server does not send to private addresses.'] }], host)
    }
    for (const host of ['8.8.8.8', '[2606:4700::1]']) {
      const { id } = await gus.made({ url: `http://${host}/` })
      await gus.ask('DELETE', `${id}/`)
    }
  })

  test('{hooks.most} an account has at most 20 hooks', async () => {
    const many = new HookClient(site, 'many')
    for (let i = 0; i < 20; i++) await many.made({ url: URL, active: false })
    const { status, json } = await many.ask('POST', '', { url: URL })
    assert.deepEqual([status, json], [400, { detail: 'An account has at most 20 hooks: delete one first.' }])
    const page = (await many.ask('GET', '?page_size=15&page=2')).json
    assert.deepEqual([page.count, page.results.length, page.next], [20, 5, null])
    assert.equal((await many.ask('GET', '?page=9')).status, 404)
  })

  test('{hooks.forms} a form gives lists as texts with commas, or repeats them', async () => {
    const form = { url: URL, resources: 'polynym, queue', actions: ['create', 'vote'], lookups: '', active: 'true' }
    const { status, json } = await site.ask('/api/hook/', { method: 'POST', as: 'ida', form })
    assert.deepEqual([status, json.resources, json.actions], [201, ['polynym', 'queue'], ['create', 'vote']])
    const html = { accept: 'text/html' }
    const list = await site.ask('/api/hook/', { as: 'ida', headers: html })
    assert.match(list.text, /<form[^>]*action="\/api\/hook\/"/)
    const page = await site.ask(`/api/hook/${json.id}/`, { as: 'ida', headers: html })
    assert.equal(page.status, 200)
    for (const part of [
      'value="polynym,queue"',
      `action="/api/hook/${json.id}/test/"`,
      `action="/api/hook/${json.id}/rotate/"`,
      'Yes, delete it',
    ])
      assert.ok(page.text.includes(part), part)
    assert.equal((await site.ask('/api/hook/', { headers: html })).status, 401)
    assert.ok(!('hook' in (await site.ask('/api/')).json))
  })

  test('{hooks.accounts} a removed account has no hooks', async () => {
    const { store } = site.engine
    const { id } = await new HookClient(site, 'leaving').made({ url: URL })
    const hook = await store.read(() => store.hooks.byId(id))
    await store.write(() => store.accounts.remove(hook!.account))
    assert.equal((await staff.ask('GET', `${id}/`)).status, 404)
  })
})

onEachEngine('Hooks without deliveries', { sample: false }, (site) => {
  test('{hooks.off} {hooks.tests} if the operator has turned hooks off, nothing is sent', async () => {
    const hooks = new HookClient(site)
    const { id } = await hooks.made({ url: URL })
    const { status, json } = await hooks.ask('POST', `${id}/test/`)
    const detail = 'This server does not deliver to hooks: the operator has turned them off.'
    assert.deepEqual([status, json], [400, { detail }])
    // The number of tests is limited.
    for (let i = 1; i < 20; i++) assert.equal((await hooks.ask('POST', `${id}/test/`)).status, 400)
    const { status: throttled, headers } = await hooks.ask('POST', `${id}/test/`)
    assert.equal(throttled, 429)
    assert.match(headers['retry-after']!, /^[0-9]+$/)
  })
})

/** A host name that has a public address at first, and then one of this machine. */
const looks: string[] = []
const resolve = async (name: string) => {
  looks.push(name)
  return [{ address: looks.length === 1 ? '198.41.0.4' : '127.0.0.1', family: 4 }]
}

onEachEngine(
  'A host name that changes its address',
  { sample: false, settings: { hooks: { allowsPrivate: false, timeoutMs: 300, resolve } } },
  (site) => {
    test('{hooks.private} the address that is connected to is the one that is checked', async () => {
      looks.length = 0
      const receiver = await Receiver.start()
      const hooks = new HookClient(site)
      const { id } = await hooks.made({ url: `http://rebinding.example:${receiver.port}/` })
      await hooks.write('river')
      const [first] = await hooks.deliveries(id, 1)
      assert.notEqual(first.error, 'the address is private')
      site.clock = new Date(Date.now() + 60_000)
      await hooks.write('brook')
      const [second] = await hooks.deliveries(id, 2)
      assert.deepEqual([second.status, second.error, second.try], [null, 'the address is private', 2])
      assert.deepEqual([looks.length, receiver.got.length], [2, 0])
      const tested = (await hooks.ask('POST', `${id}/test/`)).json
      assert.deepEqual([tested.error, receiver.got.length], ['the address is private', 0])
      await receiver.stop()
      assert.deepEqual(site.bugs, [])
    })
  },
)
