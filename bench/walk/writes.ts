/** Writes in a fixed order, one at a time, so that both servers give the same ids. Lists are read after each. */
import type { Comparison } from './comparison.ts'
import { ACCOUNT, type Call, STAFF } from './pair.ts'
import type { Collection } from './reads.ts'

const TOKEN = { authorization: 'Token {{token}}' }
const SESSION = { cookie: 'nymdex_session={{session}}' }
const HTML = { accept: 'text/html' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const CSRF = /name="csrfmiddlewaretoken" value="([^"]+)"/

export async function walkWrites(compare: Comparison, collections: readonly Collection[]): Promise<void> {
  await signIn(compare)
  for (const { path, records, idName } of collections) {
    const record = records[0]!
    const { [idName]: id, ...copy } = record
    const own = await create(compare, path, copy)
    for (const call of changes(path, `${path}${own ?? id}/`, copy)) await compare.ask(call)
    for (const call of changes(path, `${path}${id}/`, copy))
      await compare.ask({ ...call, headers: { ...call.headers, ...TOKEN } })
    for (const query of ['', '?page=last', '?ordering=-id', '?search=walk', 'facets/?by=user'])
      await compare.ask({ path: path + query })
  }
  for (const call of [...refused(), ...cascades(), ...accounts()]) await compare.ask(call)
  await compare.ask({ path: '/api/schema/' })
}

async function signIn(compare: Comparison): Promise<void> {
  await compare.ask({
    method: 'POST',
    path: '/accounts/signup/',
    json: ACCOUNT,
    take: { session: /nymdex_session=([^;]+)/ },
  })
  await compare.ask({ method: 'POST', path: '/api-token-auth/', json: ACCOUNT, take: { token: /"token":"(\w+)"/ } })
  await compare.ask({ path: '/accounts/', headers: { ...SESSION, ...HTML }, take: { csrf: CSRF } })
}

/** A copy of a record under another name. Returns its id, if it was created. */
async function create(compare: Comparison, path: string, copy: object): Promise<number | undefined> {
  const key = { 'idempotency-key': `walk ${path}`.replaceAll(' ', '-') }
  const again = { method: 'POST', path, json: copy, headers: { ...STAFF, ...key } }
  await compare.ask({ method: 'POST', path, json: copy })
  await compare.ask({ method: 'POST', path, json: copy, headers: TOKEN })
  await compare.ask({ method: 'POST', path, json: {}, headers: TOKEN })
  const json = { ...copy, ...changed(copy) }
  const { status, body } = await compare.ask({ ...again, json })
  await compare.ask({ ...again, json })
  await compare.ask({ ...again, json: { name: 'another' } })
  return status === 201 ? (Object.values(JSON.parse(body)).at(-1) as number) : undefined
}

/** Other values for what must be unique. */
function changed(copy: object): object {
  const others = {
    name: 'Walked',
    body: 'The door walked.',
    qode: 'The q1n_NN walked.',
    rank: 900,
    app: 'walk',
    user: 'walkstaff',
  }
  return Object.fromEntries(Object.entries(others).filter(([name]) => name in copy))
}

function* changes(path: string, address: string, copy: object): Generator<Call> {
  const headers = STAFF
  yield { path: address }
  yield { method: 'OPTIONS', path, headers }
  yield { method: 'OPTIONS', path: address, headers }
  yield { path: address, headers: { ...headers, ...HTML } }
  yield { path: address.replace('/api', ''), headers: { ...SESSION, ...HTML } }
  yield { path: address.replace('/api', '/make'), headers: { ...SESSION, ...HTML } }
  yield { method: 'PATCH', path: address, json: {}, headers }
  yield { method: 'PATCH', path: address, json: { area: 'walking', wiki: null, src: 'bench' }, headers }
  yield {
    method: 'PATCH',
    path: address,
    json: { name: '', p1: 5, mode: 'x', rank: -1, quadranym: 'x', polynyms: 3 },
    headers,
  }
  yield { method: 'PATCH', path: address, json: { area: 'x' }, headers: { ...headers, 'if-match': '"x"' } }
  yield { method: 'PUT', path: address, json: { ...copy, ...changed(copy), area: 'put' }, headers }
  yield { method: 'PUT', path: address, json: {}, headers }
  yield { method: 'PATCH', path: address, body: 'area=form&area=last', headers: { ...headers, ...FORM } }
  for (const method of ['POST', 'POST', 'DELETE', 'POST']) yield { method, path: `${address}vote/`, headers }
  yield { method: 'DELETE', path: `${address}vote/`, headers: TOKEN }
  yield { path: address }
  yield { path }
  yield { method: 'DELETE', path: address, headers: TOKEN }
  yield { method: 'DELETE', path: address, headers }
  yield { path: address }
}

function* refused(): Generator<Call> {
  const path = '/api/polynym/'
  const type = (value: string) => ({ ...STAFF, 'content-type': value })
  yield { method: 'POST', path, body: '{"a":', headers: type('application/json') }
  yield { method: 'POST', path, body: '[1]', headers: type('application/json') }
  yield { method: 'POST', path, body: '['.repeat(80), headers: type('application/json') }
  yield { method: 'POST', path, body: 'x', headers: type('text/plain') }
  yield { method: 'POST', path, body: '%ff=%zz', headers: type('application/x-www-form-urlencoded') }
  yield { method: 'POST', path, body: 'x', headers: type('multipart/form-data; boundary=x') }
  yield { method: 'POST', path, body: '{}', headers: { ...type('application/json'), 'content-encoding': 'gzip' } }
  yield { method: 'POST', path, json: {}, headers: { ...STAFF, 'idempotency-key': 'a b' } }
  yield { method: 'POST', path, json: { name: 'x'.repeat(201), mode: 'tide', p2: '\u0000', p5: 'x' }, headers: STAFF }
  yield { method: 'POST', path, body: 'name=Tides', headers: { ...SESSION, ...FORM } }
  yield { method: 'POST', path, body: 'name=Tides&csrfmiddlewaretoken=x', headers: { ...SESSION, ...FORM } }
  const form = 'name=Tides&mode=type&p1=ebb&p2=flood&csrfmiddlewaretoken={{csrf}}'
  yield { method: 'POST', path, body: form, headers: { ...SESSION, ...FORM } }
  yield { method: 'POST', path, body: form, headers: { ...SESSION, ...FORM, ...HTML } }
  yield { method: 'POST', path: '/make/polynym/', body: form, headers: { ...SESSION, ...FORM, ...HTML } }
  yield {
    method: 'POST',
    path: '/make/polynym/',
    body: form.replace('Tides', 'Made'),
    headers: { ...SESSION, ...FORM, ...HTML },
  }
}

function* cascades(): Generator<Call> {
  for (const path of [
    '/api/quadranym/220/',
    '/api/polynym/193/',
    '/api/fable/1/',
    '/api/phrase/1/',
    '/api/story/1/',
    '/api/tale/1/',
  ]) {
    yield { method: 'DELETE', path, headers: STAFF }
    yield { method: 'DELETE', path: `${path}?cascade=true`, headers: TOKEN }
    yield { method: 'DELETE', path: `${path}?cascade=true`, headers: STAFF }
    yield { path }
  }
  for (const name of [
    'fortune',
    'quote',
    'quadraset',
    'polyset',
    'polymap',
    'vectornym',
    'story',
    'storyline',
    'tale',
    'taleline',
  ]) {
    yield { path: `/api/${name}/?page_size=1000` }
  }
}

function* accounts(): Generator<Call> {
  for (const path of [
    '/accounts/',
    '/accounts/tokens/',
    '/accounts/tokens/1/',
    '/accounts/password/',
    '/accounts/delete/',
  ]) {
    for (const headers of [TOKEN, STAFF, { ...SESSION, ...HTML }, HTML, {}]) yield { path, headers }
  }
  yield { method: 'POST', path: '/accounts/tokens/', json: { name: '', days: 0 }, headers: STAFF }
  yield { method: 'PATCH', path: '/accounts/tokens/1/', json: { name: 'walk' }, headers: TOKEN }
  yield { method: 'POST', path: '/accounts/login/', json: { username: 'walker', password: 'wrong' } }
  yield { method: 'POST', path: '/accounts/signup/', json: { username: 'a b', password: 'short' } }
  yield { method: 'POST', path: '/accounts/password/', json: { old_password: 'x', new_password: 'y' }, headers: TOKEN }
  yield { method: 'DELETE', path: '/accounts/tokens/1/', headers: TOKEN }
  yield { path: '/accounts/', headers: TOKEN }
}
