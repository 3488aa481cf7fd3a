/** Pages and records, from cached responses to no cache at all, against servers that do less or the same. */
import { join } from 'node:path'
import { ask, keepAnswer } from './answer.ts'
import type { Spread } from './client.ts'
import { interleaved, load, SECONDS, type Target } from './load.ts'
import type { Results } from './results.ts'
import { type Running, startNymdex, startPeer } from './servers.ts'

export const PAGES = {
  polynyms: '/api/polynym/?page_size=100',
  middle: '/api/polynym/?page=50&page_size=100',
  polysets: '/api/polyset/?page_size=100',
  quotes: '/api/quote/?page_size=100',
  record: '/api/polynym/4711/',
} as const

const WARM = [
  ['page of 100 polynyms', PAGES.polynyms],
  ['page of 100 polysets with 5 polynyms each', PAGES.polysets],
  ['page of 100 quotes', PAGES.quotes],
  ['one record', PAGES.record],
] as const

interface FastifyPeer {
  readonly way: string
  readonly name: string
  readonly goals?: { readonly polynyms: number; readonly polysets: number }
}

/**
 * Two ways to write the server by hand: votes are read record by record, or with one query for a page. The goals are
 * about the second, which is the best that can be written by hand.
 */
export const FASTIFY: readonly FastifyPeer[] = [
  { way: 'each', name: 'Fastify + better-sqlite3' },
  { way: 'together', name: 'Fastify with one query for all votes', goals: { polynyms: 2, polysets: 1.5 } },
]

/** Until the compiler has optimised the code. */
const WARM_UP = Math.max(2, SECONDS)

export async function measureReads(results: Results, file: string, folder: string): Promise<void> {
  const database = `sqlite:${file}`
  await using(startNymdex({ database }), async (ours) => {
    for (const [what, path] of WARM) {
      await againstBare(results, { what: `warm ${what}, ratio to bare node:http`, goal: 0.9, ours, path, folder })
    }
    const etag = /\r\netag: *(\S+)/i.exec((await ask(ours.base, PAGES.polynyms)).head)![1]!
    const headers = { 'If-None-Match': etag }
    await againstBare(results, {
      what: '304, ratio to bare node:http',
      goal: 0.9,
      ours,
      path: PAGES.polynyms,
      folder,
      headers,
    })
  })
  await using(startNymdex({ database, log: join(folder, 'access.log') }), async (ours) => {
    const what = 'warm page of 100 polynyms with the access log on, ratio to bare node:http'
    await againstBare(results, { what, ours, path: PAGES.polynyms, folder })
  })
  await using(startNymdex({ database, cache: 'records' }), async (ours) => {
    const cold = [
      ['page of 100 polynyms', PAGES.polynyms, 0.6],
      ['page of 100 polysets with 5 polynyms each', PAGES.polysets, 0.4],
    ] as const
    for (const [what, path, goal] of cold) {
      await againstBare(results, {
        what: `cold ${what} (records warm), ratio to bare node:http`,
        goal,
        ours,
        path,
        folder,
      })
    }
  })
  await using(startNymdex({ database, cache: 'off' }), async (ours) => {
    for (const { way, name, goals } of FASTIFY) {
      await using(startPeer('fastify-sqlite', [file, way]), async (peer) => {
        const cold = [
          ['page of 100 polynyms', PAGES.polynyms, goals?.polynyms],
          ['page of 100 polysets with 5 polynyms each', PAGES.polysets, goals?.polysets],
        ] as const
        for (const [what, path, goal] of cold) {
          await checkSame(ours, peer, path)
          await against(results, { what: `truly cold ${what}, ratio to ${name}`, goal, ours, path }, peer)
        }
      })
    }
  })
}

interface Asked {
  readonly what: string
  readonly goal?: number | undefined
  readonly ours: Running
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

async function againstBare(results: Results, asked: Asked & { readonly folder: string }): Promise<void> {
  const answer = await keepAnswer(asked.ours.base, asked.path, asked.folder)
  await using(startPeer('bare', [answer]), (bare) => against(results, asked, bare))
}

async function against(
  results: Results,
  { what, goal, ours, path, headers = {} }: Asked,
  peer: Running,
): Promise<void> {
  const [mine, theirs]: Target[] = [ours, peer].map(({ base, pid }) => ({ base, pid, path, headers }))
  for (const target of [mine!, theirs!]) await load(target, WARM_UP)
  const found = await interleaved({ mine: () => load(mine!), theirs: () => load(theirs!) })
  results.add({
    what,
    figure: found.mine.rate / found.theirs.rate,
    ...(goal === undefined ? {} : { goal: { atLeast: goal } }),
    detail: `${shown(found.mine)}; ${peer.name} ${shown(found.theirs)}`,
  })
}

/** A peer that does less work does not count. */
async function checkSame(ours: Running, peer: Running, path: string): Promise<void> {
  const [mine, theirs] = await Promise.all(
    [ours, peer].map(async ({ base }) => {
      return (await ask(base, path)).body.toString().replaceAll(base, '')
    }),
  )
  if (mine !== theirs)
    throw new Error(
      `${peer.name} answers ${path} with another body:\n${theirs!.slice(0, 2000)}\n${mine!.slice(0, 2000)}`,
    )
}

export async function using<T>(starting: Promise<Running>, use: (running: Running) => Promise<T>): Promise<T> {
  const running = await starting
  try {
    return await use(running)
  } finally {
    await running.stop()
  }
}

export function shown({ rate, p50, p99, cost = Number.NaN }: Spread): string {
  const processor = Number.isNaN(cost) ? '' : `, ${cost.toFixed(0)} µs of processor`
  return `${rate.toFixed(0)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms${processor}`
}
