/** Texts with tokens, and the stories and tales that are told with them. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Reply } from '../support/site.ts'
import { all, CAT, DOG, type Json, make, read } from './fixtures.ts'

onEachEngine('Texts', { sample: false }, (site) => {
  let cat: Json
  let dog: Json
  let owl: Json
  let phrase: Json
  let pause: Json
  let fable: Json

  const write = (method: string, path: string, json: object, as = 'gus'): Promise<Reply> =>
    site.ask(path, { method, json, as })

  async function refused(collection: string, json: object, errors: object): Promise<void> {
    const reply = await write('POST', `/api/${collection}/`, json)
    assert.deepEqual([reply.status, reply.json], [400, errors])
  }

  const wordless = (member: string, { quadranym_id, name }: Json) => ({
    [member]: [`Quadranym ${quadranym_id}, "${name}", has no word in the text.`],
  })

  before(async () => {
    cat = await make(site, 'quadranym', CAT)
    dog = await make(site, 'quadranym', DOG)
    owl = await make(site, 'quadranym', { name: 'owl', e: 'hoot' })
    phrase = await make(site, 'phrase', { name: 'p', qode: 'The q1n says q1e.' })
    pause = await make(site, 'phrase', { name: '-', qode: '---' })
    fable = await make(site, 'fable', { name: 'f', qode: 'q1n meets q2n' })
  })

  test('{fortune.give-plain} a fortune without qode and quadranyms is a plain one', async () => {
    const made = await make(site, 'fortune', { body: ' Plain as day. ' })
    const { fortune_id } = made
    assert.deepEqual(made, { body: 'Plain as day.', qode: '', q1: [], q2: [], subs: '', depth: 0, fortune_id })
  })

  test('{fortune.give-tokens} q2 and q1 are taken together, q2 first, and the k-th index means the k-th of them', async () => {
    // dog comes first, so it is index 3; each has one word.
    const made = await make(site, 'fortune', {
      body: 'One cat, one dog.',
      qode: 'One q7n_NN, one q3n_NN.',
      q1: [cat.quadranym_id],
      q2: [dog.quadranym_id],
    })
    const { fortune_id } = made
    assert.deepEqual(made, {
      body: 'One cat, one dog.',
      qode: 'One q2n_NN, one q1n_NN.',
      q1: [dog, cat],
      q2: [],
      subs: 'nn',
      depth: 2,
      fortune_id,
    })
  })

  test('{fortune.renumbered} quadranyms are sorted into q2 and q1 by their tokens, which are renumbered', async () => {
    const made = await make(site, 'fortune', {
      body: 'A cat will nap and an owl hoot; a dog barks at a bone.',
      qode: 'A q1n_NN will nap and an owl q3e_VB ; a q2n_NN q2e^VBZ at a q2o_NN.',
      q1: [cat, dog, owl, cat],
    })
    const { fortune_id } = made
    assert.deepEqual(made, {
      body: 'A cat will nap and an owl hoot; a dog barks at a bone.',
      qode: 'A q2n_NN will nap and an owl q3e_VB ; a q1n_NN q1e^VBZ at a q1o_NN.',
      q1: [cat, owl],
      q2: [dog],
      subs: 'neneo',
      depth: 3,
      fortune_id,
    })
  })

  test('{fortune.no-token} a qode without a token is stored as an empty one, without quadranyms', async () => {
    for (const [body, qode] of [
      ['First of these.', ''],
      ['Second of these.', 'Something else, and q1e without a tag.'],
    ]) {
      const made = await make(site, 'fortune', { body, qode, q1: [cat.quadranym_id], q2: [dog.quadranym_id] })
      assert.deepEqual(made, { body, qode: '', q1: [], q2: [], subs: '', depth: 0, fortune_id: made.fortune_id })
    }
  })

  test('{fortune.unmatched} an index without a quadranym and a quadranym without a token are refused', async () => {
    const body = 'One more cat.'
    const qode = 'One more q1n_NN.'
    const homeless = (index: number, held: number) => ({
      qode: [`Index ${index} has no quadranym: q2 and q1 hold ${held}.`],
    })
    await refused('fortune', { body, qode }, homeless(1, 0))
    await refused('fortune', { body, qode: 'q1n_NN more q4n_NN.', q2: [cat.quadranym_id] }, homeless(4, 1))
    await refused('fortune', { body, qode, q1: [cat.quadranym_id, dog.quadranym_id] }, wordless('q1', dog))
    await refused('fortune', { body, qode, q2: [cat.quadranym_id, dog.quadranym_id] }, wordless('q2', dog))
  })

  test('{annotated.form} qode is the body with tokens for some words, whatever its spacing', async () => {
    for (const [body, qode] of [
      ["The cat's nap isn't long.", "The q1n_NN 's q1s_NN is n't long ."],
      ["A cat can't purr-purr \n now!", "A q1n_NN ca n't q1e_VB now !"],
      ['"Cats" – the cat', '"q1n_NNS" – the q1n_NN'],
    ] as const) {
      const made = await make(site, 'quote', { body, qode, quadranym: cat.quadranym_id, src: 'x' })
      assert.deepEqual([made.body, made.qode], [body, qode])
    }
  })

  test('{annotated.faults} if qode does not match, the error has the offset', async () => {
    const at = (offset: number, why: string) => ({
      qode: [`Not a tokenised form of body: at offset ${offset}, ${why}.`],
    })
    for (const [body, qode, errors] of [
      ['A cat naps.', 'A q1n_NN sleeps.', at(9, 'the qode has "sleeps.", but the body has "naps."')],
      ['A cat naps.', 'A q1n_NN', at(8, 'the body continues with "naps."')],
      ['A cat', 'A q1n_NN naps', at(9, 'the qode has "naps", but the body ends')],
      ['A cat', 'A q1n_NN q1s_VBZ', at(9, 'no word of the body begins here: it has ""')],
      ['😀 a cat', '😀 the q1n_NN', at(2, 'the qode has "the ", but the body has "a cat"')],
    ] as const) {
      await refused('quote', { body, qode, quadranym: cat.quadranym_id, src: 'x' }, errors)
      await refused('fortune', { body, qode, q1: [cat.quadranym_id] }, errors)
    }
  })

  test('{quote.give} a quote needs a token, and index 1 only', async () => {
    const base = { body: 'A cat naps.', quadranym: cat.quadranym_id, src: 'x' }
    await refused('quote', { ...base, qode: '' }, { qode: ['Needs at least one token.'] })
    await refused('quote', { ...base, qode: 'A cat naps.' }, { qode: ['Needs at least one token.'] })
    await refused('quote', { ...base, qode: 'A q1n_NN q2s_VBZ.' }, { qode: ['Too many topics!'] })
    await refused('quote', { ...base, qode: 'A q2n_NN naps.' }, { qode: ['Too many topics!'] })
    const missing = ['This field is required.']
    await refused('quote', {}, { body: missing, quadranym: missing, src: missing })
  })

  test('{annotated.by-server} without qode the server finds the tokens itself, and sorts the quadranyms', async () => {
    const quote = await make(site, 'quote', { body: 'A cat naps.', quadranym: cat.quadranym_id, src: 'by the server' })
    assert.deepEqual([quote.qode, quote.subs, quote.width], ['A q1n_NN q1s_VBZ.', 'ns', 2])
    const both = { body: "The dog barked, the cats didn't; the dog napped.", q1: [cat.quadranym_id, dog.quadranym_id] }
    const fortune = await make(site, 'fortune', both)
    const { fortune_id } = fortune
    assert.deepEqual(fortune, {
      body: both.body,
      qode: "The q2n_NN q2e_VBD, the q1n_NNS didn't; the q2n_NN q1s_VBD.",
      q1: [],
      q2: [cat, dog],
      subs: 'nenns',
      depth: 2,
      fortune_id,
    })
  })

  test('{annotated.unmatched} a quadranym that no word matches is refused under its member', async () => {
    await refused('quote', { body: 'A bird sings.', quadranym: cat.quadranym_id, src: 'x' }, wordless('quadranym', cat))
    await refused('fortune', { body: 'A cat naps.', q1: [cat.quadranym_id, dog.quadranym_id] }, wordless('q1', dog))
    await refused('fortune', { body: 'A cat said q1e_VB.', q2: [cat.quadranym_id] }, wordless('q2', cat))
  })

  test('{annotated.changed} a changed body or changed quadranyms are annotated again, unless qode comes with them', async () => {
    const tokens = { body: 'A cat napped.', qode: 'A q1n_NN q1s_VBD.', q2: [cat.quadranym_id] }
    const made = await make(site, 'fortune', tokens)
    const path = `/api/fortune/${made.fortune_id}/`
    const patch = async (json: object) => {
      const { status, json: answer } = await write('PATCH', path, json)
      return [status, answer]
    }
    const now = { ...made, body: 'The cat napped.', qode: 'The q1n_NN q1s_VBD.' }
    assert.deepEqual(await patch({ body: 'The cat napped.' }), [200, now])
    assert.deepEqual(await patch({ q2: [dog.quadranym_id] }), [400, wordless('q2', dog)])
    assert.deepEqual(await patch({ body: 'The cat napped.', q1: [], q2: [cat] }), [200, now])
    // The other word is left as text, because the client says so.
    const chosen = { body: 'A cat napped.', qode: 'A q1n_NN napped.' }
    assert.deepEqual(await patch(chosen), [200, { ...made, ...chosen, q1: [cat], q2: [], subs: 'n' }])
    const plain = { ...made, qode: '', q1: [], q2: [], subs: '', depth: 0 }
    assert.deepEqual(await patch({ q1: [] }), [200, plain])
    assert.deepEqual(await patch({ body: 'Nothing napped.' }), [200, { ...plain, body: 'Nothing napped.' }])
    assert.deepEqual(await patch(tokens), [200, made])
    const put = await write('PUT', path, { body: 'A cat napped.' })
    assert.deepEqual(put.json, plain)
  })

  test('{check.question} a quadranym changed later does not change the qode, and check says what no longer matches', async () => {
    const bird = await make(site, 'quadranym', { name: 'bird', e: 'fly' })
    const fortune = await make(site, 'fortune', { body: '😀 A bird flew.', q1: [bird.quadranym_id] })
    const quote = await make(site, 'quote', { body: 'Fly, bird.', quadranym: bird.quadranym_id, src: 'x' })
    const paths = [`/api/fortune/${fortune.fortune_id}/`, `/api/quote/${quote.quote_id}/`] as const
    for (const path of paths) assert.equal((await site.ask(`${path}check/`)).text, '{"matches":true,"faults":[]}')
    await write('PATCH', `/api/quadranym/${bird.quadranym_id}/`, { e: 'soar' })
    assert.equal((await site.ask(paths[0])).json.qode, '😀 A q1n_NN q1e_VBD.')
    assert.deepEqual((await site.ask(`${paths[0]}check/`)).json, {
      matches: false,
      faults: [{ offset: 11, why: '"flew" would become "soared"', token: 'q1e_VBD', word: 'flew', becomes: 'soared' }],
    })
    const { json } = await site.ask(`${paths[1]}check/`)
    assert.deepEqual(json.faults, [
      { offset: 0, why: '"Fly" would become "soar"', token: 'q1e_VB', word: 'Fly', becomes: 'soar' },
    ])
    assert.equal((await site.ask('/api/fortune/999999/check/')).status, 404)
    assert.equal((await site.ask(`${paths[0]}check/`, { method: 'POST' })).headers.allow, 'GET, HEAD, OPTIONS')
  })

  test('{phrase.give} a phrase has one topic; only the one named - needs no token', async () => {
    const topics = { qode: ['Too many topics!'] }
    await refused('phrase', { name: 'a', qode: 'q1n and q2n' }, topics)
    await refused('phrase', { name: 'a', qode: 'q2n' }, topics)
    await refused('phrase', { name: '-', qode: 'q1n and q2n' }, topics)
    await refused('phrase', { name: 'a', qode: 'q0n and Q' }, { qode: ['Needs at least one token.'] })
    await refused('phrase', { name: '-', qode: '' }, { qode: ['This field may not be blank.'] })
    const renamed = await write('PATCH', `/api/phrase/${pause.phrase_id}/`, { name: 'pause' })
    assert.deepEqual([renamed.status, renamed.json], [400, { qode: ['Needs at least one token.'] }])
  })

  test('{own.lengths} qode is up to 4096 long in a phrase, 8192 in a fable and a fortune', async () => {
    const tooLong = (most: number) => [`Ensure this field has no more than ${most} characters.`]
    const filled = (length: number) => `q1n ${'x'.repeat(length - 4)}`
    await refused('phrase', { name: 'long', qode: filled(4097) }, { qode: tooLong(4096) })
    await refused('fable', { name: 'long', qode: filled(8193) }, { qode: tooLong(8192) })
    assert.equal((await make(site, 'phrase', { name: 'long', qode: filled(4096) })).width, 1)
    assert.equal((await make(site, 'fable', { name: 'long', qode: filled(8192) })).width, 1)
    // The server does not write what it would not accept.
    const go = await make(site, 'quadranym', { name: 'go' })
    await refused('fortune', { body: 'go '.repeat(1365).trim(), q1: [go.quadranym_id] }, { qode: tooLong(8192) })
    await refused('phrase', { name: 'x', qode: 'q1n', realm: 'r'.repeat(65) }, { realm: tooLong(64) })
  })

  test('{winner.limits} of a winner, by and app are up to 32 long, and round is from 0 to 32767', async () => {
    const faulty = { by: 'b'.repeat(33), user: 'gus', app: 'a'.repeat(33), score: 1, round: 32768 }
    const { status, json } = await write('POST', '/api/winner/', faulty, 'staff ada')
    const tooLong = ['Ensure this field has no more than 32 characters.']
    const round = ['Ensure this value is less than or equal to 32767.']
    assert.deepEqual([status, json], [400, { by: tooLong, app: tooLong, round }])
  })

  test('{fable.give} a fable has at least one token', async () => {
    await refused('fable', { name: 'a', qode: 'nothing' }, { qode: ['Needs at least one token.'] })
  })

  test('{lines.give} a story takes its lines at once, ranked from 0, and does not show them', async () => {
    const lines = [
      { phrase: phrase.phrase_id, quadranym: cat.quadranym_id },
      { phrase: pause, quadranym: { quadranym_id: dog.quadranym_id }, rank: 9, story: 999 },
    ]
    const story = await make(site, 'story', { name: 'given', lines })
    assert.deepEqual(story, { name: 'given', user: 'gus', length: 2, story_id: story.story_id })
    assert.deepEqual(await linesOf('storyline', 'story', story), [
      { rank: 0, story, phrase, quadranym: cat },
      { rank: 1, story, phrase: pause, quadranym: dog },
    ])
  })

  test('{lines.tale} the lines of a tale are quadranyms', async () => {
    const lines = [cat.quadranym_id, dog, { quadranym: owl.quadranym_id }]
    const tale = await make(site, 'tale', { name: 'given', fable: fable.fable_id, lines })
    assert.deepEqual(tale, { name: 'given', user: 'gus', length: 2, fable, tale_id: tale.tale_id })
    assert.deepEqual(
      await linesOf('taleline', 'tale', tale),
      [cat, dog, owl].map((quadranym, rank) => ({ rank, tale, quadranym })),
    )
  })

  test('{lines.replaced} PUT and PATCH with lines replace them all, without lines leave them', async () => {
    const line = (quadranym: Json) => ({ phrase: phrase.phrase_id, quadranym: quadranym.quadranym_id })
    const made = await make(site, 'story', { name: 'lines', lines: [line(cat), line(dog)] })
    const path = `/api/story/${made.story_id}/`
    const told = async () => (await linesOf('storyline', 'story', made)).map(({ quadranym }: Json) => quadranym.name)
    assert.equal((await write('PUT', path, made)).json.length, 2)
    assert.equal((await write('PATCH', path, { area: 'a' })).json.length, 2)
    assert.deepEqual(await told(), ['cat', 'dog'])
    assert.equal((await write('PATCH', path, { lines: [line(owl), line(dog), line(cat)] })).json.length, 3)
    assert.deepEqual(await told(), ['owl', 'dog', 'cat'])
    assert.equal((await write('PUT', path, { name: 'lines', lines: [line(dog)] })).json.length, 1)
    assert.deepEqual(await told(), ['dog'])
    assert.equal((await write('PATCH', path, { lines: [] })).json.length, 0)
    assert.deepEqual(await told(), [])
  })

  test('{lines.form} a form cannot give lines: they are ignored there', async () => {
    const form = { name: 'formed', lines: '[{"phrase":1,"quadranym":1}]' }
    const { status, json } = await site.ask('/api/story/', { method: 'POST', as: 'gus', form })
    assert.deepEqual([status, json.length], [201, 0])
  })

  test('{lines.faults} {write.whole} a fault in a line is reported with its rank, and nothing is written', async () => {
    const good = { phrase: phrase.phrase_id, quadranym: cat.quadranym_id }
    const before = [await read(site, '/api/story/'), await read(site, '/api/storyline/')]
    for (const [lines, message] of [
      [null, 'This field may not be null.'],
      ['x', 'Expected a list of items but got type "str".'],
      [{}, 'Expected a list of items but got type "dict".'],
      [[good, 7], 'Line 1: Invalid data. Expected a dictionary, but got int.'],
      [[good, good, { phrase: 1 }], 'Line 2, quadranym: This field is required.'],
      [[{ ...good, phrase: 999 }, good], 'Line 0, phrase: Invalid pk "999" - object does not exist.'],
      [Array(1001).fill(good), 'Ensure this field has no more than 1000 elements.'],
    ] as const) {
      await refused('story', { name: 'faulty', lines }, { lines: [message] })
    }
    await refused(
      'story',
      { name: 'faulty', lines: [{}, good, { ...good, phrase: 999 }] },
      {
        lines: [
          'Line 0, phrase: This field is required.',
          'Line 0, quadranym: This field is required.',
          'Line 2, phrase: Invalid pk "999" - object does not exist.',
        ],
      },
    )
    const missing = { lines: ['Line 1, quadranym: Invalid pk "999" - object does not exist.'] }
    await refused('tale', { name: 'faulty', fable, lines: [cat.quadranym_id, 999] }, missing)
    const story = await make(site, 'story', { name: 'kept', lines: [good] })
    const path = `/api/story/${story.story_id}/`
    const put = await write('PUT', path, { name: 'renamed', lines: [good, {}] })
    assert.equal(put.status, 400)
    assert.deepEqual(await read(site, path), story)
    await write('DELETE', path, {})
    assert.deepEqual([await read(site, '/api/story/'), await read(site, '/api/storyline/')], before)
  })

  test('{lines.single} a line can be written by itself, at a rank that is free', async () => {
    const story = await make(site, 'story', { name: 'single' })
    const line = { rank: 5, story: story.story_id, phrase: phrase.phrase_id, quadranym: cat.quadranym_id }
    const made = await make(site, 'storyline', line)
    assert.equal(made.story.length, 1)
    await refused('storyline', line, { non_field_errors: ['The fields story, rank must make a unique set.'] })
    await refused('storyline', { ...line, rank: -1 }, { rank: ['Ensure this value is greater than or equal to 0.'] })
    const tale = await make(site, 'tale', { name: 'single', fable: fable.fable_id })
    const taleline = { rank: 0, tale: tale.tale_id, quadranym: cat.quadranym_id }
    await make(site, 'taleline', taleline)
    await refused('taleline', taleline, { non_field_errors: ['The fields tale, rank must make a unique set.'] })
  })

  test('{may.lines} lines belong to the owner of their story: nobody else adds, moves or changes one', async () => {
    const mine = await make(site, 'story', { name: 'of gus' })
    const hers = await make(site, 'story', { name: 'of ann' }, 'ann')
    const line = { rank: 0, phrase: phrase.phrase_id, quadranym: cat.quadranym_id }
    const forbidden = [403, { detail: 'You do not have permission to perform this action.' }]
    const answer = async (reply: Promise<Reply>) => [(await reply).status, (await reply).json]
    const to = (story: Json) => ({ ...line, story: story.story_id })
    assert.deepEqual(await answer(write('POST', '/api/storyline/', to(mine), 'ann')), forbidden)
    const own = await make(site, 'storyline', to(hers), 'ann')
    const path = `/api/storyline/${own.storyline_id}/`
    assert.deepEqual(await answer(write('PATCH', path, { story: mine.story_id }, 'ann')), forbidden)
    assert.deepEqual(await answer(write('PATCH', path, { rank: 1 }, 'gus')), forbidden)
    // What staff write into a story belongs to its owner.
    const added = await make(site, 'storyline', { ...to(hers), rank: 1 }, 'staff')
    const theirs = `/api/storyline/${added.storyline_id}/`
    assert.deepEqual(await answer(write('DELETE', theirs, {}, 'gus')), forbidden)
    assert.equal((await write('DELETE', theirs, {}, 'ann')).status, 204)
    // And a line that staff move then belongs to the other owner.
    assert.equal((await write('PATCH', path, { story: mine.story_id }, 'staff')).status, 200)
    assert.deepEqual(await answer(write('DELETE', path, {}, 'ann')), forbidden)
    assert.equal((await write('DELETE', path, {}, 'gus')).status, 204)
  })

  async function linesOf(collection: string, parent: string, record: Json): Promise<Json[]> {
    const id = `${parent}_id`
    const lines = (await all(site, collection)).filter((line) => line[parent][id] === record[id])
    return lines.map(({ [`${collection}_id`]: _, ...line }) => line)
  }

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})
