/**
 * The past: records that were changed after an entry of the log, as they were then. All other records are still as they
 * were, so the tables and these records together are that moment (lists-as-of.ts, records-as-of.ts).
 *
 * What is known of the past never becomes wrong, so it only grows: readers add what they need, in any number of steps,
 * and readers of older snapshots can use it too.
 */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { LoggedChanges } from './logged-changes.ts'
import type { Names } from './names.ts'
import { Forgotten, type PastRecord, pastRecord, stateBefore, stateOf } from './past-rows.ts'
import type { Records } from './records.ts'
import { timesAt, UNKNOWN_TIMES } from './times.ts'
import { votersOfMany } from './votes.ts'

/** The changed records of one resource. */
export interface PastRecords {
  /** Undefined for a record that did not exist. */
  readonly byId: ReadonlyMap<number, PastRecord | undefined>
  /** Those that existed, in the order in which they became known. */
  readonly existed: readonly PastRecord[]
}

interface KnownRecords extends PastRecords {
  readonly byId: Map<number, PastRecord | undefined>
  readonly existed: PastRecord[]
  /** All changes up to this entry are known. */
  upTo: number
}

/** How many entries one step reads: it runs on the main thread, so others wait for it. */
const STEP = 100

export class Past {
  /** Everything after this entry is undone. */
  readonly seq: number
  /** The log has all entries up to this one. */
  checkedUpTo: number
  /** Roughly, in memory. */
  bytes = 0
  readonly #known = new Map<string, KnownRecords>()

  constructor(seq: number) {
    this.seq = seq
    this.checkedUpTo = seq
  }

  /** What is known of a resource. */
  of(resource: string): PastRecords {
    return this.#of(resource)
  }

  #of(resource: string): KnownRecords {
    const known = this.#known.get(resource) ?? { byId: new Map(), existed: [], upTo: this.seq }
    this.#known.set(resource, known)
    return known
  }

  set(resource: string, id: number, record: PastRecord | undefined): void {
    const { byId, existed } = this.#of(resource)
    if (byId.has(id)) return
    byId.set(id, record)
    if (record) existed.push(record)
    this.bytes += bytesOf(record)
  }

  upTo(resource: string): number {
    return this.#of(resource).upTo
  }

  setUpTo(resource: string, seq: number): void {
    const known = this.#of(resource)
    known.upTo = Math.max(known.upTo, seq)
  }
}

/** Reads the past from the log. */
export class PastReader {
  readonly #dialect: Dialect
  readonly #logged: LoggedChanges
  readonly #records: Records
  readonly #names: Names

  constructor(dialect: Dialect, records: Records, names: Names) {
    this.#dialect = dialect
    this.#logged = new LoggedChanges(dialect)
    this.#records = records
    this.#names = names
  }

  /** The last entry, up to this one, after which a reader could see the database: a set is committed as a whole. */
  *wholeUpTo(seq: number): Work<number> {
    const [next] = yield* query('SELECT changeset FROM change WHERE seq = ?', seq + 1)
    return next && Number(next['changeset']) <= seq ? Number(next['changeset']) - 1 : seq
  }

  /** Throws if entries after the moment were removed. */
  *check(past: Past, latest: number): Work<void> {
    const from = past.checkedUpTo
    if (from >= latest) return
    const [row] = yield* query('SELECT count(*) AS count FROM change WHERE seq > ?', from)
    if (Number(cell(row, 'count')) !== latest - from) throw new Forgotten()
    past.checkedUpTo = Math.max(past.checkedUpTo, latest)
  }

  /** Adds some of the changed records of a resource. Returns whether nothing is left, as this snapshot shows it. */
  *extend(past: Past, resource: AnyResource, latest: number): Work<boolean> {
    const from = past.upTo(resource.name)
    if (from >= latest) return true
    // The range is read instead of an index of all entries of the resource.
    const rows = yield* query(
      "SELECT seq, record FROM change WHERE seq > ? AND resource || '' = ? ORDER BY seq LIMIT ?",
      from,
      resource.name,
      STEP,
    )
    yield* this.learn(
      past,
      resource,
      rows.map((row) => Number(row['record'])),
    )
    const isDone = rows.length < STEP
    past.setUpTo(resource.name, isDone ? latest : Number(rows.at(-1)?.['seq']))
    return isDone
  }

  /** Only these records as they were. */
  *ofRecords(seq: number, resource: AnyResource, ids: readonly number[]): Work<Past> {
    const past = new Past(seq)
    yield* this.learn(past, resource, ids)
    return past
  }

  /** Adds those of some records that were changed. */
  *learn(past: Past, resource: AnyResource, wanted: readonly number[]): Work<void> {
    const { byId } = past.of(resource.name)
    const unknown = [...new Set(wanted)].filter((id) => !byId.has(id))
    if (unknown.length === 0) return
    const later = yield* this.#logged.ofRecords(resource.name, unknown, { since: past.seq, hasVotes: true })
    const entries = Map.groupBy(later, ({ id }) => id)
    const ids = [...entries.keys()]
    if (ids.length === 0) return
    const rows = new Map((yield* this.#records.byIds({ resource }, ids)).map((row) => [Number(row['id']), row]))
    const voters = yield* votersOfMany(this.#dialect, resource, ids)
    const states = ids.map((id) => {
      const row = rows.get(id)
      const now = row && stateOf(resource, row, voters.get(id) ?? [])
      return { id, state: stateBefore(resource, now, entries.get(id) ?? []) }
    })
    const owners = states.flatMap(({ state }) => (state && state.owner > 0 ? state.owner : []))
    const names = yield* this.#names.of(new Set(owners))
    const times = yield* timesAt(this.#dialect, resource, ids, past.seq)
    for (const { id, state } of states) {
      const then = times.get(id) ?? UNKNOWN_TIMES
      past.set(resource.name, id, state && pastRecord(resource, id, state, names.get(state.owner) ?? '', then))
    }
  }
}

const RECORD_BYTES = 500

function bytesOf(record: PastRecord | undefined): number {
  if (!record) return RECORD_BYTES
  const cells = Object.values(record.row)
  // The values hold the same texts.
  return (
    cells.reduce<number>((sum, cell) => sum + 2 * String(cell ?? '').length, 8 * record.voters.length) + RECORD_BYTES
  )
}
