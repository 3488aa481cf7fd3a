/** The file formats for records, and how to recognise them. */
import { extname } from 'node:path'
import { Unreadable } from '../item.ts'
import { chunksOf } from './bytes.ts'
import { readCsv } from './csv.ts'
import { readFortunes } from './fortune.ts'
import { holdsRecords, readJson } from './json.ts'
import { readNdjson } from './ndjson.ts'
import { recordOf } from './record.ts'

export { fortuneEntry } from './fortune.ts'
export { type Line, linesOf } from './lines.ts'
export { writeNdjson } from './ndjson.ts'
export { readCsv, readFortunes, readJson, readNdjson }

export const readers = { ndjson: readNdjson, json: readJson, csv: readCsv, fortune: readFortunes }

export type Format = keyof typeof readers

const ALIASES: ReadonlyMap<string, Format> = new Map([
  ['jsonl', 'ndjson'],
  ['tsv', 'csv'],
])

/** How files without an extension are recognised by their start; the first match wins. */
const STARTS: Partial<Readonly<Record<Format, (start: string) => boolean>>> = {
  ndjson: (start) => isRecord(start.split('\n', 1)[0]!),
  json: (start) => /^[[{]/.test(start),
  fortune: (start) => /^%[ \t\r]*$/m.test(start),
}

/** By its extension; a file without one is opened. */
export function formatOf(path: string): Format | undefined {
  const extension = extname(path).slice(1).toLowerCase()
  if (extension !== '') return namesIn(readers).find((name) => name === extension) ?? ALIASES.get(extension)
  const start = startOf(path)
  return namesIn(STARTS).find((name) => STARTS[name]!(start))
}

function namesIn(formats: Partial<Readonly<Record<Format, unknown>>>): Format[] {
  return Object.keys(formats) as Format[]
}

function isRecord(line: string): boolean {
  return !(recordOf(line) instanceof Unreadable) && !holdsRecords(line)
}

function startOf(path: string): string {
  for (const chunk of chunksOf(path)) return chunk.toString().trimStart()
  return ''
}
