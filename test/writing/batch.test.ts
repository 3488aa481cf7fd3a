/** Many records of one collection in one request. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

onEachEngine('writing many records at once', {}, (site) => {
  const send = (records: unknown, { resource = 'polynym', as = 'ada', query = '', headers = {} } = {}) =>
    site.ask(`/api/batch/${query}`, { method: 'POST', as, headers, json: { resource, records } })
  const set = (name: string, ...terms: string[]) => ({
    name,
    mode: 'type',
    ...Object.fromEntries(terms.map((term, i) => [`p${i + 1}`, term])),
  })
  const countOf = async () => (await site.ask('/api/polynym/?page_size=1')).json.count

  test('{batch.create} the records are created in order, by the one who sends them', async () => {
    const { status, json } = await send([set('Tides', 'ebb', 'flood'), set('Shores', 'beach', 'cliff', 'dune')])
    assert.equal(status, 200)
    assert.equal(json.count, 2)
    const [first, second] = await Promise.all(json.ids.map((id: number) => site.ask(`/api/polynym/${id}/`)))
    assert.deepEqual([first.json.name, first.json.user, second.json.p3], ['Tides', 'ada', 'dune'])
  })

  test('{batch.replace} a record with its id is replaced, by its owner only', async () => {
    const made = await send([set('Winds', 'gale', 'breeze')])
    const [id] = made.json.ids
    const changed = { ...set('Winds', 'gale', 'storm'), polynym_id: id }
    assert.deepEqual((await send([changed, set('Clouds', 'cirrus', 'stratus')])).json.ids[0], id)
    assert.equal((await site.ask(`/api/polynym/${id}/`)).json.p2, 'storm')
    const theirs = await send([changed], { as: 'eve' })
    assert.deepEqual(
      [theirs.status, theirs.json],
      [400, { records: ['Record 0: You do not have permission to perform this action.'] }],
    )
    const gone = await send([{ ...changed, polynym_id: 999_999_999 }])
    assert.deepEqual(gone.json, { records: ['Record 0: Not found.'] })
    for (const polynym_id of [[id], `0x${id.toString(16)}`, `${id}.0`, true, { toString: 1 }]) {
      const reply = await send([{ ...changed, polynym_id }])
      assert.deepEqual(reply.json, { records: ['Record 0: Not found.'] }, JSON.stringify(polynym_id))
    }
  })

  test('{batch.atomic} {batch.faults} one record at fault keeps all from being written, and each fault is named', async () => {
    const before = await countOf()
    const faulty = [set('Right', 'a', 'b'), { ...set('Wrong', 'a', 'b'), mode: 'tide' }, 5, { mode: 'type', p1: 'x' }]
    const { status, json } = await send(faulty)
    assert.equal(status, 400)
    assert.deepEqual(json, {
      records: [
        'Record 1, mode: "tide" is not a valid choice.',
        'Record 2: Must be an object.',
        'Record 3, name: This field is required.',
        'Record 3, p2: This field is required.',
      ],
    })
    assert.equal(await countOf(), before)
    const many = await send(Array.from({ length: 200 }, () => ({})))
    assert.equal(many.json.records.length >= 100 && many.json.records.length < 110, true)
  })

  test('{batch.unique} the records differ from each other and from those that exist', async () => {
    const { json } = await send([set('Twice', 'a', 'b'), set('Twice', 'a', 'b')])
    assert.equal(json.records.length, 1)
    assert.match(json.records[0], /^Record 1: The fields name, .* must make a unique set\.$/)
    assert.equal((await send([set('Twice', 'a', 'b')])).status, 200)
    assert.match((await send([set('Twice', 'a', 'b')])).json.records[0], /^Record 0: The fields name/)
  })

  test('{batch.dry-run} a dry run checks and writes nothing', async () => {
    const before = await countOf()
    const good = await send([set('Only tried', 'a', 'b')], { query: '?dry_run=true' })
    assert.deepEqual([good.status, good.json], [200, { count: 1, ids: [] }])
    const bad = await send([{ name: 'x' }], { query: '?dry_run=true' })
    assert.equal(bad.status, 400)
    const json = { resource: 'polynym', records: [set('Misplaced', 'a', 'b')], dry_run: true }
    const misplaced = await site.ask('/api/batch/', { method: 'POST', as: 'ada', json })
    const dry_run = ['Send it in the address: /api/batch/?dry_run=true.']
    assert.deepEqual([misplaced.status, misplaced.json], [400, { dry_run }])
    assert.equal(await countOf(), before)
  })

  test('{batch.retry} the same key writes once', async () => {
    const headers = { 'Idempotency-Key': 'batch-1' }
    const first = await send([set('Once', 'a', 'b')], { headers })
    const again = await send([set('Once', 'a', 'b')], { headers })
    assert.deepEqual([again.status, again.json], [200, first.json])
    assert.equal((await send([set('Other', 'a', 'b')], { headers })).status, 422)
  })

  test('{batch.refused} what is no list of records of a collection is refused', async () => {
    const refused = async (records: unknown, resource: string, errors: object) => {
      const { status, json } = await send(records, { resource })
      assert.deepEqual([status, json], [400, errors])
    }
    await refused([{}], 'nothing', { resource: ['"nothing" is not a valid choice.'] })
    await refused([{}], 'quadranym-id', { resource: ['"quadranym-id" is not a valid choice.'] })
    const odd = await site.ask('/api/batch/', { method: 'POST', as: 'ada', json: { resource: { toString: 1 } } })
    assert.deepEqual(odd.json, { resource: ['"{"toString":1}" is not a valid choice.'] })
    await refused([{}], '', { resource: ['This field is required.'] })
    await refused([], 'polynym', { records: ['This list may not be empty.'] })
    await refused(null, 'polynym', { records: ['This field is required.'] })
    await refused({}, 'polynym', { records: ['Expected a list of items but got type "dict".'] })
    await refused(Array(201).fill({}), 'polynym', { records: ['Ensure this field has no more than 200 elements.'] })
    assert.equal((await send([{}], { resource: 'winner' })).status, 403)
    const json = { resource: 'polynym', records: [{}] }
    assert.equal((await site.ask('/api/batch/', { method: 'POST', json })).status, 401)
    assert.deepEqual(site.bugs, [])
  })
})
