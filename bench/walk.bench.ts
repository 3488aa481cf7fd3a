/**
 * Whether a change left every response as it was. Two servers, each with the sample catalogue on a new SQLite database, get
 * the same requests: all collections, pages, records, filters, searches, formats, errors, writes and pages for people. Status,
 * headers and body of each response must be equal.
 *
 *   WALK_OTHER=/path/to/another/checkout npm run bench -- walk
 *
 * Without WALK_OTHER, the other server is this checkout with its cache off.
 * WALK_IGNORE='^GET /people/' leaves out addresses; WALK_MASK='look.css.v=\w+' cuts text out of all bodies before they are
 * compared. A difference that is gone when the address is read again is shown as "NOT AGAIN" and does not count.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Comparison } from './walk/comparison.ts'
import { inParallel, walkPages } from './walk/pages.ts'
import { Server } from './walk/pair.ts'
import { readCalls, readCollections, readDocument } from './walk/reads.ts'
import { walkWrites } from './walk/writes.ts'

const SHOWN = Number(process.env['WALK_SHOWN'] ?? 20)
const HERE = join(import.meta.dirname, '..')
const { WALK_OTHER: other, WALK_IGNORE: ignore, WALK_MASK: mask } = process.env

const folder = mkdtempSync(join(tmpdir(), 'nymdex-walk-'))
const servers: Server[] = []
const begun = performance.now()
try {
  const cache = other ? {} : { NYMDEX_CACHE: 'off' }
  servers.push(
    ...(await Promise.all([
      Server.start('before', other ?? HERE, join(folder, 'before.db'), cache),
      Server.start('after', HERE, join(folder, 'after.db')),
    ])),
  )
  const compare = new Comparison(servers[0]!, servers[1]!, {
    ignore: ignore ? new RegExp(ignore) : undefined,
    mask: mask ? new RegExp(mask, 'g') : undefined,
    shown: SHOWN,
  })
  const document = await readDocument(compare)
  const collections = await readCollections(compare)
  await inParallel(readCalls(document, collections), async (call) => void (await compare.ask(call)))
  tell(compare, 'reads')
  await walkPages(compare)
  tell(compare, 'reads and pages')
  await walkWrites(compare, collections)
  await walkPages(compare)
  tell(compare, 'reads, pages, writes, and pages again')
  const statuses = [...compare.statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  console.log(`statuses: ${statuses.join(', ')}`)
  for (const { count, first } of compare.groups) console.log(`${count} with the difference of ${first}`)
  console.log(compare.different > 0 ? `MISSED: ${compare.different} responses differ` : 'met: all responses are equal')
  if (compare.different > 0) process.exitCode = 1
} finally {
  await Promise.all(servers.map((server) => server.stop()))
  rmSync(folder, { recursive: true })
}

function tell({ requests, different, ignored }: Comparison, what: string): void {
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(`${seconds} s: ${what}: ${requests} requests, ${different} different, ${ignored} ignored`)
}
