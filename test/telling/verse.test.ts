/** /api/qode/verse/: phrases told with quadranyms, by phrase, by topic, or zipped. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, REQUIRED, type Refused, wrongMethods } from '../words/refused.ts'
import { make } from '../writing/fixtures.ts'
import { badBodies, badRecords, wordsAt } from './spans.ts'

const PATH = '/api/qode/verse/'
const ALLOW = 'POST, OPTIONS'

const REFUSED: readonly Refused[] = [
  { ask: `POST ${PATH}`, status: 400, says: { phrases: REQUIRED, quadranyms: REQUIRED } },
  ...(['phrases', 'quadranyms'] as const).map((member) => ({
    ask: `POST ${PATH}`,
    json: { phrases: [1], quadranyms: [1], [member]: [] },
    status: 400,
    says: { [member]: ['This list may not be empty.'] },
  })),
  ...badRecords(PATH, 'phrases', 100, { quadranyms: [1] }),
  ...badRecords(PATH, 'quadranyms', 50, { phrases: [1] }),
  ...['pairs', 'ZIP', 7, true, ['zip']].map((by) => ({
    ask: `POST ${PATH}`,
    json: { phrases: [1], quadranyms: [1], by },
    status: 400,
    says: { by: [`"${typeof by === 'string' ? by : JSON.stringify(by)}" is not a valid choice.`] },
  })),
  {
    ask: `POST ${PATH}`,
    json: { phrases: Array(100).fill(1), quadranyms: Array(11).fill(1) },
    status: 400,
    says: { phrases: ['That would make more than 1000 lines.'] },
  },
  ...badBodies(PATH),
  ...wrongMethods(PATH, ALLOW),
]

onEachEngine('Verse', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let phrases: number[]
  let quadranyms: number[]
  before(async () => {
    const phrase = async (qode: string) => (await make(site, 'phrase', { name: 'v', qode })).phrase_id
    const quadranym = async (name: string, e: string) => {
      return (await make(site, 'quadranym', { name, e, r: '', o: '', s: '' })).quadranym_id
    }
    phrases = [await phrase('😀 An q1n_NN.'), await phrase('It q1e_VBZ!'), await phrase('q1n, q1n.')]
    quadranyms = [await quadranym('owl', 'hoot'), await quadranym('𝒟og', 'bark')]
  })

  const verse = async (body: object) => {
    const reply = await site.ask(PATH, { method: 'POST', json: body })
    assert.equal(reply.status, 200, reply.text)
    return reply.json
  }

  test('{qode.verse} a stanza for each phrase, a line for each topic; with text, spans and the start of each line', async () => {
    const [p, r] = phrases as [number, number]
    const [q, s] = quadranyms as [number, number]
    const told = {
      text: '😀 An owl.\n😀 A 𝒟og.\n\nIt hoots!\nIt barks!',
      spans: [
        { offset: 5, length: 3, index: 1, slot: 'n', token: 'q1n_NN' },
        { offset: 14, length: 3, index: 1, slot: 'n', token: 'q1n_NN' },
        { offset: 23, length: 5, index: 1, slot: 'e', token: 'q1e_VBZ' },
        { offset: 33, length: 5, index: 1, slot: 'e', token: 'q1e_VBZ' },
      ],
      stanzas: [
        [
          { offset: 0, text: '😀 An owl.', phrase_id: p, quadranym_id: q },
          { offset: 10, text: '😀 A 𝒟og.', phrase_id: p, quadranym_id: s },
        ],
        [
          { offset: 20, text: 'It hoots!', phrase_id: r, quadranym_id: q },
          { offset: 30, text: 'It barks!', phrase_id: r, quadranym_id: s },
        ],
      ],
    }
    const body = { phrases: phrases.slice(0, 2), quadranyms }
    for (const by of [undefined, '', null, 'phrase']) assert.deepEqual(await verse({ ...body, by }), told)
  })

  test('{qode.verse-by} by=topic has a stanza for each topic, by=zip one stanza of both side by side', async () => {
    const topics = await verse({ phrases, quadranyms, by: 'topic' })
    assert.equal(topics.text, '😀 An owl.\nIt hoots!\nOwl, owl.\n\n😀 A 𝒟og.\nIt barks!\n𝒟og, 𝒟og.')
    assert.deepEqual(
      topics.stanzas.map((stanza: any) => stanza.length),
      [3, 3],
    )
    const zipped = await verse({ phrases, quadranyms, by: 'zip' })
    assert.equal(zipped.text, '😀 An owl.\nIt barks!\nOwl, owl.')
    assert.deepEqual(wordsAt(zipped), ['owl', 'barks', 'Owl', 'owl'])
    assert.equal(zipped.stanzas.length, 1)
  })

  test('{qode.verse-repeats} repeated input is told twice, and zipped the shorter list starts over', async () => {
    const [phrase] = phrases as [number]
    const [q, s] = quadranyms as [number, number]
    assert.equal((await verse({ phrases: [phrase, phrase], quadranyms: [q] })).text, '😀 An owl.\n\n😀 An owl.')
    assert.equal((await verse({ phrases: [phrase], quadranyms: [q, s, q], by: 'zip' })).stanzas[0].length, 3)
    // Zipped it stays short, so the longest lists are allowed.
    const most = await verse({ phrases: Array(100).fill(phrase), quadranyms: Array(50).fill(q), by: 'zip' })
    assert.equal(most.stanzas[0].length, 100)
  })

  test('{qode.forms} a form works like JSON, and ids may be objects that have the id', async () => {
    const body = { phrases, quadranyms, by: 'zip' }
    const form = { phrases: phrases.map(String), quadranyms: quadranyms.map(String), by: 'zip' }
    const asForm = await site.ask(PATH, { method: 'POST', form })
    assert.deepEqual(asForm.json, await verse(body))
    const objects = quadranyms.map((quadranym_id) => ({ quadranym_id }))
    assert.deepEqual(await verse({ ...body, quadranyms: objects }), asForm.json)
  })

  test('{qode.verse-refused} lists that are empty, too long or wrong are refused with the reason', async () => {
    for (const refused of REFUSED) {
      const { headers } = await assertRefused(site, refused)
      if (refused.status === 405) assert.equal(headers.allow, ALLOW)
    }
  })
})
