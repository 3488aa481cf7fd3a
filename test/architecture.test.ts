/** The house: imports go down, and below the catalogue nothing names a resource. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogue } from '../src/catalogue/index.ts'

/** A floor may import from itself and from the floors named here. */
const FLOORS: Readonly<Record<string, readonly string[]>> = {
  language: [],
  declare: [],
  catalogue: ['declare', 'language'],
  store: ['declare'],
  engine: ['declare', 'store'],
  http: ['declare', 'store', 'engine'],
  web: ['declare', 'language', 'http'],
  cli: ['declare', 'language', 'catalogue', 'store', 'engine', 'http', 'web'],
}
/** These are handed the catalogue, so that a test can hand them a toy one. */
const NAMELESS = ['declare', 'store', 'engine', 'http']
const LONGEST_FILE = 350

const files = globSync('src/**/*.ts').map((path) => ({
  path,
  floor: path.split(/[/\\]/)[1]!,
  source: readFileSync(path, 'utf8'),
}))

test('every file stands on a floor, and imports go down', () => {
  for (const { path, floor, source } of files) {
    const below = FLOORS[floor]
    assert.ok(below, `${path} stands on no floor`)
    for (const [, other] of source.matchAll(/(?:from|import\()\s*'(?:\.\.\/)+(\w+)\//g)) {
      assert.ok(other === floor || below.includes(other!), `${path} may not import from ${other}/`)
    }
  }
})

test('floors are entered by their door, index.ts', () => {
  for (const { path, floor, source } of files) {
    for (const [, other, file] of source.matchAll(/from '\.\.\/(\w+)\/([\w/.]+)'/g)) {
      if (other !== floor) assert.equal(file, 'index.ts', `${path} enters ${other}/ by ${file}`)
    }
  }
})

test('language and declare stand alone, and only store/ speaks SQL', () => {
  const sql = /\b(SELECT|INSERT INTO|DELETE FROM|CREATE TABLE)\b|\bUPDATE \w+ SET\b/
  for (const { path, floor, source } of files) {
    if (floor !== 'store') assert.ok(!sql.test(source), `${path} holds SQL`)
    if (floor === 'language' || floor === 'declare')
      assert.ok(!/from '\.\.\//.test(source), `${path} imports from outside`)
  }
})

test('one file knows the server library', () => {
  const knowing = files.filter(({ source }) => /createServer|IncomingMessage/.test(source)).map(({ path }) => path)
  assert.deepEqual(knowing, ['src/http/server.ts'])
})

test('nothing in declare, store, engine and http names a resource', () => {
  const names = catalogue.flatMap((resource) => [resource.name, ...Object.keys(resource.views ?? {})])
  for (const { path, floor, source } of files.filter(({ floor }) => NAMELESS.includes(floor))) {
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    for (const name of names) {
      assert.ok(!new RegExp(`['"\`/]${name}['"\`/]`).test(code), `${path} (${floor}) names the resource ${name}`)
    }
  }
})

test('no file is too long to be read in one go', () => {
  for (const { path, source } of files) {
    assert.ok(source.split('\n').length <= LONGEST_FILE, `${path} is longer than ${LONGEST_FILE} lines`)
  }
})

test('nothing in the project needs a file outside of it', () => {
  for (const path of globSync(['{src,test,bin,docs,sample,bench,scripts}/**/*.{ts,js,md,ndjson}', '*.md', '.ci/run'])) {
    assert.ok(!readFileSync(path, 'utf8').includes('../'.concat('shared')), `${path} reaches outside`)
  }
})
