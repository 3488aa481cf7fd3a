/** What a chart tells: rows and columns of numbers, or a network. */
import type { Cell } from '../../declare/index.ts'
import type { Sample } from '../../store/index.ts'

export interface ChartColumn {
  readonly value: Cell
  /** The filter of the list that has exactly what is counted, as in an address. */
  readonly query?: string
}

export interface ChartRow extends ChartColumn {
  readonly count: number
  /** One number for each column. */
  readonly cells: readonly number[]
}

export interface ChartNode {
  readonly id: number
  readonly name: string
  /** How many other sets have a word in common with it. */
  readonly count: number
  /** From 0 to 1000. */
  readonly x: number
  readonly y: number
}

export interface ChartEdge {
  /** The ids of two nodes. */
  readonly sets: readonly [number, number]
  /** The words that both have. */
  readonly shared: readonly string[]
}

/** The numbers of a chart, without its title. */
export interface ChartNumbers {
  /** How many records, or changes, were counted. */
  readonly count: number
  /** Set if these are not all there are. */
  readonly sample?: Pick<Sample, 'read' | 'of'>
  readonly columns: readonly ChartColumn[]
  readonly rows: readonly ChartRow[]
  /** How long each column is, if the columns are times. */
  readonly unit?: 'day' | 'week' | 'month' | 'year'
  readonly nodes?: readonly ChartNode[]
  readonly edges?: readonly ChartEdge[]
}

/** Rows of a chart, at most: more do not fit into a picture. */
export const MOST_ROWS = 40

/** The filter for one value of a member; a record without a value has an empty text. */
export function queryFor(member: string, value: Cell): string {
  return value === '' ? `${member}__isnull=true` : new URLSearchParams([[member, String(value)]]).toString()
}

export function sampleOf({ read, of }: Sample): Pick<ChartNumbers, 'sample'> {
  return read < of ? { sample: { read, of } } : {}
}
