/**
 * Runs the tests: starts a real PostgreSQL, finds a Chromium, hands both to Node's test runner, and reports which
 * statements of docs/api.md are proved. `npm test -- test/paging.test.ts` runs one file.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './support/chromium.ts'
import { prepareSamples } from './support/databases.ts'
import { reportMarks } from './support/marks.ts'
import { startPostgres } from './support/postgres.ts'

const given = process.argv.slice(2)
const files = given.length > 0 ? given : globSync('test/**/*.test.ts').sort()
const folder = mkdtempSync(join(tmpdir(), 'nymdex-test-'))
const results = join(folder, 'results.ndjson')

const chromium = await findChromium()
const postgres = await startPostgres()
let code = 1
try {
  const environment = { ...(await prepareSamples(postgres.url, folder)), NYMDEX_TEST_CHROMIUM: chromium }
  code = await run(environment, [
    '--test',
    '--test-concurrency=2',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/support/reporter.ts',
    `--test-reporter-destination=${results}`,
    ...files,
  ])
} finally {
  await postgres.stop()
}
const marks = reportMarks(results, { whole: given.length === 0 })
rmSync(folder, { recursive: true })
process.exitCode = code || (marks ? 0 : 1)

function run(environment: Readonly<Record<string, string>>, options: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, options, { stdio: 'inherit', env: { ...process.env, ...environment } })
  return new Promise((ended) => child.once('exit', (exit) => ended(exit ?? 1)))
}
