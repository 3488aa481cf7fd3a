/**
 * An LRU cache with a limit in bytes. The order of use is approximate: recently used entries are in the young
 * generation. When the young generation is full it becomes the old one, and the entries of the previous old one are
 * evicted unless they have been used again. This costs less than an exact order.
 */
import type { Stamp } from './stamp.ts'

interface Entry<Value, At> {
  readonly value: Value
  readonly stamp: Stamp<At>
  readonly bytes: number
}

/** The approximate size of an entry itself, with its objects. */
const ENTRY_BYTES = 300
/** A single value must not evict all others. */
const LARGEST_VALUE = 4 * 1024 * 1024

/** The bytes that one or several caches share. */
export class CacheMemory {
  readonly #most: number
  readonly #caches: { evict(): void }[] = []
  #used = 0

  constructor(bytes: number) {
    this.#most = bytes / 2
  }

  /** A cache with its own keys. */
  cache<Key, Value, At>(): Cache<Key, Value, At> {
    const cache = new Cache<Key, Value, At>((bytes) => this.#take(bytes))
    this.#caches.push(cache)
    return cache
  }

  /** The newest value is always kept. */
  #take(bytes: number): void {
    if (this.#used > 0 && this.#used + bytes > this.#most) {
      for (const cache of this.#caches) cache.evict()
      this.#used = 0
    }
    this.#used += bytes
  }
}

export class Cache<Key, Value, At> {
  readonly #take: (bytes: number) => void
  #young = new Map<Key, Entry<Value, At>>()
  #old = new Map<Key, Entry<Value, At>>()

  constructor(take: (bytes: number) => void) {
    this.#take = take
  }

  /** The value, if it still holds. */
  get(key: Key, at: At): Value | undefined {
    const entry = this.#young.get(key) ?? this.#promoted(key)
    return entry?.stamp.holds(at) ? entry.value : undefined
  }

  /** The value, whether it holds or not. */
  peek(key: Key): Value | undefined {
    return (this.#young.get(key) ?? this.#promoted(key))?.value
  }

  set(key: Key, value: Value, stamp: Stamp<At>, bytes: number): void {
    this.#old.delete(key)
    if (bytes > LARGEST_VALUE) return void this.#young.delete(key)
    this.#take(bytes + ENTRY_BYTES)
    this.#young.set(key, { value, stamp, bytes: bytes + ENTRY_BYTES })
  }

  delete(key: Key): void {
    this.#young.delete(key)
    this.#old.delete(key)
  }

  /** Evicts the old generation; the young one takes its place. */
  evict(): void {
    this.#old = this.#young
    this.#young = new Map()
  }

  /** An entry of the old generation that is used again becomes a young one. */
  #promoted(key: Key): Entry<Value, At> | undefined {
    const entry = this.#old.get(key)
    if (!entry) return undefined
    this.#old.delete(key)
    this.#take(entry.bytes)
    this.#young.set(key, entry)
    return entry
  }
}
