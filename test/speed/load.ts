/**
 * Random reads and writes on servers that share a database, decided by a seed: renames, deletes, votes, changes of sets
 * and lines, and between them every kind of address. One server checks itself, the others are compared with it.
 */
import { Chance } from '../robust/chance.ts'
import { type BytesReply, type Served, said } from '../support/servers.ts'
import { commands, type Known, reads } from './commands.ts'

export interface Asked {
  readonly kind: string
  readonly path: string
  readonly method?: string
  readonly json?: object | undefined
  readonly as?: string | undefined
  readonly headers?: Record<string, string>
  /** Random picks are not compared. */
  readonly varies?: boolean
}

export interface Tally {
  requests: number
  /** Answered with 400 or more: records that no longer exist, or would be duplicates. */
  refused: number
  ms: number
}

export interface LoadReport {
  readonly kinds: ReadonlyMap<string, Tally>
  /** What was wrong, in words: responses that differ, and those that nobody should get. */
  readonly faults: readonly string[]
  readonly compared: number
}

/** A server that is asked, in this process or another. */
export type LoadedServer = Pick<Served, 'ask' | 'bugs'>

interface LoadOptions {
  /** Answers everything twice; it sends the fresh response. */
  readonly checked: Served
  readonly others: readonly LoadedServer[]
  readonly seed: number
  readonly requests: number
  progress?(done: number): void
}

const COLLECTIONS = `fable fortune phrase polynym polymap polyset quadranym quadraset queue quote story tale storyline
  taleline vectornym winner`.split(/\s+/)
const GOOD_READ = new Set([200, 304, 400, 404])
const GOOD_WRITE = new Set([200, 201, 204, 400, 404, 409])
const HOT = 12
const MOST_FAULTS = 20

export async function runLoad({ checked, others, seed, requests, progress }: LoadOptions): Promise<LoadReport> {
  const chance = new Chance(seed)
  const servers: readonly LoadedServer[] = [checked, ...others]
  const known = await knownOn(checked)
  const etags = new Map<string, string>()
  const kinds = new Map<string, Tally>()
  const faults: string[] = []
  let [done, compared] = [0, 0]

  const ask = async (server: LoadedServer, { kind, path, ...sent }: Asked): Promise<BytesReply> => {
    const started = performance.now()
    const { varies: _, json, as, ...others } = sent
    const reply = await server.ask(path, { ...others, ...(json ? { json } : {}), ...(as ? { as } : {}) })
    const tally = kinds.get(kind) ?? { requests: 0, refused: 0, ms: 0 }
    kinds.set(kind, tally)
    tally.requests++
    tally.ms += performance.now() - started
    if (reply.status >= 400) tally.refused++
    done++
    const isGood = (sent.method && sent.method !== 'HEAD' ? GOOD_WRITE : GOOD_READ).has(reply.status)
    if (reply.status === 404) forget(known, path)
    if (!isGood) faults.push(`${sent.method ?? 'GET'} ${path}: ${reply.status} ${reply.text.slice(0, 200)}`)
    return reply
  }

  const write = async (asked: Asked) => {
    const { status, json } = await ask(chance.pick(servers), asked)
    if (status === 201) learn(known, json)
    if (asked.method === 'DELETE' && status < 300) forget(known, asked.path)
    for (const address of json?.deleted ?? []) forget(known, new URL(address).pathname)
  }

  /** Nobody writes meanwhile: all must return the same. */
  const read = async (asked: Asked) => {
    const replies = await Promise.all(servers.map((server) => ask(server, asked)))
    const [expected, ...kept] = replies.map((reply) => JSON.stringify(said(reply)))
    if (replies[0]!.headers.etag) etags.set(asked.path, replies[0]!.headers.etag)
    if (asked.varies) return
    compared++
    const differs = kept.find((each) => each !== expected)
    if (differs) faults.push(`${asked.path} ${JSON.stringify(asked.headers)}: ${difference(expected!, differs)}`)
  }

  const nextRead = () => chance.pick(reads(chance, known, etags))()
  const nextWrite = () => chance.pick(commands(chance, known))()
  const bugs = () => servers.flatMap((server) => server.bugs)
  while (done < requests && faults.length + bugs().length < MOST_FAULTS) {
    if (chance.happens(4)) {
      // All at once: a reader gets the old or the new state, and both are cached correctly or not at all.
      const writes = Array.from({ length: 2 + chance.below(4) }, () => write(nextWrite()))
      const readers = Array.from({ length: 2 + chance.below(6) }, () => ask(chance.pick(servers), nextRead()))
      await Promise.all([...writes, ...readers])
    } else await write(nextWrite())
    await Promise.all(Array.from({ length: 1 + chance.below(6) }, () => read(nextRead())))
    progress?.(done)
  }
  return { kinds, faults: [...faults, ...bugs().map(String)], compared }
}

/** The ids of a few records of each kind, which are read and written again and again. */
async function knownOn(server: Served): Promise<Known> {
  const known: Record<string, number[]> = {}
  for (const name of COLLECTIONS) {
    const { json } = await server.ask(`/api/${name}/?page_size=${HOT}`)
    known[name] = json.results.map((record: Record<string, number>) => record[`${name}_id`]!)
    // Those that are embedded matter most.
    const holds = json.results.flatMap((record: object) => Object.values(record)).flat()
    for (const held of holds) if (held !== null && typeof held === 'object') learn(known, held)
  }
  return known
}

function learn(known: Known, record: Record<string, unknown>): void {
  const [member, id] = Object.entries(record).at(-1)!
  const ids = known[member.replace(/_id$/, '')]
  if (!ids?.includes(Number(id))) ids?.push(Number(id))
}

function forget(known: Known, path: string): void {
  const [, , name, id] = path.split('/')
  const ids = known[name!] ?? []
  const place = ids.indexOf(Number(id))
  if (place >= 0 && ids.length > 3) ids.splice(place, 1)
}

function difference(a: string, b: string): string {
  const place = [...a].findIndex((_, i) => a[i] !== b[i])
  return `"${a.slice(Math.max(0, place - 40), place + 80)}" and "${b.slice(Math.max(0, place - 40), place + 80)}"`
}
