/** nymdex import from a server: everything is copied, interrupted or not. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, test } from 'node:test'
import { ended } from '../support/command.ts'
import { onEachEngine, Site } from '../support/site.ts'
import { BASE, contents, pages, records, table, Workshop } from './commands.ts'

const shop = new Workshop()
const gates: Server[] = []
after(() => shop.close())
afterEach(async () => {
  for (const gate of gates.splice(0)) {
    gate.closeAllConnections()
    await new Promise((closed) => gate.close(closed))
  }
})

/** A proxy in front of a server that sees every request; `meet` may hold a request back. */
async function gateTo(
  site: Site,
  meet: (path: string) => boolean = () => true,
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const gate = createServer((incoming, outgoing) => {
    const path = incoming.url!
    asked.push(path)
    if (!meet(path)) return
    request({ host: '127.0.0.1', port: site.port, path, headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    }).end()
  })
  gates.push(gate)
  await new Promise<void>((up) => gate.listen(0, '127.0.0.1', up))
  return { url: `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`, asked }
}

const spools = () => readdirSync(shop.folder).filter((name) => name.startsWith('nymdex-import-'))

onEachEngine('Import from a server', {}, (site) => {
  // Into the other engine: the result does not depend on it.
  const here = site.database === 'SQLite' ? 'PostgreSQL' : 'SQLite'

  test('everything is copied, and with --keep-ids its pages are the same, byte for byte', async () => {
    // Gaps between ids, and votes of several people.
    for (const as of ['vera', 'Walt', 'xin']) await site.ask('/api/polynym/7/vote/', { method: 'POST', as })
    const made = await site.ask('/api/queue/', { method: 'POST', json: { name: 'for a moment' }, as: 'vera' })
    await site.ask('/api/queue/', { method: 'POST', json: { name: 'here to stay' }, as: 'vera' })
    await site.ask(new URL(made.headers.location!).pathname, { method: 'DELETE', as: 'vera' })

    const database = await shop.database(here)
    const { code, out, err } = await shop.run(database, ['import', site.base, '--keep-ids'])
    assert.deepEqual([code, err], [0, ''])
    assert.deepEqual(table(out)['polynym'], { read: 510, made: 510 })
    assert.doesNotMatch(out, /Repaired|bad|doubled|embedded|new id/)
    assert.deepEqual(spools(), [])

    const url = await shop.serve(database)
    const theirs = await pages(async (path) => (await site.ask(path, { headers: { host: new URL(BASE).host } })).text)
    const ours = await pages(async (path) => await (await fetch(new URL(path, url))).text())
    assert.equal(ours.size, theirs.size)
    for (const [path, page] of theirs) assert.equal(ours.get(path), page, path)
    assert.match(theirs.get('/api/polynym/?page=2&page_size=100')!, /"likes":3,"voters":\["xin","Walt","vera"\]/)

    if (here === 'SQLite') {
      const held = await contents(database)
      assert.doesNotMatch(await shop.works(database, ['import', `${site.base}/api/`]), /made|changed/)
      assert.equal(await contents(database), held)
    }
    assert.deepEqual(site.bugs, [])
  })
})

describe('Import that is cut off, or brings a part', () => {
  const site = new Site('SQLite')
  before(() => site.start())
  after(() => site.stop())

  test('continues where it was killed, and requests no page twice', async () => {
    const database = await shop.database('SQLite')
    let child: ReturnType<Workshop['start']> | undefined
    const gate = await gateTo(
      site,
      (path) => !(child && path.startsWith('/api/polynym/') && /page=3\b/.test(path) && child.kill('SIGKILL')),
    )
    child = shop.start(database, ['import', gate.url, '--keep-ids', '--page-size', '50'])
    assert.equal((await ended(child)).code, null)
    child = undefined
    assert.equal(spools().length, 1)
    assert.equal(await contents(database), '')

    const before = gate.asked.slice(0, -1)
    const { code, out, err } = await shop.run(database, ['import', gate.url, '--keep-ids', '--page-size', '50'])
    assert.equal(code, 0)
    assert.match(
      err,
      /^resuming the walk in .*; complete so far: .*fortune.*\nresuming polynym after 100 of 510 records\n$/,
    )
    const repeated = gate.asked.slice(before.length + 1).filter((path) => before.includes(path))
    assert.deepEqual(
      repeated,
      ['/', '/api/'].filter((path) => before.includes(path)),
    )
    assert.deepEqual(table(out)['polynym'], { read: 510, made: 510 })
    assert.deepEqual(spools(), [])

    const unbroken = await shop.database('SQLite')
    await shop.works(unbroken, ['import', gate.url, '--keep-ids'])
    assert.equal(await contents(database), await contents(unbroken))
  })

  test('--spool says where the pages are kept; --dry-run leaves them there, and the import uses them', async () => {
    const database = await shop.database('SQLite')
    const gate = await gateTo(site)
    const spool = shop.path('spool')
    const args = ['import', `${gate.url}api/queue/`, '--spool', spool]
    const dry = await shop.works(database, [...args, '--dry-run'])
    assert.deepEqual(table(dry), { queue: { read: 26, made: 26 } })
    assert.equal(await contents(database), '')
    assert.deepEqual(readdirSync(spool).sort(), ['queue.ndjson', 'state.json'])
    const { code, err } = await shop.run(database, args)
    assert.equal(code, 0)
    assert.equal(err, `resuming the walk in ${spool}; complete so far: queue\n`)
    assert.equal(gate.asked.length, 1)
    assert.equal((await records(database, 'queue')).length, 26)
    assert.ok(!existsSync(spool))
  })

  test('--collection copies one collection, and what it embeds', async () => {
    const database = await shop.database('SQLite')
    const report = table(await shop.works(database, ['import', site.base, '--collection', 'quadraset']))
    assert.deepEqual(Object.keys(report), ['quadraset', 'quadranym'])
    assert.deepEqual(report['quadraset'], { read: 46, made: 46 })
    assert.deepEqual(Object.keys(report['quadranym']!), ['embedded'])
  })

  test('an address without a catalogue is reported in one line, and leaves nothing behind', async () => {
    const database = await shop.database('SQLite')
    assert.match(
      await shop.refuses(database, ['import', `${site.base}/accounts/login/`]),
      /^http:.*\/accounts\/login\/ /,
    )
    assert.match(
      await shop.refuses(database, ['import', `${site.base}/api/quadranym-id/`]),
      /shows only a part of its records: give .*\/api\/quadranym\/ instead$/,
    )
    assert.deepEqual(spools(), [])
    assert.deepEqual(site.bugs, [])
  })
})
