/** A chart as the API gives it, with words for what it counts and addresses of what each number counts. */
import { counted, plural } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { verbOf } from '../history/deeds.ts'
import type { Kinds } from '../kinds/index.ts'
import { slotName } from '../label.ts'

interface Column {
  readonly value: string | number
  readonly query?: string
}

interface Row extends Column {
  readonly count: number
  readonly cells: readonly number[]
}

export interface ChartJson {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly resource: string | null
  readonly count: number
  readonly sample?: { readonly read: number; readonly of: number }
  readonly unit?: 'day' | 'week' | 'month' | 'year'
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  readonly nodes?: readonly ChartNode[]
  readonly edges?: readonly { readonly sets: readonly [number, number]; readonly shared: readonly string[] }[]
}

export interface ChartNode {
  readonly id: number
  readonly name: string
  readonly count: number
  readonly x: number
  readonly y: number
}

/** One number: what it says, and the page of what it counts. */
export interface Mark {
  readonly count: number
  /** A sentence for those who cannot see the picture. */
  readonly says: string
  readonly href: string | undefined
}

/** A row or a column, with its own number. */
export interface Line extends Mark {
  readonly label: string
  readonly marks: readonly Mark[]
}

export interface ShownChart {
  /** What a number counts: "polynyms". */
  readonly counts: string
  readonly columns: readonly string[]
  readonly lines: readonly Line[]
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

export function shownChart(chart: ChartJson, kinds: Kinds): ShownChart {
  const kind = chart.resource === null ? undefined : kinds.find(chart.resource)
  const { name } = chart
  const owner = (kind?.one ?? 'record').toLowerCase()
  const one = oneOf(chart, owner)
  const columns = chart.columns.map(({ value }) => columnLabel(chart, value))
  const lines = chart.rows.map((row): Line => {
    const label = rowLabel(chart, row, kinds)
    const ownOne = name === 'growth' ? (kinds.find(String(row.value))?.one ?? 'record').toLowerCase() : one
    const ownMany = plural(ownOne)
    return {
      label,
      count: row.count,
      says: `${label}: ${counted(row.count, name === 'balance' ? owner : ownOne)}`,
      href: addressOf(chart, row),
      marks: row.cells.map((count, i) => ({
        count,
        says: `${label}, ${columns[i] ?? ''}: ${counted(count, ownOne, ownMany)}`,
        href: addressOf(chart, row, chart.columns[i]),
      })),
    }
  })
  const counts = name === 'balance' ? owner : one
  return { counts: counted(2, counts).replace(/^2 /, ''), columns, lines }
}

/** What its numbers count. */
function oneOf({ name }: ChartJson, kind: string): string {
  if (name === 'words') return 'place'
  if (name === 'balance') return 'use'
  return name === 'activity' ? 'change' : kind
}

function rowLabel({ name }: ChartJson, { value }: Row, kinds: Kinds): string {
  if (name === 'growth') return kinds.find(String(value))?.many ?? String(value)
  if (name === 'activity') return verbOf(String(value))
  return value === '' ? 'none given' : String(value)
}

function columnLabel({ name, unit }: ChartJson, value: string | number): string {
  if (name === 'balance') return slotName(String(value))
  if (unit) return timeLabel(String(value))
  return counted(Number(value), 'word')
}

/** 2026-11-16 is 16 Nov 2026, 2026-11 is Nov 2026. */
function timeLabel(value: string): string {
  const [year, month, day] = value.split('-')
  const named = month === undefined ? undefined : MONTHS[Number(month) - 1]
  return [day && Number(day), named, year].filter(Boolean).join(' ')
}

/** The page that shows what is counted: a list, a word, or the log of changes. */
function addressOf(chart: ChartJson, row: Row, column?: Column): string | undefined {
  const query = [row.query, column?.query].filter((each) => each !== undefined).join('&')
  if (chart.name === 'words') return wordAddress(String(row.value))
  if (chart.name === 'activity') return column?.query === undefined ? '/changes/' : `/changes/?${query}`
  const list = chart.name === 'growth' ? String(row.value) : chart.resource
  return query === '' ? `/${list}/` : `/${list}/?${query}`
}
