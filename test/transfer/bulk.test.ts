/** An import inserts new records many at a time: the result is the same as if it had taken each by itself. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { catalogue } from '../../src/catalogue/index.ts'
import type { JsonObject } from '../../src/declare/index.ts'
import { engineOn } from '../../src/engine/index.ts'
import { countWrongCounts, openStore } from '../../src/store/index.ts'
import { backUp, runImport, type Source, Unreadable } from '../../src/transfer/index.ts'
import { ENGINES, type EngineName, freshDatabase } from '../support/databases.ts'

/** Of those that others refer to: more than an import takes at a time. */
const MANY = 210
const SOME = 60

/** Records that need no care, between others that need some. */
function recordsOf(
  name: string,
  count: number,
  make: (i: number) => JsonObject,
  others: readonly JsonObject[],
): JsonObject[] {
  const plain = Array.from({ length: count }, (_, i) => make(i))
  for (const [i, other] of others.entries()) plain.splice(20 + i * 7, 0, other)
  return plain.map((body, i) => ({ ...body, [`${name}_id`]: body[`${name}_id`] ?? i + 1 }))
}

const term = (name: string) => ({ name, user: 'ada', mode: 'part', p1: 'sleeve', p2: 'collar' })
const polynyms = recordsOf(
  'polynym',
  MANY,
  (i) => ({
    ...term(`coat ${i}`),
    user: `user${i % 7}`,
    area: `area\t${i}\\`,
    voters: i % 5 ? [] : [`user${i % 3}`, 'eve'],
  }),
  [
    term('coat 3'),
    { ...term('coat 3'), user: 'user3', area: 'area\t3\\', voters: ['late'] },
    { ...term('no mode'), mode: 'sort' },
    { ...term('a gap'), p2: '', p3: 'collar' },
    { name: 'a fault', user: 'nobody', mode: 'part', p1: 'sleeve' },
    { ...term('renamed'), user: 'B C' },
    { ...term('two spellings'), user: 'Zoe' },
    { ...term('two more'), user: 'zoe' },
    { ...term('unknown'), colour: 'red', likes: 3 },
    { ...term('twice the id'), polynym_id: 1 },
    { ...term('no id'), polynym_id: 'x' },
    { ...term('owner is a number'), user: 7 },
    { ...term('voters'), likes: 2, voters: ['eve', 'Eve', 'new voter', 'ada'] },
  ],
)
const polysets = recordsOf(
  'polyset',
  SOME,
  (i) => ({ name: `set ${i}`, user: 'ada', polynyms: [i + 1, `${i + 2}`, { polynym_id: 9 }] }),
  [
    { name: 'embeds', user: 'ada', polynyms: [{ ...term('embedded'), polynym_id: 5000 }] },
    { name: 'missing', user: 'nobody else', polynyms: [4000] },
    { name: 'by name', user: 'ada', polynyms: ['coat 8'] },
    { name: 'set 4', user: 'ADA', polynyms: [1] },
  ],
)
const stories = recordsOf('story', SOME, (i) => ({ name: `story ${i}`, user: 'ada' }), [
  { name: 'with lines', user: 'ada', lines: [] },
])

/** What the first, the second and the third import have. The third has new records with values that exist. */
const CHANGES: readonly ((body: JsonObject, i: number, name: string) => JsonObject)[] = [
  (body) => body,
  (body, i, name) => (i % 3 === 0 && name !== 'polynym' ? { ...body, src: 'changed' } : body),
  (body, i, name) => (name === 'polynym' ? { ...body, name: `more ${i}`, polynym_id: 10_000 + i } : body),
]

interface Taken {
  readonly reports: unknown
  readonly faults: readonly string[]
  readonly content: readonly unknown[]
}

/** Imports everything twice, the second time with changes; `alone` keeps records from being taken together. */
async function taken(engine: EngineName, keepIds: boolean, alone: boolean): Promise<Taken> {
  const database = await freshDatabase(engine, { sample: false, tables: true })
  const store = await openStore(database.url, catalogue)
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-bulk-'))
  try {
    const faults: string[] = []
    const reports = []
    for (const change of CHANGES) {
      const sources = Object.entries({ polynym: polynyms, polyset: polysets, story: stories }).map(
        ([name, bodies]): Source => ({
          name,
          resource: catalogue.find((resource) => resource.name === name),
          size: 0,
          *items() {
            for (const [i, body] of bodies.entries()) {
              const found = change(body, i, name)
              yield { line: i + 1, end: i, found }
              if (alone) yield { line: 0, end: i, found: new Unreadable('between') }
            }
          },
        }),
      )
      const report = await runImport(engineOn(store, catalogue), sources, {
        keepIds,
        onFault: ({ file, line, reason }) => line > 0 && faults.push(`${file}:${line}: ${reason}`),
      })
      const counts = Array.from(report.collections, ([name, { read: _, bad: __, ...rest }]) => [name, rest])
      reports.push({ counts, repairs: [...report.repairs.values()], renumbered: report.renumbered })
    }
    for (const resource of catalogue) {
      const wrong = await store.read(() => countWrongCounts(store.records, resource))
      assert.equal(wrong, 0, `counters of ${resource.name}`)
    }
    const file = join(folder, 'all.backup')
    await backUp(engineOn(store, catalogue), file, { force: true })
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n').slice(1, -1)
    return { reports, faults, content: lines.map((line) => timeless(JSON.parse(line))) }
  } finally {
    await store.close()
    rmSync(folder, { recursive: true })
    await database.drop()
  }
}

/** Without times, and without the sets, which are one for each transaction. */
function timeless({ columns, ...line }: { readonly columns?: Record<string, unknown> }) {
  const { at: _, changeset: __, created, changed, joined: ___, ...rest } = columns ?? {}
  return { ...line, ...rest, isNew: created === changed }
}

for (const engine of ENGINES) {
  for (const keepIds of [false, true]) {
    test(`an import of many records is like one of each (${engine}${keepIds ? ', ids kept' : ''})`, async () => {
      const [together, alone] = [await taken(engine, keepIds, false), await taken(engine, keepIds, true)]
      assert.deepEqual(together.faults, alone.faults)
      assert.deepEqual(together.reports, alone.reports)
      assert.deepEqual(together.content, alone.content)
      assert.ok(together.faults.length > 5 && together.content.length > 900, String(together.content.length))
    })
  }
}
