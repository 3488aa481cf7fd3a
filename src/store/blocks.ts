/** The blocks of a list: consecutive records, and how many each contains. */
import { type AnyResource, type Cell, orderOf, type Row } from '../declare/index.ts'
import { compareKeys } from './compare-keys.ts'
import { quoted } from './dialect.ts'
import { orderColumn } from './schema.ts'
import { HIGHEST } from './sql.ts'
import type { Span } from './stretch.ts'

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
export function placeOf(resource: AnyResource, blocks: readonly Block[], key: readonly Cell[]): number {
  const directions = orderOf(resource).map(({ descending }) => (descending ? -1 : 1))
  let [low, high] = [0, blocks.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (compareKeys(blocks[middle]!.key, key, directions) <= 0) low = middle
    else high = middle
  }
  return low
}

export function laidOut(number: number, blocks: readonly Block[]): Blocks {
  return counted(number, blocks, new Map(blocks.map(({ id }, place) => [id, place])))
}

export function counted(number: number, blocks: readonly Block[], places: ReadonlyMap<number, number>): Blocks {
  const before = new Float64Array(blocks.length + 1)
  for (let i = 0; i < blocks.length; i++) before[i + 1] = before[i]! + blocks[i]!.count
  return { number, blocks, before, places }
}

export function blockOf(resource: AnyResource, row: Row): Block {
  return {
    id: Number(row['id']),
    count: Number(row['count']),
    changed: Number(row['changed']),
    key: keyOf(resource, row, Number(row['first'])),
  }
}

export function keyOf(resource: AnyResource, row: Row, id: number): Cell[] {
  return [...orderOf(resource).map(({ key }) => row[orderColumn(resource, key)]!), id]
}

export function columnsOf(resource: AnyResource): string[] {
  return orderOf(resource).map(({ key }) => quoted(orderColumn(resource, key)))
}

/** One more than a sort key has. */
const LONGEST = 201

/** Sorts before every possible record. */
export function lowestKey(resource: AnyResource): Cell[] {
  const lowest = orderOf(resource).map(({ key, descending }) => {
    if (orderColumn(resource, key) === key) return descending ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER
    return descending ? HIGHEST.repeat(LONGEST) : ''
  })
  return [...lowest, 0]
}
