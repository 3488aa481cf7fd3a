/** /spin/: a text told with other quadranyms. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, BAD_PATH, NOT_FOUND, noSuch, REQUIRED, type Refused, wrongMethods } from '../words/refused.ts'
import { all, make, read } from '../writing/fixtures.ts'
import { assertSpans, wordsAt } from './spans.ts'

const ALLOW = 'GET, HEAD, OPTIONS'
const KINDS = ['fortune', 'quote', 'phrase', 'fable']

const REFUSED: readonly Refused[] = KINDS.flatMap((name) => [
  ...['99999999', '0', '-1', 'abc', '9'.repeat(30), '%00'].map((id) => {
    return { ask: `/api/${name}/${id}/spin/?quadranym=1`, status: 404, says: NOT_FOUND }
  }),
  { ask: `/api/${name}/%ff/spin/`, status: 400, says: BAD_PATH },
  { ask: `/api/${name}/1/spin/?quadranym=99999999`, status: 400, says: { quadranym: noSuch(99_999_999) } },
  { ask: `/api/${name}/1/spin/?quadranym=${'9'.repeat(30)}`, status: 400, says: { quadranym: noSuch('9'.repeat(30)) } },
  ...['x', '1e9', '-1', '%00', '%ff'].map((id) => ({
    ask: `/api/${name}/1/spin/?quadranym=${id}`,
    status: 400,
    says: { quadranym: ['Incorrect type. Expected pk value, received str.'] },
  })),
  {
    ask: `/api/${name}/1/spin/?quadranym=x&as=shout`,
    status: 400,
    says: {
      quadranym: ['Incorrect type. Expected pk value, received str.'],
      as: ['"shout" is not a valid choice.'],
    },
  },
  {
    ask: `/api/${name}/1/spin/?${'quadranym=1&'.repeat(51)}`,
    status: 400,
    says: { quadranym: ['Ensure this field has no more than 50 elements.'] },
  },
  ...wrongMethods(`/api/${name}/1/spin/`, ALLOW),
])

onEachEngine('Spinning', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let door: any, river: any, emoji: any
  let fortune: any, quote: any, phrase: any, fable: any, plain: any
  before(async () => {
    door = await make(site, 'quadranym', { name: 'gate', e: 'open', r: 'close', o: 'hinge', s: 'passage' })
    river = await make(site, 'quadranym', { name: 'estuary', e: 'flow', r: 'dry', o: 'water', s: 'journey' })
    emoji = await make(site, 'quadranym', { name: '𝒢ate 😀', e: '𝒪pen', r: '', o: '', s: '' })
    const [d, r] = [door.quadranym_id, river.quadranym_id]
    fortune = await make(site, 'fortune', {
      body: '😀 A gate that opened: 𝒳 the journey of a gate.',
      q1: [r],
      q2: [d],
    })
    quote = await make(site, 'quote', { body: 'An estuary flows.', src: 'Ada', quadranym: r })
    phrase = await make(site, 'phrase', { name: 'p', qode: 'A q1n_NN; 🌊 q1e. Every q1n^NN q1e_VBZ.' })
    fable = await make(site, 'fable', { name: 'f', qode: 'q2n_NNS q1e_VBP q3n_NNS, said the q1n.' })
    plain = await make(site, 'fortune', { body: 'Nothing to fill here.' })
  })

  const spin = async (kind: string, record: any, query = '') => {
    return await read(site, `/api/${kind}/${record[`${kind}_id`]}/spin/${query}`)
  }
  const given = (...records: any[]) => `?${records.map(({ quadranym_id }) => `quadranym=${quadranym_id}`).join('&')}`

  test('{spin.blank} a blank quadranym is ignored', async () => {
    const own = await site.ask('/api/fortune/1/spin/')
    assert.deepEqual((await site.ask('/api/fortune/1/spin/?quadranym=')).json, own.json)
  })

  test('{spin.members} the response has the text and its spans: offset, length, index, slot, token', async () => {
    assert.deepEqual(await spin('quote', quote, given(door)), {
      text: 'A gate opens.',
      spans: [
        { offset: 2, length: 4, index: 1, slot: 'n', token: 'q1n_NN' },
        { offset: 7, length: 5, index: 1, slot: 'e', token: 'q1e_VBZ' },
      ],
      repairs: [{ offset: 0, was: 'An', now: 'A', rule: 'a-or-an' }],
      attribution: 'after Ada',
    })
  })

  test('{spin.own} without quadranyms a fortune or quote is told with its own', async () => {
    assert.equal((await spin('fortune', fortune)).text, fortune.body)
    assert.equal((await spin('quote', quote)).text, quote.body)
    assert.deepEqual(await spin('fortune', plain), { text: plain.body, spans: [], repairs: [], attribution: '' })
  })

  test('{spin.fits} a term of another part of speech becomes a derived word, or does not fit', async () => {
    const power = await make(site, 'quadranym', { name: 'gust', e: 'strong', r: 'weaken', o: 'accept', s: 'zorp' })
    const { text, spans } = await spin('quote', quote, given(power))
    assert.equal(text, 'A gust strengthens.')
    const qode = 'The q1e_NN fell q1n_RB, a q1r_NN; q1o_JJ, q1s_JJ.'
    const told = await make(site, 'phrase', { name: 'kinds', qode })
    const all = await spin('phrase', told, given(power))
    assert.equal(all.text, 'The strength fell gust, a weakening; acceptable, zorp.')
    const fits = [...spans, ...all.spans].map((span: any) => span.fits)
    assert.deepEqual(fits, [undefined, undefined, undefined, false, undefined, undefined, undefined])
    // Its own words stay, whatever their tags.
    const own = {
      body: 'They called it strong.',
      src: 'Ada',
      qode: 'They called it q1e_NN.',
      quadranym: power.quadranym_id,
    }
    const kept = await make(site, 'quote', own)
    assert.equal((await spin('quote', kept)).text, own.body)
  })

  test('{spin.given} the first given quadranym fills index 1; in a fortune or quote its own fill the rest', async () => {
    const first = await spin('fortune', fortune, given(river))
    assert.equal(first.text, '😀 An estuary that flowed: 𝒳 the journey of an estuary.')
    const both = await spin('fortune', fortune, given(river, door))
    assert.equal(both.text, '😀 An estuary that flowed: 𝒳 the passage of an estuary.')
    assert.equal((await spin('fable', fable, given(door, river, door))).text, 'Estuaries open gates, said the gate.')
  })

  test('{spin.left-open} in a phrase or fable, tokens that no quadranym fills stay unchanged', async () => {
    const { text, spans } = await spin('fable', fable, given(door, river))
    assert.equal(text, 'Estuaries open q3n_NNS, said the gate.')
    assert.deepEqual(spans[2], { offset: 15, length: 7, index: 3, slot: 'n', token: 'q3n_NNS' })
  })

  test('{spin.repeats} the same quadranym may be given for several topics', async () => {
    const { text } = await spin('fable', fable, given(door, door, river))
    assert.equal(text, 'Gates open estuaries, said the gate.')
  })

  test('{spin.characters} offsets and lengths count characters, also those beyond 16 bits', async () => {
    const { text, spans } = await spin('phrase', phrase, given(emoji))
    assert.equal(text, 'A 𝒢ate 😀; 🌊 𝒪pen. Every 𝒢ate 😀 𝒪pens.')
    assert.deepEqual(wordsAt({ text, spans }), ['𝒢ate 😀', '𝒪pen', '𝒢ate 😀', '𝒪pens'])
    assert.deepEqual(wordsAt(await spin('fortune', fortune)), ['gate', 'opened', 'journey', 'gate'])
  })

  test('{spin.spans} in every text of the sample, each span has the term of its slot', async () => {
    const [one, two, three] = await all(site, 'quadranym')
    for (const kind of KINDS) {
      const tell = async (record: any) => {
        const own = kind === 'quote' ? [record.quadranym] : [...(record.q2 ?? []), ...(record.q1 ?? [])]
        const filling = own.length > 0 ? own : [one, two, three, one, two, three]
        const topics = kind === 'fable' ? record.length : kind === 'phrase' ? Math.sign(record.width) : 0
        const told = await spin(kind, record, given(...filling.slice(0, topics)))
        assertSpans(told, ({ index }) => filling[index - 1])
        if (record.body) assert.equal(told.text, record.body)
      }
      await Promise.all((await all(site, kind)).map(tell))
    }
  })

  test('{spin.blanks} as=blanks leaves a blank for each word', async () => {
    const { text, spans } = await spin('quote', quote, '?as=blanks')
    assert.deepEqual([text, wordsAt({ text, spans })], ['An _____ _____.', ['_____', '_____']])
    assert.deepEqual(await spin('quote', quote, '?as=words'), await spin('quote', quote))
    assert.deepEqual(await spin('quote', quote, '?as='), await spin('quote', quote))
  })

  test('{spin.repairs} {spin.strict} what is filled in agrees with what stays, unless the filling is strict', async () => {
    const open = await make(site, 'phrase', { name: 'r', qode: 'q1n_NN favors us 😀. Many q1o_NNS are ours.' })
    const horizon = await make(site, 'quadranym', {
      name: 'horizon',
      e: 'widen',
      r: 'narrow',
      o: 'furniture',
      s: 'view',
    })
    const repaired = await spin('phrase', open, given(horizon))
    assert.equal(repaired.text, 'The horizon favors us 😀. Much furniture is ours.')
    assert.deepEqual(wordsAt(repaired), ['horizon', 'furniture'])
    assert.deepEqual(repaired.repairs, [
      { offset: 0, was: '', now: 'The ', rule: 'bare-nouns' },
      { offset: 4, was: 'H', now: 'h', rule: 'bare-nouns' },
      { offset: 25, was: 'Many', now: 'Much', rule: 'mass-nouns' },
      { offset: 40, was: 'are', now: 'is', rule: 'mass-nouns' },
    ])
    const characters = [...repaired.text]
    for (const { offset, was, now } of repaired.repairs.toReversed()) characters.splice(offset, [...now].length, ...was)
    const strict = await spin('phrase', open, `${given(horizon)}&as=strict`)
    assert.equal(characters.join(''), strict.text)
    assert.deepEqual([strict.text, strict.repairs], ['Horizon favors us 😀. Many furniture are ours.', []])
  })

  test('{spin.own-words} a text that comes back is never repaired', async () => {
    const advice = await make(site, 'quadranym', { name: 'wisdom', e: 'learn', r: 'forget', o: 'sage', s: 'age' })
    const body = 'A wisdom is what you learn.'
    const odd = { body, qode: 'A q1n_NN is what you q1e_VBP.', src: 'Ada', quadranym: advice.quadranym_id }
    const kept = await make(site, 'quote', odd)
    for (const query of ['', '?as=words', given(advice)]) {
      const { text, repairs } = await spin('quote', kept, query)
      assert.deepEqual([text, repairs], [body, []])
    }
  })

  test('{spin.plain} a client that asks for text/plain, or format=txt, gets the text and its attribution', async () => {
    const path = `/api/quote/${quote.quote_id}/spin/${given(door)}`
    for (const reply of [
      await site.ask(path, { headers: { accept: 'text/plain' } }),
      await site.ask(`${path}&format=txt`),
    ]) {
      assert.equal(reply.text, 'A gate opens.\n\t\t-- after Ada\n')
      assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
    }
    const refused = await site.ask(`/api/quote/${quote.quote_id}/spin/?quadranym=x&format=txt`)
    assert.equal(refused.status, 400)
    assert.equal(refused.text, 'quadranym: Incorrect type. Expected pk value, received str.\n')
  })

  test('{spin.attribution} a text told with other words is after its author, and never by its author', async () => {
    const by = async (kind: string, record: any, query = '') => (await spin(kind, record, query)).attribution
    assert.equal(await by('quote', quote), 'Ada')
    assert.equal(await by('quote', quote, given(river)), 'Ada')
    assert.equal(await by('quote', quote, given(door)), 'after Ada')
    assert.equal(await by('quote', quote, '?as=blanks'), 'Ada')
    assert.equal(await by('quote', quote, `${given(door)}&as=blanks`), 'after Ada')
    assert.equal(await by('phrase', phrase, given(door)), '')
    const open = { name: 'p2', qode: 'The q1n_NN flows.', src: 'Heraclitus' }
    assert.equal(await by('phrase', await make(site, 'phrase', open), given(door)), 'after Heraclitus')
    const after = { name: 'f2', qode: 'The q1n_NN flows on.', src: 'after Heraclitus' }
    assert.equal(await by('fable', await make(site, 'fable', after), given(door)), 'after Heraclitus')
  })

  test('{spin.attribution} a fortune that names its origin after a dash says there that it is after it', async () => {
    const q1 = [door.quadranym_id]
    for (const [body, origin] of [
      ['A gate is open. -- Ada', 'Ada'],
      ['“A gate is open.” — 𝒜da Jr.', '𝒜da Jr.'],
      ['A gate is open,\nnot shut\n\t\t-- Ada, Works (1815–1852).', 'Ada, Works (1815–1852).'],
      ['A gate is open. -- She left it so.', ''],
      ['A gate -- the open one', ''],
    ] as const) {
      const made = await make(site, 'fortune', { body, q1 })
      const own = await spin('fortune', made)
      assert.deepEqual([own.text, own.attribution], [body, origin])
      const other = await spin('fortune', made, given(river))
      const turned = body.replace('A gate', 'An estuary').replace('open', 'flowing')
      const after = origin && `after ${origin}`
      assert.deepEqual([other.text, other.attribution], [origin ? turned.replace(origin, after) : turned, after])
      assertSpans(other, () => river)
      const text = await site.ask(`/api/fortune/${made.fortune_id}/spin/${given(river)}&format=txt`)
      assert.equal(text.text, `${other.text}\n`)
    }
  })

  test('{spin.needed} a phrase or fable has no quadranyms, and needs one', async () => {
    for (const [kind, record] of [
      ['phrase', phrase],
      ['fable', fable],
    ] as const) {
      const ask = `/api/${kind}/${record[`${kind}_id`]}/spin/`
      await assertRefused(site, { ask, status: 400, says: { quadranym: REQUIRED } })
    }
  })

  test('{spin.too-many} more quadranyms than the text has topics are refused', async () => {
    const [q, f, p, b] = [quote.quote_id, fortune.fortune_id, plain.fortune_id, fable.fable_id]
    for (const [path, number, message] of [
      [`quote/${q}`, 2, 'The text has 1 topic, and 2 quadranyms are given.'],
      [`fortune/${f}`, 3, 'The text has 2 topics, and 3 quadranyms are given.'],
      [`fable/${b}`, 4, 'The text has 3 topics, and 4 quadranyms are given.'],
      [`fortune/${p}`, 1, 'The text has no tokens to fill.'],
    ] as const) {
      const ask = `/api/${path}/spin/${given(...Array.from({ length: number }, () => door))}`
      await assertRefused(site, { ask, status: 400, says: { quadranym: [message] } })
    }
  })

  test('{spin.refused} unknown records, wrong values and other methods are refused with the reason', async () => {
    for (const refused of REFUSED) {
      const { headers } = await assertRefused(site, refused)
      if (refused.status === 405) assert.equal(headers.allow, ALLOW)
    }
    for (const kind of ['polynym', 'story', 'quadranym']) {
      await assertRefused(site, { ask: `/api/${kind}/1/spin/`, status: 404, says: NOT_FOUND })
    }
  })
})
