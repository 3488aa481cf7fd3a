/**
 * The rank index: finds the n-th record of a list, and the count, without an offset. A table holds blocks of
 * consecutive records and how many each contains. Every write updates it in its own transaction, so it is as current as
 * the records.
 */
import { type AnyResource, type Cell, orderOf, type Row } from '../declare/index.ts'
import { compareKeys } from './compare-keys.ts'
import { cell, note, query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { type Generation, generationOf, type Moment, type Move, numberToBe } from './generations.ts'
import { blockTable, listOrder, orderColumn } from './schema.ts'
import { type Span, stretchOf } from './stretch.ts'

export interface Block {
  readonly id: number
  readonly count: number
  readonly changed: number
  /** Where it begins: the columns of the list's order, and the id. */
  readonly key: readonly Cell[]
}

/** All blocks of a resource, in list order, at one moment. */
export interface Blocks {
  readonly number: number
  readonly blocks: readonly Block[]
  /** How many records precede each block; the last entry is the total. */
  readonly before: Float64Array
  /** The position of each block, by id. */
  readonly places: ReadonlyMap<number, number>
}

/** Part of a block: `count` records from the `skip`-th on. */
export interface Piece {
  readonly block: Block
  readonly skip: number
  readonly count: number
}

/** A larger block is split in two. */
const MOST = 512

export class Rank {
  readonly #dialect: Dialect
  readonly #most: number
  readonly #usual: number
  readonly #known = new Map<string, Blocks>()

  /** `most` is the maximum number of records in a block; tests use small ones. */
  constructor(dialect: Dialect, most = MOST) {
    this.#dialect = dialect
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
    const rows = yield* query(
      `SELECT id, count, changed FROM ${quoted(blockTable(resource))} WHERE changed > ?`,
      before,
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
  *#settle(resource: AnyResource, moves: readonly Move[], generation: Generation): Work<boolean> {
    const { number, layout } = generation
    // This transaction may still be rolled back, so its blocks must not be cached.
    const isNew = layout === number
    const blocks = isNew
      ? yield* this.#read(resource)
      : (yield* this.#blocksAt(resource, { number: number - 1, layout, moved: number - 1 })).blocks
    if (blocks.length === 0) {
      yield* this.rebuild(resource, number)
      return true
    }
    const changes = new Map<Block, number>()
    for (const { key, by } of moves) {
      const block = blocks[placeOf(resource, blocks, key)]!
      changes.set(block, (changes.get(block) ?? 0) + by)
    }
    const sql = `UPDATE ${quoted(blockTable(resource))} SET count = count + ?, changed = ? WHERE id = ?`
    for (const [{ id }, by] of changes) yield* query(sql, by, number, id)
    let isRelaid = false
    for (const [block, by] of changes) {
      const count = block.count + by
      if (count > this.#most) isRelaid = yield* this.#split(resource, { ...block, count }, number)
      else if (by < 0 && count <= this.#most / 8 && (yield* this.#merge(resource, block.id, number))) isRelaid = true
    }
    if (isRelaid) yield* this.#relayout(resource, number)
    return isRelaid
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

  *#records(resource: AnyResource, key: readonly Cell[], span: Span): Work<readonly Row[]> {
    const stretch = stretchOf(this.#dialect, resource, { table: resource.name, id: 'id' })
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
    const stretch = stretchOf(this.#dialect, resource, { table: blockTable(resource), id: 'first', backwards })
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

/** The parts of blocks that make up a range of the list. */
export function piecesOf({ blocks, before }: Blocks, { limit, offset }: Span): Piece[] {
  const pieces: Piece[] = []
  let place = offset
  const end = Math.min(offset + limit, before[blocks.length]!)
  for (let i = blockAt(before, offset); place < end; i++) {
    const skip = place - before[i]!
    const count = Math.min(end - place, before[i + 1]! - place)
    if (count > 0) pieces.push({ block: blocks[i]!, skip, count })
    place += count
  }
  return pieces
}

/** The block that contains the n-th record: the last one that begins at it or before it. */
function blockAt(before: Float64Array, place: number): number {
  let [low, high] = [0, before.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (before[middle]! <= place) low = middle
    else high = middle
  }
  return low
}

/** The block for a record with that key: the last one that begins at it or before it. */
function placeOf(resource: AnyResource, blocks: readonly Block[], key: readonly Cell[]): number {
  const directions = orderOf(resource).map(({ descending }) => (descending ? -1 : 1))
  let [low, high] = [0, blocks.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (compareKeys(blocks[middle]!.key, key, directions) <= 0) low = middle
    else high = middle
  }
  return low
}

function laidOut(number: number, blocks: readonly Block[]): Blocks {
  return counted(number, blocks, new Map(blocks.map(({ id }, place) => [id, place])))
}

function counted(number: number, blocks: readonly Block[], places: ReadonlyMap<number, number>): Blocks {
  const before = new Float64Array(blocks.length + 1)
  for (let i = 0; i < blocks.length; i++) before[i + 1] = before[i]! + blocks[i]!.count
  return { number, blocks, before, places }
}

function blockOf(resource: AnyResource, row: Row): Block {
  return {
    id: Number(row['id']),
    count: Number(row['count']),
    changed: Number(row['changed']),
    key: keyOf(resource, row, Number(row['first'])),
  }
}

function keyOf(resource: AnyResource, row: Row, id: number): Cell[] {
  return [...orderOf(resource).map(({ key }) => row[orderColumn(resource, key)]!), id]
}

function columnsOf(resource: AnyResource): string[] {
  return orderOf(resource).map(({ key }) => quoted(orderColumn(resource, key)))
}

const HIGHEST = '\u{10ffff}'
/** One more than a sort key has. */
const LONGEST = 201

/** Sorts before every possible record. */
function lowestKey(resource: AnyResource): Cell[] {
  const lowest = orderOf(resource).map(({ key, descending }) => {
    if (orderColumn(resource, key) === key) return descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
    return descending ? HIGHEST.repeat(LONGEST) : ''
  })
  return [...lowest, 0]
}
