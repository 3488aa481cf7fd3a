/**
 * The cache of records. It holds four things, each made from the one before:
 *
 * - the ids of a block of the list; their stamp is the version of the block,
 * - the JSON of a record; its stamp compares the record and those it embeds with the log of writes,
 * - parts of pages; their stamp is the versions of their records,
 * - counts of narrowed lists, and keyset marks in them (keyset-marks.ts); their stamp is the generation of the resource.
 *
 * A page whose records are cached costs no query, and a record is put into JSON once.
 */
import { type Cache, CacheMemory, ownBytes, type Stamp } from '../../cache/index.ts'
import type { AnyResource } from '../../declare/index.ts'
import type { Block, Generations, Moment, Selection, Touch } from '../../store/index.ts'
import type { Shown } from '../show.ts'
import { type Dependencies, dependenciesOf } from './dependencies.ts'
import { KeysetMarks } from './keyset-marks.ts'
import { PART_LENGTH, Part } from './page-parts.ts'
import { type ResourceWrites, WriteLog } from './write-log.ts'

/** This share of the memory is for narrowed lists. */
const SHARE_OF_MARKS = 1 / 8

let versions = 0

/** A record as the API shows it, which is its own stamp. */
export class CachedRecord implements Shown, Stamp<WriteLog> {
  readonly id: number
  readonly json: string
  readonly plain: string | undefined
  readonly owner: number
  readonly changed: number
  readonly embedded: readonly (readonly number[])[]
  /** Unique among all cached records. */
  readonly version = ++versions
  readonly #writes: WritesOfView
  /** When it was last found to hold. */
  #checked: number

  constructor({ id, json, plain, owner, changed, embedded }: Shown, writes: WritesOfView, made: number) {
    this.id = id
    this.json = json
    this.plain = plain
    this.owner = owner
    this.changed = changed
    this.embedded = embedded
    this.#writes = writes
    this.#checked = made
  }

  holds({ clock }: WriteLog): boolean {
    if (this.#checked === clock) return true
    if (this.#isWritten(this.#checked)) return false
    this.#checked = clock
    return true
  }

  #isWritten(since: number): boolean {
    const { own, embeds, beyond } = this.#writes
    if (own.isRecordWritten(this.id, since) || beyond.some((writes) => writes.isWritten(since))) return true
    return embeds.some(
      (writes, i) => writes.isWritten(since) && this.embedded[i]!.some((id) => writes.isRecordWritten(id, since)),
    )
  }

  get bytes(): number {
    const ids = this.embedded.reduce((sum, each) => sum + each.length, 0)
    return bytesOf(this.json) + bytesOf(this.plain ?? '') + 8 * ids
  }
}

/** The writes that can affect records of one selection. */
interface WritesOfView {
  readonly own: ResourceWrites
  readonly embeds: readonly ResourceWrites[]
  readonly beyond: readonly ResourceWrites[]
}

/** What is cached of one selection: a resource, or a view of it. */
interface View {
  readonly writes: WritesOfView
  readonly records: Cache<number, CachedRecord, WriteLog>
  /** By the id of their first record. */
  readonly parts: Cache<number, Part, PartSource>
}

/** The records of a page from which a part is made, beginning at `start`. */
interface PartSource {
  readonly records: readonly CachedRecord[]
  readonly start: number
}

/** A part holds for exactly the versions of the records that it was made from. */
class PartStamp implements Stamp<PartSource> {
  readonly #versions: readonly number[]

  constructor(records: readonly CachedRecord[]) {
    this.#versions = records.map(({ version }) => version)
  }

  holds({ records, start }: PartSource): boolean {
    const versions = this.#versions
    if (versions.length !== Math.min(PART_LENGTH, records.length - start)) return false
    for (let i = 0; i < versions.length; i++) if (versions[i] !== records[start + i]!.version) return false
    return true
  }
}

/** The ids of a block hold until a write changes the block. */
class BlockStamp implements Stamp<Block> {
  readonly #changed: number

  constructor({ changed }: Block) {
    this.#changed = changed
  }

  holds({ changed }: Block): boolean {
    return changed === this.#changed
  }
}

export class RecordCache {
  readonly #generations: Generations
  readonly #memory: CacheMemory
  readonly #log: WriteLog
  readonly #views = new Map<Dependencies, View>()
  /** Those of whole records, by the name of the resource. */
  readonly #whole = new Map<string, View>()
  readonly #ids = new Map<string, Cache<number, readonly number[], Block>>()
  readonly marks: KeysetMarks

  constructor(generations: Generations, bytes: number) {
    this.#generations = generations
    this.#memory = new CacheMemory(bytes * (1 - SHARE_OF_MARKS))
    this.#log = new WriteLog(generations)
    generations.listen((touch) => this.#replace(touch))
    this.marks = new KeysetMarks(bytes * SHARE_OF_MARKS)
  }

  /** The record at this moment, if it is cached. */
  get(selection: Selection, id: number, moment: Moment): Shown | undefined {
    const dependencies = dependenciesOf(selection)
    if (!this.#isCurrent(dependencies, moment)) return undefined
    return this.#viewOf(dependencies).records.get(id, this.#log)
  }

  /** The same for many, with undefined in the place of each that is not cached. */
  getMany(selection: Selection, ids: readonly number[], moment: Moment): (CachedRecord | undefined)[] {
    const dependencies = dependenciesOf(selection)
    if (!this.#isCurrent(dependencies, moment)) return Array(ids.length).fill(undefined)
    const { records } = this.#viewOf(dependencies)
    const found: (CachedRecord | undefined)[] = []
    const log = this.#log
    for (const id of ids) {
      // `get` would call any stamp; a call that is always the same is inlined, which matters for a page of records.
      const record = records.peek(id)
      found.push(record?.holds(log) ? record : undefined)
    }
    return found
  }

  set(selection: Selection, shown: Shown, moment: Moment): CachedRecord {
    const dependencies = dependenciesOf(selection)
    const view = this.#viewOf(dependencies)
    if (!selection.only) this.#whole.set(selection.resource.name, view)
    const { records, writes } = view
    const record = new CachedRecord(shown, writes, this.#log.clock)
    // The log knows what is true now. What was read from an older snapshot may be wrong already.
    if (this.#isCurrent(dependencies, moment)) records.set(shown.id, record, record, record.bytes)
    return record
  }

  /** A write of this process says what it has made of the records. They embed no others. */
  #replace({ resource, shown = [] }: Touch): void {
    const view = shown.length > 0 ? this.#whole.get(resource) : undefined
    if (!view) return
    for (const each of shown) {
      // What nobody has read lately need not be cached.
      if (!view.records.peek(each.id)) continue
      const record = new CachedRecord({ ...each, plain: undefined, embedded: [] }, view.writes, this.#log.clock)
      view.records.set(each.id, record, record, record.bytes)
    }
  }

  /** The parts of a page of these records. */
  join(selection: Selection, records: readonly CachedRecord[]): Part[] {
    const cache = this.#viewOf(dependenciesOf(selection)).parts
    const parts: Part[] = []
    for (let start = 0; start < records.length; start += PART_LENGTH) {
      const { id } = records[start]!
      let part = cache.get(id, { records, start })
      if (!part) {
        const members = records.slice(start, start + PART_LENGTH)
        const texts = members.map(({ json }) => json)
        part = new Part(texts, ownBytes)
        cache.set(id, part, new PartStamp(members), part.bytes.length + 8 * members.length)
      }
      parts.push(part)
    }
    return parts
  }

  /** The ids of a block, in the order of the list. */
  ids({ name }: AnyResource, block: Block): readonly number[] | undefined {
    return this.#ids.get(name)?.get(block.id, block)
  }

  setIds({ name }: AnyResource, block: Block, ids: readonly number[]): void {
    const cache = this.#ids.get(name) ?? this.#memory.cache()
    this.#ids.set(name, cache)
    cache.set(block.id, ids, new BlockStamp(block), 8 * ids.length)
  }

  /** The log of writes belongs to the newest moment, so older snapshots do not use the cache. */
  #isCurrent({ resources }: Dependencies, moment: Moment): boolean {
    return this.#generations.isCurrent(moment, resources)
  }

  #viewOf(dependencies: Dependencies): View {
    const known = this.#views.get(dependencies)
    if (known) return known
    const { resources, embeds, beyond } = dependencies
    const writesTo = (name: string) => this.#log.of(name)
    const view: View = {
      writes: { own: writesTo(resources[0]!), embeds: embeds.map(writesTo), beyond: beyond.map(writesTo) },
      records: this.#memory.cache(),
      parts: this.#memory.cache(),
    }
    this.#views.set(dependencies, view)
    return view
  }
}

/** The size of a text in memory: one byte per character, or two if one of them is beyond Latin-1. */
function bytesOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length
}
