/**
 * A place in a JSON file, read a chunk at a time. A byte is held as the character of the same number, so that a length is a
 * number of bytes; only whole values are read as UTF-8.
 */
import { Unreadable } from '../item.ts'
import { chunksOf, LONGEST, textOf } from './bytes.ts'
import { DEEPEST } from './record.ts'

/** How far patterns see. */
const SIGHT = 4096
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' }

/** Where a file stops being JSON. Nothing after it is read. */
export class BrokenJson extends Error {
  readonly line: number
  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

export class JsonScanner {
  line = 1
  /** How many bytes of the file lie before. */
  offset = 0
  readonly #chunks: Generator<Buffer, undefined>
  /** What was read of the file and not yet taken. */
  #ahead = ''

  constructor(path: string, chunkSize?: number) {
    this.#chunks = chunksOf(path, chunkSize)
  }

  close(): void {
    this.#chunks.return(undefined)
  }

  /** Goes on to what is not space, and shows its first character: none at the end of the file. */
  next(): string {
    do this.#take(/^[ \t\r\n]*/.exec(this.#ahead)![0].length)
    while (this.#ahead === '' && this.#see(1))
    return this.#ahead.charAt(0)
  }

  /** Takes what the pattern matches here, if it does. */
  takes(pattern: RegExp): RegExpExecArray | undefined {
    this.next()
    this.#see(SIGHT)
    const match = pattern.exec(this.#ahead)
    if (match) this.#take(match[0].length)
    return match ?? undefined
  }

  /** Takes a comma or the bracket that closes a list or an object. Was it the bracket? */
  takesEnd(bracket: ']' | '}'): boolean {
    const next = this.next()
    if (next !== ',' && next !== bracket) throw this.expected(`"," or "${bracket}"`)
    this.#take(1)
    return next === bracket
  }

  /** Takes one value: up to its closing bracket or quote, or as far as a number goes. */
  value(): string | Unreadable {
    const { line } = this
    const open: string[] = []
    let inString = false
    let isTooLong = false
    let at = 0
    for (let ended = false; !ended; at++) {
      if (!this.#see(at + 1)) {
        if (open.length > 0 || inString) throw endsEarly(line, 'the end of a value')
        break
      }
      const sign = this.#ahead.charAt(at)
      if (inString) {
        if (sign === '\\') at++
        else if (sign === '"') inString = false
        else if (sign === '\n') throw this.#broken(at, 'expected the end of a quoted text')
        ended = sign === '"' && open.length === 0
      } else if (sign === '"') inString = true
      else if (sign === '{' || sign === '[') {
        if (open.push(CLOSING[sign]!) > DEEPEST + 1) throw this.#broken(at, `nested deeper than ${DEEPEST} levels`)
      } else if (open.length === 0 && /[\s,\]}]/.test(sign)) break
      else if (sign === ']' || sign === '}') {
        if (open.pop() !== sign) throw this.#broken(at, `found "${sign}" where another bracket was expected`)
        ended = open.length === 0
      }
      if (at >= LONGEST) {
        isTooLong = true
        this.#take(at)
        at = 0
      }
    }
    if (at === 0 && !isTooLong) throw this.expected('a value')
    const taken = this.#take(at)
    return isTooLong ? new Unreadable('longer than 2 MiB') : textOf(Buffer.from(taken, 'latin1'))
  }

  expected(what: string): BrokenJson {
    return this.next() === '' ? endsEarly(this.line, what) : this.#broken(0, `expected ${what}`)
  }

  #broken(at: number, reason: string): BrokenJson {
    this.#take(at)
    return new BrokenJson(this.line, `not JSON at offset ${this.offset}: ${reason}; the rest of the file is not read`)
  }

  #take(length: number): string {
    const taken = this.#ahead.slice(0, length)
    for (let at = taken.indexOf('\n'); at >= 0; at = taken.indexOf('\n', at + 1)) this.line++
    this.offset += taken.length
    this.#ahead = this.#ahead.slice(length)
    return taken
  }

  /** Reads on until this many bytes are available, if the file has them. */
  #see(length: number): boolean {
    while (this.#ahead.length < length) {
      const chunk = this.#chunks.next().value
      if (!chunk) return false
      this.#ahead += chunk.toString('latin1')
    }
    return true
  }
}

function endsEarly(line: number, what: string): BrokenJson {
  return new BrokenJson(line, `the JSON ends early: expected ${what}`)
}
