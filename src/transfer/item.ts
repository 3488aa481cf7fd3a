/** What every file reader yields: a record, or what is wrong at that place. */
import type { JsonObject } from '../declare/index.ts'

export interface Item {
  /** The collection that the file itself names for this record; most files rely on their name. */
  readonly collection?: string
  /** The line where it begins, counted from 1. */
  readonly line: number
  /** How many bytes of the file have been read at its end, for progress. */
  readonly end: number
  readonly found: JsonObject | Unreadable
}

/** A place without a valid record; the reader continues after it. */
export class Unreadable {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Reads on demand, in constant memory; the caller may stop at any time, which closes the file. */
export type Reader = (path: string) => Iterable<Item>
