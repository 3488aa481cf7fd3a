/**
 * Makes records what they are on another server, under their ids. Values were checked there; what is computed from them
 * is computed again.
 */
import { type AnyResource, fieldsOf, type Row, TIMES } from '../declare/index.ts'
import { type Copied, type Copies, copiedTables } from './copy.ts'
import { query, touching, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { noteCreated } from './facet-counts.ts'
import { identityOf, type Values, valuesOf } from './pack.ts'
import type { Records } from './records.ts'
import { inDependencyOrder, uniqueColumn } from './schema.ts'
import { timesNow } from './times.ts'
import type { Votes } from './votes.ts'

/** Records of one resource that changed on the other server. */
export interface ChangedCopies {
  /** As they are there; their owners and voters are accounts of this database. */
  readonly present: readonly Copied[]
  /** The ids of those that are not there. */
  readonly gone: readonly number[]
}

interface Parts {
  readonly dialect: Dialect
  readonly records: Records
  readonly copies: Copies
  readonly votes: Votes
}

export class CopyApplier {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Adds records that are not there, without the rank index. While others write, records are read at different moments:
   * one may refer to a record that is not there, or have a name that another one has given up. Such a record has
   * changed since the first was read, so it is left out: it comes with the changes since then.
   */
  *add(resource: AnyResource, copies: readonly Copied[]): Work<void> {
    const table = copiedTables([resource]).find(({ name }) => name === resource.name)
    if (!table) return
    const known = yield* this.#known(resource, copies)
    const fitting = copies.filter((copy) => known.every(({ idsIn, ids }) => idsIn(copy).every((id) => ids.has(id))))
    yield* this.#parts.copies.insert(table, yield* this.#unique(resource, fitting))
  }

  /** The records that copies refer to, as far as they are there. */
  *#known(
    resource: AnyResource,
    copies: readonly Copied[],
  ): Work<{ idsIn: (copy: Copied) => number[]; ids: Set<number> }[]> {
    const known = []
    for (const [key, field] of fieldsOf(resource)) {
      const storage = field.storage(key)
      if (storage.in !== 'reference' && storage.in !== 'links') continue
      const idsIn = ({ columns, links }: Copied): number[] => {
        if (storage.in === 'links') return [...(links?.[key] ?? [])]
        return columns[key] === null || columns[key] === undefined ? [] : [Number(columns[key])]
      }
      known.push({ idsIn, ids: yield* this.#present(storage.to, copies.flatMap(idsIn)) })
    }
    return known
  }

  /** Without those that break a unique rule. */
  *#unique(resource: AnyResource, copies: readonly Copied[]): Work<readonly Copied[]> {
    let left = copies
    for (const [i, keys] of resource.unique.entries()) {
      const identities = new Map<Copied, string>()
      for (const copy of left) identities.set(copy, identityOf(resource, keys, yield* this.#values(resource, copy)))
      const { dialect } = this.#parts
      const column = uniqueColumn(i)
      const rows = yield* query(
        `SELECT ${column} AS taken FROM ${quoted(resource.name)} WHERE ${dialect.amongTexts(column)}`,
        dialect.texts([...identities.values()]),
      )
      const taken = new Set(rows.map((row) => String(row['taken'])))
      left = left.filter((copy) => {
        const identity = identities.get(copy) ?? ''
        const isTaken = taken.has(identity)
        taken.add(identity)
        return !isTaken
      })
    }
    return left
  }

  /**
   * From one exact state to the next: records that others refer to come first, and are removed last. Names may have
   * moved from one record to another, so those of all changed records are first set free.
   */
  *apply(catalogue: readonly AnyResource[], changed: ReadonlyMap<string, ChangedCopies>): Work<void> {
    const order = inDependencyOrder(catalogue).flatMap((resource) => {
      const copies = changed.get(resource.name)
      return copies ? { resource, ...copies } : []
    })
    for (const { resource, present, gone } of order) {
      const ids = [...present.map(({ id = 0 }) => id), ...gone]
      const there = yield* this.#present(resource, ids)
      yield* this.#freeNames(resource, [...there])
      for (const copy of present) yield* this.#put(resource, copy, there)
      // A set may have more records than a call can have arguments.
      const highest = ids.reduce((most, id) => Math.max(most, id), 0)
      yield* this.#parts.copies.raiseIds(resource.name, highest)
    }
    for (const { resource, gone } of order.toReversed()) yield* this.#parts.records.deleteMany(resource, gone)
  }

  *#freeNames(resource: AnyResource, ids: readonly number[]): Work<void> {
    if (ids.length === 0 || resource.unique.length === 0) return
    const columns = resource.unique.map((_, i) => `${uniqueColumn(i)} = 'free ' || id`)
    const { dialect } = this.#parts
    yield* touching(
      { resource: resource.name, ids },
      `UPDATE ${quoted(resource.name)} SET ${columns.join(', ')} WHERE ${dialect.among('id')}`,
      dialect.ids(ids),
    )
  }

  *#put(resource: AnyResource, copy: Copied, there: ReadonlySet<number>): Work<void> {
    const { records, votes } = this.#parts
    const { id = 0, owner = 0, columns } = copy
    const values = yield* this.#values(resource, copy)
    if (there.has(id)) yield* records.update(resource, id, { values, owner })
    else yield* records.insert(resource, { values, owner, id })
    yield* votes.replace(resource, id, copy.votes ?? [])
    // The steps before have set the time of this write. A record that was removed later does not say when it was created.
    const times = TIMES.filter((time) => columns[time] || !there.has(id))
    const written = yield* timesNow(resource, id)
    if (written && times.includes('created')) {
      const after = columns['created'] ?? 0
      yield* noteCreated(this.#parts.dialect, resource, { before: written.created, after })
    }
    yield* touching(
      { resource: resource.name, ids: [id] },
      `UPDATE ${quoted(resource.name)} SET ${times.map((time) => `${time} = ?`).join(', ')} WHERE id = ?`,
      ...times.map((time) => columns[time] ?? 0),
      id,
    )
  }

  *#values(resource: AnyResource, { owner = 0, columns, links = {} }: Copied): Work<Values> {
    const lists = Object.entries(links).map(([key, ids]) => [key, JSON.stringify(ids)])
    const row: Row = { ...columns, ...Object.fromEntries(lists) }
    return valuesOf(resource, row, yield* this.#parts.copies.nameOf(owner))
  }

  *#present({ name }: AnyResource, ids: readonly number[]): Work<Set<number>> {
    const { dialect } = this.#parts
    const sql = `SELECT id FROM ${quoted(name)} WHERE ${dialect.among('id')}`
    const rows = ids.length === 0 ? [] : yield* query(sql, dialect.ids(ids))
    return new Set(rows.map((row) => Number(row['id'])))
  }
}
