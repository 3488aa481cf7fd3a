/**
 * The past: all records that were changed after an entry of the log, as they were then. All other records are still as
 * they were, so the tables and these records together are that moment (lists-as-of.ts, records-as-of.ts).
 *
 * What is known of the past never becomes wrong, so it only grows: a reader adds what was changed since it was last
 * read, in any number of steps, and readers of older snapshots can use it too.
 */
import type { AnyResource } from '../declare/index.ts'
import { entryOf, type LoggedChange, SELECT_CHANGES } from './change-log.ts'
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import type { Names } from './names.ts'
import { Forgotten, type PastRecord, pastRecord, stateBefore, stateOf } from './past-rows.ts'
import type { Records } from './records.ts'
import { timesAt } from './times.ts'
import { votersOfMany } from './votes.ts'

/** Undefined for a record that did not exist. */
export type PastRecords = ReadonlyMap<number, PastRecord | undefined>

const NONE: PastRecords = new Map()
/** How many entries one step reads: it runs on the main thread, so others wait for it. */
const STEP = 200

export class Past {
  /** Everything after this entry is undone. */
  readonly seq: number
  /** Changes up to this entry are known. */
  upTo: number
  /** Roughly, in memory. */
  bytes = 0
  readonly #records = new Map<string, Map<number, PastRecord | undefined>>()

  constructor(seq: number) {
    this.seq = seq
    this.upTo = seq
  }

  of(resource: string): PastRecords {
    return this.#records.get(resource) ?? NONE
  }

  get resources(): Iterable<string> {
    return this.#records.keys()
  }

  set(resource: string, id: number, record: PastRecord | undefined): void {
    const known = this.#records.get(resource) ?? new Map()
    this.#records.set(resource, known)
    if (known.has(id)) return
    known.set(id, record)
    this.bytes += bytesOf(record)
  }
}

/** Reads the past from the log. */
export class PastReader {
  readonly #dialect: Dialect
  readonly #records: Records
  readonly #names: Names

  constructor(dialect: Dialect, records: Records, names: Names) {
    this.#dialect = dialect
    this.#records = records
    this.#names = names
  }

  /** The last entry, up to this one, after which a reader could see the database: a set is committed as a whole. */
  *wholeUpTo(seq: number): Work<number> {
    const [next] = yield* query('SELECT changeset FROM change WHERE seq = ?', seq + 1)
    return next && Number(next['changeset']) <= seq ? Number(next['changeset']) - 1 : seq
  }

  /** Adds some of what was changed since. Returns whether nothing is left to add, as this snapshot shows it. */
  *extend(past: Past, catalogue: readonly AnyResource[], latest: number): Work<boolean> {
    // Meanwhile another reader may extend it, too.
    let last = past.upTo
    if (last >= latest) return true
    const rows = yield* query('SELECT seq, resource, record FROM change WHERE seq > ? ORDER BY seq LIMIT ?', last, STEP)
    if (rows.length === 0) throw new Forgotten()
    const wanted = new Map<string, Set<number>>()
    for (const row of rows) {
      // Entries were removed.
      if (Number(row['seq']) !== ++last) throw new Forgotten()
      const [resource, id] = [String(row['resource']), Number(row['record'])]
      if (past.of(resource).has(id)) continue
      const ids = wanted.get(resource) ?? new Set()
      wanted.set(resource, ids.add(id))
    }
    for (const resource of catalogue) {
      const ids = wanted.get(resource.name)
      if (ids) yield* this.#learn(past, resource, [...ids])
    }
    past.upTo = Math.max(past.upTo, last)
    return last >= latest
  }

  *#learn(past: Past, resource: AnyResource, ids: readonly number[]): Work<void> {
    const entries = Map.groupBy(yield* this.#entriesOf(resource, ids, past.seq), ({ id }) => id)
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
      const created = Number(rows.get(id)?.['created'] ?? 0)
      const then = times.get(id) ?? { created, changed: created }
      const known = { ...then, created: then.created || created }
      past.set(resource.name, id, state && pastRecord(resource, id, state, names.get(state.owner) ?? '', known))
    }
  }

  *#entriesOf({ name }: AnyResource, ids: readonly number[], since: number): Work<LoggedChange[]> {
    const rows = yield* query(
      `${SELECT_CHANGES}
       WHERE resource = ? AND ${this.#dialect.among('record')} AND seq > ? ORDER BY seq`,
      name,
      this.#dialect.ids(ids),
      since,
    )
    return rows.map(entryOf)
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
