/** After a write, derived members, embedded records, votes and lists are right in the next request. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Site } from '../support/site.ts'
import { CAT, DOG, type Json, make, RIVER, read, TREE } from './fixtures.ts'

onEachEngine('After a write', { sample: false }, (site) => {
  let tree: Json
  let river: Json
  let cat: Json
  let dog: Json
  let phrase: Json
  let fable: Json
  let story: Json
  let tale: Json
  /** Name -> a record that embeds one of the above, at some depth, and its address. */
  const holders = new Map<string, { path: string; record: Json }>()

  const send = async (method: string, path: string, json: object = {}, as = 'gus') => {
    const reply = await site.ask(path, { method, json, as })
    assert.ok(reply.status < 300, reply.text)
    return reply.json
  }

  async function hold(name: string, collection: string, body: object): Promise<Json> {
    const record = await make(site, collection, body)
    holders.set(name, { path: `/api/${collection}/${record[`${collection}_id`]}/`, record })
    return record
  }

  before(async () => {
    tree = await make(site, 'polynym', TREE)
    river = await make(site, 'polynym', RIVER)
    cat = await make(site, 'quadranym', CAT)
    dog = await make(site, 'quadranym', DOG)
    phrase = await make(site, 'phrase', { name: 'p', qode: 'q1n' })
    fable = await make(site, 'fable', { name: 'f', qode: 'q1n q2n' })
    await hold('set', 'polyset', { name: 's', polynyms: [tree.polynym_id, river.polynym_id] })
    await hold('map', 'polymap', { name: 'm', pa: tree.polynym_id, pb: river.polynym_id })
    const slots = { v1: tree.polynym_id, v2: river.polynym_id, v3: tree.polynym_id }
    await hold('vector', 'vectornym', { name: 'v', ...slots })
    await hold('quadraset', 'quadraset', { name: 's', quadranyms: [cat.quadranym_id, dog.quadranym_id] })
    const ids = [cat.quadranym_id, dog.quadranym_id]
    await hold('fortune', 'fortune', { body: 'cat cat dog', qode: 'q1n_NN q1n_NN q2n_NN', q1: ids })
    await hold('quote', 'quote', { body: 'cat', qode: 'q1n_NN', quadranym: cat.quadranym_id, src: 'x' })
    const line = { phrase: phrase.phrase_id, quadranym: cat.quadranym_id }
    story = await make(site, 'story', { name: 's' })
    await hold('storyline', 'storyline', { rank: 0, story: story.story_id, ...line })
    tale = await make(site, 'tale', { name: 't', fable: fable.fable_id })
    await hold('taleline', 'taleline', { rank: 0, tale: tale.tale_id, quadranym: cat.quadranym_id })
    // All have been read once, so that a stale cache would show.
    for (const { path, record } of holders.values()) await shown(site, path, record)
  })

  /** The record as its own address and its list show it now: both must be the same. */
  async function now(name: string): Promise<Json> {
    const { path, record } = holders.get(name)!
    return await shown(site, path, record)
  }

  test('{derived.fresh} a changed member is changed in all records that embed it, and so is what is computed from it', async () => {
    const changed = await send('PATCH', `/api/polynym/${tree.polynym_id}/`, { name: 'oak', p4: 'leaf', p5: 'bud' })
    assert.equal(changed.depth, 5)
    const { length, width, depth, polynyms } = await now('set')
    assert.deepEqual({ length, width, depth, polynyms }, { length: 2, width: 7, depth: 5, polynyms: [changed, river] })
    const vector = await now('vector')
    assert.deepEqual([vector.length, vector.width, vector.depth], [3, 12, 5])
    assert.deepEqual([vector.v1, vector.v2, vector.v3], [changed, river, changed])
    assert.deepEqual((await now('map')).pa, changed)
    tree = changed
  })

  test('{derived.fresh} the same holds for a quadranym, in sets, texts and lines', async () => {
    const changed = await send('PATCH', `/api/quadranym-id/${cat.quadranym_id}/`, { name: 'lynx' })
    assert.deepEqual(changed, { name: 'lynx', quadranym_id: cat.quadranym_id })
    cat = { ...cat, name: 'lynx' }
    assert.deepEqual((await now('quadraset')).quadranyms, [cat, dog])
    const fortune = await now('fortune')
    assert.deepEqual([fortune.q1, fortune.q2], [[dog], [cat]])
    for (const name of ['quote', 'storyline', 'taleline']) assert.deepEqual((await now(name)).quadranym, cat)
  })

  test('{derived.fresh} the fable of a tale, and the lines of a story, are counted correctly', async () => {
    const changed = await send('PUT', `/api/fable/${fable.fable_id}/`, { name: 'f', qode: 'q1n q2n q12n' })
    assert.deepEqual([changed.length, changed.width], [12, 3])
    assert.deepEqual(await read(site, `/api/tale/${tale.tale_id}/`), { ...tale, length: 12, fable: changed })
    assert.deepEqual((await now('taleline')).tale, { ...tale, length: 12, fable: changed })
    const line = { story: story.story_id, phrase: phrase.phrase_id, quadranym: dog.quadranym_id }
    const second = await make(site, 'storyline', { ...line, rank: 1 })
    assert.equal(second.story.length, 2)
    assert.equal((await now('storyline')).story.length, 2)
    await send('DELETE', `/api/storyline/${second.storyline_id}/`)
    assert.equal((await now('storyline')).story.length, 1)
    assert.equal((await read(site, '/api/story/')).results[0].length, 1)
  })

  test('{derived.fresh} a set with other members counts these', async () => {
    const { path } = holders.get('set')!
    const small = await send('PATCH', path, { polynyms: [river.polynym_id] })
    assert.deepEqual([small.length, small.width, small.depth], [1, 2, 2])
    await send('PATCH', path, { polynyms: [river.polynym_id, tree.polynym_id] })
    const { length, width, depth } = await now('set')
    assert.deepEqual([length, width, depth], [2, 7, 5])
  })

  test('{derived.fresh} deleted records disappear from lists and counts at once', async () => {
    const before = await read(site, '/api/polynym/')
    const { polynym_id: id } = await make(site, 'polynym', { ...TREE, name: 'a first' })
    const between = await read(site, '/api/polynym/')
    assert.deepEqual([between.count, between.results[0].polynym_id], [before.count + 1, id])
    await send('DELETE', `/api/polynym/${id}/`)
    assert.deepEqual(await read(site, '/api/polynym/'), before)
  })

  test('{vote.give} {vote.back} {derived.fresh} a vote shows in the record and in all records that embed it', async () => {
    const vote = `/api/polynym/${tree.polynym_id}/vote/`
    const { polynym_id, mode, depth, p1, p2, p3, p4, p5 } = tree
    const rest = { mode, depth, p1, p2, p3, p4, p5, polynym_id }
    const liked = await site.ask(vote, { method: 'POST', as: 'ann' })
    assert.equal(liked.status, 200)
    assert.equal(liked.text, JSON.stringify({ name: 'oak', user: 'gus', likes: 1, voters: ['ann'], ...rest }))
    // Users may vote for their own records; the newest vote comes first.
    const both = await site.ask(vote, { method: 'POST', as: 'gus' })
    assert.equal(both.text, JSON.stringify({ name: 'oak', user: 'gus', likes: 2, voters: ['gus', 'ann'], ...rest }))
    assert.deepEqual(await read(site, `/api/polynym/${polynym_id}/`), both.json)
    assert.deepEqual((await now('set')).polynyms, [river, both.json])
    assert.deepEqual((await now('map')).pa, both.json)
    assert.deepEqual((await now('vector')).v3, both.json)

    const back = await site.ask(vote, { method: 'DELETE', as: 'ann' })
    assert.deepEqual([back.status, back.json.likes, back.json.voters], [200, 1, ['gus']])
    const none = await site.ask(vote, { method: 'DELETE', as: 'gus' })
    assert.equal(none.text, JSON.stringify({ name: 'oak', user: 'gus', ...rest }))
    assert.deepEqual((await now('set')).polynyms, [river, tree])
  })

  test('{vote.once} voting again, and removing a vote that was not given, changes nothing', async () => {
    const path = `/api/quadranym/${dog.quadranym_id}/`
    const voted = await Promise.all(
      Array.from({ length: 8 }, () => site.ask(`${path}vote/`, { method: 'POST', as: 'ann' })),
    )
    for (const { status, json } of voted) assert.deepEqual([status, json.likes, json.voters], [200, 1, ['ann']])
    const { headers, text } = await site.ask(path)
    const again = await site.ask(`${path}vote/`, { method: 'POST', as: 'ann' })
    const never = await site.ask(`${path}vote/`, { method: 'DELETE', as: 'bob' })
    assert.deepEqual([again.text, never.text], [text, text])
    assert.equal((await site.ask(path)).headers.etag, headers.etag)
    await send('DELETE', `${path}vote/`, {}, 'ann')
  })

  test('{vote.kept} a changed record keeps its votes', async () => {
    const path = `/api/phrase/${phrase.phrase_id}/`
    await send('POST', `${path}vote/`, {}, 'ann')
    const changed = await send('PUT', path, { name: 'q', qode: 'q1n', likes: 7, voters: [] })
    assert.deepEqual(changed, { ...phrase, name: 'q', likes: 1, voters: ['ann'] })
    assert.deepEqual((await now('storyline')).phrase, changed)
  })

  test('{vote.where} fable, phrase, polynym, polymap, polyset, quadranym, story, tale and vectornym take votes', async () => {
    for (const path of [
      `/api/fable/${fable.fable_id}/`,
      `/api/phrase/${phrase.phrase_id}/`,
      `/api/polynym/${tree.polynym_id}/`,
      holders.get('map')!.path,
      holders.get('set')!.path,
      `/api/quadranym/${cat.quadranym_id}/`,
      `/api/story/${story.story_id}/`,
      `/api/tale/${tale.tale_id}/`,
      holders.get('vector')!.path,
    ]) {
      const { status, json, headers } = await site.ask(`${path}vote/`, { method: 'POST', as: 'eve' })
      assert.deepEqual([path, status, json.voters[0]], [path, 200, 'eve'])
      assert.equal(headers.allow, 'POST, DELETE, OPTIONS')
    }
    for (const path of [
      holders.get('quadraset')!.path,
      holders.get('fortune')!.path,
      holders.get('quote')!.path,
      holders.get('storyline')!.path,
      holders.get('taleline')!.path,
      `/api/quadranym-id/${cat.quadranym_id}/`,
      '/api/queue/1/',
      '/api/winner/1/',
    ]) {
      const { status, headers } = await site.ask(`${path}vote/`, { method: 'POST', as: 'eve' })
      assert.deepEqual([path, status, headers.allow], [path, 404, undefined])
    }
  })

  test('{vote.who} only signed-in users vote, and only for existing records', async () => {
    const path = `/api/polynym/${tree.polynym_id}/vote/`
    for (const method of ['POST', 'DELETE']) {
      assert.equal((await site.ask(path, { method })).status, 401)
      const none = await site.ask('/api/polynym/9999/vote/', { method, as: 'ann' })
      assert.deepEqual([none.status, none.text], [404, '{"detail":"Not found."}'])
    }
    const read = await site.ask(path)
    assert.deepEqual([read.status, read.text], [405, '{"detail":"Method \\"GET\\" not allowed."}'])
  })

  test('{actions.who} OPTIONS has actions for a caller who may write: POST for a list, PUT for a record', async () => {
    const actions = async (path: string, as?: string) => {
      const { json } = await site.ask(path, { method: 'OPTIONS', ...(as ? { as } : {}) })
      return Object.keys(json.actions ?? {})
    }
    const record = `/api/polynym/${tree.polynym_id}/`
    assert.deepEqual(await actions('/api/polynym/'), [])
    assert.deepEqual(await actions('/api/polynym/', 'ann'), ['POST'])
    assert.deepEqual(await actions(record), [])
    assert.deepEqual(await actions(record, 'ann'), [])
    assert.deepEqual(await actions(record, 'gus'), ['PUT'])
    assert.deepEqual(await actions(record, 'staff'), ['PUT'])
    assert.deepEqual(await actions('/api/winner/', 'gus'), [])
    assert.deepEqual(await actions('/api/winner/', 'staff'), ['POST'])
  })

  test('{actions.members} actions describe every member, and say whether it is required', async () => {
    const described = async (collection: string, as = 'gus') =>
      (await site.ask(`/api/${collection}/`, { method: 'OPTIONS', as })).json.actions.POST
    const writable = { required: false, read_only: false }
    const needed = { required: true, read_only: false }
    const fixed = { required: false, read_only: true }
    const term = (i: number) => ({
      type: 'string',
      ...(i <= 2 ? needed : writable),
      label: `P${i}`,
      max_length: 500,
    })
    const polynym = {
      name: { type: 'string', ...needed, label: 'Name', max_length: 200 },
      user: { type: 'string', ...fixed, label: 'User' },
      src: { type: 'string', ...writable, label: 'Src', max_length: 200 },
      area: { type: 'string', ...writable, label: 'Area', max_length: 64 },
      wiki: { type: 'string', ...writable, label: 'Wiki', max_length: 500 },
      likes: { type: 'integer', ...fixed, label: 'Likes' },
      voters: {
        type: 'list',
        ...fixed,
        label: 'Voters',
        child: { type: 'string', required: true, read_only: true },
      },
      mode: {
        type: 'choice',
        ...needed,
        label: 'Mode',
        choices: [
          { value: 'type', display_name: 'Type' },
          { value: 'part', display_name: 'Part' },
          { value: 'step', display_name: 'Step' },
        ],
      },
      depth: { type: 'integer', ...fixed, label: 'Depth' },
      ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`p${i + 1}`, term(i + 1)])),
      polynym_id: { type: 'integer', ...fixed, label: 'ID' },
    }
    const { text } = await site.ask('/api/polynym/', { method: 'OPTIONS', as: 'gus' })
    assert.equal(
      text,
      JSON.stringify({
        name: 'Polynym List',
        description:
          'A name and its terms in order: the parts of a whole, the types of a thing, or the steps of a process.',
        renders: ['application/json', 'text/html'],
        parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
        actions: { POST: polynym },
      }),
    )
    const child = { type: 'field', ...needed }
    assert.deepEqual((await described('polyset')).polynyms, { type: 'list', ...needed, label: 'Polynyms', child })
    assert.deepEqual((await described('fortune')).q1, { type: 'list', ...writable, label: 'Q1', child })
    assert.deepEqual((await described('quote')).quadranym, { type: 'field', ...needed, label: 'Quadranym' })
    assert.deepEqual((await described('story')).lines, { type: 'list', ...writable, label: 'Lines', child })
    const rank = { type: 'integer', ...needed, label: 'Rank', min_value: 0, max_value: 32767 }
    assert.deepEqual((await described('storyline')).rank, rank)
    assert.deepEqual((await described('winner', 'staff')).user, { type: 'string', ...needed, label: 'User' })
    assert.deepEqual(await described('quadranym-id'), await described('quadranym'))
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})

async function shown(site: Site, path: string, record: Json): Promise<Json> {
  const current = await read(site, path)
  const collection = path.split('/')[2]!
  const id = `${collection}_id`
  const list = await read(site, `/api/${collection}/`)
  assert.deepEqual(
    list.results.find((each: Json) => each[id] === record[id]),
    current,
  )
  return current
}
