/** How many records have each value. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { collectionsOf, facetable } from '../../src/engine/index.ts'
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
        .filter((member) => !/[0-9]$/.test(member))
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
