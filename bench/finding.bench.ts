/**
 * Finding records among 100,000: checks that every fast lookup uses an index on both databases, by their own query
 * plans; and measures a search, compared with a cold page of the same run. Fails if a plan reads a whole table.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogue, formsOf, searchLanguage } from '../src/catalogue/index.ts'
import { engineOn } from '../src/engine/index.ts'
import { serve } from '../src/http/index.ts'
import { type Database, migrate, openDatabase, openStore, storeOn } from '../src/store/index.ts'
import { pagesFor } from '../src/web/index.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { copyToPostgres, fill, POLYNYMS } from './finding/data.ts'
import { explain, noting, type Statement } from './finding/plans.ts'

/** Each must use an index, for the count and for the page. */
const LOOKUPS = [
  'polynym/?name=bace 1',
  'polynym/?name__in=bace 1,foo,bar',
  'polynym/?name__startswith=bra',
  'polynym/?user=user7',
  'polynym/?user__in=user7,user9',
  'polynym/?src=SRC',
  'polynym/?src__in=SRC,someone',
  'polynym/?src__startswith=bracl',
  'polynym/?src__isnull=true',
  'polynym/?area=area 7',
  'polynym/?area__in=area 7,area 9',
  'polynym/?area__isnull=true',
  'polynym/?mode=step',
  'polynym/?depth=12',
  'polynym/?depth__gte=12',
  'polynym/?depth__lte=1',
  'polynym/?depth__in=11,12',
  'polynym/?likes=2',
  'polynym/?likes__gte=2',
  'polynym/?term=TERM',
  'polynym/?mode=step&area=area 7',
  'polynym/?user=user7&depth__gte=12',
  'quadranym/?realm=Realm 7',
  'quadranym/?realm__in=Realm 7,Realm 9',
  'quadranym/?term=TERM',
  'quote/?quadranym=17',
  'quote/?quadranym__in=17,18,19',
  'quote/?src=SRC',
  'fortune/?q1=18',
  'fortune/?q2=17',
  'fortune/?depth=2',
  'polyset/?polynyms=17',
  'polynym/?search=RARE',
  'polynym/?search=the RARE',
  'polynym/?search=RARE the',
  'polynym/?search=the of RARE and',
  'polynym/?search=RAREs',
  'polynym/?search=qRARE',
  'polynym/?search=RARE&mode=step',
  'polynym/?search=RARE&ordering=-likes',
  'polynym/?search=the&name=bace 1',
  'fortune/?search=topic the RARE',
  'quote/?search=of RARE',
  'polynym/facets/?by=area,mode&search=RARE',
  'polynym/random/?search=RARE&seed=1',
  'polynym/daily/?search=RARE',
] as const
/** These may read every record, within their time limit. */
const SCANS = ['polynym/?name__icontains=zz', 'polynym/?wiki=nowhere', 'polynym/?p1__startswith=zz']

/** NYMDEX_BENCH_DB=FILE keeps the data for the next run. */
const kept = process.env['NYMDEX_BENCH_DB']
const folder = mkdtempSync(join(tmpdir(), 'nymdex-bench-'))
const file = kept ?? join(folder, 'n.db')
let failures = 0
const postgres = await startPostgres()
try {
  const started = performance.now()
  if (!existsSync(file)) {
    const store = await openStore(`sqlite:${file}`, catalogue)
    await fill(engineOn(store, catalogue))
    await store.close()
  }
  print('data', `${POLYNYMS} polynyms and more, ${(statSync(file).size / 1e6).toFixed(0)} MB, ${seconds(started)}`)
  const copying = performance.now()
  await (await openStore(postgres.url, catalogue)).close()
  await copyToPostgres(file, postgres.url)
  print('copied to PostgreSQL', seconds(copying))
  await measure('SQLite', `sqlite:${file}`)
  await measure('PostgreSQL', postgres.url)
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}
if (failures > 0) process.exitCode = 1

async function measure(engine: string, url: string): Promise<void> {
  console.log(`\n-- ${engine}`)
  const statements: Statement[] = []
  const database = await openDatabase(url)
  await migrate(database, catalogue)
  const store = storeOn(noting(database, statements), { language: searchLanguage })
  const log = { answered() {}, unsendable: console.error, bug: console.error, held() {}, outage: console.error }
  const server = await serve(
    { engine: engineOn(store, catalogue, { formsOf }), pages: pagesFor(catalogue), log },
    {
      host: '127.0.0.1',
      port: 0,
      baseUrl: undefined,
      trustedProxies: new BlockList(),
      holdMs: 60_000,
      queueMs: 60_000,
      databaseSeconds: 60,
      pageSize: 20,
      compress: false,
      signUpOpen: true,
      streams: 2000,
      cache: { answers: 0, records: 0, check: false },
      limits: { signIns: undefined, signUps: undefined, writes: undefined, reads: undefined },
    },
  )
  const ask = asker(server.url)
  try {
    const known = await knownWords(ask)
    const addressed = (path: string) => path.replaceAll(/RARE|TERM|SRC/g, (name) => known[name as keyof typeof known])
    for (const path of LOOKUPS) await checkPlan(engine, database, statements, ask, addressed(path))
    for (const path of SCANS) {
      const { ms, status } = await ask(path)
      print(path, `${status}, ${ms.toFixed(0)} ms, looks at all of them`)
    }
    await timeSearches(ask)
  } finally {
    await server.stop()
    await store.close()
  }
}

async function checkPlan(engine: string, database: Database, statements: Statement[], ask: Ask, path: string) {
  statements.length = 0
  const { status, json, ms } = await ask(path)
  const indexes = new Set<string>()
  const faults: string[] = []
  for (const statement of statements.filter(({ rare }) => rare)) {
    const plan = await explain(database, engine, statement)
    for (const index of plan.indexes) indexes.add(index)
    if (plan.scans.length > 0) faults.push(`reads all of ${plan.scans.join(', ')}:\n${statement.sql}\n${plan.text}`)
  }
  if (status !== 200) faults.push(`answers ${status}`)
  if (indexes.size === 0) faults.push('uses no index')
  failures += faults.length
  print(path, `${json.count ?? ''} found, ${ms.toFixed(1)} ms: ${[...indexes].join(', ')}`)
  for (const fault of faults) console.log(`  FAILS: ${fault}`)
}

/** Typical searches, each with at most 1,000 matches, compared with pages of the list, in turns. */
async function timeSearches(ask: Ask): Promise<void> {
  const searches = await someSearches(ask)
  const [pageTimes, searchTimes]: [number[], number[]] = [[], []]
  for (let round = 0; round < 5; round++) {
    for (const [i, search] of searches.entries()) {
      pageTimes.push((await ask(`polynym/?page=${1 + ((i * 37) % 100)}`)).ms)
      searchTimes.push((await ask(`polynym/?search=${search}`)).ms)
    }
  }
  const [page, search] = [quantiles(pageTimes), quantiles(searchTimes)]
  print('cold page', `p50 ${page.p50.toFixed(2)} ms, p99 ${page.p99.toFixed(2)} ms`)
  print(`${searches.length} searches`, `p50 ${search.p50.toFixed(2)} ms, p99 ${search.p99.toFixed(2)} ms`)
  const ratio = search.p99 / page.p99
  print('p99 of a search, in pages', `${ratio.toFixed(1)} (at most 20)`)
  if (ratio > 20) failures++
}

async function someSearches(ask: Ask): Promise<string[]> {
  const searches: string[] = []
  for (let page = 1; searches.length < 200; page += 3) {
    const { json } = await ask(`polynym/?page=${page}`)
    for (const { name, p1, p2, src } of json.results) {
      const terms = `${p1} ${p2}`
      for (const text of [name, terms, terms.slice(0, -2), `the ${p1}`, src ?? name, `${p2}s`, name.slice(0, 5)]) {
        const found = (await ask(`polynym/?page_size=1&search=${text}`)).json.count
        if (found > 0 && found <= 1000) searches.push(text)
      }
    }
  }
  return searches
}

/** A word, a term and a source that some records have, but not many. */
async function knownWords(ask: Ask): Promise<{ RARE: string; TERM: string; SRC: string }> {
  const { results } = (await ask('polynym/?page=500&src__isnull=false')).json
  const rarest = async (parameter: string, candidates: readonly string[]) => {
    let found = { text: '', count: Number.POSITIVE_INFINITY }
    for (const text of candidates) {
      const { count } = (await ask(`polynym/?${parameter}=${text}`)).json
      if (text.length > 4 && count < found.count) found = { text, count }
    }
    return found.text
  }
  const terms: string[] = results.map(({ p2 }: { p2: string }) => p2)
  return {
    RARE: await rarest(
      'search',
      terms.map((term) => term.split(' ').at(-1)!),
    ),
    TERM: await rarest('term', terms),
    SRC: results[0].src,
  }
}

type Ask = (path: string) => Promise<{ readonly status: number; readonly json: any; readonly ms: number }>

function asker(url: string): Ask {
  const agent = new Agent({ keepAlive: true })
  return (path) =>
    new Promise((answered, failed) => {
      const started = performance.now()
      get(`${url}api/${encodeURI(path)}`, { agent }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () => {
          const ms = performance.now() - started
          answered({ status: reply.statusCode!, json: JSON.parse(Buffer.concat(chunks).toString()), ms })
        })
      }).on('error', failed)
    })
}

function quantiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!
  return { p50: at(0.5), p99: at(0.99) }
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

function print(what: string, figures: string): void {
  console.log(`${what.padEnd(46)} ${figures}`)
}
