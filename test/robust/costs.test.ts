/**
 * Single requests that once cost far more than their size: each is refused, or answered, at once. The time limit is
 * that of the test; `npm run bench -- costs` measures processor time.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fable } from '../../src/catalogue/fable.ts'
import { polyset } from '../../src/catalogue/polyset.ts'
import { accountNamed } from '../../src/engine/index.ts'
import { statement } from '../support/servers.ts'
import { onEachEngine, type Sent } from '../support/site.ts'
import { make } from '../writing/fixtures.ts'

const HTML = { accept: 'text/html' }
const FORM = 'application/x-www-form-urlencoded'
const SOON = { timeout: 30_000 }

onEachEngine('Costs', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))
  const page = (path: string, sent: Sent = {}) => site.ask(path, { ...sent, headers: { ...HTML, ...sent.headers } })
  const posted = (path: string, body: string, headers: Record<string, string> = {}) =>
    site.ask(path, { method: 'POST', body, headers: { 'content-type': FORM, ...headers } })

  /** As an earlier version allowed it. */
  let far: number
  before(async () => {
    const { store } = site.engine
    const qode = 'So q999999999n_NN came to q7n_NN.'
    const values = {
      name: 'far',
      qode,
      subs: 'nn',
      length: 999_999_999,
      width: 2,
      src: '',
      area: '',
      wiki: '',
      realm: '',
    }
    far = await store.write(function* () {
      const owner = yield* accountNamed(site.engine, 'old')
      return yield* store.records.insert(fable, { values, owner: owner.id })
    })
  })

  test('{qode.index-limit} an index above 999 is refused in a body', async () => {
    const wrong = 'Ensure the index of each token is no larger than 999: q1000n_NN.'
    const qode = 'The q1n_NN and the q1000n_NN.'
    const body = 'The sea and the sky.'
    for (const [path, json] of [
      ['/api/fable/', { name: 'far', qode }],
      ['/api/phrase/', { name: 'far', qode }],
      ['/api/fortune/', { body, qode, q1: [1] }],
      ['/api/quote/', { body, qode, src: 'A. Nonymous', quadranym: 1 }],
      ['/api/qode/parse/', { qode }],
      ['/api/qode/spin/', { qode, quadranyms: [1] }],
      ['/api/qode/check/', { body, qode }],
    ] as const) {
      const { status, json: said } = await site.ask(path, { method: 'POST', as: 'ada', json })
      assert.deepEqual([path, status, said], [path, 400, { qode: [wrong] }])
    }
    const { json } = await site.ask('/api/qode/parse/', { method: 'POST', json: { qode: 'q999n_NN' } })
    assert.equal(json.depth, 999)
  })

  test('a stored text with a large index is shown, told and made into a tale', SOON, async () => {
    const shown = await page(`/fable/${far}/`)
    assert.equal(shown.status, 200)
    assert.equal(shown.text.match(/<h3>Topic /g)?.length, 2)
    for (const path of [`/api/fable/${far}/`, `/api/fable/${far}/spin/?quadranym=1`, `/api/fable/`]) {
      assert.equal((await site.ask(path)).status, 200)
    }
    const form = await page(`/make/tale/?fable=${far}`, { as: 'ada' })
    assert.equal(form.status, 200)
    assert.equal(form.text.match(/aria-label="topic /g)?.length, 2)
    const { tale_id } = await make(site, 'tale', { name: 'Far', fable: far, lines: [1, 2] })
    assert.equal((await site.ask(`/api/tale/${tale_id}/tell/`)).status, 200)
    assert.equal((await page(`/tale/${tale_id}/`)).status, 200)
  })

  test('a text with more topics than can be turned shows the others as tokens', SOON, async () => {
    const qode = Array.from({ length: 60 }, (_, i) => `q${i + 900}n_NN`).join(' ')
    const { fable_id } = await make(site, 'fable', { name: 'Many', qode })
    const { status, text } = await page(`/fable/${fable_id}/`)
    assert.equal(status, 200)
    assert.equal(text.match(/<h3>Topic /g)?.length, 50)
    assert.match(text, />q959n_NN</)
  })

  test(
    '{body.form-members} a form or a query of more than 1,000 members is refused before it is parsed',
    SOON,
    async () => {
      const tooMany = { detail: 'The form has more than 1000 members.' }
      for (const path of ['/api/qode/parse/', '/api/polynym/', '/accounts/login/']) {
        const { status, json } = await posted(path, 'a&'.repeat(500_000), path === '/api/polynym/' ? await ada() : {})
        assert.deepEqual([path, status, json], [path, 400, tooMany])
      }
      const part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
      const multipart = await posted('/api/qode/parse/', `${part.repeat(1001)}--x--\r\n`, {
        'content-type': 'multipart/form-data; boundary=x',
      })
      assert.deepEqual([multipart.status, multipart.json], [400, tooMany])
      const whole = await posted('/api/qode/parse/', `${part.repeat(999)}${part.replace('"a"', '"qode"')}--x--\r\n`, {
        'content-type': 'multipart/form-data; boundary=x',
      })
      assert.equal(whole.status, 200)
      const query = await site.ask(`/api/polynym/?${'a&'.repeat(1000)}`)
      assert.deepEqual([query.status, query.json], [400, { detail: 'The query has more than 1000 parameters.' }])
      assert.equal((await site.ask(`/api/polynym/?${'a&'.repeat(999)}`)).status, 200)
    },
  )

  const ada = async () => {
    const { json } = await site.ask('/accounts/', { as: 'ada' })
    assert.equal(json.username, 'ada')
    return { authorization: `Token ${await site.tokenOf('ada')}` }
  }

  test('pages look up no more records than the API would take', SOON, async () => {
    const many = Array.from({ length: 900 }, (_, i) => `quadranym=name${i}`).join('&')
    const annotated = await posted('/annotate/', `text=The+sea&${many}`, HTML)
    assert.equal(annotated.status, 400)
    assert.match(annotated.text, /Choose no more than 50 quadranyms\./)
    assert.equal((await page(`/annotate/?text=a&${many.slice(0, 14_000)}`)).status, 200)
    const names = encodeURIComponent(Array.from({ length: 20_000 }, (_, i) => `n${i}`).join('\n'))
    const set = await posted('/make/polyset/', `name=x&polynyms=${names}`, { ...HTML, ...(await ada()) })
    assert.equal(set.status, 400)
    assert.match(set.text, /Name no more than 200\./)
    const settled = await posted(
      '/annotate/settle/',
      `state=${encodeURIComponent(
        JSON.stringify({ text: 'a', marks: [], topics: Array(9000).fill({ name: '', e: '', r: '', o: '', s: '' }) }),
      )}`,
    )
    assert.deepEqual(settled.json, {})
  })

  test('a list with too many ids is refused, and not shown again', SOON, async () => {
    const json = { name: 'Many', polynyms: Array.from({ length: 100_000 }, (_, i) => i) }
    const { status, text } = await page('/api/polyset/', { method: 'POST', as: 'ada', json })
    assert.equal(status, 400)
    assert.match(text, /no more than 200 elements/)
    assert.ok(text.length < 200_000, `${text.length} characters`)
  })

  test('{tell.limit} few records do not make a response of megabytes', SOON, async () => {
    const tooLong = 'Ensure the told text has no more than 5000 tokens and 100000 characters.'
    const { phrase_id } = await make(site, 'phrase', { name: 'Wide', qode: 'q1n_NN '.repeat(580) })
    const lines = Array.from({ length: 9 }, () => ({ phrase: phrase_id, quadranym: 1 }))
    const { story_id } = await make(site, 'story', { name: 'Wide', lines })
    const told = await site.ask(`/api/story/${story_id}/tell/`)
    assert.deepEqual([told.status, told.json], [400, { non_field_errors: [tooLong] }])
    assert.equal((await page(`/story/${story_id}/`)).status, 200)
    const verse = { phrases: Array(9).fill(phrase_id), quadranyms: [1] }
    const said = await site.ask('/api/qode/verse/', { method: 'POST', json: verse })
    assert.deepEqual([said.status, said.json], [400, { phrases: [tooLong] }])
  })

  test('{budget.record} a record that embeds too much is refused under the member that embeds it', SOON, async () => {
    const [ids, long] = await largePolynyms()
    const tooMuch = 'Ensure the embedded records have no more than 524288 bytes in all.'
    const refused = await site.ask('/api/polyset/', {
      method: 'POST',
      as: 'ada',
      json: { name: 'Huge', polynyms: ids },
    })
    assert.deepEqual([refused.status, refused.json], [400, { polynyms: [tooMuch] }])
    const some = ids.slice(0, Math.floor(500_000 / long))
    const { polyset_id } = await make(site, 'polyset', { name: 'Large', polynyms: some }, 'ada')
    // A record that grows must not make the records that embed it too large.
    const grown = { p1: '🌊'.repeat(500), p2: '🌊'.repeat(500), p12: '🌊'.repeat(500) }
    const statuses: number[] = []
    for (const id of some) {
      const { status, json } = await site.ask(`/api/polynym/${id}/`, { method: 'PATCH', as: 'ada', json: grown })
      statuses.push(status)
      if (status === 200) continue
      const message = `It would make polyset ${polyset_id}, which embeds it, larger than 524288 bytes.`
      assert.deepEqual(json, { non_field_errors: [message] })
      break
    }
    assert.equal(statuses.at(-1), 400)
    assert.ok((await site.ask(`/api/polyset/${polyset_id}/`)).text.length < 600_000)
  })

  test(
    '{budget.page} {accept.indent-limit} a page of the default size is always given, and one of too many large records is refused',
    SOON,
    async () => {
      const [ids, long] = await largePolynyms()
      const some = ids.slice(0, Math.floor(500_000 / long))
      const { store } = site.engine
      await store.write(function* () {
        const owner = yield* accountNamed(site.engine, 'ada')
        const polynyms = some.map((id) => ({ id }))
        for (let i = 0; i < 40; i++) {
          const values = { name: `0 ${i}`, src: '', area: '', wiki: '', polynyms }
          yield* store.records.insert(polyset, { values, owner: owner.id })
        }
      })
      const usual = await site.ask('/api/polyset/')
      assert.deepEqual([usual.status, usual.json.results.length], [200, 20])
      const indented = await site.ask('/api/polyset/', { headers: { accept: 'application/json; indent=4' } })
      assert.equal(indented.text === usual.text, true)
      const { status, json } = await site.ask('/api/polyset/?page_size=300')
      assert.deepEqual(
        [status, json],
        [400, { page_size: ['The response would have more than 15 MiB. Ask for fewer records.'] }],
      )
    },
  )

  /** Ids of as many as a set may have, and the length of each as JSON. */
  let large: Promise<[number[], number]> | undefined
  const largePolynyms = () => {
    large ??= makeLarge()
    return large
  }
  const makeLarge = async (): Promise<[number[], number]> => {
    const terms = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`p${i + 1}`, '🌊'.repeat(300)]))
    const ids: number[] = []
    let long = 0
    for (let i = 0; i < 60; i++) {
      const json = { name: `large ${i}`, mode: 'type', ...terms }
      const made = await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })
      ids.push(made.json.polynym_id)
      long = Buffer.byteLength(made.text)
    }
    return [ids, long]
  }

  test('{key.large} a large response is not stored, but made again from the record', SOON, async () => {
    const [ids] = await largePolynyms()
    const json = { name: 'Kept', polynyms: ids.slice(0, 5) }
    const sent = { method: 'POST', as: 'ada', json, headers: { 'idempotency-key': 'large' } }
    const first = await site.ask('/api/polyset/', sent)
    assert.equal(first.status, 201)
    const again = await site.ask('/api/polyset/', sent)
    assert.deepEqual([again.status, again.text], [201, first.text])
    const { store } = site.engine
    const [row] = await store.read(() => statement('SELECT max(length(answer)) AS longest FROM kept_answer'))
    assert.ok(Number(row!['longest']) < 5000)
    await site.ask(`/api/polyset/${first.json.polyset_id}/`, { method: 'DELETE', as: 'ada' })
    const gone = await site.ask('/api/polyset/', sent)
    const detail = 'The record that this request created has been deleted since.'
    assert.deepEqual([gone.status, gone.json], [404, { detail }])
  })

  test('long paths and deep bodies are refused as quickly as short ones', SOON, async () => {
    assert.equal((await page(`/polynym/${'a'.repeat(15_000)}/vote/`)).status, 303)
    const deep = await site.ask('/api/qode/parse/', {
      method: 'POST',
      body: `{"qode":${'['.repeat(65)}${']'.repeat(65)}}`,
      headers: { 'content-type': 'application/json' },
    })
    assert.deepEqual(deep.json, { detail: 'JSON parse error - nested deeper than 64 levels' })
  })

  test('a story with more lines than a form can send keeps them when its form is saved', SOON, async () => {
    const lines = Array.from({ length: 460 }, () => ({ phrase: 1, quadranym: 1 }))
    const story = await make(site, 'story', { name: 'Long', lines }, 'ada')
    const form = await page(`/make/story/${story.story_id}/`, { as: 'ada' })
    assert.match(form.text, /It has more lines than a form can send\./)
    const saved = await posted(`/make/story/${story.story_id}/`, 'name=Longer&lines_kept=yes', {
      ...HTML,
      ...(await ada()),
    })
    assert.equal(saved.status, 303)
    const { json } = await site.ask(`/api/story/${story.story_id}/`)
    assert.deepEqual([json.name, json.length], ['Longer', 460])
  })
})
