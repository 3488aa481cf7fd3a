/** What published clients of this interface do: Basic credentials, forms with every member, and page walks. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { onEachEngine, type Sent } from '../support/site.ts'

const PASSWORD = 'open sesame 42'

/** All slots are sent, blank after the last; `user` is sent, too. */
function polynymForm(name: string, terms: readonly string[]): Record<string, string> {
  const slots = Array.from({ length: 12 }, (_, i) => [`p${i + 1}`, terms[i] ?? ''])
  return { name, user: 'gus', src: '', area: 'test', wiki: '', mode: 'part', ...Object.fromEntries(slots) }
}

onEachEngine('A published client', { sample: false }, (site) => {
  const authorization = `Basic ${Buffer.from(`gus:${PASSWORD}`).toString('base64')}`
  const ask = (method: string, path: string, sent: Sent = {}) =>
    site.ask(path, { method, ...sent, headers: { authorization, accept: '*/*' } })

  before(async () => {
    const json = { username: 'gus', password: PASSWORD }
    assert.equal((await site.ask('/accounts/signup/', { method: 'POST', json })).status, 201)
  })

  test('{body.form-blank} creates, replaces and deletes a polynym with forms that have all twelve slots', async () => {
    const made = await ask('POST', '/api/polynym/', { form: polynymForm('Seasons', ['spring', 'summer', 'autumn']) })
    assert.equal(made.status, 201)
    const { polynym_id } = made.json
    const path = `/api/polynym/${polynym_id}/`
    const head = { name: 'Seasons', user: 'gus', area: 'test', mode: 'part' }
    const three = { ...head, depth: 3, p1: 'spring', p2: 'summer', p3: 'autumn', polynym_id }
    assert.equal(made.text, JSON.stringify(three))

    const form = polynymForm('Seasons', ['spring', 'summer', 'autumn', 'winter'])
    const put = await ask('PUT', path, { form })
    const four = { ...head, depth: 4, p1: 'spring', p2: 'summer', p3: 'autumn', p4: 'winter', polynym_id }
    assert.deepEqual([put.status, put.text], [200, JSON.stringify(four)])
    const same = await ask('PUT', path, { form })
    assert.deepEqual([same.status, same.text], [200, put.text])
    const fewer = await ask('PUT', path, { form: polynymForm('Seasons', ['dry', 'wet']) })
    assert.deepEqual(fewer.json, { ...head, depth: 2, p1: 'dry', p2: 'wet', polynym_id })

    const gone = await ask('DELETE', path)
    assert.deepEqual([gone.status, gone.text], [204, ''])
    assert.equal((await ask('GET', path)).status, 404)
  })

  test('{body.form-blank} does the same with sets, quadranyms and fortunes', async () => {
    const form = { name: 'sea', user: 'gus', e: 'wave', r: 'calm', o: 'salt', s: '', pos: 'NN', epos: '', realm: '' }
    const sea = await ask('POST', '/api/quadranym/', { form })
    const { quadranym_id } = sea.json
    assert.deepEqual(sea.json, {
      name: 'sea',
      user: 'gus',
      e: 'wave',
      r: 'calm',
      o: 'salt',
      s: '',
      pos: 'NN',
      quadranym_id,
    })
    const set = { name: 'set', user: 'gus', src: '', quadranyms: [String(quadranym_id)], length: '1' }
    const made = await ask('POST', '/api/quadraset/', { form: set })
    const { quadraset_id } = made.json
    assert.deepEqual(made.json, { name: 'set', user: 'gus', quadranyms: [sea.json], length: 1, quadraset_id })
    const text = { body: 'The sea.', qode: 'The q1n_NN.', q1: [String(quadranym_id)], subs: '', depth: '0' }
    const fortune = await ask('POST', '/api/fortune/', { form: text })
    assert.deepEqual([fortune.status, fortune.json.subs, fortune.json.q1], [201, 'n', [sea.json]])
  })

  test('{write.seen} finds everything it created on a walk through the pages until next is null', async () => {
    const names = Array.from({ length: 45 }, (_, i) => `walk ${String(i).padStart(2, '0')}`)
    for (const name of names) {
      assert.equal((await ask('POST', '/api/polynym/', { form: polynymForm(name, ['a', 'b']) })).status, 201)
    }
    const seen: string[] = []
    let next: string | null = `${site.base}/api/polynym/`
    let pages = 0
    while (next) {
      const page = await ask('GET', next.slice(site.base.length))
      assert.equal(page.json.count, 45)
      seen.push(...page.json.results.map(({ name }: { name: string }) => name))
      next = page.json.next
      pages++
    }
    assert.deepEqual([pages, seen], [3, names])
  })

  test('{write.refused} is refused without its credentials, and with a wrong password even for reads', async () => {
    const form = polynymForm('No', ['a', 'b'])
    const nobody = await site.ask('/api/polynym/', { method: 'POST', form })
    assert.equal(nobody.text, '{"detail":"Authentication credentials were not provided."}')
    assert.equal(nobody.status, 401)
    assert.equal(nobody.headers['www-authenticate'], 'Basic realm="api"')
    const wrong = { authorization: `Basic ${Buffer.from('gus:wrong').toString('base64')}` }
    for (const method of ['GET', 'POST']) {
      const reply = await site.ask('/api/polynym/', { method, headers: wrong, ...(method === 'POST' ? { form } : {}) })
      assert.deepEqual([reply.status, reply.text], [401, '{"detail":"Invalid username/password."}'])
    }
  })

  test('no request caused a bug', () => assert.deepEqual(site.bugs, []))
})
