/** The package that npm packs: it runs where it is installed, without the tools of a checkout. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { ended, listening } from './support/command.ts'

const MEGABYTE = 1e6
const folder = mkdtempSync(join(tmpdir(), 'nymdex-package-'))
const modules = join(folder, 'node_modules')
const installed = join(modules, 'nymdex')
const env = { PATH: process.env['PATH'], HOME: folder, PORT: '0' }
let tarball = ''

/** As npm install does it, with the packages of this checkout that are not only for development. */
function install(): void {
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['--extract', '--gzip', '--strip-components=1', `--file=${tarball}`, `--directory=${installed}`])
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const [path, { dev }] of Object.entries<{ dev?: boolean }>(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || !existsSync(path)) continue
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    symlinkSync(resolve(path), join(folder, path))
  }
}

before(() => {
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
  install()
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('it has JavaScript, declarations and data, and no TypeScript, tests or tools', (t) => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
  assert.deepEqual(
    files.filter((file) => /(?<!\.d)\.ts$|\.test\.|^(?:src|test|bench|scripts|node_modules)\b/.test(file)),
    [],
  )
  for (const file of ['README.md', 'LICENSE', 'NOTICE', 'dist/language/index.d.ts'])
    assert.ok(files.includes(file), file)
  const code = files.filter((file) => /^dist\/.*\.js$/.test(file) && !file.startsWith('dist/web/assets/'))
  const naming = code.filter((file) => /['`]\.[^'`\n]*\.ts['`]/.test(readFileSync(join(installed, file), 'utf8')))
  assert.deepEqual(naming, [], 'files that only a checkout has')
  const { size } = statSync(tarball)
  t.diagnostic(`the package has ${(size / MEGABYTE).toFixed(1)} MB and ${files.length} files`)
  assert.ok(size < 5 * MEGABYTE, `${size} bytes`)
  assert.ok(!existsSync('dist'), 'nothing is left in the checkout')
})

test('in an empty folder, it serves the sample catalogue, and doctor is content', async (t) => {
  const program = join(installed, 'bin/nymdex.js')
  const server = spawn(process.execPath, [program, 'serve'], { cwd: folder, env })
  t.after(() => server.kill('SIGKILL'))
  const url = await listening(server)
  assert.ok((await (await fetch(`${url}api/polynym/`)).json()).count >= 60)
  assert.equal((await fetch(`${url}api/docs/`)).status, 200)
  assert.equal((await fetch(`${url}polynym/1.png`)).status, 200, 'a thread has drawn it')
  assert.ok(existsSync(join(folder, 'var/nymdex.db')))
  const { code, out, err } = await ended(spawn(process.execPath, [program, 'doctor'], { cwd: folder, env }))
  assert.equal(code, 0, out + err)
})

test('its declarations resolve under strict, and the language library runs', () => {
  const file = join(folder, 'toy.mts')
  writeFileSync(
    file,
    `import { annotate, type Quadranym, spin } from 'nymdex/language'
const door: Quadranym = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
const { qode } = annotate('When one door closes, another opens.', [door])
const text: string = spin(qode, [{ ...door, name: 'river', e: 'flow', r: 'dry' }]).text
console.log(text)
`,
  )
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'esnext', '--types', '']
  execFileSync(resolve('node_modules/.bin/tsc'), [...options, file], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const told = execFileSync(process.execPath, [file], { encoding: 'utf8' })
  assert.equal(told, 'When one river dries, another flows.\n')
})
