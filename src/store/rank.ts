/**
 * The rank index: finds the n-th record of a list, and the count, without an offset. A table holds blocks of
 * consecutive records and how many each contains. Every write updates it in its own transaction, so it is as current as
 * the records.
 */
import type { AnyResource, Cell, Row } from '../declare/index.ts'
import { type Block, type Blocks, blockOf, columnsOf, counted, keyOf, laidOut, lowestKey, placeOf } from './blocks.ts'
import { cell, execute, note, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type Generation, generationOf, type Moment, numberToBe } from './generations.ts'
import { blockTable, listOrder } from './schema.ts'
import { type Span, stretchOf } from './stretch.ts'
import type { Move, Settled } from './touched.ts'

/** A larger block is split in two. */
const MOST = 512
/** How many generations old the counts may be by which a write decides whether to split a block. */
const MOST_BEHIND = 16

export class Rank {
  readonly dialect: Dialect
  readonly #most: number
  readonly #usual: number
  readonly #known = new Map<string, Blocks>()

  /** `most` is the maximum number of records in a block; tests use small ones. */
  constructor(dialect: Dialect, most = MOST) {
    this.dialect = dialect
    this.#most = most
    // Not quite full, so that the first new records do not split them.
    this.#usual = Math.max(1, Math.floor((most * 3) / 4))
  }

  /** The number of records, as a transaction sees it. */
  *count(resource: AnyResource): Work<number> {
    const [row] = yield* query(`SELECT COALESCE(sum(count), 0) AS count FROM ${quoted(blockTable(resource))}`)
    return Number(cell(row, 'count'))
  }

  /** The blocks at a moment, which must be the one that the transaction shows. Read only if they have changed. */
  at(resource: AnyResource, moment: Moment): Work<Blocks> {
    return this.#blocksAt(resource, generationOf(moment, resource.name))
  }

  *#blocksAt(resource: AnyResource, { number, layout, moved }: Generation): Work<Blocks> {
    const known = this.#known.get(resource.name)
    // Records may have changed since then, but none has moved.
    if (known && known.number <= number && moved <= known.number) return known
    const isOlder = known !== undefined && number < known.number
    const found =
      known && !isOlder && layout <= known.number
        ? yield* this.#grown(resource, known, number)
        : laidOut(number, yield* this.#read(resource))
    if (!isOlder) this.#known.set(resource.name, found)
    return found
  }

  *#read(resource: AnyResource): Work<Block[]> {
    const sql = `SELECT * FROM ${quoted(blockTable(resource))} ORDER BY ${listOrder(resource, 'first')}`
    return (yield* query(sql)).map((row) => blockOf(resource, row))
  }

  /** Their borders are unchanged; some of them hold more or fewer records. */
  *#grown(resource: AnyResource, { number: before, blocks, places }: Blocks, number: number): Work<Blocks> {
    // With an upper limit, PostgreSQL uses the index, whenever it has made its plan.
    const rows = yield* query(
      `SELECT id, count, changed FROM ${quoted(blockTable(resource))} WHERE changed > ? AND changed <= ?`,
      before,
      number,
    )
    const changed = [...blocks]
    for (const row of rows) {
      const place = places.get(Number(row['id']))!
      changed[place] = { ...blocks[place]!, count: Number(row['count']), changed: Number(row['changed']) }
    }
    return counted(number, changed, places)
  }

  /** A record was added to the list. */
  add(resource: AnyResource, row: Row, id: number): Work<void> {
    return this.#note(resource, id, [{ key: keyOf(resource, row, id), by: 1 }])
  }

  /** A record was removed from the list. */
  remove(resource: AnyResource, row: Row, id: number): Work<void> {
    return this.#note(resource, id, [{ key: keyOf(resource, row, id), by: -1 }])
  }

  /** A record may have moved in the list. */
  *move(resource: AnyResource, before: Row, after: Row, id: number): Work<void> {
    const [from, to] = [keyOf(resource, before, id), keyOf(resource, after, id)]
    if (from.every((cell, i) => cell === to[i])) return
    yield* this.#note(resource, id, [
      { key: from, by: -1 },
      { key: to, by: 1 },
    ])
  }

  #note(resource: AnyResource, id: number, list: readonly Move[]): Work<void> {
    const settle = (moves: readonly Move[], generation: Generation) => this.#settle(resource, moves, generation)
    return note({ resource: resource.name, ids: [id], moves: { list, settle } })
  }

  /** Applies all moves of a transaction: updates each block once, and splits or merges it if needed. */
  *#settle(resource: AnyResource, moves: readonly Move[], generation: Generation): Work<Settled> {
    const { number, layout } = generation
    // This transaction may still be rolled back, so its blocks must not be cached.
    const isNew = layout === number
    const before = { number: number - 1, layout, moved: number - 1 }
    if (!isNew && (yield* this.#settleRoughly(resource, moves, before))) return { isRelaid: false }
    const found = isNew ? laidOut(number, yield* this.#read(resource)) : yield* this.#blocksAt(resource, before)
    const { blocks } = found
    if (blocks.length === 0) {
      yield* this.rebuild(resource, number)
      return { isRelaid: true }
    }
    const changes = changesOf(resource, blocks, moves)
    yield* this.#count(resource, changes, number)
    let isRelaid = false
    for (const [block, by] of changes) {
      const count = block.count + by
      if (count > this.#most) isRelaid = yield* this.#split(resource, { ...block, count }, number)
      else if (by < 0 && count <= this.#most / 8 && (yield* this.#merge(resource, block.id, number))) isRelaid = true
    }
    if (isRelaid) yield* this.#relayout(resource, number)
    if (isRelaid || isNew) return { isRelaid }
    return { isRelaid, committed: () => this.#grow(resource, found, changes, number) }
  }

  /**
   * Adds records to blocks although others have changed their counts, which a transaction of PostgreSQL would have to
   * wait for: their borders are unchanged, and none of them seems to need a split. Returns whether it did.
   */
  *#settleRoughly(resource: AnyResource, moves: readonly Move[], { number, layout }: Generation): Work<boolean> {
    const known = this.#known.get(resource.name)
    const isBehind = known !== undefined && known.number < number && number - known.number <= MOST_BEHIND
    if (!isBehind || layout > known.number || !this.dialect.isRemote) return false
    const changes = changesOf(resource, known.blocks, moves)
    for (const [{ count }, by] of changes) if (by < 0 || count + by > this.#most) return false
    yield* this.#count(resource, changes, number + 1)
    return true
  }

  /** Our own commit has changed the counts of some blocks: they need not be read again. */
  #grow({ name }: AnyResource, before: Blocks, changes: ReadonlyMap<Block, number>, number: number): void {
    if (this.#known.get(name) !== before) return
    const blocks = before.blocks.map((block) => {
      const by = changes.get(block)
      return by === undefined ? block : { ...block, count: block.count + by, changed: number }
    })
    this.#known.set(name, counted(number, blocks, before.places))
  }

  *#count(resource: AnyResource, changes: ReadonlyMap<Block, number>, number: number): Work<void> {
    const { each, integer, isRemote } = this.dialect
    const table = quoted(blockTable(resource))
    if (changes.size === 1 || !isRemote) {
      for (const [{ id }, by] of changes)
        yield* execute(`UPDATE ${table} SET count = count + ?, changed = ? WHERE id = ?`, [by, number, id])
      return
    }
    const given = (place: number) => `CAST(value ->> ${place} AS ${integer})`
    yield* execute(
      `UPDATE ${table} SET count = count + ${given(1)}, changed = ? FROM ${each} WHERE ${table}.id = ${given(0)}`,
      [number, JSON.stringify(Array.from(changes, ([{ id }, by]) => [id, by]))],
    )
  }

  /** Rebuilds all blocks from the records. `number` is the generation's, if the transaction is already counted. */
  *rebuild(resource: AnyResource, number?: number): Work<void> {
    const table = quoted(blockTable(resource))
    const size = this.#usual
    const columns = columnsOf(resource)
    const placed = `SELECT ${columns.join(', ')}, id, count(*) OVER () AS total,
      row_number() OVER (ORDER BY ${listOrder(resource)}) - 1 AS place FROM ${quoted(resource.name)}`
    yield* query(`DELETE FROM ${table}`)
    yield* query(
      `INSERT INTO ${table} (${columns.join(', ')}, first, count, changed)
       SELECT ${columns.join(', ')}, id, CASE WHEN total - place < ${size} THEN total - place ELSE ${size} END,
         ${number ?? numberToBe(resource.name)} FROM (${placed}) AS placed WHERE place % ${size} = 0`,
    )
    yield* query(
      `UPDATE ${table} SET ${[...columns, 'first'].map((column) => `${column} = ?`).join(', ')}
       WHERE id = (SELECT id FROM ${table} ORDER BY ${listOrder(resource, 'first')} LIMIT 1)`,
      ...lowestKey(resource),
    )
    if (number !== undefined) return yield* this.#relayout(resource, number)
    yield* this.#relayoutToBe(resource)
    yield* note({ resource: resource.name, ids: 'all' })
  }

  *clear(resource: AnyResource): Work<void> {
    yield* query(`DELETE FROM ${quoted(blockTable(resource))}`)
    yield* this.#relayoutToBe(resource)
    yield* note({ resource: resource.name, ids: 'all' })
  }

  /** How many blocks have a wrong count. */
  *untrue(resource: AnyResource): Work<number> {
    const blocks = yield* this.#read(resource)
    const [row] = yield* query(`SELECT count(*) AS count FROM ${quoted(resource.name)}`)
    let wrong = Number(cell(row, 'count')) === blocks.reduce((sum, { count }) => sum + count, 0) ? 0 : 1
    for (const [i, { key, count }] of blocks.entries()) {
      const next = blocks[i + 1]
      if (!next) break
      // This many records after its beginning, the next block must begin.
      const [here] = yield* this.#records(resource, key, { limit: 1, offset: count })
      const [there] = yield* this.#records(resource, next.key, { limit: 1, offset: 0 })
      if (here?.['id'] !== there?.['id']) wrong++
    }
    return wrong
  }

  /** The keys of some records, from the index of the list alone. */
  *#records(resource: AnyResource, key: readonly Cell[], span: Span): Work<readonly Row[]> {
    const columns = ['id', ...columnsOf(resource)].join(', ')
    const stretch = stretchOf(this.dialect, resource, { table: resource.name, id: 'id', columns })
    return yield* query(stretch.sql, ...stretch.parameters(key, span))
  }

  /** Splits into parts that are not quite full. */
  *#split(resource: AnyResource, { id, key, count }: Block, number: number): Work<true> {
    const table = quoted(blockTable(resource))
    const parts = Math.ceil(count / this.#usual)
    const sizeOf = (part: number) => Math.floor((count * (part + 1)) / parts) - Math.floor((count * part) / parts)
    yield* query(`UPDATE ${table} SET count = ? WHERE id = ?`, sizeOf(0), id)
    const columns = [...columnsOf(resource), 'first', 'count', 'changed']
    let from = key
    for (let part = 1; part < parts; part++) {
      const [row] = yield* this.#records(resource, from, { limit: 1, offset: sizeOf(part - 1) })
      from = keyOf(resource, row!, Number(cell(row, 'id')))
      yield* query(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
        ...from,
        sizeOf(part),
        number,
      )
    }
    return true
  }

  /** Merges a nearly empty block into the one before it, or takes in the one after it, unless that one is full. */
  *#merge(resource: AnyResource, id: number, number: number): Work<boolean> {
    const table = quoted(blockTable(resource))
    const [row] = yield* query(`SELECT * FROM ${table} WHERE id = ?`, id)
    if (!row) return false
    const block = blockOf(resource, row)
    const previous = yield* this.#neighbour(resource, block, true)
    const next = previous ? undefined : yield* this.#neighbour(resource, block, false)
    const [into, gone] = previous ? [previous, block] : [block, next]
    if (!gone || into.count + gone.count > this.#most / 2) return false
    yield* query(`UPDATE ${table} SET count = ?, changed = ? WHERE id = ?`, into.count + gone.count, number, into.id)
    yield* query(`DELETE FROM ${table} WHERE id = ?`, gone.id)
    return true
  }

  *#neighbour(resource: AnyResource, { key }: Block, backwards: boolean): Work<Block | undefined> {
    const stretch = stretchOf(this.dialect, resource, { table: blockTable(resource), id: 'first', backwards })
    const [row] = yield* query(stretch.sql, ...stretch.parameters(key, { limit: 1, offset: 1 }))
    return row && blockOf(resource, row)
  }

  *#relayout({ name }: AnyResource, number: number): Work<void> {
    yield* query('UPDATE generation SET layout = ? WHERE resource = ?', number, name)
  }

  /** For callers that build a list before the transaction is counted. */
  *#relayoutToBe({ name }: AnyResource): Work<void> {
    yield* query(
      `INSERT INTO generation (resource, number, layout, moved) VALUES (?, 0, 1, 1)
       ON CONFLICT (resource) DO UPDATE SET layout = generation.number + 1, moved = generation.number + 1`,
      name,
    )
  }
}

/** By how many records each block grows. */
function changesOf(resource: AnyResource, blocks: readonly Block[], moves: readonly Move[]): Map<Block, number> {
  const changes = new Map<Block, number>()
  for (const { key, by } of moves) {
    const block = blocks[placeOf(resource, blocks, key)]!
    changes.set(block, (changes.get(block) ?? 0) + by)
  }
  return changes
}
