/** Every resource is created, read, replaced, changed and deleted in the same way, with JSON and with forms. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Sent, type Site } from '../support/site.ts'
import { CAT, DOG, type Json, make, RIVER, TREE } from './fixtures.ts'

/** What the bodies below refer to. */
interface Ground {
  readonly tree: Json
  readonly river: Json
  readonly cat: Json
  readonly dog: Json
  readonly phrase: Json
  readonly fable: Json
  readonly story: Json
  readonly tale: Json
}

interface Case {
  readonly collection: string
  /** The last member of a record; a view has its resource's. */
  readonly id: string
  /** The user who writes it, gus by default. */
  readonly as?: string
  /** The body; `n` differs from call to call, so that unique rules hold. */
  body(ground: Ground, n: number): Json
  /** The whole record that comes back, without its id. */
  shown(ground: Ground, n: number): Json
  /** Members to change, and the resulting changes of the record. */
  readonly patch: Json
  readonly patched?: Json
}

const CASES: readonly Case[] = [
  {
    collection: 'fable',
    id: 'fable_id',
    body: (_, n) => ({ name: 'f', src: 's', qode: `q1e ${n} q2n_NN q1r`, realm: 'Social' }),
    shown: (_, n) => ({
      name: 'f',
      user: 'gus',
      src: 's',
      qode: `q1e ${n} q2n_NN q1r`,
      subs: 'enr',
      length: 2,
      width: 3,
      realm: 'Social',
    }),
    patch: { name: 'F2' },
  },
  {
    collection: 'fortune',
    id: 'fortune_id',
    body: ({ cat, dog }, n) => ({
      body: `A cat ${n}, a bone and a walk.`,
      qode: `A q1n_NN ${n}, a q2o_NN and a q2s_NN.`,
      q1: [cat.quadranym_id, dog.quadranym_id],
    }),
    shown: ({ cat, dog }, n) => ({
      body: `A cat ${n}, a bone and a walk.`,
      qode: `A q2n_NN ${n}, a q1o_NN and a q1s_NN.`,
      q1: [cat],
      q2: [dog],
      subs: 'nos',
      depth: 2,
    }),
    patch: { qode: 'no token' },
    patched: { qode: '', q1: [], q2: [], subs: '', depth: 0 },
  },
  {
    collection: 'phrase',
    id: 'phrase_id',
    body: (_, n) => ({ name: 'p', area: 'a', qode: `${n} q1e_VB` }),
    shown: (_, n) => ({ name: 'p', user: 'gus', area: 'a', qode: `${n} q1e_VB`, subs: 'e', width: 1 }),
    patch: { realm: 'Energy' },
  },
  {
    collection: 'polynym',
    id: 'polynym_id',
    body: (_, n) => ({ name: `n ${n}`, wiki: 'w', mode: 'step', p1: 'a', p2: 'b', p3: 'c' }),
    shown: (_, n) => ({ name: `n ${n}`, user: 'gus', wiki: 'w', mode: 'step', depth: 3, p1: 'a', p2: 'b', p3: 'c' }),
    patch: { p3: 'C' },
  },
  {
    collection: 'polymap',
    id: 'polymap_id',
    body: ({ tree, river }, n) => ({
      name: `m ${n}`,
      pa: tree.polynym_id,
      pb: river.polynym_id,
      r1: 'root,SimilarTo,spring',
      r2: 'crown,Antonym,mouth',
    }),
    shown: ({ tree, river }, n) => ({
      name: `m ${n}`,
      user: 'gus',
      pa: tree,
      pb: river,
      r1: 'root,SimilarTo,spring',
      r2: 'crown,Antonym,mouth',
    }),
    patch: { r2: 'trunk,RelatedTo,mouth' },
  },
  {
    collection: 'polyset',
    id: 'polyset_id',
    body: ({ tree, river }, n) => ({ name: `s ${n}`, polynyms: [river.polynym_id, tree.polynym_id] }),
    shown: ({ tree, river }, n) => ({
      name: `s ${n}`,
      user: 'gus',
      polynyms: [river, tree],
      length: 2,
      width: 5,
      depth: 3,
    }),
    patch: { name: 'S', area: 'a' },
    patched: { name: 'S', area: 'a' },
  },
  {
    collection: 'quadranym',
    id: 'quadranym_id',
    body: (_, n) => ({ name: `q ${n}`, e: 'e', s: '____', pos: 'NN', spos: 'VB', realm: 'Own' }),
    shown: (_, n) => ({
      name: `q ${n}`,
      user: 'gus',
      e: 'e',
      r: '',
      o: '',
      s: '____',
      pos: 'NN',
      spos: 'VB',
      realm: 'Own',
    }),
    patch: { r: 'R' },
  },
  {
    collection: 'quadranym-id',
    id: 'quadranym_id',
    body: (_, n) => ({ name: `v ${n}`, e: 'e' }),
    shown: (_, n) => ({ name: `v ${n}` }),
    patch: { name: 'V' },
  },
  {
    collection: 'quadraset',
    id: 'quadraset_id',
    body: ({ cat, dog }, n) => ({ name: `s ${n}`, quadranyms: [dog.quadranym_id, cat.quadranym_id] }),
    shown: ({ cat, dog }, n) => ({ name: `s ${n}`, user: 'gus', quadranyms: [dog, cat], length: 2 }),
    patch: { name: 'S' },
  },
  {
    collection: 'queue',
    id: 'queue_id',
    body: (_, n) => ({ name: `w ${n}` }),
    shown: (_, n) => ({ name: `w ${n}` }),
    patch: { name: 'W' },
  },
  {
    collection: 'quote',
    id: 'quote_id',
    body: ({ cat }, n) => ({
      body: `The fur of a cat is ${n}.`,
      qode: `The q1o_NN of a q1n_NN is ${n}.`,
      quadranym: cat.quadranym_id,
      src: 'A. Nother',
    }),
    shown: ({ cat }, n) => ({
      body: `The fur of a cat is ${n}.`,
      qode: `The q1o_NN of a q1n_NN is ${n}.`,
      quadranym: cat,
      subs: 'on',
      width: 2,
      src: 'A. Nother',
    }),
    patch: { src: 'Anybody' },
  },
  {
    collection: 'story',
    id: 'story_id',
    body: (_, n) => ({ name: `t ${n}`, realm: 'Social' }),
    shown: (_, n) => ({ name: `t ${n}`, user: 'gus', length: 0, realm: 'Social' }),
    patch: { name: 'T' },
  },
  {
    collection: 'tale',
    id: 'tale_id',
    body: ({ fable }, n) => ({ name: `t ${n}`, fable: fable.fable_id }),
    shown: ({ fable }, n) => ({ name: `t ${n}`, user: 'gus', length: 2, fable }),
    patch: { src: 'S' },
    patched: { src: 'S' },
  },
  {
    collection: 'storyline',
    id: 'storyline_id',
    body: ({ story, phrase, cat }, n) => ({
      rank: n,
      story: story.story_id,
      phrase: phrase.phrase_id,
      quadranym: cat.quadranym_id,
    }),
    shown: ({ story, phrase, cat }, n) => ({ rank: n, story: { ...story, length: 1 }, phrase, quadranym: cat }),
    patch: { rank: 77 },
  },
  {
    collection: 'taleline',
    id: 'taleline_id',
    body: ({ tale, cat }, n) => ({ rank: n, tale: tale.tale_id, quadranym: cat.quadranym_id }),
    shown: ({ tale, cat }, n) => ({ rank: n, tale, quadranym: cat }),
    patch: { rank: 77 },
  },
  {
    collection: 'vectornym',
    id: 'vectornym_id',
    body: ({ tree, river }, n) => ({ name: `v ${n}`, v1: tree.polynym_id, v2: river.polynym_id, v3: tree.polynym_id }),
    shown: ({ tree, river }, n) => ({
      name: `v ${n}`,
      user: 'gus',
      length: 3,
      width: 8,
      depth: 3,
      v1: tree,
      v2: river,
      v3: tree,
    }),
    patch: { realm: 'Physical' },
  },
  {
    collection: 'winner',
    id: 'winner_id',
    as: 'staff',
    body: (_, n) => ({ by: 'G.', user: 'gus', app: `app ${n}`, score: -5, round: 3 }),
    shown: (_, n) => ({ by: 'G.', user: 'gus', app: `app ${n}`, score: -5, round: 3 }),
    patch: { score: 6 },
  },
]

/** How the same members are sent. */
const WIRES: Readonly<Record<string, (members: Json) => Sent>> = {
  JSON: (json) => ({ json }),
  form: (members) => ({ form: asForm(members) }),
}

onEachEngine('Every resource', { sample: false }, (site) => {
  let ground: Ground
  let n = 0

  before(async () => {
    ground = await makeGround(site)
  })

  for (const { collection, id: idMember, as = 'gus', body, shown, patch, patched = patch } of CASES) {
    for (const [wire, sent] of Object.entries(WIRES)) {
      test(`{write.create} {write.location} {write.etag} {write.same} {write.change} {write.delete} {may.change} {write.refused} ${collection} as ${wire}: created, read, put back, changed, kept from others, deleted`, async () => {
        const list = `/api/${collection}/`
        n++
        const made = await site.ask(list, { method: 'POST', as, ...sent(body(ground, n)) })
        assert.equal(made.status, 201, made.text)
        const id = made.json[idMember]
        const record = `${list}${id}/`
        assert.equal(made.text, JSON.stringify({ ...shown(ground, n), [idMember]: id }))
        assert.equal(made.headers.location, site.base + record)

        const first = await site.ask(record)
        assert.equal(first.status, 200)
        assert.equal(first.text, made.text)
        assert.deepEqual(
          [made.headers.etag, made.headers['content-location']],
          [first.headers.etag, site.base + record],
        )

        const put = await site.ask(record, { method: 'PUT', as, ...sent(first.json) })
        assert.equal(put.text, made.text)
        assert.equal(put.status, 200)
        assert.deepEqual([put.headers.etag, put.headers['content-location']], [undefined, undefined])
        const second = await site.ask(record)
        assert.equal(second.text, first.text)
        assert.equal(second.headers.etag, first.headers.etag)

        const changed = await site.ask(record, { method: 'PATCH', as, ...sent(patch) })
        assert.equal(changed.status, 200)
        assert.deepEqual(changed.json, { ...first.json, ...patched })
        const third = await site.ask(record)
        assert.equal(third.text, changed.text)
        assert.equal(changed.headers.etag, third.headers.etag)
        assert.equal(changed.headers['content-location'], site.base + record)
        assert.notEqual(third.headers.etag, first.headers.etag)

        await refusedToOthers(site, record, sent(first.json), as)
        assert.equal((await site.ask(record)).text, changed.text)

        const gone = await site.ask(record, { method: 'DELETE', as })
        assert.deepEqual([gone.status, gone.text], [204, ''])
        assert.equal(gone.headers['content-type'], undefined)
        for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
          const reply = await site.ask(record, { method, as, ...(method === 'GET' ? {} : sent(first.json)) })
          assert.deepEqual([method, reply.status, reply.text], [method, 404, '{"detail":"Not found."}'])
        }
      })
    }
  }

  test('{may.staff-only} only staff write winners, not even the player, and nobody else creates one', async () => {
    const winner = await make(site, 'winner', { user: 'gus', app: 'flip', score: 1, round: 1 }, 'staff')
    const forbidden = '{"detail":"You do not have permission to perform this action."}'
    const created = await site.ask('/api/winner/', {
      method: 'POST',
      as: 'gus',
      json: { app: 'x', score: 1, round: 1 },
    })
    assert.deepEqual([created.status, created.text], [403, forbidden])
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const reply = await site.ask(`/api/winner/${winner.winner_id}/`, { method, as: 'gus', json: winner })
      assert.deepEqual([reply.status, reply.text], [403, forbidden])
    }
  })

  test('{winner.user} staff name the player, ignoring letter case, and may name another later', async () => {
    const path = '/api/winner/'
    const base = { app: 'spin', score: 1, round: 1 }
    await make(site, 'queue', { name: 'ann was here' }, 'ann')
    const made = await make(site, 'winner', { ...base, user: 'GUS' }, 'staff')
    assert.deepEqual(made, { by: '', user: 'gus', ...base, winner_id: made.winner_id })
    const moved = await site.ask(`${path}${made.winner_id}/`, { method: 'PATCH', as: 'staff', json: { user: 'ann' } })
    assert.deepEqual(moved.json, { ...made, user: 'ann' })
    for (const [user, message] of [
      [undefined, 'This field is required.'],
      [null, 'This field is required.'],
      ['', 'This field is required.'],
      [5, 'Not a valid string.'],
      ['nobody', 'Object with username=nobody does not exist.'],
    ]) {
      const { status, json } = await site.ask(path, { method: 'POST', as: 'staff', json: { ...base, user } })
      assert.deepEqual([status, json], [400, { user: [message] }])
    }
  })

  test('{winner.user} a player’s name that no database can store belongs to nobody', async () => {
    const json = { user: 'gus\0', app: 'nul', score: 1, round: 1 }
    const reply = await site.ask('/api/winner/', { method: 'POST', as: 'staff', json })
    assert.equal(reply.status, 400)
    assert.deepEqual(reply.json, { user: ['Object with username=gus\0 does not exist.'] })
  })

  test('{write.owner-stays} staff change and delete records of others, which keep their owner', async () => {
    const queue = await make(site, 'queue', { name: 'mine' })
    const path = `/api/queue/${queue.queue_id}/`
    const tree = `/api/polynym/${ground.tree.polynym_id}/`
    assert.equal((await site.ask(tree, { method: 'PUT', as: 'staff', json: ground.tree })).json.user, 'gus')
    assert.equal((await site.ask(path, { method: 'PATCH', as: 'staff', json: { name: 'yours' } })).status, 200)
    assert.equal((await site.ask(path, { method: 'PATCH', as: 'gus', json: { name: 'mine' } })).status, 200)
    assert.equal((await site.ask(path, { method: 'DELETE', as: 'staff' })).status, 204)
  })

  test('{view.create} a POST to quadranym-id creates a whole quadranym and returns its entry', async () => {
    const body = { name: 'owl', e: 'wing', realm: 'Spatial' }
    const { status, json, headers } = await site.ask('/api/quadranym-id/', { method: 'POST', as: 'gus', json: body })
    const id = json.quadranym_id
    assert.deepEqual([status, json], [201, { name: 'owl', quadranym_id: id }])
    assert.equal(headers.location, `${site.base}/api/quadranym-id/${id}/`)
    const whole = await site.ask(`/api/quadranym/${id}/`)
    const owl = { name: 'owl', user: 'gus', e: 'wing', r: '', o: '', s: '', realm: 'Spatial', quadranym_id: id }
    assert.equal(whole.text, JSON.stringify(owl))
  })

  test('{view.replace} a PUT to quadranym-id leaves the members that the entry does not show', async () => {
    const made = await make(site, 'quadranym', { name: 'ant', e: 'hill', realm: 'Social' })
    const path = `/api/quadranym-id/${made.quadranym_id}/`
    const put = await site.ask(path, { method: 'PUT', as: 'gus', json: { name: 'bee' } })
    assert.equal(put.text, JSON.stringify({ name: 'bee', quadranym_id: made.quadranym_id }))
    assert.deepEqual((await site.ask(`/api/quadranym/${made.quadranym_id}/`)).json, { ...made, name: 'bee' })
    const more = await site.ask(path, { method: 'PUT', as: 'gus', json: { e: 'hive' } })
    assert.equal(more.status, 200)
    assert.deepEqual((await site.ask(`/api/quadranym/${made.quadranym_id}/`)).json, { ...made, name: 'bee', e: 'hive' })
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})

onEachEngine('The sample catalogue', {}, (site) => {
  for (const { collection, id } of CASES) {
    test(`{write.same} records of ${collection} can be put back as they were read`, async () => {
      const list = await site.ask(`/api/${collection}/?page_size=5`)
      for (const record of list.json.results) {
        const path = `/api/${collection}/${record[id]}/`
        const put = await site.ask(path, { method: 'PUT', as: 'staff', json: record })
        assert.deepEqual([put.status, put.text], [200, JSON.stringify(record)])
      }
      const again = await site.ask(`/api/${collection}/?page_size=5`)
      assert.equal(again.text, list.text)
      assert.equal(again.headers.etag, list.headers.etag)
    })
  }

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})

async function refusedToOthers(site: Site, record: string, sent: Sent, owner: string): Promise<void> {
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const other = await site.ask(record, { method, as: owner === 'gus' ? 'ann' : 'gus', ...sent })
    assert.equal(other.text, '{"detail":"You do not have permission to perform this action."}')
    assert.equal(other.status, 403)
    const nobody = await site.ask(record, { method, ...sent })
    assert.equal(nobody.text, '{"detail":"Authentication credentials were not provided."}')
    assert.equal(nobody.status, 401)
    assert.equal(nobody.headers['www-authenticate'], 'Basic realm="api"')
  }
  const list = record.replace(/[0-9]+\/$/, '')
  const nobody = await site.ask(list, { method: 'POST', ...sent })
  assert.equal(nobody.text, '{"detail":"Authentication credentials were not provided."}')
  assert.equal(nobody.headers['www-authenticate'], 'Basic realm="api"')
}

async function makeGround(site: Site): Promise<Ground> {
  const [tree, river] = [await make(site, 'polynym', TREE), await make(site, 'polynym', RIVER)]
  const [cat, dog] = [await make(site, 'quadranym', CAT), await make(site, 'quadranym', DOG)]
  const phrase = await make(site, 'phrase', { name: 'p', qode: 'q1n' })
  const fable = await make(site, 'fable', { name: 'f', qode: 'q1n q2n' })
  const story = await make(site, 'story', { name: 's' })
  const tale = await make(site, 'tale', { name: 't', fable: fable.fable_id })
  return { tree, river, cat, dog, phrase, fable, story, tale }
}

/** As a form sends it: records by their ids, lists by repeating the member. */
function asForm(members: Json): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, formValue(value)]))
}

function formValue(value: Json): string | string[] {
  if (Array.isArray(value)) return value.map((each) => formValue(each) as string)
  // The id is the last member of a record.
  return String(typeof value === 'object' ? Object.values(value).at(-1) : value)
}
