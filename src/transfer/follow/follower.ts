/**
 * Follows another server: copies everything, then carries out each change of its log. A change and its entry are
 * written in one transaction with the number reached, so nothing is lost or doubled, whatever is killed and when.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../engine/index.ts'
import {
  type ChangedCopies,
  Continued,
  continueFollowing,
  type FollowState,
  isWholeCopy,
  logAs,
  note,
  readFollowState,
  Unavailable,
  Unusable,
} from '../../store/index.ts'
import { SourceAccounts } from './accounts.ts'
import { beginCopy, type CopyParts, continueCopy } from './first-copy.ts'
import { Gone, Source, type SourceEntry } from './source.ts'

export interface FollowerOptions {
  readonly signal?: AbortSignal | undefined
  /** Returns when the copy has caught up. */
  readonly once?: boolean | undefined
  onNote?(line: string): void
  onProgress?(progress: FollowProgress): void
}

export interface FollowProgress {
  readonly what: string
  readonly done: number
  readonly total: number | undefined
}

/** How far the copy is. */
export interface FollowStatus {
  /** Whether it is exact as of an entry; not so during the first copy. */
  readonly isWhole: boolean
  /** Entries that the source has and the copy does not; undefined if the source has not said yet. */
  readonly behind: number | undefined
}

/** Few, because the reads of this process wait while SQLite applies them. */
const ENTRIES = 250
const MANY_ENTRIES = 1000
/** Beyond this many in one step, copying everything again takes less memory. */
const MOST_ENTRIES = 200_000
const WAIT_SECONDS = 25
const PAUSE_MS = 1000

export class Follower {
  readonly #parts: CopyParts
  readonly #options: FollowerOptions
  #status: FollowStatus = { isWhole: false, behind: undefined }

  constructor(engine: Engine, url: string, options: FollowerOptions = {}) {
    const { signal, onNote, onProgress } = options
    this.#options = options
    this.#parts = {
      engine,
      source: new Source(url, { signal, onNote }),
      accounts: new SourceAccounts(engine),
      onProgress: (what, done, total) => onProgress?.({ what, done, total }),
    }
  }

  /** The address that is followed. */
  get source(): string {
    return this.#parts.source.address
  }

  get status(): FollowStatus {
    return this.#status
  }

  /** Until it is told to stop. */
  async run(): Promise<void> {
    const { signal, once, onNote } = this.#options
    for (;;) {
      try {
        signal?.throwIfAborted()
        if ((await this.#step()) && once) return
      } catch (error) {
        if (signal?.aborted) return
        this.#parts.accounts.forget()
        if (error instanceof Continued) continue
        if (error instanceof Unavailable) onNote?.(error.message)
        else if (!(error instanceof Gone)) throw error
        await this.#pause()
      }
    }
  }

  async #pause(): Promise<void> {
    const { signal } = this.#options
    await sleep(PAUSE_MS, undefined, signal ? { signal } : {}).catch(() => {})
  }

  /** Whether nothing is left to copy. */
  async #step(): Promise<boolean> {
    const { engine, source } = this.#parts
    const state = await engine.store.read(readFollowState)
    if (state && state.source !== source.address) {
      throw new Unusable(`the database is a copy of ${state.source}, not of ${source.address}`)
    }
    const isWhole = state !== undefined && isWholeCopy(state)
    this.#status = { isWhole, behind: this.#status.behind }
    try {
      if (!state) await beginCopy(this.#parts)
      else if (state.copying) await continueCopy(this.#parts, state)
      else return await this.#follow(state)
    } catch (error) {
      if (!(error instanceof Gone)) throw error
      this.#options.onNote?.(`the log of ${source.address} was replaced: copying everything again`)
      this.#status = { isWhole: false, behind: undefined }
      await beginCopy(this.#parts, state)
    }
    return false
  }

  async #follow(state: FollowState): Promise<boolean> {
    const { source } = this.#parts
    const { log, seq, latest } = state
    // The server answers at once if there is something to tell.
    const wait = this.#options.once || this.#status.behind !== 0 ? 0 : WAIT_SECONDS
    const asked = performance.now()
    const found = await source.entries({ log, since: seq, limit: ENTRIES, wait })
    this.#status = { isWhole: seq >= latest, behind: found.latest - seq }
    if (found.results.length === 0 && found.next === seq) {
      this.#parts.onProgress('changes', seq, found.latest)
      // A source that is busy or about to stop does not let clients wait.
      if (wait > 0 && performance.now() - asked < PAUSE_MS) await this.#pause()
      return found.latest === seq
    }
    const batch = new Batch(seq, found)
    while (batch.until < latest || !batch.isWhole) await this.#extend(batch, log)
    for (;;) {
      try {
        await this.#apply(state, batch, await this.#changedBy(batch, log))
        break
      } catch (error) {
        if (!(error instanceof Gone)) throw error
        // The log no longer says what some records were then, but it does for a later entry.
        await this.#extend(batch, log)
      }
    }
    this.#status = { isWhole: true, behind: Math.max(0, batch.latest - batch.until) }
    this.#parts.onProgress('changes', batch.until, batch.latest)
    return batch.until === batch.latest
  }

  async #extend(batch: Batch, log: string): Promise<void> {
    const more = await this.#parts.source.entries({ log, since: batch.next, limit: MANY_ENTRIES, wait: 1 })
    if (batch.size > MOST_ENTRIES) throw new Gone()
    batch.add(more)
  }

  /** The records that the entries name, as they were after the last entry. */
  async #changedBy({ entries, until }: Batch, log: string): Promise<Map<string, ChangedCopies>> {
    const { engine, source, accounts } = this.#parts
    const changed = new Map<string, ChangedCopies>()
    for (const { name } of engine.catalogue) {
      const own = entries.filter(({ resource }) => resource === name)
      const ids = [...new Set(own.map(({ id }) => id))]
      if (ids.length === 0) continue
      const records = await source.past({ log, resource: name, ids, until })
      await accounts.know(records.flatMap(({ owner, voters }) => [owner, ...voters]))
      const times = timesOf(own)
      const present = records.map((record) => {
        const copied = accounts.copied(record)
        const { created, changed } = times(record.id)
        return { ...copied, columns: { ...copied.columns, created: copied.columns['created'] || created, changed } }
      })
      const there = new Set(records.map(({ id }) => id))
      changed.set(name, { present, gone: ids.filter((id) => !there.has(id)) })
    }
    return changed
  }

  async #apply(state: FollowState, batch: Batch, changed: ReadonlyMap<string, ChangedCopies>): Promise<void> {
    const { engine, accounts } = this.#parts
    const { store, catalogue } = engine
    const { entries, until } = batch
    await accounts.know(entries.flatMap((entry) => accounts.namesIn(entry)))
    const logged = entries.map((entry) => accounts.logged(entry))
    await store.write(function* () {
      yield* continueFollowing(state, { seq: until, latest: until })
      yield* store.applier.apply(catalogue, changed)
      yield* logAs(logged)
      // Those who wait for changes hear of them, also of a record that came and went.
      for (const [resource, { gone }] of changed) yield* note({ resource, ids: gone })
    })
  }
}

/** Entries of the log up to the end of a set: inside of it, nobody has seen the records. */
class Batch {
  readonly #entries: SourceEntry[] = []
  latest = 0
  /** Where the next request continues. */
  next: number

  constructor(since: number, found: Parameters<Batch['add']>[0]) {
    this.next = since
    this.add(found)
  }

  add({ results, next, latest }: { results: readonly SourceEntry[]; next: number; latest: number }): void {
    for (const entry of results) this.#entries.push(entry)
    this.next = next
    this.latest = latest
  }

  get size(): number {
    return this.#entries.length
  }

  /** Whether it has at least one whole set. */
  get isWhole(): boolean {
    return this.entries.length > 0 || this.next === this.latest
  }

  /** Without the last set, if it may continue. */
  get entries(): readonly SourceEntry[] {
    const last = this.#entries.at(-1)
    if (this.next === this.latest || !last) return this.#entries
    return this.#entries.slice(
      0,
      this.#entries.findIndex(({ set }) => set === last.set),
    )
  }

  get until(): number {
    return this.next === this.latest ? this.next : (this.entries.at(-1)?.seq ?? 0)
  }
}

/** When records were created and last changed, in milliseconds. */
function timesOf(entries: readonly SourceEntry[]): (id: number) => { created: number; changed: number } {
  const byId = Map.groupBy(entries, ({ id }) => id)
  return (id) => {
    const own = byId.get(id) ?? []
    const at = (entry: SourceEntry | undefined) => (entry ? Date.parse(entry.at) : 0)
    const created = own.findLast(({ action }) => action === 'create')
    return { created: at(created), changed: at(own.at(-1)) }
  }
}
