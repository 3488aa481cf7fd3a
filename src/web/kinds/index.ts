/** What is special about the pages of each kind of record. */
import type { Content } from '../html.ts'
import { quadranym } from './quadranym.ts'

/** A record as the API gives it. */
export type Shown = Readonly<Record<string, any>>

export interface Kind {
  /** Of one: "Quadranym". */
  readonly title: string
  /** Which part of the site it belongs to; see layout.ts. */
  readonly part: string
  nameOf(record: Shown): string
  /** An SVG drawing made from the record. */
  picture?(record: Shown): Content
}

export const kinds: Readonly<Record<string, Kind>> = { quadranym }
