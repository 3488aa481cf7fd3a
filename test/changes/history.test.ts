/** The history of a record. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

const STAFF = 'staff'

onEachEngine('History', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const polynym = async (name: string, rest: object = {}): Promise<number> =>
    (await send('POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth', ...rest })).polynym_id
  const history = async (path: string, query = '') => (await site.ask(`/api/${path}/history/${query}`)).json
  const without = ({ seq: _, set: __, at: ___, ...entry }: any) => entry

  test('{history.entries} {history.members} {history.times} every change of a record is told, newest first', async () => {
    site.clock = new Date('2026-11-16T05:00:00.000Z')
    const id = await polynym('river', { area: 'water' })
    site.clock = new Date('2026-11-16T06:00:00.000Z')
    await send('PATCH', `/api/polynym/${id}/`, { p3: 'delta', area: '' }, STAFF)
    await send('POST', `/api/polynym/${id}/vote/`, undefined, 'ida')
    site.clock = undefined
    const { count, created, changed, results, ...links } = await history(`polynym/${id}`)
    assert.deepEqual([count, created, changed], [3, '2026-11-16T05:00:00.000Z', '2026-11-16T06:00:00.000Z'])
    assert.deepEqual(links, { next: null, previous: null })
    assert.deepEqual(results.map(without), [
      { user: 'ida', action: 'vote', members: {} },
      {
        user: STAFF,
        action: 'change',
        members: { area: { was: 'water', became: null }, p3: { was: null, became: 'delta' } },
      },
      {
        user: 'gus',
        action: 'create',
        members: {
          name: { was: null, became: 'river' },
          user: { was: null, became: 'gus' },
          area: { was: null, became: 'water' },
          mode: { was: null, became: 'part' },
          p1: { was: null, became: 'source' },
          p2: { was: null, became: 'mouth' },
        },
      },
    ])
    const feed = (await site.ask(`/api/changes/?resource=polynym&id=${id}`)).json.results
    const key = ({ seq, set, at, user, action }: any) => ({ seq, set, at, user, action })
    assert.deepEqual(results.map(key), feed.map(key).reverse())
  })

  test('{history.members} embedded records are ids, also of records that changed since', async () => {
    const [a, b] = [await polynym('a'), await polynym('b')]
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'two', polynyms: [a] })
    await send('PATCH', `/api/polyset/${set}/`, { polynyms: [b, a] })
    await send('PATCH', `/api/polynym/${a}/`, { p1: 'spring' })
    const { results } = await history(`polyset/${set}`)
    assert.deepEqual(results[0].members, { polynyms: { was: [a], became: [b, a] } })
    assert.deepEqual(results[1].members.polynyms, { was: null, became: [a] })
  })

  test('{history.removed} a removed record keeps its history; one that never existed has none', async () => {
    const id = await polynym('gone')
    await send('POST', `/api/polynym/${id}/vote/`, undefined, 'ida')
    await send('POST', `/api/polynym/${id}/vote/`, undefined, 'tom')
    await send('DELETE', `/api/polynym/${id}/`)
    const { results } = await history(`polynym/${id}`)
    assert.deepEqual(
      results.map(({ action }: any) => action),
      ['remove', 'vote', 'vote', 'create'],
    )
    const { members } = results[0]
    assert.deepEqual(members.name, { was: 'gone', became: null })
    assert.deepEqual(members.voters, { was: ['tom', 'ida'], became: null })
    assert.deepEqual(results[3].members.name, { was: null, became: 'gone' })
    for (const path of ['/api/polynym/98765/history/', '/api/polynym/x/history/', '/api/word/1/history/']) {
      assert.equal((await site.ask(path)).status, 404, path)
    }
    const { queue_id: ownerless } = await send('POST', '/api/queue/', { name: 'first' })
    await send('DELETE', `/api/queue/${ownerless}/`)
    assert.deepEqual((await history(`queue/${ownerless}`)).results[0].members, { name: { was: 'first', became: null } })
  })

  test('{history.diff} texts have their differences word by word', async () => {
    const texts: [was: string, became: string, diff: string[][]][] = [
      [
        'a small river',
        'a large river',
        [
          ['=', 'a '],
          ['-', 'small'],
          ['+', 'large'],
          ['=', ' river'],
        ],
      ],
      [
        'one two three',
        'one three',
        [
          ['=', 'one '],
          ['-', 'two '],
          ['=', 'three'],
        ],
      ],
      [
        'one',
        'one, two',
        [
          ['=', 'one'],
          ['+', ', two'],
        ],
      ],
      [
        "don't go",
        "don't stay, go",
        [
          ['=', "don't "],
          ['+', 'stay, '],
          ['=', 'go'],
        ],
      ],
      [
        '河が見える',
        '川が見える',
        [
          ['-', '河'],
          ['+', '川'],
          ['=', 'が見える'],
        ],
      ],
      [
        'a b c d',
        'x b y d',
        [
          ['-', 'a'],
          ['+', 'x'],
          ['=', ' b '],
          ['-', 'c'],
          ['+', 'y'],
          ['=', ' d'],
        ],
      ],
      [
        'old',
        'new words',
        [
          ['-', 'old'],
          ['+', 'new words'],
        ],
      ],
    ]
    const { queue_id: id } = await send('POST', '/api/queue/', { name: texts[0]![0] })
    for (const [was, became, diff] of texts) {
      await send('PUT', `/api/queue/${id}/`, { name: was })
      await send('PUT', `/api/queue/${id}/`, { name: became })
      assert.deepEqual((await history(`queue/${id}`, '?page_size=1')).results[0].members.name, { was, became, diff })
    }
  })

  test('{history.diff} very different texts are compared as a whole', async () => {
    const long = (word: string) => `begin ${Array.from({ length: 400 }, (_, i) => `${word}${i}`).join(' ')} end`
    const { fortune_id: id } = await send('POST', '/api/fortune/', { body: long('a') })
    await send('PATCH', `/api/fortune/${id}/`, { body: long('b') })
    const { diff } = (await history(`fortune/${id}`)).results[0].members.body
    const middle = (word: string) => long(word).slice('begin '.length, -' end'.length)
    assert.deepEqual(diff, [
      ['=', 'begin '],
      ['-', middle('a')],
      ['+', middle('b')],
      ['=', ' end'],
    ])
  })

  test('{history.pages} a history has pages', async () => {
    const { queue_id: id } = await send('POST', '/api/queue/', { name: 'v0' })
    for (let i = 1; i < 7; i++) await send('PUT', `/api/queue/${id}/`, { name: `v${i}` })
    const whole = await history(`queue/${id}`)
    assert.equal(whole.results.length, 7)
    const address = `${site.base}/api/queue/${id}/history/`
    const { json, headers } = await site.ask(`/api/queue/${id}/history/?page_size=3&page=2`)
    const link = (page: number) => `${address}?page=${page}&page_size=3`
    assert.deepEqual([json.count, json.next, json.previous], [7, link(3), link(1)])
    assert.deepEqual(json.results, whole.results.slice(3, 6))
    const rels = [`<${link(1)}>; rel="first"`, `<${link(1)}>; rel="prev"`, `<${link(3)}>; rel="next"`]
    assert.equal(headers['link'], [...rels, `<${link(3)}>; rel="last"`].join(', '))
    assert.equal(headers['cache-control'], 'no-cache')
    assert.deepEqual((await history(`queue/${id}`, '?page=last&page_size=3')).results, whole.results.slice(6))
    assert.equal((await site.ask(`/api/queue/${id}/history/?page=4&page_size=3`)).status, 404)
  })

  test('{history.page} a browser gets a page with a button for each entry that its user may undo', async () => {
    const id = await polynym('seen')
    const accept = { headers: { accept: 'text/html' } }
    const page = await site.ask(`/api/polynym/${id}/history/`, accept)
    assert.match(page.text, /<h1>Polynym History<\/h1>/)
    const record = await site.ask(`/api/polynym/${id}/?format=api`, accept)
    assert.ok(record.text.includes(`href="/api/polynym/${id}/history/"`))
    const { seq } = (await history(`polynym/${id}`)).results[0]
    const seesButton = async (as: string) =>
      (await site.ask(`/api/polynym/${id}/history/`, { ...accept, as })).text.includes(
        `action="/api/changes/${seq}/undo/"`,
      )
    assert.deepEqual([await seesButton('gus'), await seesButton(STAFF), await seesButton('ida')], [true, true, false])
    await send('DELETE', `/api/polynym/${id}/`)
    assert.deepEqual([await seesButton('gus'), await seesButton('ida')], [true, false])
  })
})
