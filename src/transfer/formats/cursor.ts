/**
 * A position in a JSON file. Each byte is a character with the same number, so that lengths are in bytes, and brackets,
 * quotes and commas are themselves; only records are decoded as UTF-8.
 */
import { Unreadable } from '../item.ts'
import { Brackets } from './brackets.ts'
import { chunksOf, LONGEST, textOf } from './bytes.ts'

/** How far patterns look ahead. */
const SIGHT = 4096

const LF = 0x0a
const SPACE = 0x20
const OPEN_OBJECT = 0x7b

export class Cursor {
  line = 1
  /** How many bytes of the file are before this position. */
  offset = 0
  /** The line of an element that the end of the file cut off. */
  early: number | undefined
  readonly #chunks: Generator<Buffer, undefined>
  #column = 0
  /** The bytes ahead, as far as they have been read. */
  #ahead = ''

  constructor(path: string, chunkSize?: number) {
    this.#chunks = chunksOf(path, chunkSize)
  }

  close(): void {
    this.#chunks.return(undefined)
  }

  endsEarly(line = this.line): undefined {
    this.early ??= line
  }

  take(length: number): string {
    const taken = this.#ahead.slice(0, length)
    for (let at = taken.indexOf('\n'); at >= 0; at = taken.indexOf('\n', at + 1)) this.line++
    const last = taken.lastIndexOf('\n')
    this.#column = last < 0 ? this.#column + taken.length : taken.length - last - 1
    this.offset += taken.length
    this.#ahead = this.#ahead.slice(length)
    return taken
  }

  /** Takes what the pattern matches here, if anything. */
  takes(pattern: RegExp): RegExpExecArray | undefined {
    this.#see(SIGHT)
    const match = pattern.exec(this.#ahead)
    if (match) this.take(match[0].length)
    return match ?? undefined
  }

  /** Skips spaces and commas, and returns the next character: none at the end of the file. */
  skip(): string {
    do this.take(/^[ \t\r\n,]*/.exec(this.#ahead)![0].length)
    while (this.#ahead === '' && this.#see(1))
    return this.#ahead.charAt(0)
  }

  /**
   * Takes one element of what the bracket `around` closes; returns nothing if the file ends inside it. If it does not
   * end where it should, the next object that begins a line, and is not indented further than this one, is the next
   * element.
   */
  element(around: string): string | Unreadable | undefined {
    const { line } = this
    const column = this.#column
    const brackets = new Brackets(around)
    let length = 0
    let isTooLong = false
    let next: number | undefined
    /** The indent of the line, until the element begins. */
    let indent: number | undefined
    let ends: 'before' | 'after' | undefined
    while (!ends && this.#see(length + 1)) {
      const byte = this.#ahead.charCodeAt(length)
      if (byte === LF) indent = 0
      else if (indent !== undefined && byte <= SPACE) indent++
      else if (indent !== undefined) {
        if (byte === OPEN_OBJECT && indent <= column) next ??= length
        indent = undefined
      }
      ends = brackets.feed(byte)
      if (ends !== 'before') length++
      if (next !== undefined && (isTooLong || length > LONGEST || brackets.areTooMany)) break
      if (length > LONGEST) {
        isTooLong = true
        this.take(length)
        length = 0
      }
    }
    if (!ends && next !== undefined && brackets.areOpen) {
      this.take(next)
      return new Unreadable('a bracket or a quote is not closed')
    }
    const taken = this.take(length)
    if (!ends && brackets.areOpen) return this.endsEarly(line)
    return isTooLong ? new Unreadable('longer than 2 MiB') : textOf(Buffer.from(taken, 'latin1'))
  }

  /** Reads until this many bytes are ahead, if the file has them. */
  #see(length: number): boolean {
    while (this.#ahead.length < length) {
      const chunk = this.#chunks.next().value
      if (!chunk) return false
      this.#ahead += chunk.toString('latin1')
    }
    return true
  }
}
