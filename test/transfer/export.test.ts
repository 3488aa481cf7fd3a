/** nymdex export: every complete format restores the same catalogue, byte for byte. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import type { EngineName } from '../support/databases.ts'
import { contents, ENGINES, ndjson, pages, records, table, Workshop } from './commands.ts'

const shop = new Workshop()
after(() => shop.close())

/** What the sample catalogue does not have: gaps between ids, votes, odd texts, rows that no longer match. */
const ODDITIES = [
  {
    name: 'odd',
    user: 'Zoë',
    mode: 'part',
    p1: 'a, "b"\n\tc;',
    p2: "%\n'd' \u2028 🦉",
    voters: ['b', 'a'],
    polynym_id: 5000,
  },
  { name: 'even', user: 'ann@x', src: '=1+1', mode: 'step', p1: '0', p2: '007', polynym_id: 4000 },
  { name: 'stale', user: 'ann@x', pa: 5000, pb: 4000, r1: 'gone,IsA,0', polymap_id: 900 },
  { name: 'blank', user: 'ann@x', e: '', r: '____', o: '', s: '', quadranym_id: 4400 },
  { body: '%\nOpen\n%% not a comment\n -- Anon', user: 'b', fortune_id: 7000 },
  { name: 'later', user: 'b', queue_id: 300 },
  { by: 'B', user: 'b', app: 'a game', score: 9, round: 1, winner_id: 20 },
]

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

describe('Export and import', () => {
  const databases = new Map<EngineName, string>()
  let all = ''
  before(async () => {
    for (const engine of ENGINES) {
      const database = await shop.database(engine, { sample: true })
      databases.set(engine, database)
      const { code, out } = await shop.run(database, ['import', '-', '--keep-ids'], ndjson(ODDITIES))
      assert.equal(code, 0, out)
      assert.match(out, /\npolymap, kept as stored \(1\): /)
      all ||= await contents(database)
      assert.equal(await contents(database), all)
    }
  })

  for (const format of ['ndjson', 'json', 'csv']) {
    test(`${format}: what PostgreSQL exports is the same after an import into an empty SQLite, with its checksums`, async () => {
      const database = databases.get('PostgreSQL')!
      const [out, again] = [shop.path(format), shop.path(format)]
      const { code, out: printed, err } = await shop.run(database, ['export', '--format', format, '--out', out])
      assert.deepEqual([code, printed], [0, ''])
      const names = readdirSync(out).filter((name) => name !== 'SHA256SUMS')
      assert.deepEqual(names.sort(), catalogue.map(({ name }) => `${name}.${format}`).sort())
      const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n')
      assert.deepEqual(sums.sort(), names.map((name) => `${sha256(join(out, name))}  ${name}`).sort())
      assert.ok(err.includes(`${join(out, `polynym.${format}`)}: 512 records\n`), err)

      const copy = await shop.database('SQLite')
      const report = await shop.works(copy, ['import', out, '--keep-ids'])
      assert.deepEqual(Object.keys(table(report)).length, catalogue.length)
      await shop.run(copy, ['export', '--format', format, '--out', again])
      assert.equal(readFileSync(join(again, 'SHA256SUMS'), 'utf8'), readFileSync(join(out, 'SHA256SUMS'), 'utf8'))
      assert.equal(await contents(copy), all)
    })
  }

  test('after export and import the pages of a catalogue are the same, byte for byte, and so is the next id', async () => {
    const database = databases.get('SQLite')!
    const file = join(shop.files({}), 'all.json')
    const { err } = await shop.run(database, ['export', '--out', file])
    assert.match(err, /all\.json: [\d,]+ records\n$/)
    assert.equal(readFileSync(`${file}.sha256`, 'utf8'), `${sha256(file)}  all.json\n`)
    assert.ok(!existsSync(`${file}.partial`))
    const copy = await shop.database('PostgreSQL')
    await shop.works(copy, ['import', file, '--keep-ids'])
    const [theirs, ours] = await Promise.all(
      [database, copy].map(async (each) => {
        const url = await shop.serve(each)
        return await pages(async (path) => await (await fetch(new URL(path, url))).text())
      }),
    )
    assert.equal(theirs!.size, ours!.size)
    for (const [path, page] of theirs!) assert.equal(ours!.get(path), page, path)
    await Promise.all(
      [database, copy].map((each) => shop.works(each, ['import', '-'], ndjson([{ ...ODDITIES[1], name: 'next' }]))),
    )
    assert.equal((await records(copy, 'polynym')).at(-1).polynym_id, 5001)
    assert.equal(await contents(copy), await contents(database))
  })
})

describe('An export', () => {
  let database = ''
  before(async () => {
    database = await shop.database('SQLite', { sample: true })
  })

  test('goes to standard output as NDJSON in the order of ids, referenced collections first', async () => {
    const { code, out, err } = await shop.run(database, ['export', 'polyset', 'polynym'])
    assert.equal(code, 0)
    const ids = out
      .trimEnd()
      .split('\n')
      .map((line) => Object.entries(JSON.parse(line)).at(-1)!)
    const sorted = ids.toSorted(([a, i], [b, j]) => (a === b ? Number(i) - Number(j) : a < b ? -1 : 1))
    assert.deepEqual(ids, sorted)
    assert.equal(err, `${ids.length} records, sha256 ${createHash('sha256').update(out).digest('hex')}\n`)
    assert.equal((await shop.run(database, ['export', 'polynym', 'polyset'])).out, out)
  })

  test('as fortune file is the text alone, which fortune reads, with the author of a quote after a dash', async () => {
    const folder = shop.path('fortunes')
    await shop.run(database, ['export', '--format', 'fortune', '--out', folder])
    assert.deepEqual(readdirSync(folder).sort(), ['SHA256SUMS', 'fortune.fortune', 'quote.fortune'])
    const quotes = await records(database, 'quote')
    assert.equal(
      readFileSync(join(folder, 'quote.fortune'), 'utf8'),
      quotes.map(({ body, src }) => `${body}\n\t\t-- ${src}\n%\n`).join(''),
    )
    const copy = await shop.database('SQLite')
    await shop.works(copy, ['import', join(folder, 'fortune.fortune')])
    const bodies = async (each: string) => (await records(each, 'fortune')).map(({ body }) => body)
    assert.deepEqual(await bodies(copy), await bodies(database))
  })

  test('stops without a message when its reader closes the pipe', async () => {
    const child = shop.start(database, ['export'])
    let err = ''
    child.stderr!.on('data', (chunk) => (err += chunk))
    child.stdout!.once('data', () => child.stdout!.destroy())
    const code = await new Promise((done) => child.once('exit', done))
    assert.deepEqual([code, err], [0, ''])
  })

  test('to a full disk is one line, and leaves nothing there', { skip: !existsSync('/dev/full') }, async () => {
    const file = join(shop.folder, 'full.ndjson')
    symlinkSync('/dev/full', `${file}.partial`)
    const said = await shop.refuses(database, ['export', 'polynym', '--out', file])
    assert.equal(said, `${file} cannot be written: ENOSPC: no space left on device, write`)
    assert.deepEqual(
      readdirSync(shop.folder).filter((name) => name.startsWith('full')),
      [],
    )
  })

  test('must have a target, which must suit the format', async () => {
    const refuses = (...args: string[]) => shop.refuses(database, ['export', ...args])
    assert.deepEqual(
      await Promise.all([
        refuses('polygon'),
        refuses('--format', 'fortune', 'polynym'),
        refuses('--format', 'csv', 'polynym', 'queue'),
        shop.refuses(`sqlite:${join(shop.folder, 'none.db')}`, ['export']),
      ]),
      [
        `there is no collection "polygon"; there are ${catalogue.map(({ name }) => name).join(', ')}`,
        'a polynym is not a text, so it cannot be written as fortune',
        'a CSV file holds one collection: name one, or give a folder with --out',
        `there is no database ${join(shop.folder, 'none.db')}`,
      ],
    )
  })
})
