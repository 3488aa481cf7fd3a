/**
 * A place in a JSON file. A byte is held as the character of the same number, so that a length is a number of bytes, and
 * brackets, quotes and commas are themselves; only what is taken for a record is read as UTF-8.
 */
import { Unreadable } from '../item.ts'
import { Brackets } from './brackets.ts'
import { chunksOf, LONGEST, textOf } from './bytes.ts'

/** How far patterns see. */
const SIGHT = 4096

const LF = 0x0a
const SPACE = 0x20
const OPEN_OBJECT = 0x7b

export class Cursor {
  line = 1
  /** How many bytes of the file lie before. */
  offset = 0
  /** The line of what the end of the file has cut off. */
  early: number | undefined
  readonly #chunks: Generator<Buffer, undefined>
  #column = 0
  /** What lies ahead, as far as it has been read. */
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

  /** Takes what the pattern matches here, if it does. */
  takes(pattern: RegExp): RegExpExecArray | undefined {
    this.#see(SIGHT)
    const match = pattern.exec(this.#ahead)
    if (match) this.take(match[0].length)
    return match ?? undefined
  }

  /** Goes on to what is neither space nor comma, and shows its first character: none at the end of the file. */
  skip(): string {
    do this.take(/^[ \t\r\n,]*/.exec(this.#ahead)![0].length)
    while (this.#ahead === '' && this.#see(1))
    return this.#ahead.charAt(0)
  }

  /**
   * Takes one element of what the bracket `around` closes; nothing comes of it where the file ends within. If it does not
   * end where it should, the next object that begins a line, and not further in than this one began, is the next element.
   */
  element(around: string): string | Unreadable | undefined {
    const { line } = this
    const column = this.#column
    const brackets = new Brackets(around)
    let length = 0
    let isTooLong = false
    let next: number | undefined
    /** How far in the line begins, as long as it has not begun. */
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

  /** Reads on until so many bytes lie ahead, if the file has them. */
  #see(length: number): boolean {
    while (this.#ahead.length < length) {
      const chunk = this.#chunks.next().value
      if (!chunk) return false
      this.#ahead += chunk.toString('latin1')
    }
    return true
  }
}
