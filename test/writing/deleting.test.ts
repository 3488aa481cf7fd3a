/** Deleting records in use: refused, or, for staff with a cascade, applied to everything that embeds them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Reply } from '../support/site.ts'
import { all, CAT, DOG, type Json, make, RIVER, read, TREE } from './fixtures.ts'

onEachEngine('Deleting', { sample: false }, (site) => {
  let n = 0
  const url = (path: string) => `${site.base}/api/${path}/`
  const remove = (path: string, as = 'gus', query = ''): Promise<Reply> =>
    site.ask(`/api/${path}/${query}`, { method: 'DELETE', as })
  const cascade = (path: string, as = 'staff') => remove(path, as, '?cascade=true')
  const polynym = (base: object = TREE) => make(site, 'polynym', { ...base, name: `p ${++n}` })
  const quadranym = (base: object = CAT) => make(site, 'quadranym', { ...base, name: `q ${++n}` })

  /** It is in use, by exactly these; nothing is deleted. */
  async function inUse(path: string, ...usedBy: string[]): Promise<void> {
    const reply = await remove(path)
    const others = usedBy.length === 1 ? '1 other record uses' : `${usedBy.length} other records use`
    assert.equal(reply.status, 409)
    assert.equal(
      reply.text,
      JSON.stringify({
        detail: `Cannot be deleted: ${others} it.`,
        count: usedBy.length,
        used_by: usedBy.map(url),
      }),
    )
    assert.equal((await site.ask(`/api/${path}/`)).status, 200)
  }

  /** Staff delete it with a cascade: these are deleted, and these change. */
  async function carriedThrough(path: string, deleted: string[], changed: string[] = []): Promise<void> {
    const reply = await cascade(path)
    assert.equal(reply.text, JSON.stringify({ deleted: deleted.map(url), changed: changed.map(url) }))
    assert.equal(reply.status, 200)
    for (const gone of deleted) assert.equal((await site.ask(`/api/${gone}/`)).status, 404, gone)
  }

  before(async () => {
    await make(site, 'polynym', RIVER)
  })

  test('{delete.in-use} {cascade.list} a member of a list: the list loses it', async () => {
    const [first, second] = [await polynym(), await polynym(RIVER)]
    const set = await make(site, 'polyset', { name: 'both', polynyms: [first.polynym_id, second.polynym_id] })
    await inUse(`polynym/${first.polynym_id}`, `polyset/${set.polyset_id}`)
    await carriedThrough(`polynym/${first.polynym_id}`, [`polynym/${first.polynym_id}`], [`polyset/${set.polyset_id}`])
    const left = { ...set, polynyms: [second], length: 1, width: 2, depth: 2 }
    assert.deepEqual(await read(site, `/api/polyset/${set.polyset_id}/`), left)
    assert.equal((await read(site, `/api/polyset/${set.polyset_id}/`)).user, 'gus')
  })

  test('{cascade.last} the only member of a list: the list is deleted, too', async () => {
    const only = await quadranym()
    const set = await make(site, 'quadraset', { name: 'only', quadranyms: [only.quadranym_id] })
    const [path, holder] = [`quadranym/${only.quadranym_id}`, `quadraset/${set.quadraset_id}`]
    await inUse(path, holder)
    await carriedThrough(path, [holder, path])
  })

  test('{delete.in-use} {cascade.single} the record of a single reference: its holder is deleted', async () => {
    const [pa, pb] = [await polynym(), await polynym()]
    const map = await make(site, 'polymap', { name: 'm', pa: pa.polynym_id, pb: pb.polynym_id })
    await inUse(`polynym/${pa.polynym_id}`, `polymap/${map.polymap_id}`)
    await carriedThrough(`polynym/${pb.polynym_id}`, [`polymap/${map.polymap_id}`, `polynym/${pb.polynym_id}`])
    assert.equal((await remove(`polynym/${pa.polynym_id}`)).status, 204)

    const topic = await quadranym()
    const quote = await make(site, 'quote', { body: 'cat', qode: 'q1n_NN', quadranym: topic.quadranym_id, src: 'x' })
    await inUse(`quadranym/${topic.quadranym_id}`, `quote/${quote.quote_id}`)
    await carriedThrough(`quadranym/${topic.quadranym_id}`, [
      `quote/${quote.quote_id}`,
      `quadranym/${topic.quadranym_id}`,
    ])
  })

  test('{delete.in-use} {cascade.single} one of the slots of a vectornym: the vectornym is deleted', async () => {
    const [first, second] = [await polynym(), await polynym()]
    const slots = { v1: first.polynym_id, v2: second.polynym_id, v3: first.polynym_id }
    const vector = await make(site, 'vectornym', { name: 'v', ...slots })
    const [path, holder] = [`polynym/${first.polynym_id}`, `vectornym/${vector.vectornym_id}`]
    await inUse(path, holder)
    await carriedThrough(path, [holder, path])
    assert.deepEqual(await read(site, `/api/polynym/${second.polynym_id}/`), second)
  })

  test('{delete.in-use} {cascade.single} what a line tells: the line is deleted, and its story has one less', async () => {
    const [topic, other] = [await quadranym(), await quadranym()]
    const phrase = await make(site, 'phrase', { name: 'p', qode: `q1n ${++n}` })
    const line = (quadranym: Json) => ({ phrase: phrase.phrase_id, quadranym: quadranym.quadranym_id })
    const story = await make(site, 'story', { name: 's', lines: [line(topic), line(other), line(topic)] })
    const [first, middle, last] = (await all(site, 'storyline')).map((each) => `storyline/${each.storyline_id}`)
    await inUse(`quadranym/${topic.quadranym_id}`, first!, last!)
    await inUse(`phrase/${phrase.phrase_id}`, first!, middle!, last!)
    await carriedThrough(`quadranym/${topic.quadranym_id}`, [first!, last!, `quadranym/${topic.quadranym_id}`])
    assert.deepEqual(await read(site, `/api/story/${story.story_id}/`), { ...story, length: 1 })
    // The remaining lines keep their ranks.
    assert.equal((await read(site, `/api/${middle}/`)).rank, 1)
    await carriedThrough(`phrase/${phrase.phrase_id}`, [middle!, `phrase/${phrase.phrase_id}`])
    assert.deepEqual(await read(site, `/api/story/${story.story_id}/`), { ...story, length: 0 })
  })

  test('{delete.lines} the lines of a story or a tale are deleted with it, and do not prevent deleting it', async () => {
    const topic = await quadranym()
    const phrase = await make(site, 'phrase', { name: 'p', qode: `q1n ${++n}` })
    const line = { phrase: phrase.phrase_id, quadranym: topic.quadranym_id }
    const story = await make(site, 'story', { name: 'gone', lines: [line, line] })
    const fable = await make(site, 'fable', { name: 'f', qode: `q1n ${++n}` })
    const tale = await make(site, 'tale', { name: 'gone', fable: fable.fable_id, lines: [topic.quadranym_id] })
    for (const path of [`story/${story.story_id}`, `tale/${tale.tale_id}`]) {
      const reply = await remove(path)
      assert.deepEqual([reply.status, reply.text], [204, ''])
    }
    assert.deepEqual([await all(site, 'storyline'), await all(site, 'taleline')], [[], []])
    assert.equal((await remove(`quadranym/${topic.quadranym_id}`)).status, 204)
  })

  test('{delete.in-use} {cascade.single} the fable of a tale: the tale is deleted, with its lines', async () => {
    const [one, two] = [await quadranym(), await quadranym()]
    const fable = await make(site, 'fable', { name: 'f', qode: `q1n q2n ${++n}` })
    const lines = [one.quadranym_id, two.quadranym_id]
    const tale = await make(site, 'tale', { name: 't', fable: fable.fable_id, lines })
    const talelines = (await all(site, 'taleline')).map((each) => `taleline/${each.taleline_id}`)
    const [path, holder] = [`fable/${fable.fable_id}`, `tale/${tale.tale_id}`]
    await inUse(path, holder)
    await inUse(`quadranym/${one.quadranym_id}`, talelines[0]!)
    await carriedThrough(path, [...talelines, holder, path])
  })

  test('{delete.in-use} {cascade.fortune} a quadranym of a fortune: its words come back, the other tokens are renumbered', async () => {
    const [cat, dog, owl] = [await quadranym(), await quadranym(DOG), await quadranym({ e: 'hoot' })]
    const fortune = await make(site, 'fortune', {
      body: 'Cats nap; a dog will walk, dogs bark; an owl hoots.',
      qode: 'q1n_NNS q1s_VBP ; a q2n^NN will q2s_VB, q2n_NNS q2e_VBP; an owl q3e_VBZ.',
      q1: [cat.quadranym_id, dog.quadranym_id, owl.quadranym_id],
    })
    assert.deepEqual([fortune.q2, fortune.q1], [[cat, dog], [owl]])
    const [path, holder] = [`fortune/${fortune.fortune_id}`, { fortune_id: fortune.fortune_id }]
    await inUse(`quadranym/${cat.quadranym_id}`, path)
    await carriedThrough(`quadranym/${cat.quadranym_id}`, [`quadranym/${cat.quadranym_id}`], [path])
    const { body } = fortune
    assert.deepEqual(await read(site, `/api/${path}/`), {
      body,
      qode: 'Cats nap ; a q1n^NN will q1s_VB, q1n_NNS q1e_VBP; an owl q2e_VBZ.',
      q1: [owl],
      q2: [dog],
      subs: 'nsnee',
      depth: 2,
      ...holder,
    })
    await inUse(`quadranym/${owl.quadranym_id}`, path)
    await carriedThrough(`quadranym/${dog.quadranym_id}`, [`quadranym/${dog.quadranym_id}`], [path])
    await carriedThrough(`quadranym/${owl.quadranym_id}`, [`quadranym/${owl.quadranym_id}`], [path])
    const plain = { body, qode: '', q1: [], q2: [], subs: '', depth: 0, ...holder }
    assert.deepEqual(await read(site, `/api/${path}/`), plain)
    // What the server annotated is annotated again: the word goes to the other quadranym that it matches.
    const [first, second] = [await quadranym({ e: 'growl', o: 'den' }), await quadranym({ e: 'growl', o: 'cave' })]
    const ours = await make(site, 'fortune', {
      body: 'Some growled in dens, some in caves.',
      q1: [first.quadranym_id, second.quadranym_id],
    })
    assert.equal(ours.qode, 'Some q1e_VBD in q1o_NNS, some in q2o_NNS.')
    await carriedThrough(
      `quadranym/${first.quadranym_id}`,
      [`quadranym/${first.quadranym_id}`],
      [`fortune/${ours.fortune_id}`],
    )
    const left = await read(site, `/api/fortune/${ours.fortune_id}/`)
    assert.deepEqual([left.qode, left.q2], ['Some q1e_VBD in dens, some in q1o_NNS.', [second]])
  })

  test('{record.ids-ascend} the id of a deleted record is never used again', async () => {
    const ids: number[] = []
    for (let i = 0; i < 3; i++) {
      const { queue_id } = await make(site, 'queue', { name: `asked for ${i}` })
      ids.push(queue_id as number)
      assert.equal((await site.ask(`/api/queue/${queue_id}/`, { method: 'DELETE', as: 'gus' })).status, 204)
    }
    assert.ok(ids[0]! < ids[1]! && ids[1]! < ids[2]!, String(ids))
  })

  test('{delete.in-use} {delete.counted} all uses are counted, each record once, and the first twenty are named', async () => {
    const used = await polynym()
    const id = used.polynym_id
    const twice = await make(site, 'polymap', { name: 'twice', pa: id, pb: id })
    await inUse(`polynym/${id}`, `polymap/${twice.polymap_id}`)
    const sets: string[] = []
    for (let i = 0; i < 20; i++) {
      sets.push(`polyset/${(await make(site, 'polyset', { name: `set ${i}`, polynyms: [id] })).polyset_id}`)
    }
    const vector = await make(site, 'vectornym', { name: 'last', v1: id, v2: id })
    const reply = await remove(`polynym/${id}`)
    assert.equal(reply.status, 409)
    assert.deepEqual(reply.json, {
      detail: 'Cannot be deleted: 22 other records use it.',
      count: 22,
      used_by: [`polymap/${twice.polymap_id}`, ...sets.slice(0, 19)].map(url),
    })
    // A view is another address of the same record.
    const map = `polymap/${twice.polymap_id}`
    await carriedThrough(`polynym/${id}`, [map, ...sets, `vectornym/${vector.vectornym_id}`, `polynym/${id}`])
    const topic = await quadranym()
    const set = await make(site, 'quadraset', { name: 'view', quadranyms: [topic.quadranym_id] })
    await inUse(`quadranym-id/${topic.quadranym_id}`, `quadraset/${set.quadraset_id}`)
  })

  test('{cascade.staff} only staff may cascade, not the owner', async () => {
    const own = await polynym()
    const path = `polynym/${own.polynym_id}`
    const reply = await cascade(path, 'gus')
    assert.deepEqual(
      [reply.status, reply.text],
      [403, '{"detail":"You do not have permission to perform this action."}'],
    )
    assert.equal((await site.ask(`/api/${path}/?cascade=true`, { method: 'DELETE' })).status, 401)
    assert.equal((await cascade('polynym/99999')).status, 404)
  })

  test('{cascade.spelling} only cascade=true cascades; any other value deletes as usual', async () => {
    const used = await polynym()
    const path = `polynym/${used.polynym_id}`
    const set = await make(site, 'polyset', { name: 'spelling', polynyms: [used.polynym_id] })
    for (const query of ['?cascade', '?cascade=1', '?cascade=True', '?cascade=false']) {
      assert.equal((await remove(path, 'staff', query)).status, 409)
    }
    await remove(`polyset/${set.polyset_id}`)
    assert.equal((await remove(path, 'staff', '?cascade=false')).status, 204)
    const free = await polynym()
    await carriedThrough(`polynym/${free.polynym_id}`, [`polynym/${free.polynym_id}`])
  })

  test('{delete.race} if a record is deleted while others begin to use it, either the delete or the use fails', async () => {
    for (let round = 0; round < 12; round++) {
      const { polynym_id: id } = await polynym()
      const json = { name: `race ${round}`, polynyms: [1, id] }
      const vote = { method: 'POST', as: 'ann' } as const
      const [set, gone, map, liked] = await Promise.all([
        site.ask('/api/polyset/', { method: 'POST', as: 'gus', json }),
        remove(`polynym/${id}`),
        site.ask('/api/polymap/', { method: 'POST', as: 'gus', json: { name: `race ${round}`, pa: id, pb: 1 } }),
        site.ask(`/api/polynym/${id}/vote/`, vote),
      ])
      const used = set.status === 201 || map.status === 201
      assert.equal(gone.status, used ? 409 : 204, gone.text)
      const missing = [`Invalid pk "${id}" - object does not exist.`]
      if (set.status !== 201) assert.deepEqual([set.status, set.json], [400, { polynyms: missing }])
      if (map.status !== 201) assert.deepEqual([map.status, map.json], [400, { pa: missing }])
      if (liked.status !== 200) assert.deepEqual([liked.status, liked.json], [404, { detail: 'Not found.' }])
    }
  })

  test('{delete.race} the same holds for a story and its lines', async () => {
    const phrase = await make(site, 'phrase', { name: 'p', qode: `q1n ${++n}` })
    const topic = await quadranym()
    const line = { rank: 0, phrase: phrase.phrase_id, quadranym: topic.quadranym_id }
    for (let round = 0; round < 12; round++) {
      const { story_id: id } = await make(site, 'story', { name: `race ${round}` })
      const [gone, added] = await Promise.all([
        remove(`story/${id}`),
        site.ask('/api/storyline/', { method: 'POST', as: 'gus', json: { ...line, story: id } }),
      ])
      assert.equal(gone.status, 204)
      const missing = { story: [`Invalid pk "${id}" - object does not exist.`] }
      if (added.status !== 201) assert.deepEqual([added.status, added.json], [400, missing])
    }
    assert.deepEqual(await all(site, 'storyline'), [])
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})
