/** Random records: any, the same again for a seed, or the same for everyone on a day. */
import { createHash, randomBytes } from 'node:crypto'
import type { Moment, Narrowing, Work } from '../store/index.ts'
import { PageBudget } from './budget.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'
import type { Projection } from './project.ts'
import { readNarrowed } from './query-timeout.ts'
import { countNarrowed, narrowedIds } from './read.ts'
import { type Shown, showByIds, showRows } from './show.ts'

export interface Picked {
  /** How many records match. */
  readonly count: number
  readonly records: readonly Shown[]
}

const EVERYTHING: Narrowing = { conditions: [] }

interface PickedFrom {
  readonly narrowing: Narrowing | undefined
  /** Which members of the records; all when undefined. */
  readonly projection?: Projection | undefined
}

const AT_ONCE = 20

/** `many` different records, or all if there are fewer. */
export function pickRandom(engine: Engine, collection: Collection, wanted: RandomlyPicked): Promise<Picked> {
  return readNarrowed(engine, collection, wanted.narrowing, (moment) => randomOnes(engine, collection, wanted, moment))
}

interface RandomlyPicked extends PickedFrom {
  readonly seed: string | undefined
  readonly many: number
}

function* randomOnes(
  engine: Engine,
  collection: Collection,
  { narrowing, projection, seed, many }: RandomlyPicked,
  moment: Moment,
): Work<Picked> {
  const { store } = engine
  const by = narrowing && { ...narrowing, ordering: undefined }
  const count = yield* by ? countNarrowed(engine, collection, by, moment) : store.records.count(collection, moment)
  const places = distinctPlaces(seed ?? randomBytes(16).toString('hex'), count, many)
  const inOrder = places.toSorted((a, b) => a - b)
  const ids = yield* by
    ? narrowedIdsAt(engine, collection, inOrder, { by, count }, moment)
    : store.records.idsAt(collection, inOrder, moment)
  const budget = new PageBudget('n')
  const records = new Map<number, Shown>()
  // Records read together share what they embed; too many at once could exceed the budget.
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    for (const record of yield* showByIds(store, collection, ids.slice(i, i + AT_ONCE), projection)) {
      budget.add(record.json)
      records.set(record.id, record)
    }
  }
  // They come in list order; the seed decides which of them is first.
  return { count, records: places.map((place) => records.get(ids[inOrder.indexOf(place)]!)!) }
}

function* narrowedIdsAt(
  engine: Engine,
  collection: Collection,
  places: readonly number[],
  list: { readonly by: Narrowing; readonly count: number },
  moment: Moment,
): Work<readonly number[]> {
  const [place, ...others] = places
  // One is found like a page. Search results have another order there.
  if (place !== undefined && others.length === 0 && list.by.search === undefined) {
    return yield* narrowedIds(engine, collection, { offset: place, limit: 1 }, list, moment)
  }
  return yield* engine.store.lists.idsAt(collection, places, list)
}

/** A day's record stays the same while others are added, except for the rare one that replaces it. */
export function pickDaily(engine: Engine, collection: Collection, wanted: PickedDaily): Promise<Shown> {
  const { narrowing = EVERYTHING } = wanted
  return readNarrowed(engine, collection, narrowing, () => dailyOne(engine, collection, narrowing, wanted))
}

interface PickedDaily extends PickedFrom {
  readonly day: string
}

function* dailyOne(
  { store }: Engine,
  collection: Collection,
  narrowing: Narrowing,
  { projection, day }: PickedDaily,
): Work<Shown> {
  const highest = yield* store.records.highestId(collection)
  const id = 1 + jump(hashOf(`${collection.resource.name} ${day}`), highest)
  const from = (first: number) =>
    showRows(store, collection, (wanted) => store.lists.firstFrom(wanted, first, narrowing), projection)
  const [record = (yield* from(1))[0]] = yield* from(id)
  if (!record) throw problems.notFound()
  return record
}

/** Each position once, by a walk through numbers that the seed determines. */
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

/** The date in a time zone, and how many seconds are left of it. */
export function dayIn(now: Date, zone: string): { readonly day: string; readonly secondsLeft: number } {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  )
  const passed = Number(parts['hour']) * 3600 + Number(parts['minute']) * 60 + Number(parts['second'])
  return { day: `${parts['year']}-${parts['month']}-${parts['day']}`, secondsLeft: 86400 - passed }
}

/** Most clients ask for the same time zone, and making a format takes longer than using it. */
let lastClock: { readonly zone: string; readonly clock: Intl.DateTimeFormat } | undefined

function clockOf(zone: string): Intl.DateTimeFormat {
  if (lastClock?.zone === zone) return lastClock.clock
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  lastClock = { zone, clock }
  return clock
}
