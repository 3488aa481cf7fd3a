/** /tell/: stories and tales as one text. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, BAD_PATH, NOT_FOUND, type Refused, wrongMethods } from '../words/refused.ts'
import { all, make, read } from '../writing/fixtures.ts'
import { assertSpans, wordsAt } from './spans.ts'

const ALLOW = 'GET, HEAD, OPTIONS'

const REFUSED: readonly Refused[] = ['story', 'tale'].flatMap((name) => [
  ...['99999999', '0', '-1', 'abc', '9'.repeat(30), '%00'].map((id) => {
    return { ask: `/api/${name}/${id}/tell/`, status: 404, says: NOT_FOUND }
  }),
  { ask: `/api/${name}/%ff/tell/`, status: 400, says: BAD_PATH },
  { ask: `/api/${name}/1/tell/?format=xml`, status: 404, says: NOT_FOUND },
  ...wrongMethods(`/api/${name}/1/tell/`, ALLOW),
])

onEachEngine('Telling', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let gate: any, wave: any, line: any, pause: any, title: any
  before(async () => {
    gate = await make(site, 'quadranym', { name: 'gate', e: 'open', r: 'close', o: 'hinge', s: '😀 toll' })
    wave = await make(site, 'quadranym', { name: 'wave', e: 'rise', r: 'fall', o: 'water', s: 'awe' })
    line = await make(site, 'phrase', { name: 'line', qode: 'The q1n_NN q1e_VBZ; 🌊 q1s_NN.' })
    pause = await make(site, 'phrase', { name: '-', qode: '* * *' })
    title = await make(site, 'phrase', { name: '-', qode: 'Of q1n_NNS' })
  })

  const story = async (name: string, ...lines: [phrase: any, quadranym: any][]) => {
    const given = lines.map(([{ phrase_id }, { quadranym_id }]) => ({ phrase: phrase_id, quadranym: quadranym_id }))
    const { story_id } = await make(site, 'story', { name, lines: given })
    return await read(site, `/api/story/${story_id}/tell/`)
  }

  test('{tell.story} a story is its lines one after the other, with spans and the start of each line', async () => {
    assert.deepEqual(await story('Two lines', [line, gate], [line, wave]), {
      text: 'The gate opens; 🌊 😀 toll. The wave rises; 🌊 awe.',
      spans: [
        { offset: 4, length: 4, index: 1, slot: 'n', token: 'q1n_NN' },
        { offset: 9, length: 5, index: 1, slot: 'e', token: 'q1e_VBZ' },
        { offset: 18, length: 6, index: 1, slot: 's', token: 'q1s_NN' },
        { offset: 30, length: 4, index: 1, slot: 'n', token: 'q1n_NN' },
        { offset: 35, length: 5, index: 1, slot: 'e', token: 'q1e_VBZ' },
        { offset: 44, length: 3, index: 1, slot: 's', token: 'q1s_NN' },
      ],
      lines: [
        {
          rank: 0,
          offset: 0,
          text: 'The gate opens; 🌊 😀 toll.',
          phrase_id: line.phrase_id,
          quadranym_id: gate.quadranym_id,
        },
        {
          rank: 1,
          offset: 26,
          text: 'The wave rises; 🌊 awe.',
          phrase_id: line.phrase_id,
          quadranym_id: wave.quadranym_id,
        },
      ],
    })
  })

  test('{tell.break} the phrase named - begins a new paragraph, with its words if it has any', async () => {
    const silent = await story(
      'Silent',
      [pause, gate],
      [line, wave],
      [pause, gate],
      [pause, gate],
      [line, wave],
      [pause, wave],
    )
    assert.equal(silent.text, 'The wave rises; 🌊 awe.\n\nThe wave rises; 🌊 awe.')
    assert.deepEqual(
      silent.lines.map(({ rank, offset, text }: any) => [rank, offset, text]),
      [
        [0, 0, ''],
        [1, 0, 'The wave rises; 🌊 awe.'],
        [2, 22, ''],
        [3, 22, ''],
        [4, 24, 'The wave rises; 🌊 awe.'],
        [5, 46, ''],
      ],
    )
    const titled = await story('Titled', [title, gate], [line, wave], [line, wave], [title, wave], [line, wave])
    const said = 'The wave rises; 🌊 awe.'
    assert.equal(titled.text, `Of gates\n\n${said} ${said}\n\nOf waves\n\n${said}`)
    assert.equal(wordsAt(titled)[0], 'gates')
    assert.equal(wordsAt(titled).at(-1), 'awe')
  })

  test('{tell.empty} a story without lines is an empty text', async () => {
    assert.deepEqual(await story('Empty'), { text: '', spans: [], lines: [] })
  })

  test('{tell.tale} a tale is its fable, each topic told with the quadranym of its line', async () => {
    const { fable_id } = await make(site, 'fable', { name: 'f', qode: '𝒳 A q1n met a q2n. q2e_VBG, q1r_VBG.' })
    const lines = [gate.quadranym_id, wave.quadranym_id]
    const { tale_id } = await make(site, 'tale', { name: 't', fable: fable_id, lines })
    const told = await read(site, `/api/tale/${tale_id}/tell/`)
    assert.deepEqual(told, {
      text: '𝒳 A gate met a wave. Rising, closing.',
      spans: [
        { offset: 4, length: 4, index: 1, slot: 'n', token: 'q1n' },
        { offset: 15, length: 4, index: 2, slot: 'n', token: 'q2n' },
        { offset: 21, length: 6, index: 2, slot: 'e', token: 'q2e_VBG' },
        { offset: 29, length: 7, index: 1, slot: 'r', token: 'q1r_VBG' },
      ],
      lines: [
        { rank: 0, quadranym_id: gate.quadranym_id },
        { rank: 1, quadranym_id: wave.quadranym_id },
      ],
    })
  })

  test('{tell.missing} a topic without its line shows as its token, and no other line takes its place', async () => {
    const { fable_id } = await make(site, 'fable', { name: 'g', qode: 'The q1n and the q3n and the q5n.' })
    const { tale_id } = await make(site, 'tale', { name: 'gaps', fable: fable_id, lines: [] })
    const tell = async () => (await read(site, `/api/tale/${tale_id}/tell/`)).text
    assert.equal(await tell(), 'The q1n and the q3n and the q5n.')
    const add = (rank: number, { quadranym_id }: any) => {
      return make(site, 'taleline', { rank, tale: tale_id, quadranym: quadranym_id })
    }
    await add(1, wave)
    assert.equal(await tell(), 'The q1n and the q3n and the q5n.')
    await add(2, gate)
    assert.equal(await tell(), 'The q1n and the gate and the q5n.')
    await add(0, wave)
    await add(7, wave)
    assert.equal(await tell(), 'The wave and the gate and the q5n.')
  })

  test('{tell.spans} in every story and tale of the sample, each span has the term of its slot', async () => {
    for (const { story_id } of await all(site, 'story')) {
      const told = await read(site, `/api/story/${story_id}/tell/`)
      const { results: lines } = await read(site, `/api/storyline/?story=${story_id}&page_size=1000`)
      assertSpans(told, ({ offset }) => {
        const rank = told.lines.findLastIndex((each: any) => each.text !== '' && each.offset <= offset)
        return lines[rank].quadranym
      })
      for (const { offset, text } of told.lines) {
        assert.equal([...told.text].slice(offset, offset + [...text].length).join(''), text)
      }
    }
    for (const { tale_id, name } of await all(site, 'tale')) {
      if (name === 'gaps') continue
      const { results: lines } = await read(site, `/api/taleline/?tale=${tale_id}&page_size=1000`)
      assertSpans(await read(site, `/api/tale/${tale_id}/tell/`), ({ index }) => lines[index - 1].quadranym)
    }
  })

  test('{tell.plain} a client that asks for text/plain, or format=txt, gets only the text', async () => {
    for (const name of ['story', 'tale']) {
      const { text } = await read(site, `/api/${name}/2/tell/`)
      for (const reply of [
        await site.ask(`/api/${name}/2/tell/`, { headers: { accept: 'text/plain' } }),
        await site.ask(`/api/${name}/2/tell/?format=txt`),
      ]) {
        assert.deepEqual([reply.text, reply.headers['content-type']], [`${text}\n`, 'text/plain; charset=utf-8'])
      }
    }
  })

  test('{tell.refused} unknown records and other methods are refused', async () => {
    for (const refused of REFUSED) {
      const { headers } = await assertRefused(site, refused)
      if (refused.status === 405) assert.equal(headers.allow, ALLOW)
    }
    for (const kind of ['fortune', 'phrase', 'storyline']) {
      await assertRefused(site, { ask: `/api/${kind}/1/tell/`, status: 404, says: NOT_FOUND })
    }
  })
})
