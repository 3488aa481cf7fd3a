/** How near words are to each other. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { nearness } from '../../src/engine/index.ts'
import { onEachEngine } from '../support/site.ts'

onEachEngine('Feeling a text', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('words are near by meaning, in both directions', async () => {
    const near = async (one: string, other: string) => {
      const [there, back] = await Promise.all([nearness(site.engine, one, other), nearness(site.engine, other, one)])
      assert.equal(there.nearness, back.nearness)
      return there.nearness
    }
    for (const [one, other, least] of [
      ['cat', 'cats', 1],
      ['run', 'running', 1],
      ['ran', 'running', 1],
      ['car', 'automobile', 0.9],
      ['oak', 'tree', 0.5],
      ['cat', 'kitten', 0.4],
      ['happy', 'joy', 0.3],
    ] as const) {
      assert.ok((await near(one, other)) >= least, `${one} and ${other}: ${await near(one, other)}`)
    }
    for (const [one, other] of [
      ['cat', 'democracy'],
      ['hammer', 'love'],
      ['banana', 'justice'],
      ['', 'cat'],
      ['zzxq', 'cat'],
    ] as const) {
      assert.equal(await near(one, other), 0, `${one} and ${other}`)
    }
    assert.deepEqual((await nearness(site.engine, 'cat', 'kitten')).because, [
      { word: 'kitten', says: 'The definition of “kitten” has “cat”.' },
    ])
  })
})
