/** The load, in its own process: `node client.ts ORDER`, with the order and the result in JSON. */
import { setTimeout as pause } from 'node:timers/promises'
import { Wire } from './wire.ts'

interface Place {
  readonly base: string
}

/** This many connections send the same request for this long. */
export interface LoadOrder extends Place {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly seconds: number
}

/** Each token creates polynyms for this long. */
export interface CreateOrder extends Place {
  readonly tokens: readonly string[]
  readonly seconds: number
  /** Part of the names, so that none exists already. */
  readonly mark: string
}

/** One client sends a request from time to time, for this long. */
export interface ProbeOrder extends Place {
  readonly path: string
  readonly seconds: number
}

/** One client requests all of them in turns, this many times. */
export interface TurnsOrder extends Place {
  readonly paths: readonly string[]
  readonly rounds: number
}

/** One client asks each question once, for at most this long, while another one reads something small. */
export interface QuestionsOrder extends Place {
  readonly paths: readonly string[]
  readonly seconds: number
}

export interface Questioned {
  readonly count: number
  /** How many had another status than 200 or 404. */
  readonly failed: number
  readonly p50: number
  readonly p99: number
  /** How long the other reader waited. */
  readonly others: { readonly p50: number; readonly p99: number; readonly worst: number }
}

/** One client changes a record and reads a page, in turns. */
export interface ChangeOrder extends Place {
  readonly record: string
  readonly path: string
  readonly token: string
  readonly rounds: number
}

/** A few clients read every page of every collection. */
export interface CrawlOrder extends Place {
  readonly connections: number
  readonly pageSize: number
}

export interface Spread {
  readonly count: number
  /** Per second. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server's processor for each, if the system reports it. */
  readonly cost?: number
}

const PROBE_EVERY_MS = 2
const FEW_TIMES = 2

export const tasks = {
  async load({ base, path, headers, connections, seconds }: LoadOrder): Promise<Spread> {
    return during(seconds, connections, base, async (wire) => {
      const request = wire.request('GET', path, headers)
      return () => timed(wire, request, 200, 304)
    })
  },

  async create({ base, tokens, seconds, mark }: CreateOrder): Promise<Spread> {
    return during(seconds, tokens.length, base, async (wire, i) => {
      const headers = { Authorization: `Token ${tokens[i]}` }
      let count = 0
      return () => {
        const name = `made ${mark} ${i} ${count++}`
        const body = JSON.stringify({
          name,
          area: 'made',
          mode: 'part',
          p1: `first ${count}`,
          p2: 'second',
          p3: 'third',
        })
        return timed(wire, wire.request('POST', '/api/polynym/', headers, body), 201)
      }
    })
  },

  async probe({ base, path, seconds }: ProbeOrder): Promise<Spread> {
    return during(seconds, 1, base, async (wire) => {
      const request = wire.request('GET', path)
      return async () => {
        await pause(PROBE_EVERY_MS)
        return timed(wire, request, 200)
      }
    })
  },

  /** The times of each path, in the order of the rounds. */
  async turns({ base, paths, rounds }: TurnsOrder): Promise<number[][]> {
    const wire = await Wire.open(base)
    const requests = paths.map((path) => wire.request('GET', path))
    const times: number[][] = paths.map(() => [])
    for (let round = 0; round < rounds; round++) {
      for (const [i, request] of requests.entries()) times[i]!.push(await timed(wire, request, 200))
    }
    wire.close()
    return times
  },

  async questions({ base, paths, seconds }: QuestionsOrder): Promise<Questioned> {
    const [wire, other] = [await Wire.open(base), await Wire.open(base)]
    const [times, waits]: [number[], number[]] = [[], []]
    let [failed, isOver] = [0, false]
    const probing = (async () => {
      const request = other.request('GET', '/api/queue/?page_size=1')
      while (!isOver) {
        waits.push(await timed(other, request, 200))
        await pause(PROBE_EVERY_MS)
      }
    })()
    const end = performance.now() + seconds * 1000
    for (const path of paths) {
      if (performance.now() > end) break
      const { status, ms } = await wire.ask(wire.request('GET', path))
      times.push(ms)
      if (status !== 200 && status !== 404) failed++
    }
    isOver = true
    await probing
    // The first loads code and prepares statements.
    if (times.length > FEW_TIMES) times.shift()
    wire.close()
    other.close()
    return {
      count: times.length,
      failed,
      ...spreadOf(times),
      others: { ...spreadOf(waits), worst: Math.max(...waits) },
    }
  },

  async change({ base, record, path, token, rounds }: ChangeOrder): Promise<{ writes: number[]; reads: number[] }> {
    const wire = await Wire.open(base)
    const [writes, reads]: [number[], number[]] = [[], []]
    const read = wire.request('GET', path)
    const mark = Date.now().toString(36)
    for (let i = 0; i < rounds; i++) {
      const body = JSON.stringify({ area: `${mark} ${i}` })
      writes.push(await timed(wire, wire.request('PATCH', record, { Authorization: `Token ${token}` }, body), 200))
      reads.push(await timed(wire, read, 200))
    }
    wire.close()
    return { writes, reads }
  },

  async crawl({ base, connections, pageSize }: CrawlOrder): Promise<{ pages: number; records: number; bytes: number }> {
    const first = await Wire.open(base)
    const index = JSON.parse((await first.ask(first.request('GET', '/api/'))).body.toString()) as Record<string, string>
    const paths: string[] = []
    let records = 0
    for (const address of Object.values(index)) {
      const { pathname } = new URL(address)
      const page = JSON.parse((await first.ask(first.request('GET', `${pathname}?page_size=1`))).body.toString())
      if (typeof page.count !== 'number') continue
      records += page.count
      for (let n = 1; n <= Math.ceil(page.count / pageSize); n++)
        paths.push(`${pathname}?page=${n}&page_size=${pageSize}`)
    }
    first.close()
    let [next, bytes] = [0, 0]
    const walk = async () => {
      const wire = await Wire.open(base)
      while (next < paths.length) {
        const path = paths[next++]!
        const { status, body } = await wire.ask(wire.request('GET', path))
        if (status !== 200) throw new Error(`${path} answers ${status}`)
        bytes += body.length
      }
      wire.close()
    }
    await Promise.all(Array.from({ length: connections }, walk))
    return { pages: paths.length, records, bytes }
  },
}

async function timed(wire: Wire, request: string, ...wanted: number[]): Promise<number> {
  const { status, ms, body } = await wire.ask(request)
  if (!wanted.includes(status)) throw new Error(`${request.split('\r\n', 1)[0]} answers ${status}: ${body}`)
  return ms
}

/** This many at a time, each as soon as the one before is done. */
async function during(
  seconds: number,
  connections: number,
  base: string,
  ready: (wire: Wire, i: number) => Promise<() => Promise<number>>,
): Promise<Spread> {
  const wires = await Promise.all(Array.from({ length: connections }, () => Wire.open(base)))
  const asks = await Promise.all(wires.map(ready))
  const times: number[] = []
  const started = performance.now()
  const end = started + seconds * 1000
  const go = async (ask: () => Promise<number>) => {
    while (performance.now() < end) times.push(await ask())
  }
  await Promise.all(asks.map(go))
  const took = performance.now() - started
  for (const wire of wires) wire.close()
  return { count: times.length, rate: (times.length * 1000) / took, ...spreadOf(times) }
}

export function spreadOf(times: readonly number[]): { p50: number; p99: number } {
  const sorted = Float64Array.from(times).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

if (import.meta.main) {
  const { task, ...order } = JSON.parse(process.argv[2]!) as { task: keyof typeof tasks }
  console.log(JSON.stringify(await tasks[task](order as never)))
}
