/**
 * Runs the recipes of docs/clients.md. quadranyms.ts is compiled and run in test/openapi/tools.test.ts;
 * data-provider.js needs react-admin, with which `npm run bench -- clients` runs it.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ended } from '../support/command.ts'
import { Site } from '../support/site.ts'
import { recipes } from './blocks.ts'

/** Three pages, and then the client has to wait for one second. */
const BUSY = { signIns: undefined, signUps: undefined, writes: undefined, reads: { count: 3, seconds: 1 } }

describe('Recipes for clients', () => {
  const folder = mkdtempSync(join(tmpdir(), 'nymdex-recipes-'))
  const site = new Site('SQLite', { settings: { limits: BUSY } })
  before(async () => {
    await site.start()
    for (const [name, source] of recipes()) writeFileSync(join(folder, name), source)
  })
  after(async () => {
    await site.stop()
    rmSync(folder, { recursive: true })
    assert.deepEqual(site.bugs, [])
  })

  test('docs/clients.md has the recipes that are tested', () => {
    assert.deepEqual([...recipes().keys()], ['read_all.py', 'quadranyms.ts', 'with-ids.js', 'data-provider.js'])
  })

  test('Python reads every record, and tries again when the server is busy', async () => {
    // A whole number: adding 1000 to a fraction may round to a moment before the end of the wait.
    site.ticks = Math.ceil(performance.now())
    let refused = 0
    // Time stops, and continues when the client has been told to wait.
    site.accessLog.push = ({ status }) => {
      if (status !== 429) return 0
      site.ticks! += 1000
      return ++refused
    }
    const child = spawn('python3', [join(folder, 'read_all.py'), site.base])
    child.once('error', () =>
      assert.fail('This test runs a recipe in Python: install Python 3 so that "python3" starts it.'),
    )
    const { code, out, err } = await ended(child)
    assert.deepEqual([code, err], [0, ''])
    const lines = out.trimEnd().split('\n')
    assert.equal(lines.length, 510)
    assert.deepEqual([lines[0]!.split(' ')[0], lines[192]], ['1', '193 Elements'])
    assert.equal(refused, 1)
  })

  test('with-ids.js gives every record an id', async () => {
    const { withIds } = await import(pathToFileURL(join(folder, 'with-ids.js')).href)
    const fetchJson = async (path: string) => {
      const { status, text } = await site.ask(path)
      return { status, json: text === '' ? undefined : JSON.parse(text) }
    }
    // The Python client has used up its reads, so this begins when the next ones are allowed.
    site.ticks = (site.ticks ?? Math.ceil(performance.now())) + 1000
    const { status, json } = await withIds(fetchJson)('/api/polynym/?page_size=2')
    assert.equal(status, 200)
    for (const record of json.results) assert.equal(record.id, record.polynym_id)
    assert.equal(json.count, 510)
    assert.equal((await withIds(fetchJson)('/api/quadranym-id/7/')).json.id, 7)
    assert.equal((await withIds(async () => ({ status: 204 }))('/api/polynym/1/')).json, undefined)
  })
})
