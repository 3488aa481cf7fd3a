/** The order of lists: the same on both databases, whole and across pages. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

/** Each list is in the order it must come back in; it is stored in another one, so that ids do not help. */
const NAMES = [
  '"quoted"',
  '10',
  '9',
  'a_c',
  'Abc',
  'abc d',
  'abc-d',
  'ABCD',
  'b',
  'Z',
  'zz',
  'ÀB',
  'àc',
  'É',
  'Ω',
  'я',
  '中',
  // By code point a letter of the basic plane comes before one beyond it; by UTF-16 unit it would not.
  '\uff5a',
  '𝒜',
  '😀',
]

const START = 'One start, and a long one. '.repeat(8).slice(0, 199)

onEachEngine('Order', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const give = async (collection: string, json: object, as = 'gus') => {
    const { status, text, json: made } = await site.ask(`/api/${collection}/`, { method: 'POST', as, json })
    assert.equal(status, 201, text)
    return made
  }
  /** The same list must come from one page and from pages of any size. */
  async function list(collection: string): Promise<any[]> {
    const { results } = (await site.ask(`/api/${collection}/?page_size=1000`)).json
    for (const size of [1, 2, 3, 5]) {
      const walked: unknown[] = []
      for (let path = `/api/${collection}/?page_size=${size}`; path; ) {
        const { json } = await site.ask(path)
        walked.push(...json.results)
        path = json.next?.slice(site.base.length)
      }
      assert.deepEqual(walked, results)
    }
    return results
  }
  /** A fixed shuffle: the last, the first, the last but one, the second, ... */
  const shuffled = <T>(given: readonly T[]) =>
    given.map((_, i) => given[i % 2 === 0 ? given.length - 1 - i / 2 : (i - 1) / 2]!)

  const terms = { mode: 'part', p1: 'x', p2: 'y' }
  let quadranym = 0
  before(async () => {
    quadranym = (await give('quadranym', { name: 'any' })).quadranym_id
  })

  test('{order.name} {order.code-point} lists are ordered by name, lower-cased, by code point', async () => {
    for (const name of shuffled(NAMES)) await give('queue', { name })
    assert.deepEqual(
      (await list('queue')).map(({ name }) => name),
      NAMES,
    )
  })

  test('{order.src} {order.id} polynyms of one name are ordered by src, those without it first, then by id', async () => {
    const srcs = [undefined, undefined, 'Ann', 'ann', 'Bob', 'é']
    for (const [i, src] of [
      [4, 'Bob'],
      [1, undefined],
      [5, 'é'],
      [2, 'Ann'],
      [0, undefined],
      [3, 'ann'],
    ] as const) {
      await give('polynym', { name: i % 2 ? 'Same' : 'same', src, ...terms, p3: `term ${i}` })
    }
    const after = await give('polynym', { name: 'SAME again', ...terms })
    const read = await list('polynym')
    assert.deepEqual(read.map(({ src }) => src).slice(0, -1), srcs)
    assert.equal(read.at(-1).polynym_id, after.polynym_id)
    for (const [a, b] of [read.slice(0, 2), read.slice(2, 4)]) assert.ok(a.polynym_id < b.polynym_id)
  })

  test('{order.body} {order.start} fortunes and quotes are ordered by the first 200 code points of body', async () => {
    // Only the first 200 code points count, so these two keep the order of their ids.
    const tied = [`${START}😀 zebra`, `${START}😀 aardvark`]
    const bodies = ['A saying', 'a word', 'B', `${START}a`, `${START}B zebra`, ...tied, 'émigré']
    for (const body of [...tied, bodies[7]!, bodies[4]!, bodies[0]!, bodies[3]!, bodies[2]!, bodies[1]!]) {
      await give('fortune', { body })
      const qode = body.replace(/^\S+/, 'q1n_NN')
      await give('quote', { body, qode, quadranym, src: 'Gus' })
    }
    for (const collection of ['fortune', 'quote']) {
      assert.deepEqual(
        (await list(collection)).map(({ body }) => body),
        bodies,
      )
    }
  })

  test('{order.id} records of one name are ordered by id', async () => {
    const ids: number[] = []
    for (const e of ['z', 'b', 'a', 'm']) ids.push((await give('quadranym', { name: 'any', e })).quadranym_id)
    for (const collection of ['quadranym', 'quadranym-id']) {
      const read = (await list(collection)).map(({ quadranym_id }) => quadranym_id)
      assert.deepEqual(read, [quadranym, ...ids])
    }
  })

  test('{order.lines} storylines and talelines are ordered by the id of their story or tale, then by rank', async () => {
    const { phrase_id: phrase } = await give('phrase', { name: 'p', qode: 'q1n_NN' })
    const { fable_id: fable } = await give('fable', { name: 'f', qode: 'q1n_NN q2n_NN q3n_NN' })
    const line = { phrase, quadranym }
    // The first story has the last name; a line is added to it after the second story was created.
    const zebra = (await give('story', { name: 'zebra', lines: [line, line] })).story_id
    const ant = (await give('story', { name: 'ant', lines: [line, line] })).story_id
    await give('storyline', { rank: 2, story: zebra, ...line })
    const tales = [
      (await give('tale', { name: 'zebra', fable, lines: [quadranym] })).tale_id,
      (await give('tale', { name: 'ant', fable, lines: [quadranym, quadranym] })).tale_id,
    ]
    await give('taleline', { rank: 1, tale: tales[0], quadranym })
    assert.deepEqual(
      (await list('storyline')).map(({ story, rank }) => [story.story_id, rank]),
      [
        [zebra, 0],
        [zebra, 1],
        [zebra, 2],
        [ant, 0],
        [ant, 1],
      ],
    )
    assert.deepEqual(
      (await list('taleline')).map(({ tale, rank }) => [tale.tale_id, rank]),
      [
        [tales[0], 0],
        [tales[0], 1],
        [tales[1], 0],
        [tales[1], 1],
      ],
    )
  })

  test('{order.winner} winners are ordered by app, then by score, the highest first', async () => {
    const winners = [
      ['Flip', 1015, 'ann'],
      ['flip', 940, 'bob'],
      ['flip', 9, 'cid'],
      ['flip', 9, 'dot'],
      ['flip', -3, 'eve'],
      ['fourfold', 2000, 'ann'],
      ['Stairs', 1, 'bob'],
    ] as const
    for (const [, , user] of winners) await site.ask('/api/', { as: user })
    // The two with the same score are stored in the order of the list, the others in another.
    for (const i of [6, 2, 4, 0, 3, 5, 1]) {
      const [app, score, user] = winners[i]!
      await give('winner', { by: user, user, app, score, round: 1 }, 'staff')
    }
    assert.deepEqual(
      (await list('winner')).map(({ app, score, user }) => [app, score, user]),
      winners,
    )
  })
})
