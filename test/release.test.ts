/** `npm run release`, in a small repository. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'

const RELEASE = resolve('scripts/release.ts')
const folder = mkdtempSync(join(tmpdir(), 'nymdex-release-'))
const person = { NAME: 'Mina', EMAIL: 'mina@nymdex.example' }
const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  ...Object.fromEntries(
    Object.entries(person).flatMap(([what, value]) => [
      [`GIT_AUTHOR_${what}`, value],
      [`GIT_COMMITTER_${what}`, value],
    ]),
  ),
}
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' }).trimEnd()
const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

function release(...args: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RELEASE, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

function refused(args: readonly string[], line: string): void {
  const before = git('rev-parse', 'HEAD')
  assert.deepEqual(release(...args), { code: 1, out: '', err: `release: ${line}\n` })
  assert.equal(git('rev-parse', 'HEAD'), before)
  assert.equal(git('tag'), '')
}

before(() => {
  git('init', '--quiet', '--initial-branch=main')
  const own = { name: 'toy', version: '0.1.9' }
  const packages = { '': own, 'node_modules/other': { version: '0.1.9' } }
  write('package.json', `${JSON.stringify(own, null, 2)}\n`)
  write('package-lock.json', `${JSON.stringify({ ...own, lockfileVersion: 3, packages }, null, 2)}\n`)
  write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 0.1.9 (2026-01-02)\n\n- Old.\n')
  write('.gitignore', '*.tgz\n.npm\n')
  git('add', '.')
  git('commit', '--quiet', '--message', 'Begin')
})
after(() => rmSync(folder, { recursive: true, force: true }))

test('it refuses what is no release, and changes nothing then', () => {
  const usage = 'usage: npm run release -- patch|minor|major|X.Y.Z [--dry-run]'
  for (const args of [[], ['patch', 'minor'], ['later']]) refused(args, usage)
  refused(['0.1.8'], '0.1.8 is older than 0.1.9')
  refused(['patch'], 'CHANGELOG.md lists nothing under "Unreleased"')
  write(
    'CHANGELOG.md',
    read('CHANGELOG.md').replace('Unreleased\n', 'Unreleased\n\n- Words **rhyme**.\n  #1 of them.\n'),
  )
  refused(['patch'], 'the working tree has changes: commit them first')
  git('commit', '--quiet', '--all', '--message', 'Let words rhyme')
  git('switch', '--quiet', '--create', 'side')
  refused(['patch'], 'this is the branch side: releases are made on main')
  git('switch', '--quiet', 'main')
})

test('a dry run says what it would release, and changes nothing', () => {
  const { code, out, err } = release('minor', '--dry-run')
  assert.deepEqual(
    [code, out, err],
    [0, 'would release 0.2.0 with the tag v0.2.0:\n\n- Words **rhyme**.\n  #1 of them.\n', ''],
  )
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('tag'), '')
})

test('when npm cannot pack, everything is as before', () => {
  write('package.json', read('package.json').replace('}', ',  "scripts": { "prepack": "false" }\n}'))
  git('commit', '--quiet', '--all', '--message', 'Break')
  assert.equal(release('minor').code, 1)
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('tag'), '')
  git('reset', '--quiet', '--hard', 'HEAD~1')
})

test('it sets the version, dates the changelog, commits, tags and packs', () => {
  const { code, out, err } = release('minor')
  assert.equal(code, 0, err)
  const day = new Date().toISOString().slice(0, 10)
  assert.equal(
    read('CHANGELOG.md'),
    `# Changelog\n\n## Unreleased\n\n## 0.2.0 (${day})\n\n- Words **rhyme**.\n  #1 of them.\n\n## 0.1.9 (2026-01-02)\n\n- Old.\n`,
  )
  assert.equal(JSON.parse(read('package.json')).version, '0.2.0')
  const { version, packages } = JSON.parse(read('package-lock.json'))
  assert.deepEqual([version, packages[''].version], ['0.2.0', '0.2.0'])
  assert.equal(packages['node_modules/other'].version, '0.1.9')
  assert.equal(git('status', '--porcelain'), '')
  assert.equal(git('log', '-1', '--format=%s'), 'Release 0.2.0')
  assert.equal(git('cat-file', '-t', 'v0.2.0'), 'tag')
  assert.equal(git('rev-parse', 'v0.2.0^{commit}'), git('rev-parse', 'HEAD'))
  assert.match(
    git('tag', '--list', '--format=%(contents)', 'v0.2.0'),
    /^Nymdex 0\.2\.0\n\n- Words \*\*rhyme\*\*\.\n {2}#1/,
  )
  const tarball = readFileSync(join(folder, 'toy-0.2.0.tgz'))
  const sum = createHash('sha256').update(tarball).digest('hex')
  assert.match(out, new RegExp(`^toy-0\\.2\\.0\\.tgz: ${tarball.length} bytes\nsha256 ${sum}\n`))
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.tgz')),
    ['toy-0.2.0.tgz'],
  )
  assert.equal(release('0.2.0').err, 'release: the tag v0.2.0 exists\n')
})
