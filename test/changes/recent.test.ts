/** Recent changes, as /api/changes/recent/ tells them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { keepLog } from '../../src/engine/index.ts'
import { onEachEngine } from '../support/site.ts'

onEachEngine('Recent changes', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const recent = async (query = '') => (await site.ask(`/api/changes/recent/${query}`)).json
  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const polynym = async (name: string): Promise<number> =>
    (await send('POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth' })).polynym_id
  const setsOf = ({ results }: any) => results.map(({ set }: any) => set)

  test('{recent.sets} each request is one set, newest first, with what was done and its first entries', async () => {
    const id = await polynym('river')
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'flow', qode: 'It q1e_VBD.' })
    const quadranym = (await send('POST', '/api/quadranym/', { name: 'stream', e: 'flow', r: 'dry' })).quadranym_id
    const lines = Array.from({ length: 12 }, () => ({ phrase, quadranym }))
    const { story_id: story } = await send('POST', '/api/story/', { name: 'The Fox', lines })
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'delta' }, 'staff')
    const { json, headers } = await site.ask('/api/changes/recent/?limit=2')
    assert.equal(headers['cache-control'], 'no-cache')
    const feed = (await site.ask('/api/changes/?limit=1000')).json
    const last = feed.results.at(-1)
    assert.equal(json.latest, feed.latest)
    const [changed, told] = json.results
    const actions = [{ action: 'change', resource: 'polynym', count: 1 }]
    assert.deepEqual(changed, { set: last.set, count: 1, actions, changes: [last] })
    const own = feed.results.filter(({ set }: any) => set === told.set)
    assert.deepEqual([told.count, told.changes], [13, own.slice(0, 10)])
    assert.deepEqual(
      told.actions.toSorted((a: any, b: any) => a.count - b.count),
      [
        { action: 'create', resource: 'story', count: 1 },
        { action: 'create', resource: 'storyline', count: 12 },
      ],
    )
    assert.ok(told.changes.some(({ resource, id: each }: any) => resource === 'story' && each === story))
  })

  test('{recent.pages} it continues before the number that it names, up to the beginning of the log', async () => {
    const all = await recent('?limit=50')
    assert.equal(all.next, null)
    const found: number[] = []
    let next: number | null = null
    do {
      const page: any = await recent(`?limit=2${next === null ? '' : `&before=${next}`}`)
      found.push(...setsOf(page))
      next = page.next
    } while (next !== null)
    assert.deepEqual(found, setsOf(all))
    assert.deepEqual(
      setsOf(all),
      setsOf(all).toSorted((a: number, b: number) => b - a),
    )
    assert.deepEqual((await recent('?before=1')).results, [])
  })

  test('{recent.filters} it can be narrowed by collection, record and user, and leave out votes', async () => {
    const id = await polynym('brook')
    await send('POST', `/api/polynym/${id}/vote/`, undefined, 'ida')
    const ofRecord = `?resource=polynym&id=${id}`
    const [vote, create] = (await recent(ofRecord)).results
    assert.deepEqual([vote.changes[0].action, create.changes[0].action], ['vote', 'create'])
    assert.deepEqual((await recent(`${ofRecord}&votes=false`)).results, [create])
    assert.deepEqual((await recent('?user=IDA')).results, [vote])
    assert.deepEqual((await recent('?user=nobody')).results, [])
    const lines = await recent('?resource=storyline')
    assert.equal(lines.results.length, 1)
    assert.equal(lines.results[0].count, 13)
    assert.ok(lines.results[0].changes.every(({ resource }: any) => resource === 'storyline'))
    for (const { changes } of (await recent('?resource=polynym')).results)
      assert.ok(changes.every(({ resource }: any) => resource === 'polynym'))
  })

  test('{recent.sets} votes that were compacted are not counted', async () => {
    site.clock = new Date('2026-01-01T00:00:00.000Z')
    const id = await polynym('old')
    for (const method of ['POST', 'DELETE', 'POST']) await send(method, `/api/polynym/${id}/vote/`, undefined, 'ida')
    site.clock = undefined
    const { compacted } = await keepLog(site.engine, { entries: undefined, votes: 30 })
    assert.equal(compacted, 2)
    const { results } = await recent(`?resource=polynym&id=${id}`)
    assert.deepEqual(
      results.map(({ count, changes }: any) => [count, changes.length]),
      [
        [1, 1],
        [1, 1],
      ],
    )
  })

  test('{recent.faults} any other value returns 400 and names the parameter', async () => {
    for (const [name, query] of [
      ['before', 'before=0'],
      ['before', 'before=x'],
      ['limit', 'limit=51'],
      ['limit', 'limit=0'],
      ['resource', 'resource=word'],
      ['resource', 'id=3'],
      ['id', 'resource=polynym&id=x'],
      ['votes', 'votes=no'],
    ] as const) {
      const { status, json } = await site.ask(`/api/changes/recent/?${query}`)
      assert.deepEqual([status, Object.keys(json)], [400, [name]], query)
    }
  })
})
