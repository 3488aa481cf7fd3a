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
  type Counts,
  type EndLine,
  FORMAT,
  faultOfIds,
  faultOfRow,
  fitted,
  type Header,
  type IdsLine,
  isObject,
  type Notable,
  type RowLine,
  type Skipped,
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

export interface ReadOptions {
  /** Leaves out resources and members that the catalogue does not know; otherwise they are named and refused. */
  readonly skipUnknown?: boolean | undefined
  /** The secret keys of an encrypted backup. */
  readonly identities?: readonly string[] | undefined
}

export type Found = Contents & Notable & Skipped

/** The rows and the ids; what is wrong with the file is thrown where it is found, at the latest at the end. */
export function* readBackup(
  path: string,
  catalogue: readonly AnyResource[],
  { skipUnknown = false, identities }: ReadOptions = {},
): Generator<ReadLine, Found> {
  const tables = tablesOf(catalogue)
  const notables = new Notables(tables)
  const counts: Record<string, number> = {}
  const skipped: Record<string, number> = {}
  const hash = createHash('sha256')
  let header: Header | undefined
  let end: EndLine | undefined
  let number = 0
  for (const bytes of linesOf(unpacked(path, identities), path)) {
    number++
    if (end) throw new BadBackup(`${path} is damaged: it continues after its end`)
    const line = parsed(bytes)
    const bad = (fault: string) => new BadBackup(`${path} cannot be restored: line ${number}: ${fault}`)
    if (!header) header = readHeader(line, path, skipUnknown)
    else if (!line) throw new BadBackup(`${path} is damaged: line ${number} is not JSON`)
    else if (line['end'] === true) {
      end = line as unknown as EndLine
      continue
    } else if (isObject(line['ids'])) {
      const ids = line as unknown as IdsLine
      const fault = faultOfIds(ids)
      if (fault) throw bad(fault)
      yield { line: ids, bytes: bytes.length }
    } else {
      const name = String(line['in'])
      counts[name] = (counts[name] ?? 0) + 1
      const table = tables.get(name)
      const fault = table && faultOfRow(line, table)
      if (fault) throw bad(fault)
      const skip = (what: string) => (skipped[what] = (skipped[what] ?? 0) + 1)
      if (table) {
        const row = fitted(line as unknown as RowLine, table, (member) => skip(`${name}.${member}`))
        notables.take(row)
        yield { line: row, bytes: bytes.length }
      } else skip(name)
    }
    hash.update(bytes)
  }
  if (!header) throw new BadBackup(`${path} is empty`)
  if (!end) throw new BadBackup(`${path} is cut short: its last line is missing`)
  if (end.sha256 !== hash.digest('hex')) throw new BadBackup(`${path} is damaged: its checksum is wrong`)
  const names = Object.keys({ ...counts, ...end.counts })
  const wrong = names.find((name) => (counts[name] ?? 0) !== (end.counts[name] ?? 0))
  if (wrong) throw new BadBackup(`${path} is damaged: the number of ${wrong} is wrong`)
  if (!skipUnknown && Object.keys(skipped).length > 0) {
    throw new BadBackup(
      `${path} holds ${listSkipped(skipped)}, which this version does not know: --skip-unknown leaves them out`,
    )
  }
  const known = Object.fromEntries([...tables.keys()].map((name) => [name, counts[name] ?? 0]))
  return { at: header.at, counts: known, skipped, ...notables.found }
}

/** For the operator: riddle (3 records), polynym.mood (12 records). */
export function listSkipped(skipped: Counts): string {
  const told = ([name, count]: [string, number]) => `${name} (${count} record${count === 1 ? '' : 's'})`
  return Object.entries(skipped).map(told).join(', ')
}

/** Reads all of it and says what it holds. */
export function checkBackup(path: string, catalogue: readonly AnyResource[], options?: ReadOptions): Found {
  const lines = readBackup(path, catalogue, options)
  for (;;) {
    const { done, value } = lines.next()
    if (done) return value
  }
}

function readHeader(line: JsonObject | undefined, path: string, skipUnknown: boolean): Header {
  if (line?.['nymdex'] !== 'backup') throw new BadBackup(`${path} is not a Nymdex backup`)
  const header = line as unknown as Header
  if (!(header.format <= FORMAT)) {
    throw new BadBackup(`${path} was made by a newer Nymdex: its format is ${header.format}, this one reads ${FORMAT}`)
  }
  if (!skipUnknown && !(header.version <= NEWEST_VERSION)) {
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

/** Each with its line end. */
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
    for (let to = chunk.indexOf(10) + 1; to > 0; to = chunk.indexOf(10, from) + 1) {
      add(chunk.subarray(from, to))
      yield parts.length === 1 ? parts[0]! : Buffer.concat(parts)
      parts = []
      length = 0
      number++
      from = to
    }
    if (from < chunk.length) add(chunk.subarray(from))
  }
  if (length > 0) yield Buffer.concat(parts)
}
