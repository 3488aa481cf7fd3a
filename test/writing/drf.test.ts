/**
 * Responses recorded from Django REST framework, on our resources: what its clients rely on when they write. Where
 * Nymdex differs on purpose, docs/api.md says so, and the case has our response.
 */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { make, read } from './fixtures.ts'

const LIST = 'GET, POST, HEAD, OPTIONS'
const RECORD = 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

interface Case {
  readonly title: string
  /** Method and path; by default a POST to the polynyms. */
  readonly ask?: string
  readonly type?: string
  readonly body: string | Buffer
  /** The user: gus by default; '' is nobody. */
  readonly as?: string
  readonly headers?: Record<string, string>
  readonly status: number
  readonly allow?: string
  /** The whole response; for a created record without its id. */
  readonly answer: object | string
}

const created = (members: object) => ({ user: 'gus', mode: 'part', depth: 2, ...members })

const CASES: readonly Case[] = [
  // Creating. `mode` and two terms are required here, and `depth` is the server's.
  {
    title: 'a good body',
    body: '{"name":"zeta","mode":"part","p1":"x","p2":"y","p3":""}',
    status: 201,
    answer: created({ name: 'zeta', p1: 'x', p2: 'y' }),
  },
  {
    title: 'a form',
    type: FORM_TYPE,
    body: 'name=eta&mode=part&p1=x&p2=y',
    status: 201,
    answer: created({ name: 'eta', p1: 'x', p2: 'y' }),
  },
  {
    title: 'bad members',
    body: JSON.stringify({ name: '', p1: 'x'.repeat(501), mode: 'zzz', p2: 'y' }),
    status: 400,
    answer: {
      name: ['This field may not be blank.'],
      mode: ['"zzz" is not a valid choice.'],
      p1: ['Ensure this field has no more than 500 characters.'],
    },
  },
  {
    title: 'a bad integer',
    ask: 'POST /api/winner/',
    as: 'staff',
    body: '{"user":"gus","app":"a","score":"abc","round":1}',
    status: 400,
    answer: { score: ['A valid integer is required.'] },
  },
  {
    title: 'null, and a number below its least',
    ask: 'POST /api/winner/',
    as: 'staff',
    body: '{"user":"gus","app":null,"by":5,"score":1,"round":-1}',
    status: 400,
    answer: {
      app: ['This field may not be null.'],
      round: ['Ensure this value is greater than or equal to 0.'],
    },
  },
  {
    title: 'a fault between members',
    body: '{"name":"alpha","mode":"part","p1":"t0","p2":"u"}',
    status: 400,
    answer: {
      non_field_errors: [
        'The fields name, src, area, wiki, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12 must make a unique set.',
      ],
    },
  },
  {
    title: 'a string for a body',
    body: '"x"',
    status: 400,
    answer: { non_field_errors: ['Invalid data. Expected a dictionary, but got str.'] },
  },
  { title: 'null for a body', body: 'null', status: 400, answer: { non_field_errors: ['No data provided'] } },
  // The reason after the dash is in this server's words.
  {
    title: 'broken JSON',
    body: '{bad',
    status: 400,
    answer: {
      detail: "JSON parse error - Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    },
  },
  {
    title: 'a comma too many',
    body: '{"a":1,}',
    status: 400,
    answer: {
      detail: 'JSON parse error - Expected double-quoted property name in JSON at position 7 (line 1 column 8)',
    },
  },
  {
    title: 'NaN',
    body: '{"depth": NaN}',
    status: 400,
    answer: { detail: `JSON parse error - Unexpected token 'N', "{"depth": NaN}" is not valid JSON` },
  },
  {
    title: 'bytes that are not UTF-8',
    body: Buffer.from('{"name":"\xff"}', 'latin1'),
    status: 400,
    answer: { detail: 'JSON parse error - the body is not valid UTF-8' },
  },
  {
    title: 'XML',
    type: 'application/xml',
    body: '<a/>',
    status: 415,
    answer: { detail: 'Unsupported media type "application/xml" in request.' },
  },
  {
    title: 'a JSON of somebody’s own',
    type: 'application/vnd.api+json',
    body: '{}',
    status: 415,
    answer: { detail: 'Unsupported media type "application/vnd.api+json" in request.' },
  },
  {
    title: 'a member nobody knows',
    body: '{"name":"iota","mode":"part","p1":"x","p2":"y","zzz":1}',
    status: 201,
    answer: created({ name: 'iota', p1: 'x', p2: 'y' }),
  },
  {
    title: 'an id from the client',
    body: '{"polynym_id":999,"name":"kappa","mode":"part","p1":"x","p2":"y"}',
    status: 201,
    answer: created({ name: 'kappa', p1: 'x', p2: 'y' }),
  },
  {
    title: 'U+0000',
    body: '{"name":"a\\u0000b","mode":"part","p1":"x","p2":"y"}',
    status: 400,
    answer: { name: ['Null characters are not allowed.'] },
  },
  {
    title: 'half a surrogate pair',
    body: '{"name":"\\ud800","mode":"part","p1":"x","p2":"y"}',
    status: 400,
    answer: { name: ['Surrogate characters are not allowed: U+D800.'] },
  },
  {
    title: 'numbers for texts',
    body: '{"name":5,"mode":"part","p1":1.5,"p2":"y"}',
    status: 201,
    answer: created({ name: '5', p1: '1.5', p2: 'y' }),
  },
  {
    title: 'texts and 2.0 for integers',
    ask: 'POST /api/winner/',
    as: 'staff',
    body: '{"user":"gus","app":"b","score":"3","round":2.0}',
    status: 201,
    answer: { by: '', user: 'gus', app: 'b', score: 3, round: 2 },
  },
  {
    title: 'a truth value for an integer',
    ask: 'POST /api/winner/',
    as: 'staff',
    body: '{"user":"gus","app":"c","score":true,"round":1}',
    status: 400,
    answer: { score: ['A valid integer is required.'] },
  },
  // References.
  {
    title: 'an id of nothing',
    ask: 'POST /api/polyset/',
    body: '{"name":"s2","polynyms":[1,999]}',
    status: 400,
    answer: { polynyms: ['Invalid pk "999" - object does not exist.'] },
  },
  {
    title: 'an invalid id',
    ask: 'POST /api/polyset/',
    body: '{"name":"s2","polynyms":["x"]}',
    status: 400,
    answer: { polynyms: ['Incorrect type. Expected pk value, received str.'] },
  },
  {
    title: 'an empty list',
    ask: 'POST /api/polyset/',
    body: '{"name":"s3","polynyms":[]}',
    status: 400,
    answer: { polynyms: ['This list may not be empty.'] },
  },
  // Records.
  {
    title: 'PUT without a required member',
    ask: 'PUT /api/polynym/1/',
    body: '{"name":"x","mode":"part","p2":"y"}',
    status: 400,
    answer: { p1: ['This field is required.'] },
  },
  {
    title: 'PATCH of one member',
    ask: 'PATCH /api/polynym/1/',
    body: '{"p2":"zz"}',
    status: 200,
    answer: { ...created({ name: 'alpha', p1: 't0', p2: 'zz' }), polynym_id: 1 },
  },
  {
    title: 'PATCH of nothing',
    ask: 'PATCH /api/polynym/1/',
    body: '{}',
    status: 200,
    answer: { ...created({ name: 'alpha', p1: 't0', p2: 'zz' }), polynym_id: 1 },
  },
  { title: 'DELETE', ask: 'DELETE /api/polynym/1/', body: '', status: 204, answer: '' },
  // DRF names the model here.
  {
    title: 'DELETE again',
    ask: 'DELETE /api/polynym/1/',
    body: '',
    status: 404,
    answer: { detail: 'Not found.' },
  },
  // Methods that do not exist.
  {
    title: 'PUT of a list',
    ask: 'PUT /api/polynym/',
    body: '{}',
    status: 405,
    answer: { detail: 'Method "PUT" not allowed.' },
  },
  // DRF looks at the credentials first and says 403.
  {
    title: 'PATCH of a list by nobody',
    ask: 'PATCH /api/polynym/',
    as: '',
    body: '{}',
    status: 405,
    answer: { detail: 'Method "PATCH" not allowed.' },
  },
  {
    title: 'a method nobody knows',
    ask: 'PURGE /api/polynym/',
    body: '',
    status: 405,
    answer: { detail: 'Method "PURGE" not allowed.' },
  },
  {
    title: 'POST to a record',
    ask: 'POST /api/polynym/2/',
    body: '{}',
    status: 405,
    answer: { detail: 'Method "POST" not allowed.' },
  },
  // DRF says 301, in HTML.
  {
    title: 'a missing slash',
    ask: 'POST /api/polynym',
    body: '{}',
    status: 308,
    answer: { detail: 'Moved to /api/polynym/' },
  },
]

/** The error for each caller; DRF returns 403 if sessions come first, with the challenge of its first scheme. */
const CREDENTIALS: readonly (readonly [authorization: string | undefined, detail: string])[] = [
  [undefined, 'Authentication credentials were not provided.'],
  [`Basic ${Buffer.from('gus:wrong').toString('base64')}`, 'Invalid username/password.'],
  ['Basic a b', 'Invalid basic header. Credentials string should not contain spaces.'],
  ['Basic !!!', 'Invalid basic header. Credentials not correctly base64 encoded.'],
  ['Token a b', 'Invalid token header. Token string should not contain spaces.'],
  ['Token nope', 'Invalid token.'],
]

onEachEngine('Writing as Django REST framework’s clients do', { sample: false }, (site) => {
  before(async () => {
    await make(site, 'polynym', { name: 'alpha', mode: 'part', p1: 't0', p2: 'u' })
  })

  for (const { title, ask = 'POST /api/polynym/', type, body, as = 'gus', status, answer } of CASES) {
    test(`${ask}, ${title}: ${status}`, async () => {
      const [method, path] = ask.split(' ') as [string, string]
      const headers = body === '' ? {} : { 'content-type': type ?? JSON_TYPE }
      const reply = await site.ask(path, { method, headers, body, ...(as ? { as } : {}) })
      assert.equal(reply.status, status, reply.text)
      assert.equal(reply.headers.vary, 'Accept')
      assert.equal(reply.headers.allow, /[0-9]\/$/.test(path) ? RECORD : LIST)
      assert.equal(reply.headers['content-type'], status === 204 ? undefined : JSON_TYPE)
      if (status !== 201) assert.deepEqual(reply.json ?? reply.text, answer)
      else {
        const collection = path.split('/')[2]
        const id = reply.json[`${collection}_id`]
        assert.deepEqual(reply.json, { ...(answer as object), [`${collection}_id`]: id })
        assert.deepEqual(await read(site, `${path}${id}/`), reply.json)
      }
    })
  }

  test('a set takes the ids of its members', async () => {
    const { polynym_id: id } = await make(site, 'polynym', { name: 'beta', mode: 'part', p1: 't1', p2: 'u' })
    const set = await make(site, 'polyset', { name: 's1', polynyms: [id] })
    const member = await read(site, `/api/polynym/${id}/`)
    assert.deepEqual(set, {
      name: 's1',
      user: 'gus',
      polynyms: [member],
      length: 1,
      width: 2,
      depth: 2,
      polyset_id: set.polyset_id,
    })
  })

  test('{write.refused} missing and wrong credentials return 401, with a challenge', async () => {
    for (const [authorization, detail] of CREDENTIALS) {
      const headers = { ...(authorization ? { authorization } : {}) }
      const reply = await site.ask('/api/polynym/', { method: 'POST', json: {}, headers })
      assert.equal(reply.text, JSON.stringify({ detail }))
      assert.equal(reply.status, 401)
      assert.equal(reply.headers['www-authenticate'], 'Basic realm="api"')
      assert.equal(reply.headers.allow, LIST)
    }
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})
