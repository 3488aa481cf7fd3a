/** What other people's tools do with the document: a linter, and a client generator. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { AccountDesk, accountNamed } from '../../src/engine/index.ts'
import { recipes } from '../clients/blocks.ts'
import { onEachEngine, Site } from '../support/site.ts'

const folder = mkdtempSync(join(tmpdir(), 'nymdex-openapi-'))
const file = join(folder, 'openapi.json')
const part = join(folder, 'fortune.yaml')
after(() => rmSync(folder, { recursive: true }))

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(program: string, options: readonly string[], cwd = process.cwd()): Promise<Ran> {
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const settings = { cwd, env: { ...process.env, ...quiet }, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((ran) => {
    execFile(process.execPath, [program, ...options], settings, (error, out, err) => {
      ran({ code: error ? Number(error.code) : 0, out, err })
    })
  })
}

const REDOCLY = resolve('node_modules/@redocly/cli/bin/cli.js')

const served = new Site('SQLite')
before(async () => {
  await served.start()
  writeFileSync(file, (await served.ask('/api/schema/')).text)
  writeFileSync(part, (await served.ask('/api/schema.yaml?collection=fortune')).text)
})
after(() => served.stop())

test('{openapi.lint} {openapi.part} the linter of Redocly finds no fault in the document, nor in a part of it', async () => {
  const files = [file, part]
  const { code, out, err } = await run(REDOCLY, [
    'lint',
    ...files,
    `--config=${resolve('redocly.yaml')}`,
    '--format=json',
  ])
  assert.equal(code, 0, err + out)
  // One report after the other.
  const totals = Array.from(out.matchAll(/"totals": (\{[^}]*\})/g), ([, each]) => JSON.parse(each!))
  const none = { errors: 0, warnings: 0, ignored: 0 }
  assert.deepEqual(totals, [none, none])
})

test('{openapi.lint} of its recommended rules only the one against trailing slashes is off', () => {
  const said = readFileSync('redocly.yaml', 'utf8').replaceAll(/^\s*#.*\n/gm, '')
  assert.equal(said, 'extends:\n  - recommended\nrules:\n  no-path-trailing-slash: off\n')
})

/** The client's source next to the types that a common tool generates from the document. */
const made = (async () => {
  mkdirSync(join(folder, 'client'))
  symlinkSync(resolve('node_modules'), join(folder, 'client', 'node_modules'))
  writeFileSync(join(folder, 'client', 'package.json'), '{"type":"module"}')
  const source = join(folder, 'client', 'client.ts')
  copyFileSync(join(import.meta.dirname, 'client.ts.txt'), source)
  writeFileSync(join(folder, 'client', 'quadranyms.ts'), recipes().get('quadranyms.ts')!)
  return source
})()

test('{openapi.client} {openapi.small} generated types compile, and reject wrong uses of the interface', async () => {
  const source = await made
  const types = join(folder, 'client', 'schema.d.ts')
  const hook = pathToFileURL(resolve('test/support/old-compiler.ts')).href
  const generated = await run('--import', [
    hook,
    resolve('node_modules/openapi-typescript/bin/cli.js'),
    file,
    '-o',
    types,
  ])
  assert.equal(generated.code, 0, generated.err + generated.out)
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--verbatimModuleSyntax']
  const modules = ['--module', 'nodenext', '--target', 'esnext', '--lib', 'esnext,dom', '--allowImportingTsExtensions']
  const sources = [source, join(folder, 'client', 'quadranyms.ts')]
  const options = [...strict, ...modules, '--types', 'node', '--noEmit', ...sources]
  assert.ok(statSync(types).size < 400_000, `${statSync(types).size} bytes of types`)
  const checked = await run(resolve('node_modules/typescript/bin/tsc'), options, join(folder, 'client'))
  assert.deepEqual([checked.out, checked.code], ['', 0])
})

onEachEngine('A generated client', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{openapi.client} the recipe of docs/clients.md reads lists, and changes what nobody else has changed', async () => {
    const { engine } = site
    const account = await engine.store.write(() => accountNamed(engine, 'generated'))
    const { key } = await new AccountDesk(engine).createToken(account, 'recipe')
    const file = join(dirname(await made), 'quadranyms.ts')
    const client = (await import(pathToFileURL(file).href)).open(site.base, key)
    const read: number[] = []
    for await (const { quadranym_id } of client.inRealms(['Social', 'Energy'])) read.push(quadranym_id)
    const path = '/api/quadranym/?realm__in=Social,Energy&ordering=-likes,name&page_size=1000'
    const { results } = (await site.ask(path)).json
    assert.deepEqual(
      read,
      results.map((record: { quadranym_id: number }) => record.quadranym_id),
    )
    const { json, headers } = await site.ask('/api/quadranym/', {
      method: 'POST',
      as: 'generated',
      json: { name: 'one' },
    })
    const etag = await client.rename(json.quadranym_id, 'two', headers.etag)
    await client.rename(json.quadranym_id, 'three', etag)
    await assert.rejects(client.rename(json.quadranym_id, 'four', etag), /^Error: 412 /)
  })

  test('{openapi.client} walks, creates, changes, votes, spins and deletes', async () => {
    const { engine } = site
    const account = await engine.store.write(() => accountNamed(engine, 'generated'))
    const { key } = await new AccountDesk(engine).createToken(account, 'client')
    const client = (await import(pathToFileURL(await made).href)).open(site.base, key)

    const walked = await client.walk()
    const { count } = (await site.ask('/api/polynym/')).json
    assert.equal(walked.length, count)

    const created = await client.create('Seasons of a field')
    const id: number = created.polynym_id
    const record = { name: 'Seasons of a field', user: 'generated', mode: 'step', depth: 2, p1: 'sow', p2: 'reap' }
    assert.deepEqual(created, { ...record, polynym_id: id })
    assert.deepEqual(await client.refused(), { p2: ['This field may not be blank.'] })
    assert.deepEqual(await client.change(id), { ...record, depth: 3, p3: 'store', polynym_id: id })
    assert.deepEqual(await client.vote(id), ['generated'])
    assert.equal(await client.remove(id), 204)
    assert.equal((await site.ask(`/api/polynym/${id}/`)).status, 404)

    const fortune = (await site.ask('/api/fortune/6/')).json
    const others: number[] = fortune.q2.map((each: { quadranym_id: number }) => each.quadranym_id)
    assert.equal(await client.spin(6, others), fortune.body)
    assert.equal(await client.spinText(fortune.qode, others), fortune.body)
  })
})
