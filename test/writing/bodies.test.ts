/** Request bodies: their types, the values of their members, and the errors of invalid ones. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Sent } from '../support/site.ts'
import { CAT, type Json, make, RIVER, read, TREE } from './fixtures.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
const BOUNDARY = 'part-of-a-form'

/** A multipart body; a list is a file's name and content. */
function multipart(members: Readonly<Record<string, string | readonly [file: string, content: string]>>): Sent {
  const parts = Object.entries(members).map(([name, value]) => {
    const disposition = `Content-Disposition: form-data; name="${name}"`
    const [head, content] =
      typeof value === 'string'
        ? [disposition, value]
        : [`${disposition}; filename="${value[0]}"\r\nContent-Type: text/plain`, value[1]]
    return `--${BOUNDARY}\r\n${head}\r\n\r\n${content}\r\n`
  })
  return {
    body: `${parts.join('')}--${BOUNDARY}--\r\n`,
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
  }
}

const required = (...members: string[]) =>
  Object.fromEntries(members.map((member) => [member, ['This field is required.']]))

onEachEngine('Bodies', { sample: false }, (site) => {
  const post = (collection: string, sent: Sent, as = 'gus') =>
    site.ask(`/api/${collection}/`, { method: 'POST', as, ...sent })
  const raw = (body: string | Buffer, type = 'application/json'): Sent => ({ body, headers: { 'content-type': type } })

  /** The body is refused, with exactly this error. */
  async function refused(collection: string, sent: Sent, answer: object, status = 400, as = 'gus'): Promise<void> {
    const reply = await post(collection, sent, as)
    assert.deepEqual([reply.status, reply.json], [status, answer])
    assert.equal(reply.headers['content-type'], 'application/json')
    assert.equal(reply.headers.allow, 'GET, POST, HEAD, OPTIONS')
  }

  before(async () => {
    await make(site, 'polynym', TREE)
    await make(site, 'polynym', RIVER)
    await make(site, 'quadranym', CAT)
  })

  test('{body.types} JSON, a form and a multipart form make the same record', async () => {
    const members = { name: 'three ways', mode: 'part', p1: 'ä', p2: 'a+b & c=d' }
    const shown = { name: 'three ways', user: 'gus', mode: 'part', depth: 2, p1: 'ä', p2: 'a+b & c=d' }
    for (const sent of [{ json: members }, { form: members }, multipart(members)]) {
      const made = await post('polynym', sent)
      assert.equal(made.text, JSON.stringify({ ...shown, polynym_id: made.json.polynym_id }))
      await site.ask(`/api/polynym/${made.json.polynym_id}/`, { method: 'DELETE', as: 'gus' })
    }
    const charset = raw(JSON.stringify({ name: 'ü' }), 'Application/JSON; charset=latin1')
    assert.equal((await post('queue', charset)).json.name, 'ü')
  })

  test('{body.form} a form sends a list by repeating the member; for any other member the last value counts', async () => {
    const set = await post('polyset', { form: { name: ['one', 'two'], polynyms: ['2', '1', '2'] } })
    assert.deepEqual([set.json.name, set.json.polynyms.map((each: Json) => each.polynym_id)], ['two', [2, 1]])
    const alone = await post('polyset', multipart({ name: 'three', polynyms: '1' }))
    assert.deepEqual(
      alone.json.polynyms.map((each: Json) => each.polynym_id),
      [1],
    )
    await refused('polyset', { form: { name: 'none' } }, required('polynyms'))
  })

  test('{body.file} a file in a multipart form is refused under the name of its member', async () => {
    const file = ['notes.txt', 'text'] as const
    await refused('polynym', multipart({ name: file, src: file, mode: file, p1: 'a', p2: file, other: file }), {
      name: ['Not a valid string.'],
      src: ['Not a valid string.'],
      mode: ['"{}" is not a valid choice.'],
      p2: ['Not a valid string.'],
    })
    await refused('polyset', multipart({ name: 'x', polynyms: file }), {
      polynyms: ['Incorrect type. Expected pk value, received dict.'],
    })
  })

  test('{body.empty} a missing body is an empty one, whatever its type', async () => {
    await refused('queue', {}, required('name'))
    await refused('queue', raw('', 'application/xml'), required('name'))
  })

  test('{body.unsupported} any other type returns 415, and so does a compressed body', async () => {
    for (const type of ['text/plain', 'application/vnd.api+json', 'application/xml; charset=utf-8']) {
      await refused('queue', raw('{}', type), { detail: `Unsupported media type "${type}" in request.` }, 415)
    }
    await refused('queue', { body: '{}' }, { detail: 'Unsupported media type "" in request.' }, 415)
    const gzip = { body: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } }
    await refused('queue', gzip, { detail: 'Unsupported content encoding "gzip" in request.' }, 415)
  })

  test('{body.broken} a body that cannot be parsed returns 400, with the reason', async () => {
    const end = 'JSON parse error - Unexpected end of JSON input'
    await refused('queue', raw('{"name":'), { detail: end })
    const bytes = Buffer.from([0x22, 0xff, 0x22])
    await refused('queue', raw(bytes), { detail: 'JSON parse error - the body is not valid UTF-8' })
    await refused('queue', raw(bytes, FORM_TYPE), { detail: 'Form parse error - the body is not valid UTF-8' })
    for (const escaped of ['name=caf%e9', '%ff=x', 'name=%ed%a0%80', 'name=a%C3+b']) {
      await refused('queue', raw(escaped, FORM_TYPE), { detail: 'Form parse error - the body is not valid UTF-8' })
    }
    const unbound = { detail: 'Multipart form parse error - the body does not match its boundary' }
    await refused('queue', raw('name=x', 'multipart/form-data; boundary=b'), unbound)
    await refused('queue', raw('name=x', 'multipart/form-data'), unbound)
  })

  test('{body.object} a JSON body must be an object', async () => {
    for (const [body, type] of [
      ['"x"', 'str'],
      ['[]', 'list'],
      ['7', 'int'],
      ['7.5', 'float'],
      ['true', 'bool'],
    ] as const) {
      const message = `Invalid data. Expected a dictionary, but got ${type}.`
      await refused('queue', raw(body), { non_field_errors: [message] })
    }
    await refused('queue', raw('null'), { non_field_errors: ['No data provided'] })
  })

  test('{body.size} a body of 1 MiB is read, a larger one returns 413 and closes the connection', async () => {
    const padded = (bytes: number) => `{"name":"wide"}${' '.repeat(bytes - 15)}`
    assert.equal((await post('queue', raw(padded(1048576)))).status, 201)
    const tooLarge = { detail: 'The request body is larger than 1048576 bytes.' }
    const headers = { 'content-type': 'application/json' }
    // The length alone is enough; without one, the bytes are counted.
    const announced = await post('queue', { body: '', headers: { ...headers, 'content-length': '1048577' } })
    const counted = await post('queue', {
      body: padded(1048577),
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    })
    for (const reply of [announced, counted]) {
      assert.deepEqual([reply.status, reply.json], [413, tooLarge])
      assert.equal(reply.headers.connection, 'close')
    }
  })

  test('{body.depth} JSON of 64 levels is read, a deeper one returns 400', async () => {
    const nested = (levels: number) => raw(`{"name":"deep","x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`)
    assert.equal((await post('queue', nested(64))).status, 201)
    await refused('queue', nested(65), { detail: 'JSON parse error - nested deeper than 64 levels' })
    await refused('queue', nested(100_000), { detail: 'JSON parse error - nested deeper than 64 levels' })
  })

  test('{write.ignored} members that the server decides, and unknown ones, are ignored', async () => {
    const made = await make(site, 'polynym', {
      name: 'mine',
      user: 'somebody',
      likes: 9,
      voters: ['x'],
      mode: 'part',
      depth: 'deep',
      p1: 'a',
      p2: 'b',
      p13: 'c',
      polynym_id: 12345,
      whatever: { a: [] },
    })
    const { polynym_id } = made
    assert.deepEqual(made, { name: 'mine', user: 'gus', mode: 'part', depth: 2, p1: 'a', p2: 'b', polynym_id })
    assert.ok(polynym_id < 12345)
    const fable = await make(site, 'fable', { name: 'f', qode: 'q2e', subs: 'x', length: 9, width: 9 })
    const { fable_id } = fable
    assert.deepEqual(fable, { name: 'f', user: 'gus', qode: 'q2e', subs: 'e', length: 2, width: 1, fable_id })
  })

  test('{write.texts} texts are trimmed, and a number becomes its digits', async () => {
    const made = await make(site, 'quadranym', { name: ' \t Ä b \n', e: 5, r: -1.5, o: '   ', src: ' ', s: 'x\ny' })
    const { quadranym_id } = made
    assert.deepEqual(made, { name: 'Ä b', user: 'gus', e: '5', r: '-1.5', o: '', s: 'x\ny', quadranym_id })
    const long = `${'😀'.repeat(200)} `
    assert.equal((await make(site, 'queue', { name: long })).name, long.trim())
  })

  test('{write.none} null, blank and missing are the same for optional members', async () => {
    const base = { mode: 'part', p1: 'a', p2: 'b' }
    const shown = { user: 'gus', mode: 'part', depth: 2, p1: 'a', p2: 'b' }
    for (const [name, none] of [
      ['none 1', {}],
      ['none 2', { src: null, area: null, wiki: null, p3: null, p12: null }],
      ['none 3', { src: '', area: ' ', wiki: '', p3: '', p12: '  ' }],
    ] as const) {
      const made = await make(site, 'polynym', { name, ...base, ...none })
      assert.deepEqual(made, { name, ...shown, polynym_id: made.polynym_id })
    }
    const vector = await make(site, 'vectornym', { name: 'v', v1: 1, v2: 2, v3: null, v4: '', v9: '' })
    assert.equal(vector.length, 2)
    // These are always shown, so they may be blank, not null.
    const refusal = ['This field may not be null.']
    await refused('quadranym', { json: { name: 'n', e: null, s: null } }, { e: refusal, s: refusal })
    const winner = { user: 'gus', app: 'none', score: 1, round: 1 }
    await refused('winner', { json: { ...winner, by: null } }, { by: refusal }, 400, 'staff')
    assert.equal((await make(site, 'winner', winner, 'staff')).by, '')
  })

  test('{write.replace} PUT clears what it does not contain', async () => {
    const made = await make(site, 'polynym', { ...TREE, name: 'full', src: 's', area: 'a', wiki: 'w' })
    const path = `/api/polynym/${made.polynym_id}/`
    const put = await site.ask(path, { method: 'PUT', as: 'gus', json: { ...RIVER, name: 'full' } })
    const { polynym_id } = made
    const left = { name: 'full', user: 'gus', mode: 'step', depth: 2, p1: 'spring', p2: 'mouth', polynym_id }
    assert.equal(put.text, JSON.stringify(left))
    assert.equal((await site.ask(path)).text, put.text)
    const partial = await site.ask(path, { method: 'PUT', as: 'gus', json: { name: 'full' } })
    assert.deepEqual([partial.status, partial.json], [400, required('mode', 'p1', 'p2')])
    assert.equal((await site.ask(path)).text, put.text)
  })

  test('{write.slots} PATCH adds, changes and clears single slots, and the whole must be valid', async () => {
    const made = await make(site, 'polynym', { ...TREE, name: 'slots' })
    const path = `/api/polynym/${made.polynym_id}/`
    const patch = async (json: object) => {
      const reply = await site.ask(path, { method: 'PATCH', as: 'gus', json })
      return [reply.status, reply.json]
    }
    const terms = (depth: number, more: object) => {
      const { polynym_id, user } = made
      return [200, { name: 'slots', user, mode: 'part', depth, p1: 'root', p2: 'trunk', ...more, polynym_id }]
    }
    assert.deepEqual(await patch({ p4: 'leaf' }), terms(4, { p3: 'crown', p4: 'leaf' }))
    assert.deepEqual(await patch({ p3: '' }), [400, { p4: ['Fill the slots in order, with no gap.'] }])
    assert.deepEqual(await patch({ p6: 'x' }), [400, { p6: ['Fill the slots in order, with no gap.'] }])
    assert.deepEqual(await patch({ p3: '', p4: null }), terms(2, {}))
    assert.deepEqual(await patch({ p2: '' }), [400, { p2: ['This field may not be blank.'] }])
    assert.deepEqual(await patch({ p2: null }), [400, { p2: ['This field may not be null.'] }])
    const vector = await make(site, 'vectornym', { name: 'w', v1: 1, v2: 2 })
    const wider = await site.ask(`/api/vectornym/${vector.vectornym_id}/`, {
      method: 'PATCH',
      as: 'gus',
      json: { v3: 1 },
    })
    assert.deepEqual([wider.json.length, wider.json.width, wider.json.v3.polynym_id], [3, 8, 1])
  })

  test('{invalid.all} every invalid member is named, each with its own list of messages', async () => {
    await refused('polynym', { json: {} }, required('name', 'mode', 'p1', 'p2'))
    const text = `${'x'.repeat(8)}é`
    await refused(
      'quadranym',
      { json: { name: null, e: false, r: 'x'.repeat(201), pos: text, realm: 'x'.repeat(65) } },
      {
        name: ['This field may not be null.'],
        e: ['Not a valid string.'],
        r: ['Ensure this field has no more than 200 characters.'],
        pos: [
          'Ensure this field has no more than 8 characters.',
          'Use one to eight capital letters, such as NN, VB or ADJ.',
        ],
        realm: ['Ensure this field has no more than 64 characters.'],
      },
    )
  })

  test('{invalid.between} faults between members are reported when each member is valid by itself', async () => {
    await refused('phrase', { json: { name: '', qode: 'no token' } }, { name: ['This field may not be blank.'] })
    await refused('phrase', { json: { name: 'p', qode: 'no token' } }, { qode: ['Needs at least one token.'] })
  })

  test('{invalid.text} invalid texts', async () => {
    for (const [name, message] of [
      ['', 'This field may not be blank.'],
      ['  ', 'This field may not be blank.'],
      [null, 'This field may not be null.'],
      [true, 'Not a valid string.'],
      [['x'], 'Not a valid string.'],
      [{}, 'Not a valid string.'],
      ['x'.repeat(201), 'Ensure this field has no more than 200 characters.'],
      ['a\0', 'Null characters are not allowed.'],
      ['a\ud83d', 'Surrogate characters are not allowed: U+D83D.'],
    ] as const) {
      await refused('queue', { json: { name } }, { name: [message] })
    }
  })

  test('{invalid.choice} an invalid choice', async () => {
    for (const [mode, told] of [
      ['whole', '"whole" is not a valid choice.'],
      ['Part', '"Part" is not a valid choice.'],
      ['', '"" is not a valid choice.'],
      [5, '"5" is not a valid choice.'],
      [null, 'This field may not be null.'],
    ] as const) {
      await refused('polynym', { json: { ...TREE, mode } }, { mode: [told] })
    }
  })

  test('{invalid.integer} whole numbers in either spelling, and invalid ones', async () => {
    const base = { user: 'gus', app: 'x', round: 0 }
    for (const score of [7, '7', '+7', ' 7 ', '7.0', 7.0]) {
      const made = await make(site, 'winner', { ...base, score }, 'staff')
      assert.equal(made.score, 7)
      await site.ask(`/api/winner/${made.winner_id}/`, { method: 'DELETE', as: 'staff' })
    }
    for (const [score, message] of [
      [undefined, 'This field is required.'],
      [null, 'This field may not be null.'],
      ['', 'A valid integer is required.'],
      ['7.5', 'A valid integer is required.'],
      [7.5, 'A valid integer is required.'],
      [true, 'A valid integer is required.'],
      ['1e3', 'A valid integer is required.'],
      [2147483648, 'Ensure this value is less than or equal to 2147483647.'],
      [-2147483649, 'Ensure this value is greater than or equal to -2147483648.'],
      ['9'.repeat(300), 'Ensure this value is less than or equal to 2147483647.'],
    ] as const) {
      await refused('winner', { json: { ...base, score } }, { score: [message] }, 400, 'staff')
    }
    const round = { round: ['Ensure this value is less than or equal to 32767.'] }
    await refused('winner', { json: { ...base, score: 1, round: 32768 } }, round, 400, 'staff')
  })

  test('{reference.given} a record is given by its id or by an object that has the id; the response embeds it whole', async () => {
    const tree = await read(site, '/api/polynym/1/')
    for (const [i, pa] of [1, '1', ' 1 ', { polynym_id: 1 }, { polynym_id: '1', name: 'x' }, tree].entries()) {
      const made = await make(site, 'polymap', { name: `map ${i}`, pa, pb: 2 })
      assert.deepEqual(made.pa, tree)
    }
  })

  test('{reference.list} a list keeps its order, and a repeat counts once, at its first position', async () => {
    const made = await make(site, 'polyset', { name: 'order', polynyms: [2, '1', { polynym_id: 2 }, 1] })
    assert.deepEqual(
      made.polynyms.map((each: Json) => each.polynym_id),
      [2, 1],
    )
    assert.equal((await make(site, 'polyset', { name: 'long', polynyms: Array(500).fill(1) })).length, 1)
  })

  test('{reference.refused} an invalid or unknown id is refused', async () => {
    const type = (name: string) => `Incorrect type. Expected pk value, received ${name}.`
    for (const [pa, message] of [
      [undefined, 'This field is required.'],
      [null, 'This field may not be null.'],
      ['', 'This field may not be null.'],
      [999, 'Invalid pk "999" - object does not exist.'],
      [0, 'Invalid pk "0" - object does not exist.'],
      [-1, 'Invalid pk "-1" - object does not exist.'],
      ['x', type('str')],
      [true, type('bool')],
      [1.5, type('float')],
      [[1], type('list')],
      [{ id: 1 }, type('dict')],
    ] as const) {
      await refused('polymap', { json: { name: 'no', pa, pb: 2 } }, { pa: [message] })
      if (pa === undefined) continue
      await refused('vectornym', { json: { name: 'no', v1: 1, v2: pa } }, { v2: [message] })
      await refused('polyset', { json: { name: 'no', polynyms: [1, pa] } }, { polynyms: [message] })
    }
  })

  test('{reference.list-refused} a list must be a list, of one record to 200', async () => {
    const list = (name: string) => `Expected a list of items but got type "${name}".`
    for (const [polynyms, message] of [
      [undefined, 'This field is required.'],
      [null, 'This field may not be null.'],
      [1, list('int')],
      ['1', list('str')],
      [{ polynym_id: 1 }, list('dict')],
      [[], 'This list may not be empty.'],
      [Array.from({ length: 201 }, (_, i) => i + 1), 'Ensure this field has no more than 200 elements.'],
    ] as const) {
      await refused('polyset', { json: { name: 'no', polynyms } }, { polynyms: [message] })
      await refused('quadraset', { json: { name: 'no', quadranyms: polynyms } }, { quadranyms: [message] })
    }
  })

  test('{polymap.faults} a row must be a term, a relation and a term', async () => {
    const comma = await make(site, 'polynym', { name: 'commas', mode: 'part', p1: 'a', p2: 'a,b', p3: 'IsA,c' })
    const rows = { r1: 'root,IsA,a', r2: 'root,PartOf,a,b', r3: 'crown,HasA,IsA,c' }
    const made = await make(site, 'polymap', { name: 'rows', pa: 1, pb: comma.polynym_id, ...rows })
    assert.deepEqual({ r1: made.r1, r2: made.r2, r3: made.r3 }, rows)
    await refused(
      'polymap',
      { json: { name: 'no', pa: 1, pb: 2, r1: 'leaf,IsA,mouth', r2: 'root,IsA,sea', r3: 'root,isa,mouth' } },
      {
        r1: ['Must begin with a term of pa and a comma.'],
        r2: ['Must end with a comma and a term of pb.'],
        r3: ["Use one of ConceptNet's relation names between the two terms."],
      },
    )
    const gap = { r2: ['Fill the slots in order, with no gap.'] }
    await refused('polymap', { json: { name: 'no', pa: 1, pb: 2, r2: 'root,IsA,mouth' } }, gap)
  })

  test('{polymap.kept} a row whose term was removed later may stay, but not be written again', async () => {
    const pb = await make(site, 'polynym', { ...RIVER, name: 'changing' })
    const rows = { r1: 'root,IsA,mouth', r2: 'trunk,IsA,spring' }
    const made = await make(site, 'polymap', { name: 'kept', pa: 1, pb, ...rows })
    const path = `/api/polymap/${made.polymap_id}/`
    await site.ask(`/api/polynym/${pb.polynym_id}/`, { method: 'PATCH', as: 'gus', json: { p2: 'delta' } })
    const now = await read(site, path)
    assert.equal(now.r1, 'root,IsA,mouth')
    assert.equal((await site.ask(path, { method: 'PUT', as: 'gus', json: now })).status, 200)
    assert.equal((await site.ask(path, { method: 'PATCH', as: 'gus', json: { area: 'a' } })).status, 200)
    const moved = await site.ask(path, { method: 'PATCH', as: 'gus', json: { r3: 'crown,IsA,mouth' } })
    assert.deepEqual([moved.status, moved.json], [400, { r3: ['Must end with a comma and a term of pb.'] }])
  })

  test('{write.order} credentials come first, then the body, the record, permissions, If-Match, and the members', async () => {
    const path = '/api/polynym/1/'
    const ladder: readonly (readonly [string, Sent, number])[] = [
      [path, raw('{bad'), 401],
      ['/api/polynym/99/', { ...raw('{bad'), as: 'ann' }, 400],
      ['/api/polynym/99/', { ...raw('<a/>', 'text/xml'), as: 'ann' }, 415],
      ['/api/polynym/99/', { json: { p1: '' }, as: 'ann', headers: { 'if-match': '"x"' } }, 404],
      ['/api/polynym/x/', { ...raw('{bad'), as: 'ann' }, 404],
      [path, { json: { p1: '' }, as: 'ann', headers: { 'if-match': '"x"' } }, 403],
      [path, { json: { p1: '' }, as: 'gus', headers: { 'if-match': '"x"' } }, 412],
      [path, { json: { p1: '' }, as: 'gus' }, 400],
    ]
    for (const [place, sent, status] of ladder) {
      assert.equal((await site.ask(place, { method: 'PATCH', ...sent })).status, status, JSON.stringify(sent))
    }
    assert.equal((await site.ask('/api/polynym/99/', { method: 'PUT' })).status, 401)
    // A missing permission is reported only once the body is an object.
    assert.equal((await post('winner', raw('[]'))).status, 400)
    assert.equal((await post('winner', { json: {} })).status, 403)
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})
