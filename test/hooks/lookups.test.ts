/** Hooks with lookups: only records that match, and those that no longer do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { HookClient, Receiver } from './receiver.ts'

onEachEngine('Hooks with lookups', { sample: false, settings: { hooks: { allowsPrivate: true } } }, (site) => {
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
    await other.first(1)
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
})
