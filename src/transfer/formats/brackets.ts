/**
 * Finds the end of one JSON element, byte by byte, even in broken JSON. In broken JSON it takes no more than it must: a
 * string ends with its line; outer brackets close inner ones that were left open; and where an object begins within
 * another, but not after a colon, the other has ended.
 */
import { DEEPEST } from './record.ts'

const LF = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

export class Brackets {
  /** The bracket that closes what contains the element. */
  readonly #around: number
  /** The closing brackets still expected, the nearest last. */
  readonly #awaited: number[] = []
  /** How many more are open, below the depth of a record: only counted, so that nothing can fill the memory. */
  #deeper = 0
  #inString = false
  #escaped = false
  /** The last byte that was not a space. */
  #before = 0

  constructor(around: string) {
    this.#around = around.charCodeAt(0)
  }

  get areOpen(): boolean {
    return this.#inString || this.#awaited.length > 0
  }

  get areTooMany(): boolean {
    return this.#deeper > 0
  }

  /** Whether the element ends before this byte, or after it. */
  feed(byte: number): 'before' | 'after' | undefined {
    if (this.#inString) this.#feedString(byte)
    else if (byte > SPACE) {
      const before = this.#before
      this.#before = byte
      switch (byte) {
        case QUOTE:
          this.#inString = true
          break
        case OPEN_LIST:
          this.#await(CLOSE_LIST)
          break
        case OPEN_OBJECT:
          if (before !== 0 && before !== COLON && this.#leaveObjects()) return 'before'
          this.#await(CLOSE_OBJECT)
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          return this.#close(byte)
        case COMMA:
          return this.#awaited.length === 0 ? 'before' : undefined
      }
    }
    return undefined
  }

  #feedString(byte: number): void {
    if (byte === LF || (byte === QUOTE && !this.#escaped)) this.#inString = false
    this.#escaped = byte === BACKSLASH && !this.#escaped
  }

  #await(bracket: number): void {
    if (this.#awaited.length > DEEPEST) this.#deeper++
    else this.#awaited.push(bracket)
  }

  /** Whether nothing is left open then. */
  #leaveObjects(): boolean {
    while (this.#deeper === 0 && this.#awaited.at(-1) === CLOSE_OBJECT) this.#awaited.pop()
    return this.#awaited.length === 0
  }

  #close(bracket: number): 'before' | 'after' | undefined {
    if (this.#deeper > 0) {
      this.#deeper--
      return undefined
    }
    const place = this.#awaited.lastIndexOf(bracket)
    if (place < 0) return bracket === this.#around ? 'before' : undefined
    this.#awaited.length = place
    return place === 0 ? 'after' : undefined
  }
}
