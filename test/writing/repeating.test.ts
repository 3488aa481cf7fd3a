/** Unique rules, repeated requests, and two clients that change one record. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Sent } from '../support/site.ts'
import { all, CAT, etagOf, type Json, make, RIVER, read, TREE } from './fixtures.ts'

const HOUR = 60 * 60 * 1000

/** A body for each unique rule, and the error for a second one. */
const UNIQUE: readonly (readonly [collection: string, body: object, errors: object])[] = [
  ['fable', { name: 'a', qode: 'q1e' }, { qode: ['This field must be unique.'] }],
  ['fortune', { body: 'b' }, { body: ['This field must be unique.'] }],
  ['phrase', { name: 'a', qode: 'q1e' }, { qode: ['This field must be unique.'] }],
  [
    'polynym',
    { name: 'a', src: 's', mode: 'part', p1: 'x', p2: 'y' },
    set('name, src, area, wiki, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12'),
  ],
  ['polymap', { name: 'a', pa: 1, pb: 2 }, set('name, user')],
  ['polyset', { name: 'a', polynyms: [1] }, set('name, user')],
  ['quadranym', { name: 'a', e: 'e', pos: 'NN' }, set('name, e, r, o, s, pos')],
  ['quadraset', { name: 'a', quadranyms: [1] }, set('name, user')],
  ['queue', { name: 'a' }, { name: ['This field must be unique.'] }],
  ['quote', { body: 'cat', qode: 'q1n_NN', quadranym: 1, src: 's' }, set('body, src, quadranym')],
  ['story', { name: 'a' }, { name: ['This field must be unique.'] }],
  ['tale', { name: 'a', fable: 1 }, { name: ['This field must be unique.'] }],
  ['storyline', { rank: 0, story: 1, phrase: 1, quadranym: 1 }, set('story, rank')],
  ['taleline', { rank: 0, tale: 1, quadranym: 1 }, set('tale, rank')],
  ['vectornym', { name: 'a', v1: 1, v2: 2 }, set('name, user')],
  ['winner', { user: 'gus', app: 'a', score: 1, round: 1 }, set('user, app')],
]

function set(members: string) {
  return { non_field_errors: [`The fields ${members} must make a unique set.`] }
}

onEachEngine('The same twice', { sample: false }, (site) => {
  const post = (collection: string, json: unknown, more: Sent = {}) =>
    site.ask(`/api/${collection}/`, { method: 'POST', as: 'gus', json, ...more })
  const patch = (path: string, json: object, condition?: string) =>
    site.ask(path, { method: 'PATCH', as: 'gus', json, headers: condition ? { 'if-match': condition } : {} })

  before(async () => {
    await make(site, 'polynym', TREE)
    await make(site, 'polynym', RIVER)
    await make(site, 'quadranym', CAT)
  })

  test('{unique.rules} a duplicate record is refused, in each collection by its own rule', async () => {
    for (const [collection, body, errors] of UNIQUE) {
      const as = collection === 'winner' ? 'staff' : 'gus'
      const made = await make(site, collection, body, as)
      const again = await post(collection, body, { as })
      assert.deepEqual([collection, again.status, again.json], [collection, 400, errors])
      // Replacing a record with itself is not a duplicate.
      const path = `/api/${collection}/${made[`${collection}_id`]}/`
      assert.equal((await site.ask(path, { method: 'PUT', as, json: made })).status, 200)
    }
  })

  test('{unique.exact} letter case matters, missing is empty, and PUT and PATCH respect the rule, too', async () => {
    const taken = { name: ['This field must be unique.'] }
    await make(site, 'queue', { name: 'A' })
    const other = await make(site, 'queue', { name: 'other' })
    const path = `/api/queue/${other.queue_id}/`
    for (const method of ['PUT', 'PATCH']) {
      const reply = await site.ask(path, { method, as: 'gus', json: { name: ' A ' } })
      assert.deepEqual([reply.status, reply.json], [400, taken])
    }
    const empty = await post('quadranym', { name: 'a', e: 'e', r: '', o: ' ', src: 'other', pos: 'NN' })
    assert.deepEqual([empty.status, empty.json], [400, set('name, e, r, o, s, pos')])
    assert.equal((await post('quadranym', { name: 'a', e: 'E', pos: 'NN' })).status, 201)
    // The rule of a set of names is separate for each user.
    await make(site, 'polyset', { name: 'a', polynyms: [1] }, 'ann')
  })

  test('{unique.race} of twenty clients that create the same at once, one succeeds, and the others get the reason', async () => {
    for (const [collection, body, errors] of [
      ['queue', { name: 'wanted' }, { name: ['This field must be unique.'] }],
      ['quadraset', { name: 'wanted', quadranyms: [1] }, set('name, user')],
    ] as const) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => post(collection, body)))
      const [made, ...others] = replies.toSorted((a, b) => a.status - b.status)
      assert.equal(made!.status, 201)
      for (const { status, json } of others) assert.deepEqual([status, json], [400, errors])
      assert.equal((await all(site, collection)).filter(({ name }) => name === 'wanted').length, 1)
    }
  })

  test('{write.together} changes of different members at the same time all count', async () => {
    const slots = Array.from({ length: 12 }, (_, i) => `p${i + 1}`)
    const terms = (of: (slot: string) => string) => Object.fromEntries(slots.map((slot) => [slot, of(slot)]))
    const made = await make(site, 'polynym', { name: 'together', mode: 'part', ...terms(() => 'old') })
    const path = `/api/polynym/${made.polynym_id}/`
    const replies = await Promise.all(slots.map((slot) => patch(path, { [slot]: `new ${slot}` })))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]))
    assert.deepEqual(await read(site, path), { ...made, ...terms((slot) => `new ${slot}`) })
  })

  const keyed = (key: string, json: unknown, more: Sent = {}) =>
    post('queue', json, { ...more, headers: { 'idempotency-key': key, ...more.headers } })

  test('{key.same} the same key with the same body returns the same response, and creates nothing', async () => {
    const first = await keyed('same', { name: 'k', x: { a: 1, b: [2] } })
    assert.equal(first.status, 201)
    const { count } = await read(site, '/api/queue/')
    for (const again of [
      await keyed('same', { name: 'k', x: { a: 1, b: [2] } }),
      // The order of the members does not matter.
      await post('queue', undefined, {
        body: '{"x":{"b":[2],"a":1},\n"name":"k"}',
        headers: { 'idempotency-key': 'same', 'content-type': 'application/json' },
      }),
    ]) {
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers.location, first.headers.location)
      assert.equal(again.headers.etag, first.headers.etag)
    }
    assert.equal((await read(site, '/api/queue/')).count, count)
  })

  test('{key.parsed} a form and JSON with the same members are the same body', async () => {
    const first = await keyed('parsed', { name: 'parsed' })
    const form = await keyed('parsed', undefined, { form: { name: 'parsed' } })
    assert.deepEqual([form.status, form.text], [201, first.text])
  })

  test('{key.as-it-was} the response is stored unchanged, whatever happens to the record', async () => {
    const first = await keyed('kept', { name: 'as it was' })
    const path = `/api/queue/${first.json.queue_id}/`
    await patch(path, { name: 'changed' })
    assert.equal((await keyed('kept', { name: 'as it was' })).text, first.text)
    await site.ask(path, { method: 'DELETE', as: 'gus' })
    const again = await keyed('kept', { name: 'as it was' })
    assert.deepEqual([again.status, again.text], [201, first.text])
    assert.equal((await site.ask(path)).status, 404)
  })

  test('{key.other-body} another body under the same key returns 422', async () => {
    await keyed('other', { name: 'one' })
    const reply = await keyed('other', { name: 'two' })
    assert.equal(reply.text, '{"detail":"This Idempotency-Key was used with another body."}')
    assert.equal(reply.status, 422)
  })

  test('{key.scope} a key belongs to its user and its address', async () => {
    const mine = await keyed('scope', { name: 'mine' })
    const hers = await keyed('scope', { name: 'hers' }, { as: 'ann' })
    assert.deepEqual([mine.json.name, hers.status, hers.json.name], ['mine', 201, 'hers'])
    const set = await post('polyset', { name: 'scope', polynyms: [1] }, { headers: { 'idempotency-key': 'scope' } })
    assert.equal(set.status, 201)
  })

  test('{key.day} the response is stored for 24 hours', async () => {
    const start = new Date()
    site.clock = start
    const first = await keyed('day', { name: 'day' })
    site.clock = new Date(start.getTime() + 24 * HOUR)
    assert.equal((await keyed('day', { name: 'day' })).text, first.text)
    site.clock = new Date(start.getTime() + 24 * HOUR + 1)
    const later = await keyed('day', { name: 'day' })
    assert.deepEqual([later.status, later.json], [400, { name: ['This field must be unique.'] }])
    const other = await keyed('day', { name: 'next day' })
    assert.deepEqual([other.status, other.json.name], [201, 'next day'])
    site.clock = undefined
  })

  test('{key.errors} only created records are stored: after an error the key is free', async () => {
    for (const json of [{ name: '' }, { name: 'k' }, []]) assert.equal((await keyed('errors', json)).status, 400)
    assert.equal((await keyed('errors', { name: 'free again' })).status, 201)
  })

  test('{key.twins} of requests with the same key at the same time, one is carried out and all get its response', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => keyed('twins', { name: 'twins' })))
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(replies.map(({ text }) => text)).size, 1)
    assert.equal(new Set(replies.map(({ headers }) => headers.location)).size, 1)
    // With different bodies, one is carried out and the others get 422.
    const bodies = await Promise.all(Array.from({ length: 6 }, (_, i) => keyed('rivals', { name: `rival ${i}` })))
    assert.deepEqual(
      bodies.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, 422, 422, 422, 422, 422],
    )
    assert.equal((await all(site, 'queue')).filter(({ name }) => name.startsWith('rival')).length, 1)
  })

  test('{key.form} a key is 1 to 255 visible ASCII characters', async () => {
    for (const key of ['', 'a b', 'x'.repeat(256), 'é']) {
      const reply = await keyed(key, { name: 'bad key' })
      assert.equal(reply.text, '{"detail":"An Idempotency-Key is 1 to 255 visible ASCII characters."}')
      assert.equal(reply.status, 400)
    }
    assert.equal((await keyed('~'.repeat(255), { name: 'long key' })).status, 201)
  })

  test('{key.others} the other methods ignore it', async () => {
    const made = await make(site, 'queue', { name: 'others' })
    const path = `/api/queue/${made.queue_id}/`
    for (const name of ['first', 'second']) {
      const reply = await site.ask(path, {
        method: 'PUT',
        as: 'gus',
        json: { name },
        headers: { 'idempotency-key': 'others' },
      })
      assert.equal(reply.json.name, name)
    }
  })

  /** A new record, its address and its ETag. */
  async function watched(name: string): Promise<{ path: string; etag: string; record: Json }> {
    const record = await make(site, 'queue', { name })
    const path = `/api/queue/${record.queue_id}/`
    return { path, etag: await etagOf(site, path), record }
  }

  test('{match.fresh} {match.stale} with If-Match a record is written only if it is still what the ETag says', async () => {
    const { path, etag } = await watched('match')
    const changed = await patch(path, { name: 'match 2' }, etag)
    assert.deepEqual([changed.status, changed.json.name], [200, 'match 2'])
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const headers = { 'if-match': etag }
      const reply = await site.ask(path, { method, as: 'gus', json: { name: 'late' }, headers })
      assert.equal(reply.text, '{"detail":"The record has changed since it was read."}')
      assert.equal(reply.status, 412)
    }
    assert.equal((await read(site, path)).name, 'match 2')
    const headers = { 'if-match': await etagOf(site, path) }
    assert.equal((await site.ask(path, { method: 'PUT', as: 'gus', json: { name: 'match 3' }, headers })).status, 200)
    const last = { 'if-match': await etagOf(site, path) }
    assert.equal((await site.ask(path, { method: 'DELETE', as: 'gus', headers: last })).status, 204)
  })

  test('{write.chain} the ETag of a write lets the next one follow without reading', async () => {
    const made = await post('polynym', { ...TREE, name: 'chain' })
    const path = `/api/polynym/${made.json.polynym_id}/`
    const first = await patch(path, { name: 'chain 2' }, made.headers.etag)
    const second = await patch(path, { name: 'chain 3' }, first.headers.etag)
    assert.equal((await patch(path, { name: 'late' }, first.headers.etag)).status, 412)
    const vote = (method: string) => site.ask(`${path}vote/`, { method, as: 'gus' })
    const voted = await vote('POST')
    assert.equal(voted.headers['content-location'], site.base + path)
    assert.equal((await patch(path, {}, second.headers.etag)).status, 412)
    assert.equal((await patch(path, {}, voted.headers.etag)).status, 200)
    assert.equal((await vote('DELETE')).headers.etag, second.headers.etag)
    const accept = 'application/json; indent=4'
    const headers = { accept, 'if-none-match': '*' }
    const indented = await site.ask(path, { method: 'PATCH', as: 'gus', json: {}, headers })
    assert.deepEqual([indented.status, indented.headers.etag], [200, second.headers.etag!.replace(/"$/, '-i4"')])
    const page = await site.ask(path, { method: 'PATCH', as: 'gus', json: {}, headers: { accept: 'text/html' } })
    assert.deepEqual([page.status, page.headers.etag, page.headers['content-location']], [200, undefined, undefined])
  })

  test('{match.whole} what a record embeds, and its votes, are part of it', async () => {
    const member = await make(site, 'polynym', { ...TREE, name: 'member' })
    const set = await make(site, 'polyset', { name: 'whole', polynyms: [member.polynym_id] })
    const path = `/api/polyset/${set.polyset_id}/`
    const before = await etagOf(site, path)
    await patch(`/api/polynym/${member.polynym_id}/`, { p3: 'top' })
    assert.equal((await patch(path, { area: 'a' }, before)).status, 412)
    const then = await etagOf(site, path)
    await site.ask(`${path}vote/`, { method: 'POST', as: 'ann' })
    assert.equal((await patch(path, { area: 'a' }, then)).status, 412)
    assert.equal((await patch(path, { area: 'a' }, await etagOf(site, path))).status, 200)
  })

  test('{match.lines} {lines.read} the ETag of a story with its lines covers both', async () => {
    const [topic, other] = [
      await make(site, 'quadranym', { name: 'm1' }),
      await make(site, 'quadranym', { name: 'm2' }),
    ]
    const phrase = await make(site, 'phrase', { name: 'matched', qode: 'The q1n_NN.' })
    const line = (quadranym: number, rank: number) => ({ rank, phrase: phrase.phrase_id, quadranym })
    const [one, two] = [topic.quadranym_id, other.quadranym_id]
    const story = await make(site, 'story', { name: 'lines', lines: [line(one, 0), line(two, 1)] })
    const path = `/api/story/${story.story_id}/`
    const whole = `${path}?embed=lines`
    const { json, headers } = await site.ask(whole)
    assert.deepEqual(json, { ...story, lines: [line(one, 0), line(two, 1)] })
    assert.deepEqual(Object.keys(json).at(-1), 'lines')
    // What was read can be written, and changes nothing.
    const put = (json: object, etag?: string) =>
      site.ask(path, { method: 'PUT', as: 'gus', json, headers: { 'if-match': etag! } })
    assert.equal((await put(json, headers.etag)).status, 200)
    assert.equal(await etagOf(site, whole), headers.etag)
    const storylines = () => site.ask(`/api/storyline/?story=${story.story_id}`)
    const [first] = (await storylines()).json.results
    // One line changes; the story itself does not.
    const plain = await etagOf(site, path)
    assert.equal((await patch(`/api/storyline/${first.storyline_id}/`, { quadranym: two })).status, 200)
    assert.equal(await etagOf(site, path), plain)
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const sent = { method, as: 'gus', json, headers: { 'if-match': headers.etag! } }
      assert.equal((await site.ask(path, sent)).status, 412, method)
    }
    assert.equal((await patch(path, { realm: 'Social' }, plain)).status, 200)
    // Of many clients, one writes its lines.
    const etag = await etagOf(site, whole)
    const replies = await Promise.all([one, two, one, two].map((id) => put({ ...json, lines: [line(id, 0)] }, etag)))
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 412, 412, 412])
    const winner = replies.findIndex(({ status }) => status === 200)
    const kept = (await site.ask(whole)).json.lines
    assert.deepEqual(kept, [line(winner % 2 === 0 ? one : two, 0)])
    const fable = await make(site, 'fable', { name: 'matched', qode: 'A q1n_NN, a q2n_NN.' })
    const tale = await make(site, 'tale', { name: 'lines', fable: fable.fable_id, lines: [one, two] })
    const told = await site.ask(`/api/tale/${tale.tale_id}/?embed=lines&fields=name`)
    const lines = [one, two].map((quadranym, rank) => ({ rank, quadranym }))
    assert.deepEqual(told.json, { name: 'lines', tale_id: tale.tale_id, lines })
    assert.equal((await patch(`/api/tale/${tale.tale_id}/`, { area: 'a' }, told.headers.etag)).status, 412)
  })

  test('{lines.read-refused} lines are read of one record that has some, as it is now', async () => {
    const story = await make(site, 'story', { name: 'refused' })
    const at = `/api/story/${story.story_id}/?embed=lines`
    for (const [path, says] of [
      [`${at}&as_of=latest`, '"lines" cannot be combined with as_of.'],
      ['/api/story/?embed=lines', '"lines" is not a valid choice.'],
      ['/api/story/random/?embed=lines', '"lines" is not a valid choice.'],
      ['/api/polynym/?embed=lines', '"lines" is not a valid choice.'],
    ]) {
      const { status, json } = await site.ask(path!)
      assert.deepEqual([status, json], [400, { embed: [says] }], path)
    }
    assert.deepEqual((await site.ask(at)).json.lines, [])
    assert.equal((await site.ask('/api/story/9999/?embed=lines')).status, 404)
  })

  test('{match.any} * and a list match as HTTP says, weak tags never', async () => {
    const { path, etag } = await watched('any')
    assert.equal((await patch(path, {}, '*')).status, 200)
    assert.equal((await patch(path, {}, `"other", ${etag}`)).status, 200)
    for (const condition of [`W/${etag}`, '"other", "another"', etag.slice(1, -1), '""']) {
      assert.equal((await patch(path, {}, condition)).status, 412, condition)
    }
    const gone = await site.ask('/api/queue/9999/', { method: 'DELETE', as: 'gus', headers: { 'if-match': '*' } })
    assert.equal(gone.status, 404)
  })

  test('{match.indent} the ETag of an indented response is accepted, too', async () => {
    const { path } = await watched('indent')
    const accept = 'application/json; indent=4'
    const { etag } = (await site.ask(path, { headers: { accept } })).headers
    assert.match(etag!, /-i4"$/)
    assert.equal((await patch(path, { name: 'indented' }, etag)).status, 200)
    assert.equal((await patch(path, { name: 'again' }, etag)).status, 412)
  })

  test('{match.view} at a view, the ETag is that of the entry', async () => {
    const made = await make(site, 'quadranym', { name: 'viewed' })
    const [whole, entry] = [`/api/quadranym/${made.quadranym_id}/`, `/api/quadranym-id/${made.quadranym_id}/`]
    const etag = await etagOf(site, entry)
    assert.equal((await patch(whole, { e: 'x' }, etag)).status, 412)
    assert.equal((await patch(whole, { e: 'x' })).status, 200)
    // What the entry does not show may change without it.
    assert.equal((await patch(entry, { name: 'seen' }, etag)).status, 200)
    assert.equal((await patch(entry, { name: 'unseen' }, etag)).status, 412)
  })

  test('{match.race} of many clients that write with the same ETag, one succeeds', async () => {
    const { path, etag } = await watched('race')
    const replies = await Promise.all(Array.from({ length: 10 }, (_, i) => patch(path, { name: `race ${i}` }, etag)))
    const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [200, ...Array(9).fill(412)])
    const winner = replies.find(({ status }) => status === 200)!
    assert.equal((await site.ask(path)).text, winner.text)
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})
