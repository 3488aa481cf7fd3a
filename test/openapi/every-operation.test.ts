/** Every operation of the document, in a request that succeeds. The site checks each response against the document. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressesOf, methodsOf } from '../support/openapi.ts'
import { onEachEngine, type Reply, type Sent } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'

/** What is changed in a body of the document, so that the record is new. */
const FRESH: Readonly<Record<string, object>> = {
  fable: { qode: 'Once q1n_NN met q2n_NN.' },
  fortune: { body: 'Nothing is as old as news.', qode: '', q1: [], q2: [] },
  phrase: { name: 'New', qode: 'A q1n_NN is new.' },
  quote: { src: 'Nobody yet' },
  storyline: { rank: 9000 },
  taleline: { rank: 9000 },
  winner: { app: 'a new game' },
}

const STAFF = 'staff'
const PASSWORD = 'a long and quiet river'

const isOfHooks = (path: string) => path.startsWith('/api/hook/')
const isOfCare = (path: string) => /^\/api\/(report|hidden|user\/{name}\/block)\//.test(path)
const isOfPlay = (path: string) => path.startsWith('/api/play/')
/** These have tests of their own. */
const isSpecial = (path: string) => isOfHooks(path) || isOfCare(path) || isOfPlay(path)

onEachEngine('Every operation', { settings: { hooks: { allowsPrivate: true } } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let document: any
  const left = new Set<string>()
  before(async () => {
    await addWinners(site)
    document = (await site.ask('/api/schema/')).json
    for (const [path, item] of Object.entries<object>(document.paths)) {
      for (const address of addressesOf(document, path)) {
        for (const method of methodsOf(item)) left.add(`${method.toUpperCase()} ${address}`)
      }
    }
  })

  /** Sends a request, and crosses the operation off. */
  async function does(method: string, path: string, target: string, status: number, sent: Sent = {}): Promise<Reply> {
    const reply = await site.ask(target, { as: STAFF, ...sent, method })
    assert.equal(reply.status, status, `${method} ${target}: ${reply.text.slice(0, 300)}`)
    left.delete(`${method} ${path}`)
    return reply
  }

  const pathsOf = (belongs: (path: string) => boolean) => Object.keys(document.paths).filter(belongs)
  const at = (path: string, id: number) => path.replace('{id}', String(id))

  test('{openapi.complete} every address that can be read answers GET, HEAD and OPTIONS', async () => {
    for (const listed of pathsOf((each) => each.startsWith('/api/') && !isSpecial(each))) {
      const { get } = document.paths[listed]
      const paths = addressesOf(document, listed)
      if (get && paths.length > 1) assert.equal((await site.ask(exampleOf(get)!)).status, 200)
      for (const path of paths) {
        const address = at(path, await firstId(path))
          .replace('{term}', 'word')
          .replace('{name}', path.includes('user') ? 'mira' : 'modes')
        if (get) {
          const target = (paths.length === 1 && exampleOf(get)) || `${address}${neededBy(get)}`
          const read = await does('GET', path, target, 200)
          const head = await site.ask(target, { as: STAFF, method: 'HEAD' })
          assert.equal(head.text, '')
          assert.deepEqual([head.status, lasting(head, path)], [200, lasting(read, path)], target)
        }
        const { status, json } = await site.ask(address, { as: STAFF, method: 'OPTIONS' })
        assert.equal(status, 200, address)
        if (path !== '/api/') assert.equal(typeof json.name, 'string')
      }
    }
  })

  async function firstId(path: string): Promise<number> {
    const [, list, name] = /^(\/api\/([a-z-]+)\/)\{id\}/.exec(path) ?? []
    if (!list || isSpecial(list)) return 0
    const [record] = (await site.ask(`${list}?page_size=1`)).json.results
    return record[`${name!.replace(/-id$/, '')}_id`]
  }

  /** The request that the document sent for its example. */
  function exampleOf({ responses }: any): string | undefined {
    const asked = responses['200'].content?.['application/json']?.examples?.sample?.summary
    return asked?.replace('GET ', '')
  }

  /** A value for each required parameter. */
  function neededBy(operation: any): string {
    const needed = parametersOf(operation).filter((each: any) => each.in === 'query' && each.required)
    const pairs = needed.map(({ name, schema }: any) => `${name}=${schema.items?.examples[0] ?? 'word'}`)
    return pairs.length > 0 ? `?${pairs.join('&')}` : ''
  }

  function parametersOf({ parameters = [] }: any): any[] {
    return parameters.map((each: any) =>
      each.$ref ? document.components.parameters[each.$ref.split('/').at(-1)] : each,
    )
  }

  test('{openapi.complete} {openapi.examples} every collection can create, replace, change, vote and delete', async () => {
    for (const list of pathsOf(
      (path) => document.paths[`${path}{id}/`]?.patch !== undefined && path.startsWith('/api/') && !isSpecial(path),
    )) {
      const record = `${list}{id}/`
      const body = freshBody(list)
      const created = await does('POST', list, list, 201, { json: body })
      const id = Number(/(\d+)\/$/.exec(created.headers['location']!)![1])
      await does('PUT', record, at(record, id), 200, { json: body })
      await does('PATCH', record, at(record, id), 200, { json: {} })
      const vote = `${record}vote/`
      if (left.has(`POST ${vote}`)) {
        assert.deepEqual((await does('POST', vote, at(vote, id), 200)).json.voters, [STAFF])
        assert.equal((await does('DELETE', vote, at(vote, id), 200)).json.voters, undefined)
      }
      await does('DELETE', record, at(record, id), 204)
    }
  })

  /** The example of the document, changed so that it is a new record. */
  function freshBody(list: string): object {
    const body = document.paths[list].post.requestBody.$ref.split('/').at(-1)
    const media = document.components.requestBodies[body].content['application/json']
    const name = body.replace(/-body$/, '')
    const { value } = document.components.examples[media.examples.sample.$ref.split('/').at(-1)]
    return { ...value, ...('name' in value ? { name: 'Made again' } : {}), ...FRESH[name] }
  }

  test('{openapi.examples} the example bodies of services return the example responses', async () => {
    const services = pathsOf(
      (path) => path.startsWith('/api/') && document.paths[path].post?.requestBody && !document.paths[path].get,
    )
    for (const path of services.filter((each) => !each.includes('{id}') && each !== '/api/batch/')) {
      const { requestBody, responses } = document.paths[path].post
      const json = requestBody.content['application/json'].examples.sample.value
      const { json: answer } = await does('POST', path, path, 200, { json })
      assert.deepEqual(answer, responses['200'].content['application/json'].examples.sample.value)
    }
  })

  test('{openapi.complete} many records are written at once', async () => {
    const json = { resource: 'queue', records: [{ name: 'first of two' }, { name: 'second of two' }] }
    assert.equal((await does('POST', '/api/batch/', '/api/batch/', 200, { json })).json.count, 2)
  })

  test('{openapi.complete} changes are undone one by one, by set, and by user', async () => {
    const name = 'to be undone'
    const create = async () => (await site.ask('/api/queue/', { method: 'POST', as: STAFF, json: { name } })).status
    const latest = async () => (await site.ask('/api/changes/?limit=1')).json.latest
    const ways = {
      '/api/changes/{seq}/undo/': async () => `/api/changes/${await latest()}/undo/`,
      '/api/changes/set/{set}/undo/': async () => `/api/changes/set/${await latest()}/undo/`,
      '/api/changes/user/{name}/undo/': async () => `/api/changes/user/${STAFF}/undo/?since=${(await latest()) - 1}`,
    }
    for (const [path, target] of Object.entries(ways)) {
      assert.equal(await create(), 201)
      const { json } = await does('POST', path, await target(), 200)
      assert.equal(json.results[0].action, 'remove')
      assert.equal((await site.ask((await target()).split('?')[0]!, { method: 'OPTIONS' })).status, 200)
    }
  })

  test('{openapi.complete} accounts and tokens do everything that is listed', async () => {
    const json = { username: 'newcomer', password: PASSWORD }
    const signedUp = await does('POST', '/accounts/signup/', '/accounts/signup/', 201, { json, headers: nobody })
    assert.deepEqual(signedUp.json, { username: 'newcomer' })
    await does('POST', '/accounts/login/', '/accounts/login/', 200, { json, headers: nobody })
    const { json: obtained } = await does('POST', '/api-token-auth/', '/api-token-auth/', 200, {
      json,
      headers: nobody,
    })
    assert.equal(typeof obtained.token, 'string')

    const basic = `Basic ${Buffer.from(`newcomer:${PASSWORD}`).toString('base64')}`
    const mine = { headers: { authorization: basic } }
    const tokens = '/accounts/tokens/'
    const made = await does('POST', tokens, tokens, 201, { ...mine, json: { name: 'one' } })
    const other = await does('POST', tokens, tokens, 201, { ...mine, json: { name: 'two', days: 3 } })
    const one = `${tokens}{id}/`
    await does('PATCH', one, at(one, made.json.id), 200, { ...mine, json: { name: 'uno' } })
    for (const path of pathsOf((each) => each.startsWith('/accounts/') && document.paths[each].get)) {
      await does('GET', path, at(path, made.json.id), 200, mine)
      const head = await site.ask(at(path, made.json.id), { ...mine, method: 'HEAD' })
      assert.deepEqual([head.status, head.text], [200, ''])
    }
    for (const path of ['/api-token-auth/', tokens, one, `${one}revoke/`]) {
      assert.equal((await site.ask(at(path, made.json.id), { method: 'OPTIONS' })).status, 200)
    }
    await does('DELETE', one, at(one, made.json.id), 204, mine)
    const revoke = `${one}revoke/`
    await does('POST', revoke, at(revoke, other.json.id), 204, mine)
    const passwords = { old_password: PASSWORD, new_password: PASSWORD }
    await does('POST', '/accounts/password/', '/accounts/password/', 200, { ...mine, json: passwords })
    const codes = '/accounts/recovery-codes/'
    const shown = await does('POST', codes, codes, 201, { ...mine, json: { password: PASSWORD } })
    const recovery = { username: 'newcomer', code: shown.json.codes[0], new_password: PASSWORD }
    await does('POST', '/accounts/recover/', '/accounts/recover/', 200, { json: recovery, headers: nobody })
    const [session] = (await does('GET', '/accounts/sessions/', '/accounts/sessions/', 200, mine)).json
    const end = '/accounts/sessions/{id}/end/'
    await does('POST', end, end.replace('{id}', session.id), 204, mine)
    await does('POST', '/accounts/sessions/end-others/', '/accounts/sessions/end-others/', 204, mine)
    await does('POST', '/accounts/logout/', '/accounts/logout/', 204, mine)
    await does('POST', '/accounts/delete/', '/accounts/delete/', 204, { ...mine, json: { password: PASSWORD } })
  })

  test('{openapi.complete} hooks do everything that is listed', async () => {
    const [list, one] = ['/api/hook/', '/api/hook/{id}/']
    const json = { url: 'http://127.0.0.1:1/' }
    const { id } = (await does('POST', list, list, 201, { json })).json
    for (const path of pathsOf(isOfHooks)) {
      const address = at(path, id)
      if (document.paths[path].get) await does('GET', path, address, 200)
      assert.equal((await site.ask(address, { as: STAFF, method: 'OPTIONS' })).status, 200)
    }
    await does('PATCH', one, at(one, id), 200, { json: {} })
    await does('POST', `${one}test/`, at(`${one}test/`, id), 200)
    await does('POST', `${one}rotate/`, at(`${one}rotate/`, id), 200)
    await does('POST', `${one}replay/`, at(`${one}replay/`, id), 202, { json: { since: 0 } })
    await does('DELETE', one, at(one, id), 204)
  })

  test('{openapi.complete} staff settle reports, hide records and block users', async () => {
    const [reports, report, hidden] = ['/api/report/', '/api/report/{id}/', '/api/hidden/']
    const block = '/api/user/{name}/block/'
    const created = await site.ask('/api/queue/', {
      method: 'POST',
      as: 'a stranger',
      json: { name: 'an advertisement' },
    })
    const id = created.json.queue_id
    const said = await does('POST', reports, reports, 201, { json: { resource: 'queue', id, reason: 'spam' } })
    await does('GET', reports, reports, 200)
    await does('PATCH', report, at(report, said.json.id), 200, { json: { done: true } })
    assert.equal((await site.ask(`/api/queue/${id}/`, { method: 'DELETE', as: STAFF })).status, 204)
    await does('PUT', hidden, hidden, 200, { json: { resource: 'queue', id, hidden: true } })
    await does('GET', hidden, hidden, 200)
    const stranger = block.replace('{name}', encodeURIComponent('a stranger'))
    await does('PUT', block, stranger, 200, { json: { blocked: true } })
    await does('GET', block, stranger, 200)
    for (const path of pathsOf(isOfCare)) {
      const address = at(path, said.json.id).replace('{name}', 'nobody')
      assert.equal((await site.ask(address, { as: STAFF, method: 'OPTIONS' })).status, 200, address)
    }
  })

  test('{openapi.complete} pairs of a phrase and a topic are judged', async () => {
    const json = { phrase: await firstId('/api/phrase/{id}/'), quadranym: await firstId('/api/quadranym/{id}/') }
    await does('POST', '/api/fit/', '/api/fit/', 201, { json: { ...json, fits: true } })
  })

  test('{openapi.complete} rounds of games are begun and guessed', async () => {
    const [list, game, round] = ['/api/play/', '/api/play/{game}/', '/api/play/{game}/rounds/{round}/']
    const own = '/api/play/thegist/'
    await does('GET', '/api/play/{game}/calendar/', '/api/play/sets/calendar/', 200)
    const { json } = await does('POST', game, own, 201)
    for (const [path, target] of [
      [list, list],
      [game, own],
      [round, `${own}rounds/${json.round}/`],
    ] as const) {
      await does('GET', path, target, 200)
      assert.equal((await site.ask(target, { as: STAFF, method: 'OPTIONS' })).status, 200)
    }
    await does('POST', round, `${own}rounds/${json.round}/`, 200, { json: { guess: '1' } })
  })

  test('{openapi.security} without credentials, exactly the operations that need them return 401', async () => {
    for (const [listed, item] of Object.entries<any>(document.paths)) {
      for (const path of addressesOf(document, listed)) {
        const address = at(path, (await firstId(path)) || 1)
          .replace('{term}', 'word')
          .replace('{name}', STAFF)
        for (const method of methodsOf(item)) {
          const { security } = item[method]
          const { status } = await site.ask(address, { method: method.toUpperCase(), headers: nobody })
          assert.equal(status === 401, security === undefined, `${method} ${address}: ${status}`)
        }
      }
    }
  })

  test('{openapi.complete} the document lists nothing else', async () => {
    for (const path of ['/healthz', '/readyz']) await does('GET', path, path, 200)
    await does('POST', '/api/fit/', '/api/fit/', 201, { json: { phrase: 1, quadranym: 1, fits: true } })
    assert.deepEqual([...left], [])
  })
})

/** The headers that are the same when a request is repeated: not the time, nor the length of a random response. */
function lasting({ headers }: Reply, path: string): object {
  const { date: _, 'x-request-id': __, 'cache-control': ___, 'content-length': length, ...others } = headers
  return path.endsWith('/random/') ? others : { ...others, length }
}

/** No credentials, even if other requests have some. */
const nobody = { authorization: '' }
