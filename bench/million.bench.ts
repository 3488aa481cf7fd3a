/**
 * Speed with 1,000,000 polynyms, on SQLite and PostgreSQL: deep pages, searches and filters, the start, memory. See
 * bench/README.md.
 */
import { readThrough, sqliteData } from './speed/data.ts'
import { measureCrawl, measureDepth, measureFinding, measureStart } from './speed/million.ts'
import { postgresData } from './speed/postgres.ts'
import { Results } from './speed/results.ts'

const file = await sqliteData('million')
const postgres = await postgresData('million')
try {
  const results = new Results('million')
  // The speed of the disk would only blur the result: the system has everything in memory, as on a server that has run
  // for a while.
  readThrough(file)
  readThrough(postgres.folder)
  for (const [engine, database] of [
    ['SQLite', `sqlite:${file}`],
    ['PostgreSQL', postgres.url],
  ] as const) {
    await measureStart(results, engine, database)
    await measureDepth(results, engine, database)
    await measureFinding(results, engine, database)
    await measureCrawl(results, engine, database)
  }
  results.save()
} finally {
  await postgres.stop()
}
