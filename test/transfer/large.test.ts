/** nymdex import of many records: interrupted, partly damaged, or from WordNet. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { catalogue } from '../../src/catalogue/index.ts'
import { openStore } from '../../src/store/index.ts'
import { ended } from '../support/command.ts'
import { contents, ENGINES, polynym, records, table, Workshop } from './commands.ts'

const shop = new Workshop()
after(() => shop.close())

for (const engine of ENGINES) {
  describe(`Killing (${engine})`, () => {
    test('an import that is killed leaves a working database, and running it again completes it', async () => {
      const lines = engine === 'SQLite' ? 4_000 : 2_000
      const file = shop.file(
        'polynym.ndjson',
        Array.from({ length: lines }, (_, i) => ({
          ...polynym(i),
          voters: i % 100 ? [] : ['una', 'vic'],
          polynym_id: i * 2 + 7,
        })),
      )
      const [broken, whole] = await Promise.all([shop.database(engine), shop.database(engine)])
      const store = await openStore(broken, catalogue)
      const resource = catalogue.find(({ name }) => name === 'polynym')!
      const count = () => store.read(() => store.records.count({ resource }))
      const child = shop.start(broken, ['import', file, '--keep-ids'])
      const killed = ended(child)
      // Only the database shows that a batch is committed.
      while ((await count()) === 0) await setTimeout(5)
      child.kill('SIGKILL')
      assert.equal((await killed).code, null)
      assert.ok((await count()) < lines)
      await store.close()
      // It contains whole batches, which can be read.
      const half = (await contents(broken)).split('\n').length - 1
      assert.ok(half > 0 && half % 200 === 0, `${half} are in`)

      const [again] = await Promise.all(
        [broken, whole].map((database) => shop.works(database, ['import', file, '--keep-ids'])),
      )
      const { made = 0, same = 0 } = table(again!)['polynym']!
      assert.ok(same >= half && made > 0)
      assert.equal(made + same, lines)
      assert.equal(await contents(broken), await contents(whole))
    })
  })
}

describe('Damage', () => {
  const [LINES, BAD] = [2_000, 20]
  test('in one line of a hundred: each is reported once with its line and member, all others are imported', async () => {
    const database = await shop.database('SQLite')
    const damages = [
      (line: string) => [line.slice(0, 20), /^not JSON: /],
      (line: string) => [line.replaceAll(/"p([12])":"[^"]*"/g, '"p$1":{}'), /^p1: Not a valid string\.; p2: /],
      (line: string) => [line.replace(/"name":"[^"]*"/, '"name":""'), /^name: This field may not be blank\.$/],
      () => ['[]', /^not an object$/],
    ] as const
    const expected = new Map<number, RegExp>()
    const lines = Array.from({ length: LINES }, (_, i) => {
      const line = JSON.stringify(polynym(i))
      if (i % 100 !== 42) return line
      const [damaged, reason] = damages[expected.size % damages.length]!(line)
      expected.set(i + 1, reason as RegExp)
      return damaged as string
    })
    const { code, out, err } = await shop.run(database, [
      'import',
      shop.file('polynym.ndjson', `${lines.join('\n')}\n`),
    ])
    assert.equal(code, 1)
    assert.deepEqual(table(out), { polynym: { read: LINES, made: LINES - BAD, bad: BAD } })
    assert.ok(out.endsWith(`\n${BAD} records were not imported: see above for the lines and reasons.\n`), out)
    const faults = err
      .trimEnd()
      .split('\n')
      .map((line) => /^polynym\.ndjson:(\d+): (.*)$/.exec(line)!)
    assert.deepEqual(
      faults.map(([, line]) => Number(line)),
      [...expected.keys()],
    )
    for (const [, line, reason] of faults) assert.match(reason!, expected.get(Number(line))!)
    const names = new Set((await records(database, 'polynym')).map(({ name }) => name))
    assert.equal(names.size, LINES - BAD)
    assert.ok(!names.has('set 42') && names.has('set 43'))
  })
})

describe('WordNet', () => {
  test('gives more than ten thousand polynyms; its quadranyms mark texts', async () => {
    const database = await shop.database('SQLite')
    const output = await shop.works(database, ['import', 'wordnet'])
    assert.match(output, /^111,394 synonyms for search\n77,322 words with the words that have to do with them$/m)
    assert.deepEqual(table(output), { polynym: { read: 14_181, made: 14_181 }, quadranym: { read: 337, made: 337 } })
    await shop.works(database, ['import', shop.file('fortunes', 'It is hot, not cold.\n%\n')])
    const [fortune] = await records(database, 'fortune')
    const [{ e, r }] = fortune.q2
    assert.deepEqual([fortune.qode, e, r], ['It is q1e_JJ, not q1r_JJ.', 'hot', 'cold'])
  })
})
