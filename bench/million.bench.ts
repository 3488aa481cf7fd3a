/**
 * Speed with 1,000,000 polynyms, on SQLite and PostgreSQL: deep pages, every documented question, the start, memory,
 * the size of a record. See bench/README.md.
 */
import { catalogue } from '../src/catalogue/index.ts'
import { openStore } from '../src/store/index.ts'
import { isNarrowed, measureQuestions, measureSize } from './million/measure.ts'
import { readThrough, sqliteData } from './speed/data.ts'
import { measureCrawl, measureDepth, measureFinding, measureStart } from './speed/million.ts'
import { postgresData, prewarm } from './speed/postgres.ts'
import { Results } from './speed/results.ts'

const file = await sqliteData('million')
const postgres = await postgresData('million')
try {
  const results = new Results('million')
  // The speed of the disk would only blur the result: the system has everything in memory, and PostgreSQL as much as it
  // can, as on a server that has run for a while.
  readThrough(file)
  readThrough(postgres.folder)
  for (const [engine, database, path] of [
    ['SQLite', `sqlite:${file}`, file],
    ['PostgreSQL', postgres.url, postgres.folder],
  ] as const) {
    // The first start of another version checks all records; later ones are what is measured.
    await (await openStore(database, catalogue)).close()
    if (engine === 'PostgreSQL') await prewarm(database)
    if (isNarrowed) {
      await measureQuestions(results, engine, database)
      continue
    }
    await measureStart(results, engine, database)
    await measureDepth(results, engine, database)
    await measureFinding(results, engine, database)
    await measureQuestions(results, engine, database)
    measureSize(results, engine, path)
    await measureCrawl(results, engine, database)
  }
  if (!isNarrowed) results.save()
} finally {
  await postgres.stop()
}
