/** The architecture: imports go down, and nothing below the catalogue names a resource. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { test } from 'node:test'
import { catalogue } from '../src/catalogue/index.ts'

/** A layer may import from itself and from the layers named here. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  language: [],
  declare: [],
  cache: [],
  catalogue: ['declare', 'language'],
  store: ['declare', 'cache'],
  engine: ['declare', 'cache', 'store'],
  http: ['declare', 'cache', 'store', 'engine'],
  transfer: ['declare', 'language', 'store', 'engine'],
  web: ['declare', 'language', 'http'],
  cli: ['declare', 'language', 'catalogue', 'store', 'engine', 'http', 'transfer', 'web'],
}
/** These get the catalogue as an argument, so a test can pass a toy one. */
const NAMELESS = ['declare', 'store', 'engine', 'http', 'transfer']
const LONGEST_FILE = 350

const files = globSync('src/**/*.ts').map((path) => ({
  path,
  floor: path.split(/[/\\]/)[1]!,
  source: readFileSync(path, 'utf8'),
}))

/** The project files that a file imports: the layer, and the file in it. */
function importsOf(path: string, source: string): { floor: string; file: string }[] {
  return Array.from(source.matchAll(/(?:from|import\()\s*'(\.[^']+\.ts)'/g), ([, imported]) => {
    const [floor, ...file] = relative('src', join(dirname(path), imported!)).split(sep)
    return { floor: floor!, file: file.join('/') }
  })
}

test('every file is in a layer, and imports go down', () => {
  for (const { path, floor, source } of files) {
    const below = FLOORS[floor]
    assert.ok(below, `${path} is in no layer`)
    for (const { floor: other } of importsOf(path, source)) {
      assert.ok(other === floor || below.includes(other), `${path} may not import from ${other}/`)
    }
  }
})

test('layers are entered through their index.ts', () => {
  for (const { path, floor, source } of files) {
    for (const { floor: other, file } of importsOf(path, source)) {
      if (other !== floor) assert.equal(file, 'index.ts', `${path} enters ${other}/ through ${file}`)
    }
  }
})

test('language and declare import nothing from outside, and only store/ contains SQL', () => {
  const sql = /\b(SELECT|INSERT INTO|DELETE FROM|CREATE TABLE)\b|\bUPDATE \w+ SET\b/
  for (const { path, floor, source } of files) {
    if (floor !== 'store') assert.ok(!sql.test(source), `${path} contains SQL`)
    if (floor !== 'language' && floor !== 'declare') continue
    for (const [, imported] of source.matchAll(/(?:from|import\()\s*'(\.\.\/[^']*)'/g)) {
      assert.equal(join(dirname(path), imported!).split(sep)[1], floor, `${path} imports from outside`)
    }
  }
})

test('only http/server/ uses the server library', () => {
  const knowing = files.filter(({ source }) => /createServer|IncomingMessage/.test(source)).map(({ path }) => path)
  assert.deepEqual(
    knowing.filter((path) => !path.startsWith('src/http/server/')),
    [],
  )
})

test("nothing imports values of Node's HTTP module, which would load fetch and HTTP/2 with each start", () => {
  const importing = files.filter(({ source }) =>
    /^(?:import|export) (?!type )[^']* from 'node:http'|import\('node:http'\)/m.test(source),
  )
  assert.deepEqual(
    importing.map(({ path }) => path),
    [],
  )
})

test('nothing in declare, store, engine, http and transfer names a resource', () => {
  const names = catalogue.flatMap((resource) => [resource.name, ...Object.keys(resource.views ?? {})])
  for (const { path, floor, source } of files.filter(({ floor }) => NAMELESS.includes(floor))) {
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    // "fortune" is also what the files of the Unix program are called.
    for (const name of names.filter((each) => floor !== 'transfer' || each !== 'fortune')) {
      assert.ok(!new RegExp(`['"\`/]${name}['"\`/]`).test(code), `${path} (${floor}) names the resource ${name}`)
    }
  }
})

test('no two files of a layer, or on the way of a request, have the same name', () => {
  const places = new Map<string, string[]>()
  for (const { path, floor } of files) {
    const road = ['http', 'engine', 'store'].includes(floor) ? 'http, engine and store' : floor
    const key = `${basename(path)} in ${road}`
    places.set(key, [...(places.get(key) ?? []), path])
  }
  const alike = [...places].filter(([key, paths]) => paths.length > 1 && !key.startsWith('index.ts'))
  assert.deepEqual(alike, [])
})

test('no file is longer than a reader can take in', () => {
  for (const { path, source } of files) {
    assert.ok(source.split('\n').length <= LONGEST_FILE, `${path} is longer than ${LONGEST_FILE} lines`)
  }
})

test('nothing in the project needs a file outside of it', () => {
  for (const path of globSync(['{src,test,bin,docs,sample,bench,scripts}/**/*.{ts,js,md,ndjson}', '*.md', '.ci/run'])) {
    assert.ok(!readFileSync(path, 'utf8').includes('../'.concat('shared')), `${path} reaches outside`)
  }
})

test('`npm test` fails when a test fails', async () => {
  // The package that starts PostgreSQL ends the process itself, and used to end it with 0.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = spawn(process.execPath, ['test/run.ts', '--sqlite', 'test/fixtures/failing.ts'], { env, stdio: 'ignore' })
  assert.deepEqual(await once(run, 'exit'), [1, null])
})

test('every file and folder that the documents name exists', () => {
  const existing = globSync('{src,test,bench,scripts,docs,bin,sample}/**').map(
    (path) => `/${path.split(sep).join('/')}`,
  )
  for (const document of ['docs/architecture.md', 'CONTRIBUTING.md', 'README.md', 'bench/README.md']) {
    const text = readFileSync(document, 'utf8')
    for (const [, path] of text.matchAll(/`([a-z][\w.-]*(?:\/[\w.-]+)*(?:\.ts|\/))`/g)) {
      const end = `/${path!.replace(/\/$/, '')}`
      assert.ok(
        existing.some((each) => each.endsWith(end)),
        `${document} names ${path}, which does not exist`,
      )
    }
  }
})
