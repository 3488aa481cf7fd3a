/** The lines of a file, ended by LF or CRLF, with or without a byte order mark. */
import { Unreadable } from '../item.ts'
import { chunksOf, LONGEST, textOf } from './bytes.ts'

export interface Line {
  /** Counted from 1. */
  readonly number: number
  /** How many bytes of the file have been read when it ends. */
  readonly end: number
  readonly text: string | Unreadable
  /** What ended it; empty at the end of the file. */
  readonly ending: '\n' | '\r\n' | ''
}

const LF = 0x0a
const CR = 0x0d
const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

export function* linesOf(path: string, chunkSize?: number): Generator<Line, undefined> {
  let number = 0
  let end = 0
  let size = 0
  let parts: Buffer[] = []

  const finish = (ended: boolean): Line => {
    number++
    let bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    if (number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)) bytes = bytes.subarray(3)
    const ending = !ended ? '' : bytes.at(-1) === CR ? '\r\n' : '\n'
    if (ending === '\r\n') bytes = bytes.subarray(0, -1)
    const text = size > LONGEST ? new Unreadable('the line is longer than 2 MiB') : textOf(bytes)
    parts = []
    size = 0
    return { number, end, text, ending }
  }

  for (const chunk of chunksOf(path, chunkSize)) {
    for (let from = 0; from < chunk.length; ) {
      const at = chunk.indexOf(LF, from)
      const to = at < 0 ? chunk.length : at
      const part = chunk.subarray(from, to)
      size += part.length
      if (size > LONGEST) parts = []
      else parts.push(at < 0 ? Buffer.from(part) : part)
      end += to - from
      from = to + 1
      if (at < 0) continue
      end++
      yield finish(true)
    }
  }
  if (size > 0) yield finish(false)
}
