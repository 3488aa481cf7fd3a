/** What every reader of a file yields: a record as the file has it, or what is wrong with it. */
import type { JsonObject } from '../declare/index.ts'

export interface Item {
  /** The collection that the file itself names for this record; most files leave it to their name. */
  readonly collection?: string
  /** Where it begins, counted from 1, as an editor shows it. */
  readonly line: number
  /** How many bytes of the file have been read up to its end, for the progress. */
  readonly end: number
  readonly found: JsonObject | Unreadable
}

/** A place without a record; the reader continues after it. */
export class Unreadable {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}
