/**
 * Makes a release: `npm run release -- patch` (or minor, major, or a version such as 1.2.3), and with `--dry-run` only says what
 * it would do. It sets the version, dates the changelog, packs, commits and tags. It pushes and publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

const FILES = ['package.json', 'package-lock.json', 'CHANGELOG.md']
const BRANCH = 'main'
const USAGE = 'usage: npm run release -- patch|minor|major|X.Y.Z [--dry-run]'

/** A reason not to release, for people. */
class Refusal extends Error {}

interface Plan {
  readonly version: string
  readonly tag: string
  /** What the release brings, as the changelog lists it. */
  readonly changes: string
  /** The new text of each file. */
  readonly texts: ReadonlyMap<string, string>
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trimEnd()

function plan(wanted: string): Plan {
  if (git('status', '--porcelain') !== '') throw new Refusal('the working tree has changes: commit them first')
  const branch = git('branch', '--show-current')
  if (branch !== BRANCH)
    throw new Refusal(`this is ${branch === '' ? 'no branch' : `the branch ${branch}`}: releases are made on ${BRANCH}`)
  const [manifest, lock, changelog] = FILES.map((file) => readFileSync(file, 'utf8')) as [string, string, string]
  const version = nextVersion(JSON.parse(manifest).version, wanted)
  const tag = `v${version}`
  if (git('tag', '--list', tag) !== '') throw new Refusal(`the tag ${tag} exists`)
  const [heading, changes = ''] = /^## Unreleased\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog) ?? []
  if (heading === undefined) throw new Refusal('CHANGELOG.md has no part "Unreleased"')
  if (!/^- /m.test(changes)) throw new Refusal('CHANGELOG.md lists nothing under "Unreleased"')
  const day = new Date().toISOString().slice(0, 10)
  const dated = changelog.replace(/^## Unreleased\n/m, `## Unreleased\n\n## ${version} (${day})\n`)
  const texts = new Map([
    ['package.json', withVersion(manifest, version, 1)],
    ['package-lock.json', withVersion(lock, version, 2)],
    ['CHANGELOG.md', dated],
  ])
  return { version, tag, changes: changes.trim(), texts }
}

/** The version before may be released again only if it never was: the tag decides that. */
function nextVersion(before: string, wanted: string): string {
  const numbers = (version: string) => version.split('.').map(Number) as [number, number, number]
  const [major, minor, patch] = numbers(before)
  if (wanted === 'major') return `${major + 1}.0.0`
  if (wanted === 'minor') return `${major}.${minor + 1}.0`
  if (wanted === 'patch') return `${major}.${minor}.${patch + 1}`
  if (!/^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.test(wanted)) throw new Refusal(USAGE)
  const given = numbers(wanted)
  const [at] = [0, 1, 2].filter((i) => given[i] !== numbers(before)[i])
  if (at !== undefined && given[at]! < numbers(before)[at]!) throw new Refusal(`${wanted} is older than ${before}`)
  return wanted
}

/** The first versions in the file are the project's own: one in package.json, two in the lock file. */
function withVersion(text: string, version: string, times: number): string {
  let left = times
  return text.replaceAll(/"version": "[^"]*"/g, (found) => (left-- > 0 ? `"version": "${version}"` : found))
}

function release({ version, tag, changes, texts }: Plan): void {
  let tarball: string | undefined
  try {
    for (const [file, text] of texts) writeFileSync(file, text)
    tarball = JSON.parse(execFileSync('npm', ['pack', '--json'], { encoding: 'utf8' }))[0].filename as string
    git('commit', '--quiet', '--message', `Release ${version}`, '--', ...FILES)
  } catch (error) {
    git('checkout', 'HEAD', '--', ...FILES)
    if (tarball !== undefined) rmSync(tarball)
    throw error
  }
  git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `Nymdex ${version}\n\n${changes}\n`)
  const packed = readFileSync(tarball)
  console.log(`${tarball}: ${packed.length} bytes`)
  console.log(`sha256 ${createHash('sha256').update(packed).digest('hex')}`)
  console.log(`committed and tagged ${tag}; nothing is published. Next: git push --follow-tags`)
}

try {
  const [wanted, ...more] = process.argv.slice(2).filter((argument) => argument !== '--dry-run')
  if (wanted === undefined || more.length > 0) throw new Refusal(USAGE)
  const planned = plan(wanted)
  if (process.argv.includes('--dry-run')) {
    console.log(`would release ${planned.version} with the tag ${planned.tag}:\n\n${planned.changes}`)
  } else release(planned)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}
