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

const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`

/** The bytes of a folder's files; a link counts as what it leads to. */
function sizeOf(path: string): number {
  const names = readdirSync(path, { withFileTypes: true })
  return names.reduce((sum, each) => {
    const inside = join(path, each.name)
    const stat = statSync(inside)
    return sum + (stat.isDirectory() ? sizeOf(inside) : stat.size)
  }, 0)
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
  const everything = readdirSync(modules).reduce((sum, name) => sum + sizeOf(join(modules, name)), 0)
  t.diagnostic(`the package has ${inMegabytes(size)} and ${files.length} files; installed ${inMegabytes(everything)}`)
  assert.ok(size < 5 * MEGABYTE, `${size} bytes`)
  assert.ok(everything < 260 * MEGABYTE, `${everything} bytes with all packages that it needs`)
  assert.ok(!existsSync('dist'), 'nothing is left in the checkout')
})

test('in an empty folder, it serves the sample catalogue, and doctor is content', async (t) => {
  const program = join(installed, 'bin/nymdex.js')
  const traced = { ...env, NYMDEX_TRACES: 'http://127.0.0.1:4318' }
  const server = spawn(process.execPath, [program, 'serve'], { cwd: folder, env: traced })
  let out = ''
  server.stdout!.on('data', (chunk) => (out += chunk))
  t.after(() => server.kill('SIGKILL'))
  const url = await listening(server)
  assert.match(
    out,
    /there are no traces, because they need packages .*: npm install @opentelemetry\/api@\^1\.\d+\.\d+ /,
  )
  assert.ok((await (await fetch(`${url}api/polynym/`)).json()).count >= 60)
  assert.equal((await fetch(`${url}api/docs/`)).status, 200)
  assert.equal((await fetch(`${url}polynym/1.png`)).status, 200, 'a thread has drawn it')
  assert.ok(existsSync(join(folder, 'var/nymdex.db')))
  const doctor = await ended(spawn(process.execPath, [program, 'doctor'], { cwd: folder, env }))
  assert.equal(doctor.code, 0, doctor.out + doctor.err)
})

test('both libraries have types, in Node and for a bundler, and run: a server, and the language', () => {
  const file = join(folder, 'toy.mts')
  writeFileSync(
    file,
    `import { type ServerOptions, startServer } from 'nymdex'
import { annotate, type Quadranym, spin } from 'nymdex/language'
const door: Quadranym = { name: 'door', e: 'open', r: 'close', o: 'barrier', s: 'passage' }
const { qode } = annotate('When one door closes, another opens.', [door])
const text: string = spin(qode, [{ ...door, name: 'river', e: 'flow', r: 'dry' }]).text
console.log(text)
const options: ServerOptions = { databaseUrl: 'sqlite:toy.db', port: 0, sample: false, settings: { NYMDEX_PAGE_SIZE: '7' } }
const server = await startServer(options)
const address: string = server.address
const { count, next }: { count: number; next: string | null } = await (await fetch(address + 'api/polynym/')).json()
console.log(count, next)
await server.close()
await server.close({ drainMs: 1 })
// @ts-expect-error A wrong name of a setting.
const wrong: ServerOptions = { settings: { NYMDEX_PAGESIZE: '7' } }
for (const options of [{ settings: { NYMDEX_PAGE_SIZE: 'many' } }, { settings: { NYMDEX_WORKERS: '2' } }])
  await startServer(options).catch((error: Error) => console.log(error.message))
`,
  )
  const compilers = { node16: 'node16', bundler: 'esnext' }
  for (const [resolution, module] of Object.entries(compilers)) {
    const options = ['--strict', '--noEmit', '--module', module, '--moduleResolution', resolution, '--target', 'esnext']
    execFileSync(resolve('node_modules/.bin/tsc'), [...options, '--lib', 'esnext,dom', '--types', '', file], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
    })
  }
  const told = execFileSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
  assert.deepEqual(told.split('\n'), [
    'When one river dries, another flows.',
    '0 null',
    'NYMDEX_PAGE_SIZE: "many" is not a whole number from 1 to 1000',
    'NYMDEX_WORKERS: "2" is not 1: only the command "nymdex serve" starts workers',
    '',
  ])
})
