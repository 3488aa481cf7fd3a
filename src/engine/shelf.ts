/**
 * An LRU cache with a limit in bytes. Recently used entries are in the first row; when it is full it becomes the second
 * row, and the entries of the old second row are evicted unless they were used again. This is cheaper than an exact LRU
 * order.
 */
interface Kept<Value> {
  readonly value: Value
  readonly bytes: number
}

/** The approximate overhead of an entry, with its objects. */
const OVERHEAD = 300
/** One entry must not evict all others. */
const LARGEST = 4 * 1024 * 1024

export class Shelf {
  readonly #most: number
  readonly #spaces: Space<any, any>[] = []
  #used = 0

  constructor(bytes: number) {
    this.#most = bytes / 2
  }

  /** A part of the shelf with its own keys. */
  space<Key, Value>(): Space<Key, Value> {
    const space = new Space<Key, Value>((bytes) => this.#take(bytes))
    this.#spaces.push(space)
    return space
  }

  /** The last entry is always kept. */
  #take(bytes: number): void {
    if (this.#used > 0 && this.#used + bytes > this.#most) {
      for (const space of this.#spaces) space.shift()
      this.#used = 0
    }
    this.#used += bytes
  }
}

export class Space<Key, Value> {
  readonly #take: (bytes: number) => void
  #first = new Map<Key, Kept<Value>>()
  #second = new Map<Key, Kept<Value>>()

  constructor(take: (bytes: number) => void) {
    this.#take = take
  }

  get(key: Key): Value | undefined {
    const found = this.#first.get(key)
    if (found) return found.value
    const older = this.#second.get(key)
    if (!older) return undefined
    this.#second.delete(key)
    this.#take(older.bytes)
    this.#first.set(key, older)
    return older.value
  }

  set(key: Key, value: Value, bytes: number): void {
    this.#second.delete(key)
    if (bytes > LARGEST) return void this.#first.delete(key)
    this.#take(bytes + OVERHEAD)
    this.#first.set(key, { value, bytes: bytes + OVERHEAD })
  }

  delete(key: Key): void {
    this.#first.delete(key)
    this.#second.delete(key)
  }

  clear(): void {
    this.#first.clear()
    this.#second.clear()
  }

  /** Evicts the second row; the first takes its place. */
  shift(): void {
    this.#second = this.#first
    this.#first = new Map()
  }
}
