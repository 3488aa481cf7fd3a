/**
 * Streams a whole list, of any length, from one snapshot: it reads a few records at a time, once the client has taken
 * those before.
 */
import { type Narrowing, type Selection, type Snapshot, TooSlow, type Work, whilePaused } from '../store/index.ts'
import { EVERYTHING, engineAsOf, prepareAsOf } from './as-of.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { checkReferences } from './list-parameters.ts'
import { problems } from './problem.ts'
import type { Projection } from './project.ts'
import { type Shown, showByIds, showRows } from './show.ts'

export interface WantedStream {
  readonly narrowing?: Narrowing | undefined
  readonly projection?: Projection | undefined
  /** The number of an entry of the log: the list as it was after it. */
  readonly asOf?: number | undefined
}

/**
 * Embedded records can be large, so a stream begins with few records at a time, and takes more while they are small.
 */
const FIRST_COUNT = 20
const MOST_COUNT = 200
const CHUNK_BYTES = 256 * 1024
/** A snapshot that is open for hours keeps the database from cleaning up. */
const LONGEST_SECONDS = 15 * 60
/** It runs in parallel with other queries, and finds out at once what pages find out one after the other. */
const PATIENCE = 10

export interface RecordStream {
  /** The records' JSON, a few at a time; read it to the end, or leave the loop to cancel it. */
  readonly records: AsyncIterable<readonly string[]>
  /** For callers that never begin to read. */
  close(): void
}

/** Reads the first records before it returns, so that most problems are found then. */
export async function streamRecords(
  engine: Engine,
  collection: Collection,
  wanted: WantedStream,
): Promise<RecordStream> {
  return await whilePaused(() => openStream(engine, collection, wanted))
}

async function openStream(engine: Engine, collection: Collection, wanted: WantedStream): Promise<RecordStream> {
  if (wanted.asOf !== undefined) await prepareAsOf(engine, wanted.asOf)
  const snapshot = limited(await engine.store.snapshot())
  try {
    const walk = new Walk(engine, collection, wanted, snapshot)
    const read = () => snapshot.read(walk.next(), engine.querySeconds * PATIENCE)
    return { records: chunks(await read(), read, snapshot), close: () => snapshot.close() }
  } catch (error) {
    snapshot.close()
    throw error instanceof TooSlow ? problems.tooSlow() : error
  }
}

/** Closed once, at the latest when its time is over, even if the client does not read. */
function limited(snapshot: Snapshot): Snapshot {
  let isOpen = true
  const close = () => {
    clearTimeout(over)
    if (isOpen) snapshot.close()
    isOpen = false
  }
  const over = setTimeout(close, LONGEST_SECONDS * 1000).unref()
  const read: Snapshot['read'] = (work, seconds) =>
    isOpen ? snapshot.read(work, seconds) : Promise.reject(new TooSlow())
  return { moment: snapshot.moment, read, close }
}

async function* chunks(
  first: readonly string[],
  read: () => Promise<readonly string[]>,
  snapshot: Snapshot,
): AsyncGenerator<readonly string[]> {
  try {
    for (let chunk = first; chunk.length > 0; chunk = await read()) yield chunk
  } finally {
    snapshot.close()
  }
}

/** The position of a stream. */
class Walk {
  #engine: Engine
  readonly #collection: Collection
  readonly #wanted: WantedStream
  readonly #snapshot: Snapshot
  #offset = 0
  #size = FIRST_COUNT
  /** Of a narrowed list. */
  #ids: IdList | undefined

  constructor(engine: Engine, collection: Collection, wanted: WantedStream, snapshot: Snapshot) {
    this.#engine = engine
    this.#collection = collection
    this.#wanted = wanted
    this.#snapshot = snapshot
  }

  /** The next records; none at the end. */
  *next(): Work<readonly string[]> {
    const { narrowing, asOf } = this.#wanted
    if (asOf !== undefined && !this.#ids) this.#engine = yield* engineAsOf(this.#engine, asOf)
    const shown = yield* narrowing || asOf !== undefined ? this.#narrowed(narrowing ?? EVERYTHING) : this.#all()
    this.#offset += shown.length
    const texts = shown.map(({ json }) => json)
    const length = texts.reduce((sum, json) => sum + json.length, 0)
    this.#size = Math.max(1, Math.min(MOST_COUNT, Math.floor(this.#size * (length > CHUNK_BYTES ? 0.5 : 2))))
    return texts
  }

  *#all(): Work<readonly Shown[]> {
    const { store } = this.#engine
    const span = { offset: this.#offset, limit: this.#size }
    const rows = (selection: Selection) => store.records.page(selection, span, this.#snapshot.moment)
    return yield* showRows(store, this.#collection, rows, this.#wanted.projection)
  }

  *#narrowed(narrowing: Narrowing): Work<readonly Shown[]> {
    const { store } = this.#engine
    if (!this.#ids) {
      yield* checkReferences(store, this.#collection, narrowing)
      this.#ids = new IdList(yield* store.lists.allIds(this.#collection, narrowing))
    }
    const ids = this.#ids.take(this.#size)
    const shown = yield* showByIds(store, this.#collection, ids, this.#wanted.projection)
    const byId = new Map(shown.map((each) => [each.id, each]))
    return ids.map((id) => byId.get(id)!)
  }
}

/** Ids separated by commas, parsed as far as needed. */
class IdList {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  take(most: number): number[] {
    const ids: number[] = []
    while (ids.length < most && this.#at < this.#text.length) {
      const comma = this.#text.indexOf(',', this.#at)
      const end = comma < 0 ? this.#text.length : comma
      ids.push(Number(this.#text.slice(this.#at, end)))
      this.#at = end + 1
    }
    return ids
  }
}
