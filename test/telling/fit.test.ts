/** /api/fit/: whether phrases read well with quadranyms, as people judge it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countWrongFit } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, REQUIRED, wrongMethods } from '../words/refused.ts'
import { make } from '../writing/fixtures.ts'

const PATH = '/api/fit/'
const [SENSE, PLACE] = ['Sensory', 'Spatial']

interface Judged {
  readonly as: string
  readonly phrase: number
  readonly quadranym: number
  readonly fits: boolean
}

onEachEngine('Judging fit', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const phrases: number[] = []
  const quadranyms: number[] = []
  before(async () => {
    for (const name of ['a', 'b', 'c', 'd']) {
      phrases.push((await make(site, 'phrase', { name, qode: `${name} q1n_NN.` })).phrase_id)
      const realm = name === 'a' ? SENSE : PLACE
      quadranyms.push((await make(site, 'quadranym', { name, e: '', r: '', o: '', s: '', realm })).quadranym_id)
    }
  })

  const judge = (as: string, phrase: number, quadranym: number, fits: unknown) =>
    site.ask(PATH, { method: 'POST', as, json: { phrase, quadranym, fits } })
  const results = async (query: string, as?: string) => {
    const { status, json, text } = await site.ask(`${PATH}results/?${query}`, as ? { as } : {})
    assert.equal(status, 200, text)
    return json.results
  }
  /** In the order of the test, which is that of time. */
  let judged: Judged[] = []
  const say = async (as: string, p: number, q: number, fits: boolean) => {
    const [phrase, quadranym] = [phrases[p]!, quadranyms[q]!]
    assert.ok([200, 201].includes((await judge(as, phrase, quadranym, fits)).status))
    judged = judged.filter((each) => each.as !== as || each.phrase !== phrase || each.quadranym !== quadranym)
    judged.push({ as, phrase, quadranym, fits })
  }

  /** What the results must be, counted from the judgements themselves. */
  const counted = (some: readonly Judged[]) => {
    const pairs = [...Map.groupBy(some, ({ phrase, quadranym }) => `${phrase} ${quadranym}`).values()]
    let [agreed, compared] = [0, 0]
    for (const votes of pairs) {
      votes.forEach((one, i) => {
        for (const other of votes.slice(i + 1)) {
          compared++
          if (one.fits === other.fits) agreed++
        }
      })
    }
    const yes = some.filter(({ fits }) => fits).length
    const agreement = compared === 0 ? null : Math.round((1000 * agreed) / compared) / 1000
    return { yes, no: some.length - yes, pairs: pairs.length, agreement }
  }
  const realms = new Map<number, string>()
  const assertCounted = async () => {
    assert.equal(await site.engine.store.read(() => countWrongFit()), 0)
    quadranyms.forEach((id, i) => void (realms.has(id) || realms.set(id, i === 0 ? SENSE : PLACE)))
    const keys = {
      phrase: ({ phrase }: Judged) => phrase,
      quadranym: ({ quadranym }: Judged) => quadranym,
      realm: ({ quadranym }: Judged) => realms.get(quadranym),
    }
    for (const [by, keyOf] of Object.entries(keys)) {
      const expected = [...Map.groupBy<unknown, Judged>(judged, keyOf)].map(([key, some]) => ({
        [by]: key,
        ...counted(some),
      }))
      const sorted = (rows: any[]) => rows.toSorted((a, b) => String(a[by]).localeCompare(String(b[by])))
      assert.deepEqual(sorted(await results(`by=${by}`)), sorted(expected), by)
    }
    assert.deepEqual(await results('by=all'), judged.length === 0 ? [] : [counted(judged)])
    const pairs = Map.groupBy(judged, ({ phrase, quadranym }) => `${phrase} ${quadranym}`).values()
    const expected = [...pairs].map((some) => {
      const [{ phrase, quadranym } = { phrase: 0, quadranym: 0 }] = some
      const { yes, no } = counted(some)
      return { phrase, quadranym, yes, no }
    })
    const inOrder = expected.sort((a, b) => a.phrase - b.phrase || a.quadranym - b.quadranym)
    assert.deepEqual(await results('by=pair&page_size=1000'), inOrder)
  }

  test('{fit.judge} {fit.form} a user has one judgement for each pair, changes it, and takes it back', async () => {
    site.clock = new Date('2026-05-01T10:00:00.000Z')
    const [phrase, quadranym] = [phrases[0]!, quadranyms[0]!]
    const at = '2026-05-01T10:00:00.000Z'
    const first = await judge('ada', phrase, quadranym, true)
    assert.deepEqual([first.status, first.json], [201, { phrase, quadranym, fits: true, at }])
    site.clock = new Date('2026-05-01T11:00:00.000Z')
    const same = await judge('ada', phrase, quadranym, true)
    assert.deepEqual([same.status, same.json], [200, first.json])
    const form = { phrase: String(phrase), quadranym: String(quadranym), fits: 'false' }
    const changed = await site.ask(PATH, { method: 'POST', as: 'ada', form })
    assert.deepEqual(
      [changed.status, changed.json],
      [200, { phrase, quadranym, fits: false, at: '2026-05-01T11:00:00.000Z' }],
    )
    assert.deepEqual(await results('by=phrase'), [{ phrase, yes: 0, no: 1, pairs: 1, agreement: null }])
    const gone = await judge('ada', phrase, quadranym, null)
    assert.deepEqual([gone.status, gone.json], [200, { phrase, quadranym, fits: null }])
    for (const by of ['phrase', 'quadranym', 'realm', 'pair', 'all'])
      assert.deepEqual(await results(`by=${by}`), [], by)
    assert.deepEqual(await results('by=me', 'ada'), [{ yes: 0, no: 0, pairs: 0, agreement: null }])
    site.clock = undefined
  })

  test('{fit.account} {fit.bad} without an account, or with wrong members, nothing is judged', async () => {
    const [phrase, quadranym] = [phrases[0]!, quadranyms[0]!]
    const json = { phrase, quadranym, fits: true }
    assert.equal((await site.ask(PATH, { method: 'POST', json })).status, 401)
    assert.equal((await site.ask(PATH)).status, 401)
    assert.equal((await site.ask(`${PATH}results/?by=me`)).status, 401)
    for (const [given, errors] of [
      [{}, { phrase: REQUIRED, quadranym: REQUIRED, fits: REQUIRED }],
      [{ ...json, phrase: 'x' }, { phrase: ['A valid integer is required.'] }],
      [{ ...json, fits: 'maybe' }, { fits: ['Must be a valid boolean.'] }],
      [{ ...json, phrase: 999 }, { phrase: ['Invalid pk "999" - object does not exist.'] }],
      [{ ...json, quadranym: 999 }, { quadranym: ['Invalid pk "999" - object does not exist.'] }],
    ] as const) {
      const { status, json: said } = await site.ask(PATH, { method: 'POST', as: 'ada', json: given })
      assert.deepEqual([status, said], [400, errors])
    }
    for (const [ask, says] of [
      ['results/?by=mood', { by: ['"mood" is not a valid choice.'] }],
      ['results/?by=pair&phrase=x', { phrase: ['A valid integer is required.'] }],
      ['grid/?phrase=1', { quadranym: REQUIRED }],
      ['grid/?phrase=1&quadranym=x', { quadranym: ['A valid integer is required.'] }],
      [`grid/?phrase=${phrase}&quadranym=999`, { quadranym: ['Invalid pk "999" - object does not exist.'] }],
      [
        `grid/?${Array.from({ length: 21 }, (_, i) => `phrase=${i + 1}`).join('&')}&quadranym=1`,
        { phrase: ['Ensure this field has no more than 20 elements.'] },
      ],
    ] as const) {
      await assertRefused(site, { ask: PATH + ask, status: 400, says })
    }
    for (const refused of [
      ...wrongMethods(PATH, 'GET, POST, HEAD, OPTIONS'),
      ...wrongMethods(`${PATH}results/`, 'GET, HEAD, OPTIONS'),
      ...wrongMethods(`${PATH}grid/`, 'GET, HEAD, OPTIONS'),
    ]) {
      await assertRefused(site, refused)
    }
  })

  test('{fit.results} {fit.counts} {fit.agreement} results count every judgement, and how often people agree', async () => {
    for (const [who, as] of ['ada', 'ben', 'cy', 'dan'].entries()) {
      for (let p = 0; p < 4; p++) {
        for (let q = 0; q < 4; q++) if ((who + p + q) % 3 > 0) await say(as, p, q, (who * p + q) % 4 > 0)
      }
    }
    await assertCounted()
    await say('ada', 0, 1, false)
    await say('ben', 3, 3, false)
    await assertCounted()
    const mine = judged.filter(({ as }) => as === 'ben')
    let [agreed, compared] = [0, 0]
    for (const { phrase, quadranym, fits } of mine) {
      for (const other of judged) {
        if (other.as === 'ben' || other.phrase !== phrase || other.quadranym !== quadranym) continue
        compared++
        if (other.fits === fits) agreed++
      }
    }
    const yes = mine.filter(({ fits }) => fits).length
    const agreement = Math.round((1000 * agreed) / compared) / 1000
    assert.deepEqual(await results('by=me', 'ben'), [{ yes, no: mine.length - yes, pairs: mine.length, agreement }])
  })

  test('{fit.order} {fit.pairs} what reads worst comes first, and the pairs of a phrase lead to its misfits', async () => {
    const misfit = ({ yes, no }: { yes: number; no: number }) => Math.floor((1000 * no) / (yes + no + 4))
    const all = await results('by=phrase')
    assert.deepEqual(
      all.map(misfit),
      all.map(misfit).sort((a: number, b: number) => b - a),
    )
    for (const [name, id, other] of [
      ['phrase', phrases[1]!, 'quadranym'],
      ['quadranym', quadranyms[2]!, 'phrase'],
    ] as const) {
      const pairs = await results(`by=pair&${name}=${id}`)
      assert.deepEqual(
        pairs,
        (await results('by=pair&page_size=1000'))
          .filter((each: any) => each[name] === id)
          .sort((a: any, b: any) => misfit(b) - misfit(a) || a[other] - b[other]),
      )
      const paged = await site.ask(`${PATH}results/?by=pair&${name}=${id}&page_size=1&page=2`)
      assert.deepEqual([paged.json.count, paged.json.results], [pairs.length, pairs.slice(1, 2)])
    }
    assert.deepEqual(await results('by=pair&phrase=12345'), [])
  })

  test('{fit.mine} {fit.export} judgements and results are pages, CSV or NDJSON', async () => {
    const mine = judged.filter(({ as }) => as === 'cy')
    const { json } = await site.ask(`${PATH}?page_size=1000`, { as: 'cy' })
    assert.equal(json.count, mine.length)
    assert.deepEqual(
      json.results.map(({ phrase, quadranym, fits }: Judged) => [phrase, quadranym, fits]).sort(),
      mine.map(({ phrase, quadranym, fits }) => [phrase, quadranym, fits]).sort(),
    )
    const times: string[] = json.results.map(({ at }: { at: string }) => at)
    assert.deepEqual(times, times.toSorted().reverse())
    const inOrder = json.results.toSorted((a: Judged, b: Judged) => a.phrase - b.phrase || a.quadranym - b.quadranym)
    const csv = await site.ask(`${PATH}?format=csv`, { as: 'cy' })
    assert.equal(csv.headers['content-disposition'], 'attachment; filename="fit.csv"')
    assert.equal(
      csv.text,
      `phrase,quadranym,fits,at\n${inOrder.map((each: object) => `${Object.values(each).join(',')}\n`).join('')}`,
    )
    const lines = await site.ask(`${PATH}.ndjson`.replace('/.', '.'), { as: 'cy' })
    assert.deepEqual(
      lines.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      inOrder,
    )
    const whole = await site.ask(`${PATH}results/?by=pair&format=ndjson`)
    assert.deepEqual(
      whole.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
      await results('by=pair&page_size=1000'),
    )
    const rows = (await site.ask(`${PATH}results/?by=realm&format=csv`)).text.trimEnd().split('\n')
    assert.deepEqual([rows[0], rows.length], ['phrase,quadranym,realm,yes,no,pairs,agreement', 3])
    assert.equal((await site.ask(`${PATH}?format=csv`)).status, 401)
  })

  test('{fit.next} a grid shows its pairs, and the one to judge next is the least certain', async () => {
    const query = (some: readonly number[], topics: readonly number[]) =>
      [...some.map((id) => `phrase=${id}`), ...topics.map((id) => `quadranym=${id}`)].join('&')
    const grid = async (as?: string) =>
      (await site.ask(`${PATH}grid/?${query(phrases, quadranyms)}`, as ? { as } : {})).json
    const { cells, next } = await grid('ada')
    assert.deepEqual(
      cells.map(({ phrase, quadranym }: Judged) => [phrase, quadranym]),
      phrases.flatMap((phrase) => quadranyms.map((quadranym) => [phrase, quadranym])),
    )
    for (const { phrase, quadranym, fits } of cells) {
      const own = judged.find((each) => each.as === 'ada' && each.phrase === phrase && each.quadranym === quadranym)
      assert.equal(fits, own?.fits)
    }
    const isOpen = (cell: any) => cell.phrase === next.phrase && cell.quadranym === next.quadranym && !('fits' in cell)
    assert.ok(cells.some(isOpen))
    assert.ok((await grid()).cells.every((cell: object) => !('fits' in cell)))
    // Nobody has judged the new pair; all others have three or more judgements that agree.
    const [fresh, old] = [await make(site, 'phrase', { name: 'n', qode: 'n q1n_NN' }), phrases[0]!]
    for (const as of ['e1', 'e2', 'e3']) for (const q of [0, 1]) await say(as, 0, q, true)
    const both = await site.ask(`${PATH}grid/?${query([old, fresh.phrase_id], quadranyms.slice(0, 2))}`, { as: 'new' })
    assert.equal(both.json.next.phrase, fresh.phrase_id)
    for (const q of [0, 1]) await say('e1', 0, q, true)
    const done = await site.ask(`${PATH}grid/?${query([old], quadranyms.slice(0, 2))}`, { as: 'e1' })
    assert.equal(done.json.next, null)
  })

  test('{fit.gone} judgements go with their phrase, quadranym or account, and results follow a new realm', async () => {
    const edit = { method: 'PATCH', as: 'gus', json: { realm: 'Elsewhere' } }
    assert.equal((await site.ask(`/api/quadranym/${quadranyms[1]}/`, edit)).status, 200)
    realms.set(quadranyms[1]!, 'Elsewhere')
    await assertCounted()
    for (const [kind, id] of [
      ['phrase', phrases[2]!],
      ['quadranym', quadranyms[3]!],
    ] as const) {
      assert.equal((await site.ask(`/api/${kind}/${id}/`, { method: 'DELETE', as: 'gus' })).status, 204)
      judged = judged.filter((each) => each[kind] !== id)
      await assertCounted()
    }
    const { store } = site.engine
    const account = await store.read(() => store.accounts.byKey('dan'))
    await store.write(() => store.accounts.remove(account!.id))
    judged = judged.filter(({ as }) => as !== 'dan')
    await assertCounted()
    for (const as of new Set(judged.map((each) => each.as))) {
      const { json } = await site.ask(`${PATH}?page_size=1000`, { as })
      assert.equal(json.count, judged.filter((each) => each.as === as).length)
      assert.equal(json.results.length, json.count)
    }
  })
})
