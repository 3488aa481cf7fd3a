/** Records picked by chance: any, the same again for a seed, or the same for everybody on a day. */
import { createHash, randomBytes } from 'node:crypto'
import { showRecord } from '../declare/index.ts'
import type { Narrowing, Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { loadRecords } from './load.ts'
import { readNarrowed } from './patience.ts'
import { problems } from './problem.ts'

export interface Picked {
  /** How many there were to pick from. */
  readonly count: number
  readonly records: readonly PickedRecord[]
}

interface PickedRecord {
  readonly json: string
  readonly plain: string | undefined
}

const EVERYTHING: Narrowing = { conditions: [] }

/** `many` different records, or all when there are fewer. */
export function pickRandom(
  engine: Engine,
  collection: Collection,
  { narrowing = EVERYTHING, seed, many }: { narrowing: Narrowing | undefined; seed: string | undefined; many: number },
): Promise<Picked> {
  const { store } = engine
  return readNarrowed(engine, collection, narrowing, function* () {
    const count = yield* store.lists.count(collection, narrowing)
    const places = distinctPlaces(seed ?? randomBytes(16).toString('hex'), count, many)
    // Ids come in their own order; the seed decides which of them is the first.
    const ids = yield* store.lists.idsAt(collection, places, narrowing)
    const inOrder = [...places].sort((a, b) => a - b)
    const rows = new Map((yield* store.records.byIds(collection, ids)).map((row) => [Number(row['id']), row]))
    const picked = places.map((place) => rows.get(ids[inOrder.indexOf(place)]!)!)
    return { count, records: yield* shown(engine, collection, picked) }
  })
}

/** A day's record stays the same while others are added, but for the rare one that takes its place. */
export function pickDaily(
  engine: Engine,
  collection: Collection,
  { narrowing = EVERYTHING, day }: { narrowing: Narrowing | undefined; day: string },
): Promise<PickedRecord> {
  const { store } = engine
  return readNarrowed(engine, collection, narrowing, function* () {
    const highest = yield* store.records.highestId(collection)
    const id = 1 + jump(hashOf(`${collection.resource.name} ${day}`), highest)
    let rows = yield* store.lists.firstFrom(collection, id, narrowing)
    if (rows.length === 0) rows = yield* store.lists.firstFrom(collection, 1, narrowing)
    const [record] = yield* shown(engine, collection, rows)
    if (!record) throw problems.notFound()
    return record
  })
}

function* shown(engine: Engine, collection: Collection, rows: Parameters<typeof loadRecords>[2]): Work<PickedRecord[]> {
  const { resource, only } = collection
  const records = yield* loadRecords(engine.store, collection, rows)
  return records.map((record) => ({
    json: showRecord(record),
    plain: only ? undefined : resource.plain?.write(record as never),
  }))
}

/** Each place once, by a walk through numbers that the seed decides. */
function distinctPlaces(seed: string, count: number, many: number): number[] {
  const places = new Set<number>()
  for (let i = 0; places.size < Math.min(many, count); i++) {
    places.add(Number(hashOf(`${seed} ${i}`) % BigInt(count)))
  }
  return [...places]
}

function hashOf(text: string): bigint {
  return createHash('sha256').update(text).digest().readBigUInt64BE()
}

/**
 * Lamping and Veach's jump consistent hash: a number below `buckets`, which changes for one key in n when there is
 * an n-th bucket.
 */
function jump(key: bigint, buckets: number): number {
  let state = key
  let [bucket, next] = [-1, 0]
  while (next < buckets) {
    bucket = next
    state = BigInt.asUintN(64, state * 2862933555777941757n + 1n)
    next = Math.floor((bucket + 1) * (2 ** 31 / (Number(state >> 33n) + 1)))
  }
  return Math.max(bucket, 0)
}

/** The day it is somewhere, and how many seconds are left of it. */
export function dayIn(now: Date, zone: string): { readonly day: string; readonly secondsLeft: number } {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const passed = Number(parts['hour']) * 3600 + Number(parts['minute']) * 60 + Number(parts['second'])
  return { day: `${parts['year']}-${parts['month']}-${parts['day']}`, secondsLeft: 86400 - passed }
}
