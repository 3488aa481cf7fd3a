/** The cost of writes: the first read after one, creates per second, and their effect on readers. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import SQLite from 'better-sqlite3'
import { ask } from './answer.ts'
import { type Spread, spreadOf } from './client.ts'
import { interleaved, median, output, ROUNDS, runClient, SECONDS } from './load.ts'
import { PAGES, shown, using } from './reads.ts'
import type { Results } from './results.ts'
import { processorMs, startNymdex } from './servers.ts'
import { tokensFor } from './tokens.ts'

const CLIENTS = 32
/** Changes and reads in a round. */
const TURNS = 100
/** Until the compiler has optimised the code: of changes with a read after each, and of reads. */
const WARM_UP_TURNS = 10 * TURNS

export async function measureWrites(results: Results, given: string, folder: string): Promise<void> {
  const file = join(folder, 'written.db')
  copyFileSync(given, file)
  await firstReadAfterWrite(results, file)
  await creates(results, file, folder)
}

/** A copy of a database that is in use. */
async function backUp(file: string, to: string): Promise<void> {
  const database = new SQLite(file, { readonly: true })
  await database.backup(to)
  database.close()
}

async function firstReadAfterWrite(results: Results, file: string): Promise<void> {
  const database = `sqlite:${file}`
  await using(startNymdex({ database }), (on) =>
    using(startNymdex({ database, cache: 'records' }), (records) =>
      using(startNymdex({ database, cache: 'off' }), async (off) => {
        const path = PAGES.polynyms
        // A record of the page, so the cached page becomes stale.
        const { results: shown } = JSON.parse((await ask(on.base, path)).body.toString())
        const { user, polynym_id: id } = shown[7]
        const [token] = await tokensFor(database, [user])
        const after: number[] = []
        const cold: Record<'records' | 'off', number[]> = { records: [], off: [] }
        const other: Record<'after' | 'again', number[]> = { after: [], again: [] }
        const change = { base: on.base, record: `/api/polynym/${id}/`, path, token: token!, rounds: TURNS }
        const read = (base: string, rounds = 3 * TURNS, of: string = path) =>
          runClient('turns', { base, paths: [of], rounds })
        const spared = PAGES.quotes
        await runClient('change', { ...change, rounds: WARM_UP_TURNS })
        for (const { base } of [records, off]) await read(base, WARM_UP_TURNS)
        for (let round = 0; round < ROUNDS; round++) {
          after.push(...(await runClient('change', change)).reads)
          cold.records.push(...(await read(records.base))[0]!.slice(TURNS))
          cold.off.push(...(await read(off.base))[0]!.slice(TURNS))
          other.after.push(...(await runClient('change', { ...change, path: spared })).reads)
          other.again.push(...(await read(on.base, 3 * TURNS, spared))[0]!.slice(TURNS))
        }
        const found = spreadOf(after)
        const what = 'first read of a page of 100 polynyms after a write to one of them, cost'
        const against = (name: string, times: readonly number[]) => ({
          what: `${what} against a cold page (${name})`,
          figure: found.p50 / median(times),
          detail: `median ${found.p50.toFixed(3)} ms, p99 ${found.p99.toFixed(3)} ms; cold ${median(times).toFixed(3)} ms`,
        })
        results.add({ ...against('records warm', cold.records), goal: { atMost: 1.5 } })
        results.add(against('every cache off', cold.off))
        // What the processor has to fetch again after any write, however little the read itself does.
        results.add({
          what: 'first read of a cached page of 100 quotes after a write to a polynym, cost against reading it again and again',
          figure: median(other.after) / median(other.again),
          detail: `medians ${median(other.after).toFixed(3)} ms and ${median(other.again).toFixed(3)} ms`,
        })
      }),
    ),
  )
}

async function creates(results: Results, file: string, folder: string): Promise<void> {
  const tokens = await tokensFor(
    `sqlite:${file}`,
    Array.from({ length: CLIENTS }, (_, i) => `writer${i}`),
  )
  const peer = (name: string, ...given: string[]) => [
    process.execPath,
    join(import.meta.dirname, `../peers/${name}.ts`),
    ...given,
  ]
  const loop = peer('bare-inserts', join(folder, 'bare.db'), String(SECONDS))
  const rowsFile = join(folder, 'bare-rows.db')
  await using(startNymdex({ database: `sqlite:${file}` }), async ({ base, pid }) => {
    let marks = 0
    const create = async (seconds = SECONDS): Promise<Spread> => {
      const before = processorMs(pid)
      const found = await runClient('create', { base, tokens, seconds, mark: `${process.pid} ${marks++}` })
      return { ...found, cost: ((processorMs(pid) - before) * 1000) / found.count }
    }
    await create(1)
    await backUp(file, rowsFile)
    const rows = peer('bare-rows', rowsFile, String(SECONDS), String(CLIENTS))
    const rateOf = async (command: readonly string[]): Promise<Spread> => {
      const { rate } = JSON.parse(await output([...command], 'server'))
      return { count: 0, rate, p50: 1000 / rate, p99: Number.NaN }
    }
    const found = await interleaved({
      mine: () => create(),
      rows: () => rateOf(rows),
      bare: () => rateOf(loop),
    })
    results.add({
      what: `durable creates by ${CLIENTS} clients with tokens, ratio to a bare loop that writes the same rows in groups`,
      figure: found.mine.rate / found.rows.rate,
      goal: { atLeast: 0.5 },
      detail: `${shown(found.mine)}; bare loop ${found.rows.rate.toFixed(0)}/s`,
    })
    results.add({
      what: `durable creates by ${CLIENTS} clients with tokens, ratio to a bare loop of one-row transactions`,
      figure: found.mine.rate / found.bare.rate,
      detail: `bare loop ${found.bare.rate.toFixed(0)}/s`,
    })
    const probe = () => runClient('probe', { base, path: PAGES.quotes, seconds: SECONDS })
    await probe()
    const quiet = await probe()
    const [busy] = await Promise.all([probe(), create(SECONDS + 1)])
    const detail = ({ p50 }: Spread) => `p50 ${p50.toFixed(2)} ms, one client that asks every 2 ms`
    results.add({
      what: 'warm page of 100 quotes, p99 while nobody writes',
      figure: quiet.p99,
      unit: 'ms',
      detail: detail(quiet),
    })
    results.add({
      what: `warm page of 100 quotes, p99 while ${CLIENTS} clients write`,
      figure: busy.p99,
      unit: 'ms',
      goal: { atMost: 5 },
      detail: detail(busy),
    })
  })
}
