/**
 * How often each resource was written: the version numbers that validate everything cached in memory. A write
 * increments them in its own transaction, so a reader that sees the number sees the write, in every process.
 */
import type { Row } from '../declare/index.ts'
import { execute, query, type Statement, statementOf, type Work } from './database.ts'
import type { Settled, ShownRecord, Touch, Touched } from './touched.ts'

export interface Generation {
  readonly number: number
  /** The number at which the blocks of the rank index were last rebuilt. */
  readonly layout: number
  /** The number at which a record was last added, removed, or moved in the list. */
  readonly moved: number
}

/** The generation of every resource at one moment, by name; a missing resource was never written. */
export type Moment = ReadonlyMap<string, Generation>

type Listener = (touch: Touch) => void

/** The newest entries of the log that tell another process which records changed. With more of them, all may have. */
const MOST_TOLD = 1000

export const READ_GENERATIONS = 'SELECT resource, number, layout, moved FROM generation'

/**
 * The generations, and the records that the log tells of after `since`. All in one statement, so that no entry is
 * missing, and none is newer. Without an upper limit, PostgreSQL would read the whole log if it made its plan when the log
 * was short.
 */
export const READ_GENERATIONS_AND_LOG = `SELECT resource, number, layout, moved, 0 AS record,
   (SELECT COALESCE(max(seq), 0) FROM change) AS seq
   FROM generation UNION ALL SELECT resource, 0, 0, 0, record, seq FROM (
   SELECT resource, record, seq FROM change WHERE seq > ? AND seq <= ?) AS told`

/** The parameters of `READ_GENERATIONS_AND_LOG`. */
export function logAfter({ since }: Generations): [number, number] {
  return [since, since + MOST_TOLD]
}

/** Which moment a transaction shows. There is no log yet while the tables are being made. */
export function momentStatement(generations: Generations, { isOn }: { readonly isOn: boolean }): Statement {
  return isOn ? { sql: READ_GENERATIONS_AND_LOG, parameters: logAfter(generations) } : statementOf(READ_GENERATIONS)
}

/** Numbers only grow, so their sum is equal only if all of them are. */
export const SUM_OF_GENERATIONS = statementOf('SELECT COALESCE(sum(number), 0)::bigint AS sum FROM generation')

export function sumOf(moment: Moment): number {
  let sum = 0
  for (const { number } of moment.values()) sum += number
  return sum
}

/** The number that a running write will have when it is committed, as SQL. */
export const numberToBe = (resource: string) =>
  `(SELECT COALESCE(max(number), 0) + 1 FROM generation WHERE resource = '${resource}')`

/** The log itself, as far as entries were changed or removed. */
export const LOG = 'change'

/** Counts the writes to a resource that the log does not tell, or not completely. */
const untold = (resource: string) => `${resource} untold`

const NEVER: Generation = { number: 0, layout: 0, moved: 0 }

function generationIn(row: Row): Generation {
  return { number: Number(row['number']), layout: Number(row['layout']), moved: Number(row['moved']) }
}

/** The moment of a snapshot in which these generations were read. */
export function momentIn(rows: readonly Row[]): Moment {
  return new Map(rows.map((row) => [String(row['resource']), generationIn(row)]))
}

export function generationOf(moment: Moment, resource: string): Generation {
  return moment.get(resource) ?? NEVER
}

/** A touch with the generation that it created. */
export interface Counted extends Touch, Generation, Pick<Settled, 'committed'> {}

/**
 * The last step of the transaction that touched. With the moment at which a transaction has begun that nobody else can
 * overtake, it waits for no result.
 */
export function* countOn(touched: Touched, begun?: Moment): Work<Counted[]> {
  const counted: Counted[] = []
  for (const touch of touched.all()) {
    const { moves, counts, resource, ids, shown = [] } = touch
    // Where all records may have changed, the transaction itself may have set the layout.
    const generation = yield* countOne(resource, moves !== undefined, ids === 'all' ? undefined : begun)
    if (!touched.isTold(resource)) {
      const name = untold(resource)
      counted.push({ resource: name, ids: [], ...(yield* countOne(name, false, begun)) })
    }
    const { isRelaid, ...settled } = moves ? yield* moves.settle(moves.list, generation) : { isRelaid: false }
    if (counts) yield* counts.settle(new Map(counts.list))
    const { number } = generation
    counted.push({ resource, ids, shown, ...generation, ...(isRelaid ? { layout: number } : {}), ...settled })
  }
  return counted
}

/** With the moment at which the transaction has begun, the result is known before it arrives. */
function* countOne(resource: string, isMoved: boolean, begun: Moment | undefined): Work<Generation> {
  const count = `INSERT INTO generation (resource, number, layout, moved) VALUES (?, 1, 0, ${isMoved ? 1 : 0})
     ON CONFLICT (resource) DO UPDATE SET number = generation.number + 1${isMoved ? ', moved = generation.number + 1' : ''}`
  if (!begun) {
    const [row = {}] = yield* query(`${count} RETURNING number, layout, moved`, resource)
    return generationIn(row)
  }
  yield* execute(count, [resource])
  const before = generationOf(begun, resource)
  const number = before.number + 1
  return { number, layout: before.layout, moved: isMoved ? number : before.moved }
}

/** What a transaction of ours adds to the log: the entries after `since`, up to `latest`. */
export interface Logged {
  readonly since: number
  readonly latest: number
}

/** What is known of the records that were written, by resource. */
interface Learned {
  /** What the log tells. */
  readonly told?: ReadonlyMap<string, readonly number[]> | undefined
  /** What our own write has made of them: certain only when it is committed. */
  readonly shown?: ReadonlyMap<string, readonly ShownRecord[]>
}

/** The newest moment that this process knows. */
export class Generations {
  #now: Moment = new Map()
  /** How far this process has read the log; undefined if it never did. */
  #seq: number | undefined
  readonly #listeners: Listener[] = []
  /** Our own writes that are being committed: we know which records they touched. */
  readonly #ours = new Map<string, Counted>()

  get now(): Moment {
    return this.#now
  }

  /** Called for every change that this process learns of, from any process. */
  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  /** Whether these resources are as they were at the moment. */
  isCurrent(moment: Moment, resources: readonly string[]): boolean {
    return moment === this.#now || resources.every((name) => isSame(moment, this.#now, name))
  }

  /** From where on `see` needs the log. */
  get since(): number {
    return this.#seq ?? Number.MAX_SAFE_INTEGER
  }

  /** Rows read in one snapshot, whose moment is returned; it may be older than the newest. */
  see(rows: readonly Row[]): Moment {
    const isEntry = (row: Row) => row['record'] !== undefined && Number(row['record']) > 0
    const moment = momentIn(rows.filter((row) => !isEntry(row)))
    const entries = rows.filter(isEntry)
    const latest = rows.find((row) => !isEntry(row))?.['seq']
    // There may be more entries than were read. Since they were asked for, this process may have learned of others.
    const read = entries.reduce((most, row) => Math.max(most, Number(row['seq'])), this.since)
    const isWhole = latest === undefined || Number(latest) <= read
    const isNewer = this.#advance(moment, { told: isWhole ? toldBy(entries) : undefined })
    // It may be a lower number: a restore replaces the log.
    if (latest !== undefined && (isNewer || this.#seq === undefined)) this.#seq = Number(latest)
    return [...moment.keys(), ...this.#now.keys()].every((name) => isSame(moment, this.#now, name)) ? this.#now : moment
  }

  /** Before a write of ours is committed. */
  expect(counted: readonly Counted[]): void {
    for (const each of counted) this.#ours.set(each.resource, each)
  }

  /** After it: done, or failed. */
  settle(counted: readonly Counted[], done: boolean, logged?: Logged): void {
    if (done) {
      // If others have written, too, the next one who looks learns of both from the log.
      const alone = counted.filter(({ resource, number }) => generationOf(this.#now, resource).number === number - 1)
      const shown = new Map(alone.map((each) => [each.resource, each.shown ?? []]))
      this.#advance(
        new Map(alone.map(({ resource, number, layout, moved }) => [resource, { number, layout, moved }])),
        { shown },
      )
      if (logged && logged.since === this.#seq) this.#seq = logged.latest
    }
    for (const each of counted) {
      this.#ours.delete(each.resource)
      if (done) each.committed?.()
    }
  }

  /** Returns whether anything is newer than what this process knew. */
  #advance(moment: Moment, { told, shown }: Learned): boolean {
    const newer = [...moment].filter(([name, { number }]) => number > generationOf(this.#now, name).number)
    if (newer.length === 0) return false
    const before = this.#now
    this.#now = new Map([...before, ...newer])
    // If entries of the log were removed, it no longer tells everything.
    const isWhole = isSame(before, this.#now, LOG)
    for (const [resource, { number }] of newer) {
      const ours = this.#ours.get(resource)
      const alone = ours?.number === number && generationOf(before, resource).number === number - 1
      const isTold = isWhole && isSame(before, this.#now, untold(resource))
      const ids = alone ? ours.ids : (isTold && told?.get(resource)) || 'all'
      for (const listener of this.#listeners) listener({ resource, ids, shown: shown?.get(resource) ?? [] })
    }
    return true
  }
}

/** The records that entries of the log tell of, by resource. */
function toldBy(entries: readonly Row[]): ReadonlyMap<string, readonly number[]> {
  const byResource = Map.groupBy(entries, (row) => String(row['resource']))
  return new Map(Array.from(byResource, ([name, rows]) => [name, rows.map((row) => Number(row['record']))]))
}

function isSame(a: Moment, b: Moment, resource: string): boolean {
  return generationOf(a, resource).number === generationOf(b, resource).number
}
