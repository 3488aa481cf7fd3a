/** Records with fewer members, or with ids instead of embedded records: `fields`, `omit`, `embed=ids`. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { collectionsOf } from '../../src/engine/index.ts'
import { onEachEngine } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'

type Members = Record<string, any>

const idOf = (record: Members): number => record[Object.keys(record).at(-1)!]

function only(record: Members, isWanted: (member: string) => boolean): Members {
  const id = Object.keys(record).at(-1)!
  return Object.fromEntries(Object.entries(record).filter(([member]) => member === id || isWanted(member)))
}

/** Ids in place of records. */
function withIds(record: Members): Members {
  const shown = Object.entries(record).map(([member, value]) => {
    if (Array.isArray(value)) return [member, value.map((each) => (typeof each === 'object' ? idOf(each) : each))]
    return [member, typeof value === 'object' ? idOf(value) : value]
  })
  return Object.fromEntries(shown)
}

onEachEngine('Members that a client asks for', {}, (site) => {
  before(() => addWinners(site))
  after(() => assert.deepEqual(site.bugs, []))

  const read = async (path: string) => {
    const { status, text } = await site.ask(path)
    assert.equal(status, 200, `${path}: ${text}`)
    return text
  }
  const results = async (path: string): Promise<Members[]> => JSON.parse(await read(path)).results
  const bodies = async (path: string) => {
    const text = await read(path)
    return text.slice(text.indexOf('"results":'))
  }
  const asBody = (records: readonly Members[]) => `"results":${JSON.stringify(records)}}`

  for (const { name, resource } of collectionsOf(catalogue)) {
    test(`{fields.members} {fields.omit} {fields.embed} ${name} is sent with the requested members`, async () => {
      const whole = await results(`/api/${name}/?page_size=1000`)
      const members = [...new Set(whole.flatMap((record) => Object.keys(record)))]
      const some = members.filter((_, i) => i % 3 === 1)
      const backwards = some.toReversed().join(',')
      const isSome = (member: string) => some.includes(member)
      for (const [query, expected] of [
        [`fields=${backwards}`, whole.map((record) => only(record, isSome))],
        [`omit=${backwards}`, whole.map((record) => only(record, (member) => !isSome(member)))],
        ['embed=ids', whole.map(withIds)],
        [`embed=ids&fields=${backwards}`, whole.map((record) => withIds(only(record, isSome)))],
        [`fields=${resource.name}_id`, whole.map((record) => only(record, () => false))],
      ] as const) {
        assert.equal(await bodies(`/api/${name}/?page_size=1000&${query}`), asBody(expected), query)
      }
      const [first] = whole
      const alone = await read(`/api/${name}/${idOf(first!)}/?embed=ids&omit=${backwards}`)
      assert.equal(alone, JSON.stringify(withIds(only(first!, (member) => !isSome(member)))))
    })
  }

  test('{fields.lists} both are lists, with commas, repeated, or both; omit wins', async () => {
    const [record] = await results('/api/polynym/?page_size=1&fields=name,mode,p1')
    assert.deepEqual(Object.keys(record!), ['name', 'mode', 'p1', 'polynym_id'])
    for (const query of [
      'fields=p1&fields=mode&fields=name',
      'fields=p1,%20mode&fields=&fields=name,',
      'fields=name,mode,p1,p2&omit=p2',
      'fields=id,name,mode,p1&omit=id,voters',
      'fields=name,mode,p1&omit=&embed=',
    ]) {
      assert.deepEqual((await results(`/api/polynym/?page_size=1&${query}`))[0], record, query)
    }
    assert.equal(await bodies('/api/polynym/?fields=&omit='), await bodies('/api/polynym/'))
  })

  test('{fields.where} they work wherever whole records are read, and with filters, orders and searches', async () => {
    const polynym = JSON.parse(await read('/api/polynym/193/'))
    const short = { name: polynym.name, polynym_id: 193 }
    assert.deepEqual(JSON.parse(await read('/api/polynym/193/?fields=name')), short)
    assert.deepEqual(JSON.parse(await read('/api/polynym/random/?id=193&fields=name')), short)
    assert.deepEqual(JSON.parse(await read('/api/polynym/random/?id=193&n=1&seed=1&fields=name')).results, [short])
    assert.deepEqual(JSON.parse(await read('/api/polynym/daily/?id=193&fields=name')), short)
    assert.deepEqual(await results('/api/polynym/?search=elements&ordering=id&id=193&fields=name'), [short])
    const { results: related } = JSON.parse(await read('/api/polynym/193/related/?fields=name,e'))
    const full = JSON.parse(await read('/api/polynym/193/related/')).results
    const wanted = (record: Members) => only(record, (member) => member === 'name' || member === 'e')
    assert.deepEqual(
      related,
      full.map((each: Members) => ({ ...each, record: wanted(each['record']) })),
    )
    const { sets, texts } = JSON.parse(await read('/api/term/dark/'))
    const dark = JSON.parse(await read('/api/term/dark/?omit=likes,voters,body&embed=ids'))
    const shown = (record: Members) => withIds(only(record, (member) => !['likes', 'voters', 'body'].includes(member)))
    assert.deepEqual([dark.sets.length, dark.texts.results.length], [2, 2])
    for (const [given, expected] of [
      [dark.sets, sets],
      [dark.texts.results, texts.results],
    ] as const) {
      for (const [i, { record }] of given.entries()) assert.deepEqual(record, shown(expected[i].record))
    }
  })

  test('{fields.links} links to other pages keep them', async () => {
    const { next } = JSON.parse(await read('/api/polyset/?embed=ids&fields=name,polynyms&page_size=2'))
    assert.equal(next, `${site.base}/api/polyset/?embed=ids&fields=name%2Cpolynyms&page=2&page_size=2`)
    const [record] = await results(next.slice(site.base.length))
    assert.deepEqual(Object.keys(record!), ['name', 'polynyms', 'polyset_id'])
  })

  test('{fields.unknown} an unknown member returns 400', async () => {
    for (const [path, parameter, message] of [
      ['polynym/?fields=name,colour', 'fields', '"colour" is not a valid choice.'],
      ['polynym/193/?omit=e', 'omit', '"e" is not a valid choice.'],
      ['polynym/random/?fields=%00', 'fields', '"\0" is not a valid choice.'],
      ['polynym/daily/?embed=all', 'embed', '"all" is not a valid choice.'],
      ['quadranym-id/?fields=name,realm', 'fields', '"realm" is not a valid choice.'],
      ['polyset/?fields=polynyms.name', 'fields', '"polynyms.name" is not a valid choice.'],
      ['quadranym/1/related/?omit=body', 'omit', '"body" is not a valid choice.'],
      ['term/dark/?fields=name,nothing', 'fields', '"nothing" is not a valid choice.'],
    ] as const) {
      const { status, json } = await site.ask(`/api/${path}`)
      assert.deepEqual([status, json], [400, { [parameter]: [message] }], path)
    }
    const { json } = await site.ask('/api/polynym/?fields=x&omit=y')
    assert.deepEqual(Object.keys(json), ['fields', 'omit'])
  })

  test('{fields.etag} a response with fewer members has its own ETag, which no If-Match accepts', async () => {
    const json = { name: 'Tides', mode: 'type', p1: 'ebb', p2: 'flood' }
    const made = (await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })).json
    const path = `/api/polynym/${made.polynym_id}/`
    const whole = (await site.ask(path)).headers['etag']!
    for (const query of ['fields=name', 'omit=likes', 'embed=ids', `fields=${Object.keys(made)}`]) {
      const { headers } = await site.ask(`${path}?${query}`)
      assert.notEqual(headers['etag'], whole, query)
      const again = await site.ask(`${path}?${query}`, { headers: { 'if-none-match': headers['etag']! } })
      assert.equal(again.status, 304, query)
      const change = { method: 'PATCH', as: 'ada', json: {}, headers: { 'if-match': headers['etag']! } }
      assert.equal((await site.ask(path, change)).status, 412, query)
    }
    await site.ask(`${path}vote/`, { method: 'POST', as: 'ada' })
    assert.equal((await site.ask(`${path}?fields=likes`)).json.likes, 1)
  })

  test('{fields.text} {fields.embed} plain text is complete, whatever members are requested', async () => {
    const headers = { accept: 'text/plain' }
    const { text } = await site.ask('/api/quote/1/', { headers })
    assert.equal((await site.ask('/api/quote/1/?fields=width&embed=ids', { headers })).text, text)
    assert.equal((await site.ask('/api/quote/random/?id=1&fields=width', { headers })).text, text)
    assert.equal((await site.ask('/api/quote/1/?fields=wide', { headers })).status, 400)
  })
})
