/** NDJSON: one JSON object per line. */
import type { JsonObject } from '../../declare/index.ts'
import { type Item, Unreadable } from '../item.ts'
import { linesOf } from './lines.ts'
import { recordOf } from './record.ts'

export function* readNdjson(path: string, chunkSize?: number): Generator<Item, undefined> {
  for (const { number: line, end, text } of linesOf(path, chunkSize)) {
    if (text instanceof Unreadable) yield { line, end, found: text }
    else if (text.trim() !== '') yield { line, end, found: recordOf(text) }
  }
}

export function writeNdjson(record: JsonObject): string {
  return `${JSON.stringify(record)}\n`
}
