/** Which entries of the log hooks read: with lookups, only records that match, and those that no longer do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'
import { HookClient, Receiver } from './receiver.ts'

/** How many reads one turn of the event loop has begun. */
const reads = { now: 0, most: 0 }
const watch = (database: Database): Database => ({
  ...database,
  read(work, seconds) {
    if (reads.now++ === 0) setImmediate(() => Object.assign(reads, { now: 0 }))
    reads.most = Math.max(reads.most, reads.now)
    return database.read(work, seconds)
  },
})

const SETTINGS = { hooks: { allowsPrivate: true } }
onEachEngine('Hooks and the log', { sample: false, settings: SETTINGS, watch }, (site) => {
  const hooks = new HookClient(site)
  let receiver: Receiver
  before(async () => {
    receiver = await Receiver.start()
  })
  after(async () => {
    await receiver.stop()
    assert.deepEqual(site.bugs, [])
  })
  const change = async (id: number, json: object) => {
    const { status, text } = await site.ask(`/api/polynym/${id}/`, { method: 'PATCH', as: 'gus', json })
    assert.equal(status, 200, text)
  }
  const told = ({ got }: Receiver) => got.map(({ json: { type, data } }) => [type, data.id])

  test('{hooks.lookups} {hooks.leave} changes of records that match are sent, and when one no longer matches', async () => {
    const members = { url: receiver.url, resources: ['polynym'], lookups: 'area=water&depth__gte=3' }
    const { id: hook } = await hooks.made(members)
    const deep = await hooks.write('deep', { area: 'water', p3: 'sea' })
    await receiver.first(1)
    const flat = await hooks.write('flat', { area: 'water' })
    await hooks.write('dry', { area: 'air', p3: 'wind' })
    await change(deep, { p2: 'delta' })
    await receiver.first(2)
    await change(flat, { p3: 'lake' })
    await receiver.first(3)
    await change(flat, { area: 'ice' })
    await receiver.first(4)
    // It has left already.
    await change(flat, { area: 'snow' })
    await site.ask(`/api/polynym/${deep}/`, { method: 'DELETE', as: 'gus' })
    await receiver.first(5)
    const [create, changed, leave] = ['polynym.create', 'polynym.change', 'polynym.leave']
    const expected = [
      [create, deep],
      [changed, deep],
      [changed, flat],
      [leave, flat],
      ['polynym.remove', deep],
    ]
    assert.deepEqual(told(receiver), expected)
    const { action, old } = receiver.got[3]!.json.data
    assert.deepEqual([action, old], ['leave', null])
    // A hook that wants other actions is told, too.
    const other = await Receiver.start()
    await hooks.made({ ...members, url: other.url, actions: ['create'] })
    const third = await hooks.write('third', { area: 'water', p3: 'sea' })
    // A hook that reads both changes at once is told nothing: the record came and left.
    await Promise.all([other.first(1), receiver.first(6)])
    await change(third, { area: 'air' })
    await other.first(2)
    assert.deepEqual(told(other), [
      [create, third],
      [leave, third],
    ])
    await other.stop()
    await receiver.first(7)
    const { latest } = (await site.ask('/api/changes/?limit=1')).json
    await hooks.hook(hook, ({ cursor }) => cursor === latest)
  })

  test('{hooks.leave} a hook that failed between two changes of a record tells when it leaves', async () => {
    const failing = await Receiver.start()
    failing.respond = ({ json }) => ({ status: json.data.action === 'create' ? 204 : 500 })
    const members = { url: failing.url, resources: ['polynym'], lookups: 'area=bog' }
    const { id: hook } = await hooks.made({ ...members, active: false })
    const marsh = await hooks.write('marsh', { area: 'land' })
    await change(marsh, { area: 'bog' })
    await hooks.ask('PATCH', `${hook}/`, { active: true })
    await hooks.hook(hook, ({ next_try }) => next_try !== undefined)
    await change(marsh, { area: 'land' })
    failing.respond = () => ({ status: 204 })
    await hooks.ask('PATCH', `${hook}/`, { active: true })
    const { latest } = (await site.ask('/api/changes/?limit=1')).json
    await hooks.hook(hook, ({ cursor }) => cursor === latest)
    const expected = ['create', 'change', 'leave', 'leave'].map((action) => [`polynym.${action}`, marsh])
    assert.deepEqual(told(failing), expected)
    await failing.stop()
  })

  test('a hook whose lookups are no longer valid, after a change of the catalogue, ends', async () => {
    const { id } = await hooks.made({ url: receiver.url, resources: ['polynym'], lookups: 'depth__gte=3' })
    const { store } = site.engine
    await store.write(() => store.hooks.change(id, { lookups: 'depth__gte=deep' }))
    await hooks.write('shallow')
    const { ended } = await hooks.hook(id, ({ active }) => !active)
    assert.equal(ended, 'The lookups are no longer valid.')
  })

  test('{hooks.independent} hooks that read much of the log leave time for others', async () => {
    const { latest } = (await site.ask('/api/changes/?limit=1')).json
    const count = 1000
    await site.engine.store.write(function* () {
      const columns =
        "changeset + (SELECT max(seq) FROM change), at, account, 'change', resource, record, old, forgotten"
      const copy = `INSERT INTO change (seq, changeset, at, account, action, resource, record, old, forgotten)
        SELECT seq + (SELECT max(seq) FROM change), ${columns} FROM change WHERE seq <= ?`
      for (let made = latest; made < count; made *= 2) yield { sql: copy, parameters: [made] }
    })
    reads.most = 0
    const wanted = { url: receiver.url, actions: ['restore'], cursor: 0 }
    const made = [await hooks.made(wanted), await hooks.made(wanted)]
    const { json } = await site.ask('/api/changes/?limit=1')
    for (const { id } of made) await hooks.hook(id, ({ cursor }) => cursor === json.latest)
    assert.ok(json.latest >= count)
    assert.ok(reads.most < 10, `${reads.most} reads`)
  })
})
