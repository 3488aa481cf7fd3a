/** The cost of a million records: deep pages, searches and filters, the start, memory. */
import { ask } from './answer.ts'
import { spreadOf } from './client.ts'
import { SIZES } from './data.ts'
import { median, ROUNDS, runClient } from './load.ts'
import { using } from './reads.ts'
import type { Results } from './results.ts'
import { memoryOf, type Running, startNymdex } from './servers.ts'
import { Words } from './words.ts'

const PAGE = '/api/polynym/?page_size=100'
const LAST = SIZES.million.polynyms / 100
const PLACES = { 'page in the middle': Math.ceil(LAST / 2), 'last page': LAST } as const
const POLYNYMS = `${SIZES.million.polynyms.toLocaleString('en')} polynyms`
const MOST_MATCHES = 1000
const TIMES = 100
/** For each kind of question. */
const QUESTIONS = 12

/** One client, the pages in turns. */
export async function measureDepth(results: Results, engine: string, database: string): Promise<void> {
  for (const [cache, said] of [
    ['off', 'every cache off'],
    ['records', 'records warm'],
  ] as const) {
    await using(startNymdex({ database, cache }), async ({ base }) => {
      const paths = [PAGE, ...Object.values(PLACES).map((page) => `${PAGE}&page=${page}`)]
      await runClient('turns', { base, paths, rounds: 50 })
      const times = await runClient('turns', { base, paths, rounds: ROUNDS * TIMES })
      const [first, ...deep] = times.map(median)
      for (const [i, place] of Object.keys(PLACES).entries()) {
        results.add({
          what: `${engine}: ${place} of ${POLYNYMS}, cold (${said}), cost against page 1`,
          figure: deep[i]! / first!,
          goal: { atMost: 1.3 },
          detail: `median ${deep[i]!.toFixed(2)} ms, page 1 ${first!.toFixed(2)} ms`,
        })
      }
      if (cache === 'off') await anyPages(results, engine, base, first!)
    })
  }
}

/** Pages that nobody has read before, each once: the database's own cache helps less. */
async function anyPages(results: Results, engine: string, base: string, first: number): Promise<void> {
  const { chance } = new Words(9)
  const paths = Array.from({ length: 300 }, () => `${PAGE}&page=${1 + chance.below(LAST)}`)
  const times = (await runClient('turns', { base, paths, rounds: 1 })).flat()
  const { p50, p99 } = spreadOf(times)
  results.add({
    what: `${engine}: 300 pages anywhere, each asked for once, cold (every cache off), cost against page 1`,
    figure: p50 / first,
    detail: `median ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`,
  })
}

export async function measureFinding(results: Results, engine: string, database: string): Promise<void> {
  await using(startNymdex({ database, cache: 'off' }), async (running) => {
    const kinds = await questionsFor(running)
    const paths = Object.values(kinds).flat()
    const pages = Array.from({ length: 20 }, (_, i) => `${PAGE}&page=${1 + Math.floor((i * LAST) / 20)}`)
    await runClient('turns', { base: running.base, paths: [...pages, ...paths], rounds: 1 })
    const times = await runClient('turns', { base: running.base, paths: [...pages, ...paths], rounds: 10 })
    const page = median(times.slice(0, pages.length).flat())
    const found = times.slice(pages.length)
    const all = spreadOf(found.flat())
    results.add({
      what: `${engine}: searches and filters with at most 1,000 matches in ${POLYNYMS}, p99 against a cold page`,
      figure: all.p99 / page,
      goal: { atMost: 20 },
      detail: `p50 ${all.p50.toFixed(2)} ms, p99 ${all.p99.toFixed(2)} ms; cold page ${page.toFixed(2)} ms, all of 100 records`,
    })
    let start = 0
    for (const [kind, questions] of Object.entries(kinds)) {
      const { p50, p99 } = spreadOf(found.slice(start, start + questions.length).flat())
      start += questions.length
      results.add({
        what: `${engine}: ${kind}, p99`,
        figure: p99,
        unit: 'ms',
        detail: `p50 ${p50.toFixed(2)} ms, such as ${questions[0]}`,
      })
    }
  })
}

/** Some of each kind that find something, but not more than the goal allows. */
async function questionsFor({ base }: Running): Promise<Record<string, string[]>> {
  const words = new Words(8)
  const { chance } = new Words(10)
  // The most frequent words occur in far more records, the rarest in a few.
  const rare = () => words.all[500 + chance.below(8000)]!
  const common = () => words.all[chance.below(100)]!
  const makers: Record<string, () => string> = {
    'search for a word': () => `search=${rare()}`,
    'search for two words': () => `search=${rare()} ${common()}`,
    'search for the beginning of a word': () => `search=${rare().slice(0, 9)}`,
    'area and mode': () => `area=${chance.pick(words.areas)}&mode=step`,
    src: () => `src=${chance.pick(words.sources)}`,
    user: () => `user=user${1 + chance.below(2000)}`,
    term: () => `term=${rare()}`,
    'depth range': () => `depth__gte=${9 + chance.below(2)}&depth__lte=${11 + chance.below(2)}`,
    'search and filter': () => `search=${rare()}&mode=${chance.pick(['part', 'type', 'step'])}`,
  }
  const kinds: Record<string, string[]> = {}
  for (const [kind, make] of Object.entries(makers)) {
    kinds[kind] = []
    for (let tries = 0; kinds[kind].length < QUESTIONS && tries < 20 * QUESTIONS; tries++) {
      const query = encodeURI(make())
      const { count } = JSON.parse((await ask(base, `/api/polynym/?${query}&page_size=1`)).body.toString())
      if (count > 0 && count <= MOST_MATCHES) kinds[kind].push(`/api/polynym/?${query}&page_size=100`)
    }
  }
  return kinds
}

export async function measureStart(results: Results, engine: string, database: string): Promise<void> {
  const starts: Running[] = []
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const running = await startNymdex({ database, first: '/api/polynym/' })
    starts.push(running)
    memory.push(memoryOf(running.pid)?.now ?? Number.NaN)
    await running.stop()
  }
  results.add({
    what: `${engine}: start with ${POLYNYMS} to the first answer`,
    figure: median(starts.map(({ startMs }) => startMs)) / 1000,
    unit: 's',
    goal: { atMost: 1.5 },
  })
  results.add({ what: `${engine}: memory then`, figure: median(memory), unit: 'MB', goal: { atMost: 350 } })
}

/** Memory must not grow with what was read. */
export async function measureCrawl(results: Results, engine: string, database: string): Promise<void> {
  await using(startNymdex({ database }), async ({ base, pid }) => {
    const started = performance.now()
    const { pages, records } = await runClient('crawl', { base, connections: 4, pageSize: 100 })
    const seconds = (performance.now() - started) / 1000
    const { now, most } = memoryOf(pid) ?? { now: Number.NaN, most: Number.NaN }
    results.add({
      what: `${engine}: memory after a crawl of every page of every collection`,
      figure: now,
      unit: 'MB',
      goal: { atMost: 350 },
      detail: `at most ${most.toFixed(0)} MB on the way; ${pages} pages of ${records} records in ${seconds.toFixed(0)} s`,
    })
  })
}
