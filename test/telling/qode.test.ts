/** /api/qode/: parse, annotate, spin and check free text. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, type Refused, wrongMethods } from '../words/refused.ts'
import { all, make } from '../writing/fixtures.ts'
import { assertSpans, badBodies, badRecords, badTexts, wordsAt } from './spans.ts'

const ALLOW = 'POST, OPTIONS'
const at = (name: string) => `/api/qode/${name}/`

const REFUSED: readonly Refused[] = [
  ...badTexts(at('parse'), 'qode', {}),
  ...badTexts(at('annotate'), 'text', {}),
  ...badRecords(at('annotate'), 'quadranyms', 50, { text: 'x' }),
  ...badTexts(at('spin'), 'qode', { quadranyms: [1] }),
  ...badRecords(at('spin'), 'quadranyms', 50, { qode: 'x' }),
  ...['shout', 1, ['words']].map((as) => ({
    ask: `POST ${at('spin')}`,
    json: { qode: 'x', quadranyms: [1], as },
    status: 400,
    says: { as: [`"${typeof as === 'string' ? as : JSON.stringify(as)}" is not a valid choice.`] },
  })),
  {
    ask: `POST ${at('spin')}`,
    json: { qode: 'x', quadranyms: [] },
    status: 400,
    says: { quadranyms: ['This list may not be empty.'] },
  },
  ...badTexts(at('check'), 'body', { qode: 'x' }),
  ...badTexts(at('check'), 'qode', { body: 'x' }),
  ...badRecords(at('check'), 'quadranyms', 50, { body: 'x', qode: 'x' }),
  ...['parse', 'annotate', 'spin', 'check'].flatMap((name) => [
    ...badBodies(at(name)),
    ...wrongMethods(at(name), ALLOW),
    { ask: `POST ${at(name)}?format=xml`, status: 404, says: { detail: 'Not found.' } },
  ]),
]

const PROVERBS = `A rolling stone gathers no moss.
Birds of a feather flock together.
Every cloud has a silver lining.
The early bird catches the worm.
When in Rome, do as the Romans do.
Look before you leap.
What goes up must come down.
All that glitters is not gold.
A watched pot never boils.
Actions speak louder than words.
The pen is mightier than the sword.
Where there is smoke there is fire.
Don't count your chickens before they hatch.
You cannot have your cake and eat it too.
Time and tide wait for no man.
Love all, trust a few, do wrong to none.
To be or not to be, that is the question.
The night is darkest just before the dawn.
In and out, up and down.
Still waters run deep.
A journey of a thousand miles begins with a single step.
Where there's a will there's a way.`.split('\n')

const SMALL_WORDS = /^(?:in|out|up|down|on|off|to|from|where|when|how|why|before|after|of|at|with|do|be|have)$/i

onEachEngine('Qode on free text', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let gate: any, wave: any, sky: any
  before(async () => {
    gate = await make(site, 'quadranym', { name: 'zgate', e: 'zopen', r: 'zclose', o: '', s: '____', pos: 'NN' })
    wave = await make(site, 'quadranym', {
      name: 'zwave',
      e: 'zrise',
      r: 'zfall',
      o: 'zopen',
      s: 'z😀',
      pos: 'NN',
      opos: 'VB',
    })
    sky = await make(site, 'quadranym', { name: 'Zský', e: 'zblue', r: 'zgray', o: 'zaír', s: 'zopen' })
  })

  const ask = async (name: string, body: object) => {
    const reply = await site.ask(at(name), { method: 'POST', json: body })
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }
  const ids = (...records: any[]) => records.map(({ quadranym_id }) => quadranym_id)

  test('{qode.parse} parse returns the tokens, and subs, depth and width', async () => {
    assert.deepEqual(await ask('parse', { qode: ' 😀 q1e_NN, Q12n_VBZ q2r^JJ q3s.' }), {
      tokens: [
        { offset: 3, length: 6, token: 'q1e_NN', index: 1, slot: 'e', tag: 'NN', capital: false },
        { offset: 11, length: 8, token: 'Q12n_VBZ', index: 12, slot: 'n', tag: 'VBZ', capital: true },
        { offset: 20, length: 6, token: 'q2r^JJ', index: 2, slot: 'r', tag: 'JJ', capital: true },
        { offset: 27, length: 3, token: 'q3s', index: 3, slot: 's', capital: false },
      ],
      subs: 'enrs',
      depth: 12,
      width: 4,
    })
  })

  test('{qode.parse-any} what is not a token is text, and parsing never fails', async () => {
    for (const qode of [
      'q0e_NN',
      'q1x_NN',
      'xq1e_NN',
      'q1e_nn',
      'q01e_NN',
      'q1e_NN1',
      'plain',
      'q1234567890e_NN',
      '\ud83d\ude00',
    ]) {
      assert.deepEqual(await ask('parse', { qode }), { tokens: [], subs: '', depth: 0, width: 0 }, qode)
    }
  })

  test('{qode.annotate} annotate marks the words of the given quadranyms, and says which have none', async () => {
    const text = ' 😀 The zgates, 𝒳 zopening. The zrising of zopening zgates.\n'
    const { tokens, ...answer } = await ask('annotate', { text, quadranyms: ids(wave, gate, sky) })
    const plain = tokens.map(({ margin: _, ...token }: { margin: number }) => token)
    assert.deepEqual(
      { ...answer, tokens: plain },
      {
        qode: ' 😀 The q2n_NNS, 𝒳 q1o_VBG. The q1e_VBG of q1o_VBG q2n_NNS.\n',
        tokens: [
          { word: 'zgates', offset: 7, index: 2, slot: 'n', tag: 'NNS' },
          { word: 'zopening', offset: 17, index: 1, slot: 'o', tag: 'VBG' },
          { word: 'zrising', offset: 31, index: 1, slot: 'e', tag: 'VBG' },
          { word: 'zopening', offset: 42, index: 1, slot: 'o', tag: 'VBG' },
          { word: 'zgates', offset: 51, index: 2, slot: 'n', tag: 'NNS' },
        ],
        subs: 'noeon',
        depth: 2,
        q1: [],
        q2: [wave, gate],
        unmatched: [sky],
        suggested: [],
      },
    )
  })

  test('{qode.annotate-margin} the margin of a token is high where its tag is sure, and below 0 where another would fit better', async () => {
    const marginOf = async (text: string) => (await ask('annotate', { text, quadranyms: ids(gate) })).tokens[0].margin
    const [sure, unsure, wrong] = await Promise.all(
      ['They opened the zgates and left.', 'Zgates.', 'They met Mr. Zgate in London.'].map(marginOf),
    )
    assert.ok(sure > 5 && unsure < sure && wrong < 0, JSON.stringify([sure, unsure, wrong]))
  })

  test('{qode.annotate-as-fortune} indexes count through q2 and then q1, so the response can be posted as a fortune', async () => {
    const text = 'One zgate, a zwave and zwaves.'
    const { qode, q1, q2, subs, depth } = await ask('annotate', { text, quadranyms: ids(gate, wave) })
    assert.deepEqual([qode, q1, q2], ['One q2n_NN, a q1n_NN and q1n_NNS.', [gate], [wave]])
    const fortune = await make(site, 'fortune', { body: text, qode, q1, q2 })
    assert.deepEqual(fortune, { body: text, qode, q1, q2, subs, depth, fortune_id: fortune.fortune_id })
    const spun = await ask('spin', { qode, quadranyms: [...q2, ...q1] })
    assert.equal(spun.text, text)
  })

  test('{qode.annotate-once} a quadranym given twice counts once; a text that contains a token is left unchanged', async () => {
    const once = await ask('annotate', { text: 'a zgate', quadranyms: ids(gate, gate) })
    assert.deepEqual([once.qode, once.q1, once.unmatched], ['a q1n_NN', [gate], []])
    const left = await ask('annotate', { text: 'a zgate, q1e_NN', quadranyms: ids(gate) })
    assert.deepEqual([left.qode, left.tokens, left.unmatched], ['', [], [gate]])
    const unasked = await ask('annotate', { text: 'a river, q1e_NN' })
    assert.deepEqual([unasked.qode, unasked.q1, unasked.suggested], ['', [], []])
  })

  test('{qode.suggest} without quadranyms the best matches are suggested, and up to three of them used', async () => {
    const { suggested, ...answer } = await ask('annotate', { text: 'All that glitters is not gold.' })
    const [gold] = suggested
    assert.deepEqual(suggested, [{ quadranym: gold.quadranym, score: 2, words: 2, slots: 'en' }])
    assert.deepEqual([gold.quadranym.name, gold.quadranym.e], ['gold', 'glitter'])
    assert.deepEqual([answer.subs, answer.depth, answer.q2, answer.q1], ['en', 1, [gold.quadranym], []])
    assert.deepEqual(answer.unmatched, [])
    // A term with accents, in another form.
    const accented = await ask('annotate', { text: 'Over the Zský, zaírs.' })
    assert.deepEqual(accented.q2, [sky])
  })

  test('{qode.suggest-meant} a quadranym whose words are not meant comes after those that explain more', async () => {
    const { suggested, tokens } = await ask('annotate', { text: 'It never rains but it pours.' })
    assert.deepEqual(
      suggested.map(({ quadranym, score, slots }: any) => [quadranym.name, score, slots]),
      [
        ['frequency', 1, 'r'],
        ['rain', 0.631, 'e'],
        ['water', 0.631, 'e'],
      ],
    )
    assert.deepEqual(
      tokens.map(({ word }: any) => word),
      ['never', 'pours'],
    )
  })

  test('{qode.suggest-sense} suggestions mark meaningful words: never only words such as to, before or up', async () => {
    let marked = 0
    for (const text of PROVERBS) {
      const answer = await ask('annotate', { text })
      assert.ok(answer.q1.length + answer.q2.length <= 3)
      assert.ok(answer.suggested.length <= 10)
      for (const { words, slots } of answer.suggested) assert.equal(slots.length, words)
      if (answer.tokens.length === 0) continue
      marked++
      assert.ok(
        answer.tokens.some(({ word }: any) => !SMALL_WORDS.test(word)),
        `${text} ${answer.qode}`,
      )
      const { text: spun } = await ask('spin', { qode: answer.qode, quadranyms: ids(...answer.q2, ...answer.q1) })
      assert.equal(spun, text)
    }
    assert.ok(marked >= 15, `${marked} of ${PROVERBS.length}`)
    for (const text of [
      'Look before you leap.',
      'To be or not to be.',
      'In and out, up and down.',
      'qqq',
      '123',
      '😀',
    ]) {
      assert.deepEqual((await ask('annotate', { text })).tokens, [], text)
    }
  })

  test('{qode.spin} spin fills the tokens of any qode, with or without tags', async () => {
    assert.deepEqual(await ask('spin', { qode: ' An q1n; q2n_NNS q1e_VBP. \n', quadranyms: ids(gate, wave) }), {
      text: ' A zgate; zwaves zopen. \n',
      spans: [
        { offset: 3, length: 5, index: 1, slot: 'n', token: 'q1n' },
        { offset: 10, length: 6, index: 2, slot: 'n', token: 'q2n_NNS' },
        { offset: 17, length: 5, index: 1, slot: 'e', token: 'q1e_VBP' },
      ],
      repairs: [{ offset: 1, was: 'An', now: 'A', rule: 'a-or-an' }],
    })
    const strict = await ask('spin', { qode: 'more q1n_JJR', quadranyms: ids(gate), as: 'strict' })
    assert.deepEqual([strict.text, strict.repairs], ['more zgater', []])
    assert.equal((await ask('spin', { qode: 'q1n and q2n', quadranyms: ids(gate) })).text, 'Zgate and q2n')
    assert.equal((await ask('spin', { qode: 'q1n', quadranyms: ids(gate, wave) })).text, 'Zgate')
    const blanks = await ask('spin', { qode: 'a q1n', quadranyms: ids(gate), as: 'blanks' })
    assert.deepEqual([blanks.text, wordsAt(blanks)], ['a _____', ['_____']])
  })

  test('{qode.characters} whatever surrounds the tokens, each span has its word, counted in characters', async () => {
    const between = fc.string({
      unit: fc.constantFrom('a', ' ', '.', '\n', 'é', '𝒳', '😀', 'e\u0301', 'A', '—'),
      maxLength: 8,
    })
    const token = fc.constantFrom('q1n', 'q1e_VBG', 'q2s_NN', 'q2n_NNS', 'q1n^NN', 'q2r_JJ')
    const qodes = fc.array(fc.tuple(between, token), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(qodes, async (parts) => {
        const qode = parts.map(([text, each]) => `${text} ${each} `).join('')
        const told = await ask('spin', { qode, quadranyms: ids(gate, wave) })
        assertSpans(told, ({ index }) => [gate, wave][index - 1])
        assert.equal(told.spans.length, parts.length)
        const { tokens } = await ask('parse', { qode })
        assert.deepEqual(
          wordsAt({ text: qode, spans: tokens }),
          parts.map(([, each]) => each),
        )
      }),
      { numRuns: 25 },
    )
  })

  test('{qode.check} check says whether a qode is a tokenised form of a body, and returns its words', async () => {
    const body = 'The 😀 zgate zopened.'
    const right = { body, qode: 'The 😀 q1n_NN  q1e_VBD .', quadranyms: ids(gate) }
    assert.deepEqual(await ask('check', right), { matches: true, faults: [] })
    const { quadranyms: _, ...unsaid } = right
    assert.deepEqual(await ask('check', unsaid), { matches: true, faults: [] })
    assert.deepEqual(await ask('check', { ...right, qode: 'The 😀 q1r_NN q2e_VBD.' }), {
      matches: false,
      faults: [
        {
          offset: 6,
          why: '"zgate" would become "zclose"',
          token: 'q1r_NN',
          word: 'zgate',
          becomes: 'zclose',
        },
        { offset: 13, why: 'no quadranym is given for index 2', token: 'q2e_VBD', word: 'zopened' },
      ],
    })
    for (const quadranyms of [[], ids(gate)]) {
      const { matches, faults } = await ask('check', { body, qode: 'The 😀 q1n_NN closed.', quadranyms })
      assert.deepEqual([matches, faults.length, Object.keys(faults[0])], [false, 1, ['offset', 'why']])
    }
  })

  test('{qode.check-terms} check reports terms that are not the part of speech that their quadranym gives', async () => {
    const given = {
      name: 'power',
      e: 'strong',
      r: 'weaken',
      o: 'zorp',
      s: 'open',
      pos: 'NN',
      epos: 'VB',
      rpos: 'NN',
      opos: 'VB',
    }
    const power = await make(site, 'quadranym', { ...given, spos: 'NN' })
    const id = power.quadranym_id
    const odd_terms = [
      `Quadranym ${id}: epos is VB, but "strong" is JJ.`,
      `Quadranym ${id}: rpos is NN, but "weaken" is VB.`,
    ]
    const text = { body: 'Power fades.', qode: 'q1n_NN fades.' }
    assert.deepEqual(await ask('check', { ...text, quadranyms: [id, id] }), { matches: true, faults: [], odd_terms })
    const quote = await make(site, 'quote', { ...text, src: 'Ada', quadranym: id })
    const { json } = await site.ask(`/api/quote/${quote.quote_id}/check/`)
    assert.deepEqual(json, { matches: true, faults: [], odd_terms })
  })

  test('{qode.check} {qode.spin} the fortunes of the sample check, and spin back to their bodies', async () => {
    for (const { body, qode, q1, q2 } of (await all(site, 'fortune')).slice(0, 60)) {
      if (qode === '') continue
      const quadranyms = ids(...q2, ...q1)
      assert.deepEqual(await ask('check', { body, qode, quadranyms }), { matches: true, faults: [] })
      assert.equal((await ask('spin', { qode, quadranyms })).text, body)
    }
  })

  test('{qode.forms} a form works like JSON', async () => {
    const id = String(gate.quadranym_id)
    for (const [name, form, json] of [
      ['parse', { qode: 'a q1n' }, { qode: 'a q1n' }],
      ['annotate', { text: ' a zgate ', quadranyms: [id] }, { text: ' a zgate ', quadranyms: [Number(id)] }],
      ['annotate', { text: 'a river' }, { text: 'a river' }],
      ['spin', { qode: 'a q1n', quadranyms: [id, id] }, { qode: 'a q1n', quadranyms: [gate, Number(id)] }],
      ['check', { body: 'a', qode: 'q1n_NN' }, { body: 'a', qode: 'q1n_NN' }],
    ] as const) {
      const reply = await site.ask(at(name), { method: 'POST', form })
      assert.deepEqual([reply.status, reply.json], [200, await ask(name, json)])
    }
  })

  test('{qode.open} it needs no credentials, stores nothing, and OPTIONS describes it', async () => {
    const before = (await site.ask('/api/fortune/')).json.count
    await ask('annotate', { text: 'A river runs.' })
    assert.equal((await site.ask('/api/fortune/')).json.count, before)
    const { status, json, headers } = await site.ask(at('annotate'), { method: 'OPTIONS' })
    assert.deepEqual([status, json.name, headers.allow], [200, 'Qode Annotate', ALLOW])
  })

  test('{qode.refused} texts of over 20,000 characters, wrong types, unknown ids and other methods are refused', async () => {
    for (const refused of REFUSED) {
      const { headers } = await assertRefused(site, refused)
      if (refused.status === 405) assert.equal(headers.allow, ALLOW)
    }
    await ask('parse', { qode: '😀'.repeat(20_000) })
  })
})
