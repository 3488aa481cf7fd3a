/**
 * The record cache: the JSON of records, and the ids of the list's blocks. A page of cached records costs no query, and
 * no record is serialised twice. Everything in it is true of the newest moment this process knows; a write evicts what
 * it makes stale as soon as the write is known.
 */
import { hash } from 'node:crypto'
import type { AnyResource } from '../declare/index.ts'
import type { Block, Generations, Moment, Selection, Touch } from '../store/index.ts'
import { dependenceOf } from './depend.ts'
import { Shelf, type Space } from './shelf.ts'
import type { Shown } from './show.ts'
import { Walks } from './walks.ts'

export interface KeptRecord extends Shown {
  readonly made: number
}

/** When the records of a resource were last written. */
interface Written {
  last: number
  /** When it was last unknown which of them. */
  all: number
  readonly ids: Map<number, number>
}

const MOST_IDS = 10_000

/**
 * A few consecutive records of a page, as one text. The hash of a page is made from the hashes of its parts, so that
 * after a change of one record the rest need not be hashed again.
 */
export class Part {
  readonly bytes: Buffer
  readonly hash: string

  constructor(texts: readonly string[]) {
    this.bytes = Buffer.from(texts.join(','))
    this.hash = hash('sha256', this.bytes, 'base64url')
  }

  get text(): string {
    return this.bytes.toString()
  }
}

interface KeptPart {
  readonly part: Part
  /** Which records it is made of, and when those were made: id, made, id, made. */
  readonly of: readonly number[]
}

const PART_LENGTH = 20
/** This fraction of the memory is for narrowed lists. */
const PART_FOR_WALKS = 8

/** The parts of a page, from the JSON of its records. */
export function partsOf(texts: readonly string[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < texts.length; i += PART_LENGTH) parts.push(new Part(texts.slice(i, i + PART_LENGTH)))
  return parts
}

function isOf({ of }: KeptPart, records: readonly KeptRecord[], start: number): boolean {
  const count = Math.min(PART_LENGTH, records.length - start)
  if (of.length !== 2 * count) return false
  for (let i = 0; i < count; i++) {
    const { id, made } = records[start + i]!
    if (of[2 * i] !== id || of[2 * i + 1] !== made) return false
  }
  return true
}

function spaceIn<Value>(
  spaces: Map<string, Space<number, Value>>,
  { resource, only }: Selection,
  shelf: Shelf,
): Space<number, Value> {
  const name = only ? `${resource.name} ${only.join(' ')}` : resource.name
  const known = spaces.get(name)
  if (known) return known
  const space = shelf.space<number, Value>()
  spaces.set(name, space)
  return space
}

export class KeptRecords {
  readonly #generations: Generations
  readonly #shelf: Shelf
  readonly #records = new Map<string, Space<number, KeptRecord>>()
  readonly #ids = new Map<string, Space<number, { readonly changed: number; readonly ids: readonly number[] }>>()
  readonly #parts = new Map<string, Space<number, KeptPart>>()
  readonly #written = new Map<string, Written>()
  readonly walks: Walks
  #clock = 1

  constructor(generations: Generations, bytes: number) {
    this.#generations = generations
    this.#shelf = new Shelf(bytes - bytes / PART_FOR_WALKS)
    this.walks = new Walks(bytes / PART_FOR_WALKS)
    generations.listen((touch) => this.#forget(touch))
  }

  /** The record at the moment, if it is cached. */
  one(selection: Selection, id: number, moment: Moment): Shown | undefined {
    const { resources, embeds, beyond } = dependenceOf(selection)
    if (!this.#generations.isCurrent(moment, resources)) return undefined
    const kept = spaceIn(this.#records, selection, this.#shelf).get(id)
    return kept && this.#isTrue(kept, embeds, beyond) ? kept : undefined
  }

  /** The same for many; undefined for each one that is not cached. */
  find(selection: Selection, ids: readonly number[], moment: Moment): (KeptRecord | undefined)[] {
    const { resources, embeds, beyond } = dependenceOf(selection)
    if (!this.#generations.isCurrent(moment, resources)) return Array(ids.length).fill(undefined)
    const space = spaceIn(this.#records, selection, this.#shelf)
    const standsAlone = embeds.length + beyond.length === 0
    const records: (KeptRecord | undefined)[] = []
    for (const id of ids) {
      const kept = space.get(id)
      records.push(kept && (standsAlone || this.#isTrue(kept, embeds, beyond)) ? kept : undefined)
    }
    return records
  }

  /** The parts of a page of these records. */
  join(selection: Selection, records: readonly KeptRecord[]): Part[] {
    const space = spaceIn(this.#parts, selection, this.#shelf)
    const parts: Part[] = []
    for (let i = 0; i < records.length; i += PART_LENGTH) {
      const { id } = records[i]!
      const known = space.get(id)
      if (known && isOf(known, records, i)) {
        parts.push(known.part)
        continue
      }
      const members = records.slice(i, i + PART_LENGTH)
      const part = new Part(members.map(({ json }) => json))
      space.set(
        id,
        { part, of: members.flatMap(({ id, made }) => [id, made]) },
        part.bytes.length + 16 * members.length,
      )
      parts.push(part)
    }
    return parts
  }

  keep(selection: Selection, shown: Shown, moment: Moment): KeptRecord {
    // A record that is already stale is not cached.
    if (!this.#generations.isCurrent(moment, dependenceOf(selection).resources)) return { ...shown, made: Number.NaN }
    const kept = { ...shown, made: this.#clock }
    const ids = shown.embedded.reduce((sum, ids) => sum + ids.length, 0)
    const bytes = sizeOf(shown.json) + sizeOf(shown.plain ?? '') + 8 * ids
    spaceIn(this.#records, selection, this.#shelf).set(shown.id, kept, bytes)
    return kept
  }

  /** The ids of a block, in list order. */
  ids({ name }: AnyResource, { id, changed }: Block): readonly number[] | undefined {
    const kept = this.#ids.get(name)?.get(id)
    return kept?.changed === changed ? kept.ids : undefined
  }

  keepIds({ name }: AnyResource, { id, changed }: Block, ids: readonly number[]): void {
    const space = this.#ids.get(name) ?? this.#shelf.space()
    this.#ids.set(name, space)
    space.set(id, { changed, ids }, 8 * ids.length)
  }

  #isTrue({ made, embedded }: KeptRecord, embeds: readonly string[], beyond: readonly string[]): boolean {
    if (beyond.some((name) => (this.#written.get(name)?.last ?? 0) > made)) return false
    return embeds.every((name, i) => {
      const written = this.#written.get(name)
      if (!written || written.last <= made) return true
      return written.all <= made && embedded[i]!.every((id) => (written.ids.get(id) ?? 0) <= made)
    })
  }

  #forget({ resource, ids }: Touch): void {
    const now = ++this.#clock
    const written = this.#written.get(resource) ?? { last: 0, all: 0, ids: new Map() }
    this.#written.set(resource, written)
    written.last = now
    const spaces = [...this.#records].filter(([name]) => name.split(' ', 1)[0] === resource).map(([, space]) => space)
    if (ids === 'all') for (const space of spaces) space.clear()
    else for (const space of spaces) for (const id of ids) space.delete(id)
    if (ids === 'all' || written.ids.size + ids.length > MOST_IDS) {
      written.all = now
      written.ids.clear()
    } else for (const id of ids) written.ids.set(id, now)
  }
}

/** The size of a text: one byte per character, or two if one of them is beyond Latin-1. */
function sizeOf(text: string): number {
  return /[^\0-\xff]/.test(text) ? 2 * text.length : text.length
}
