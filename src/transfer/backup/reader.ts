/**
 * Reads a backup line by line in constant memory, and checks all of it on the way: a caller that reaches the end has
 * read exactly what was written. Synchronous, because restoring happens inside one transaction.
 */
import { createHash } from 'node:crypto'
import type { AnyResource, JsonObject } from '../../declare/index.ts'
import { NEWEST_VERSION } from '../../store/index.ts'
import {
  BadBackup,
  type Contents,
  type EndLine,
  FORMAT,
  faultOfLine,
  type Header,
  type IdsLine,
  type Notable,
  type RowLine,
  tablesOf,
} from './format.ts'
import { unpacked } from './gzip.ts'
import { Notables } from './notable.ts'

export type Line = RowLine | IdsLine

export interface ReadLine {
  readonly line: Line
  readonly bytes: number
}

/** Longer than any record. A longer line would need too much memory. */
const LONGEST_LINE = 16 * 1024 * 1024

/** The rows and the ids; throws where a fault is found, at the latest at the end. */
export function* readBackup(path: string, catalogue: readonly AnyResource[]): Generator<ReadLine, Contents & Notable> {
  const tables = tablesOf(catalogue)
  const notables = new Notables(tables)
  const counts: Record<string, number> = Object.fromEntries([...tables.keys()].map((name) => [name, 0]))
  const hash = createHash('sha256')
  let header: Header | undefined
  let end: EndLine | undefined
  let number = 0
  for (const bytes of linesOf(unpacked(path), path)) {
    number++
    if (end) throw new BadBackup(`${path} is damaged: it continues after its end`)
    const line = parsed(bytes)
    if (!header) header = readHeader(line, path)
    else if (!line) throw new BadBackup(`${path} is damaged: line ${number} is not JSON`)
    else if (line['end'] === true) {
      end = line as unknown as EndLine
      continue
    } else {
      const fault = faultOfLine(line, tables)
      if (fault) throw new BadBackup(`${path} cannot be restored: line ${number}: ${fault}`)
      const row = line as unknown as Line
      if ('in' in row) {
        counts[row.in]!++
        notables.take(row)
      }
      yield { line: row, bytes: bytes.length }
    }
    hash.update(bytes).update('\n')
  }
  if (!header) throw new BadBackup(`${path} is empty`)
  if (!end) throw new BadBackup(`${path} is cut short: its last line is missing`)
  if (end.sha256 !== hash.digest('hex')) throw new BadBackup(`${path} is damaged: its checksum is wrong`)
  const wrong = Object.keys({ ...counts, ...end.counts }).find((name) => counts[name] !== end.counts[name])
  if (wrong) throw new BadBackup(`${path} is damaged: the number of ${wrong} is wrong`)
  return { at: header.at, counts, ...notables.found }
}

/** Reads all of it and returns what it contains. */
export function checkBackup(path: string, catalogue: readonly AnyResource[]): Contents & Notable {
  const lines = readBackup(path, catalogue)
  for (;;) {
    const { done, value } = lines.next()
    if (done) return value
  }
}

function readHeader(line: JsonObject | undefined, path: string): Header {
  if (line?.['nymdex'] !== 'backup') throw new BadBackup(`${path} is not a Nymdex backup`)
  const header = line as unknown as Header
  if (!(header.format <= FORMAT)) {
    throw new BadBackup(`${path} was made by a newer Nymdex: its format is ${header.format}, this one reads ${FORMAT}`)
  }
  if (!(header.version <= NEWEST_VERSION)) {
    throw new BadBackup(
      `${path} was made by a newer Nymdex: its version is ${header.version}, this one knows versions up to ${NEWEST_VERSION}`,
    )
  }
  return header
}

function parsed(bytes: Buffer): JsonObject | undefined {
  try {
    const value = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

function* linesOf(chunks: Iterable<Buffer>, path: string): Generator<Buffer> {
  /** The line so far, which began in an earlier chunk. */
  let parts: Buffer[] = []
  let length = 0
  let number = 1
  const add = (part: Buffer) => {
    length += part.length
    if (length > LONGEST_LINE) {
      throw new BadBackup(`${path} cannot be restored: line ${number} is longer than ${LONGEST_LINE / 2 ** 20} MiB`)
    }
    parts.push(part)
  }
  for (const chunk of chunks) {
    let from = 0
    for (let to = chunk.indexOf(10); to >= 0; to = chunk.indexOf(10, from)) {
      add(chunk.subarray(from, to))
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = []
      length = 0
      number++
      from = to + 1
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  if (length > 0) yield Buffer.concat(parts)
}
