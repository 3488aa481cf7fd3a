/** How many records have each value. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { unseenOwner } from '../../src/declare/index.ts'
import { collectionsOf, facetable, readFacets } from '../../src/engine/index.ts'
import { countWrongCounts } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'

function counted(records: readonly any[], member: string): { value: unknown; count: number }[] {
  const counts = new Map<unknown, number>()
  for (const record of records) {
    const value = record[member] ?? (member === 'likes' ? 0 : '')
    const shown = typeof value === 'object' ? value[Object.keys(value).at(-1)!] : value
    counts.set(shown, (counts.get(shown) ?? 0) + 1)
  }
  const compare = (a: unknown, b: unknown) =>
    typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || compare(a.value, b.value))
}

onEachEngine('Facets', { database: { quickMs: 0 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const read = async (path: string) => {
    const { status, json, text } = await site.ask(path)
    assert.equal(status, 200, `${path}: ${text}`)
    return json
  }

  for (const collection of collectionsOf(catalogue).filter(({ only }) => !only)) {
    const { name } = collection
    test(`{facets.members} {facets.order} ${name} is counted by the values of its members, the most frequent first`, async () => {
      const { results } = await read(`/api/${name}/?page_size=1000`)
      const members = facetable(collection)
        .map(({ member }) => member)
        // No record shows an owner that has no member.
        .filter((member) => !/[0-9]$/.test(member) && member !== unseenOwner(collection.resource))
        .slice(0, 10)
      assert.deepEqual(await read(`/api/${name}/facets/?by=${members}`), {
        count: results.length,
        facets: Object.fromEntries(members.map((member) => [member, counted(results, member)])),
      })
    })
  }

  test('{facets.narrowed} filters and a search apply', async () => {
    const query = 'mode=part&search=the&depth__gte=4'
    const { results } = await read(`/api/polynym/?page_size=1000&${query}`)
    assert.ok(results.length > 3)
    assert.deepEqual(await read(`/api/polynym/facets/?by=area,%20user,area&${query}&ordering=name&page=7`), {
      count: results.length,
      facets: { area: counted(results, 'area'), user: counted(results, 'user') },
    })
    assert.deepEqual(await read('/api/polynym/facets/?by=area&search=qqqq'), { count: 0, facets: { area: [] } })
  })

  test('{facets.sample} of more records than are counted one by one, a sample is counted, and the response says so', async () => {
    const polynyms = collectionsOf(catalogue).find(({ name }) => name === 'polynym')
    assert.ok(polynyms)
    const bounds = { counted: 50, read: 100 }
    const exact = await read('/api/polynym/facets/?by=area,name')
    const { count, facets, sample } = await readFacets(site.engine, polynyms, ['area', 'name'], undefined, bounds)
    assert.equal(count, exact.count)
    assert.deepEqual(facets['area'], exact.facets.area, 'the counters tell')
    const { read: counted = 0, of } = sample?.['name'] ?? {}
    assert.deepEqual([Object.keys(sample ?? {}), of], [['name'], count])
    assert.ok(counted > 50 && counted <= 150 && counted < count, `${counted}`)
    assert.equal(
      facets['name']?.reduce((sum, each) => sum + each.count, 0),
      counted,
    )
    const all = new Map(exact.facets.name.map((each: { value: string; count: number }) => [each.value, each.count]))
    for (const each of facets['name'] ?? []) assert.ok(each.count <= Number(all.get(each.value)), String(each.value))
    const few = await readFacets(site.engine, polynyms, ['name'], undefined, { ...bounds, counted: count })
    assert.deepEqual(few, { count, facets: { name: exact.facets.name } })
  })

  /** What the counters tell, and what has to be counted, must be the same. */
  const CONDITIONS = [
    'mode=part',
    'depth=4',
    'depth__gte=4&depth__lte=6',
    'mode__in=part,step',
    'area__isnull=true',
    'area__isnull=false&mode=type',
    'area__startswith=m',
    'src__startswith=A',
    'user=ADA',
    'user__in=gus,mira&mode=part',
    'likes=0',
    'likes__gte=1&area=myth',
    'mode=part&area=myth&depth=4',
    'mode=part&mode=type',
    'area=nowhere',
  ]

  async function compareAll() {
    const members = ['area', 'depth', 'likes', 'mode', 'src', 'user']
    for (const condition of ['', ...CONDITIONS]) {
      const { count, results } = await read(`/api/polynym/?page_size=1000&${condition}`)
      assert.equal(count, results.length, condition)
      assert.deepEqual(
        await read(`/api/polynym/facets/?by=${members}&${condition}`),
        { count, facets: Object.fromEntries(members.map((member) => [member, counted(results, member)])) },
        condition,
      )
    }
  }

  test('{facets.narrowed} the counts follow every write', async () => {
    const { store } = site.engine
    const write = async (method: string, path: string, json?: unknown, as = 'gus') => {
      const reply = await site.ask(path, { method, json, as })
      assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
      const written = catalogue.find(({ name }) => path.startsWith(`/api/${name}/`))
      assert.equal(
        written && (await store.read(() => countWrongCounts(store.records, written))),
        0,
        `${method} ${path}`,
      )
      return reply.json
    }
    const body = { name: 'Counted', area: 'a "new" one\\', src: 'Ünë, "x"', mode: 'step', p1: 'a', p2: 'b' }
    const { polynym_id: id } = await write('POST', '/api/polynym/', body)
    const { polynym_id: other } = await write('POST', '/api/polynym/', { ...body, name: 'Counted too' })
    await write('PATCH', `/api/polynym/${id}/`, { area: 'myth', p3: 'c', mode: 'part' })
    await write('PATCH', `/api/polynym/${id}/`, { wiki: 'nothing that is counted' })
    for (const voter of ['ada', 'gus', 'ada']) await write('POST', `/api/polynym/${id}/vote/`, {}, voter)
    await write('POST', `/api/polynym/${other}/vote/`, {}, 'ada')
    await compareAll()
    await write('DELETE', `/api/polynym/${id}/vote/`, undefined, 'ada')
    const score = { user: 'mira', by: 'x', app: 'count', score: 1, round: 1 }
    const { winner_id: winner } = await write('POST', '/api/winner/', score, 'staff')
    const given = await write('PUT', `/api/winner/${winner}/`, { ...score, user: 'kenji' }, 'staff')
    assert.equal(given.user, 'kenji')
    await write('DELETE', `/api/polynym/${other}/`)
    await write('DELETE', `/api/polynym/${id}/`, undefined, 'staff')
    assert.equal(
      (await site.ask('/api/polynym/', { method: 'POST', json: { ...body, mode: '' }, as: 'gus' })).status,
      400,
    )
    await compareAll()
  })

  test('{facets.repeated} a repeated by is one list', async () => {
    const expected = await read('/api/polynym/facets/?by=area,mode,user')
    assert.deepEqual(await read('/api/polynym/facets/?by=area&by=mode&by=user'), expected)
    assert.deepEqual(await read('/api/polynym/facets/?by=area,mode&by=&by=user'), expected)
  })

  test('{facets.view} a view is counted by the members of the whole record', async () => {
    const whole = await read('/api/quadranym/facets/?by=realm')
    assert.deepEqual(await read('/api/quadranym-id/facets/?by=realm'), whole)
  })

  test('{facets.bad} without a member that can be counted it returns 400', async () => {
    for (const [query, message] of [
      ['', 'This field is required.'],
      ['by=', 'This field is required.'],
      ['by=,%20,', 'This field is required.'],
      ['by=colour', '"colour" is not a valid choice.'],
      ['by=area,voters', '"voters" is not a valid choice.'],
      ['by=%00', '"\0" is not a valid choice.'],
      ['by=p1,p2,p3,p4,p5,p6&by=p7,p8,p9,p10,p11', 'Ensure this field has no more than 10 elements.'],
    ] as const) {
      const { status, json } = await site.ask(`/api/polynym/facets/?${query}`)
      assert.deepEqual([status, json], [400, { by: [message] }], query)
    }
    assert.deepEqual((await site.ask('/api/polyset/facets/?by=polynyms')).json, {
      by: ['"polynyms" is not a valid choice.'],
    })
  })

  test('{facets.methods} facets are only read', async () => {
    const { status, headers } = await site.ask('/api/polynym/facets/', { method: 'POST', as: 'ada' })
    assert.deepEqual([status, headers['allow']], [405, 'GET, HEAD, OPTIONS'])
  })
})
