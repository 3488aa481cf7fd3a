/**
 * Checks that no cache is ever stale: 100,000 random requests on each database, with renames, deletes, votes and
 * changes of sets and lines, to four servers on one database. One compares each of its responses with a fresh one; the
 * others, with normal caches, are compared with it: two in this process, and one that consists of two workers and a
 * writer. Fails on a difference. NYMDEX_CHECK_REQUESTS and NYMDEX_CHECK_SEED change the load.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runLoad } from '../test/speed/load.ts'
import { freshDatabase, prepareTemplates } from '../test/support/databases.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { Served } from '../test/support/servers.ts'
import { Progress, printReport } from './check/report.ts'
import { WorkerServer } from './check/worker-server.ts'

const REQUESTS = Number(process.env['NYMDEX_CHECK_REQUESTS'] ?? 100_000)
const SEED = Number(process.env['NYMDEX_CHECK_SEED'] ?? 1)
/** The record of the day must not change while this runs, so do not run it around midnight (UTC): workers have no other clock. */
const NOW = new Date()

const folder = mkdtempSync(join(tmpdir(), 'nymdex-check-'))
const postgres = await startPostgres()
try {
  Object.assign(process.env, await prepareTemplates(postgres.url, folder))
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const { url, drop } = await freshDatabase(engine, { sample: true })
    const start = (keeps: 'checked' | 'everything' | 'records') =>
      Served.on(url, { keeps, now: () => NOW, mostInBlock: 64 })
    const [checked, quick, records] = [await start('checked'), await start('everything'), await start('records')]
    const workers = await WorkerServer.on(url, { tokenOf: (name) => checked.tokenOf(name), now: NOW })
    try {
      const progress = new Progress(engine, REQUESTS)
      const report = await runLoad({
        checked,
        others: [quick, records, workers],
        seed: SEED,
        requests: REQUESTS,
        progress: (done) => progress.show(done),
      })
      const { store } = checked
      const faults = [...report.faults]
      for (const resource of checked.engine.catalogue) {
        const untrue = await store.read(() => store.records.rank.untrue(resource))
        if (untrue > 0) faults.push(`${untrue} blocks of ${resource.name} do not hold what they say`)
      }
      printReport(engine, { ...report, faults }, progress.seconds)
      if (faults.length > 0) process.exitCode = 1
    } finally {
      for (const server of [workers, checked, quick, records]) await server.stop()
      await drop()
    }
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}
