/**
 * Speed with 10,000 polynyms, side by side with other servers: warm and cold pages, 304, the first read after a write,
 * creates, and a table of peers. See bench/README.md.
 */
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, sqliteData } from './speed/data.ts'
import { comparePeers } from './speed/peers.ts'
import { measureReads } from './speed/reads.ts'
import { Results } from './speed/results.ts'
import { measureWrites } from './speed/writes.ts'

const data = await sqliteData('10k')
const folder = join(FOLDER, `speed-${process.pid}`)
mkdirSync(folder, { recursive: true })
try {
  const results = new Results('speed')
  // The stored data must stay unchanged.
  const file = join(folder, 'catalogue.db')
  copyFileSync(data, file)
  await measureReads(results, file, folder)
  await measureWrites(results, file, folder)
  await comparePeers(results, file, folder)
  results.save()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
