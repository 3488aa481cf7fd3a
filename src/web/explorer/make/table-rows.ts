/** The rows of a table of many records: read from a form, compared with what it was opened with, and sent to the API. */
import { inOurWords } from '../../form-errors.ts'
import type { ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { readTable } from '../../table-text.ts'
import type { Posted } from './form-state.ts'
import type { Members } from './values.ts'

export interface Table {
  readonly kind: MadeKind
  readonly members: Members
  /** The last one is the number of the record. */
  readonly columns: readonly Column[]
}

export interface Column {
  readonly member: string
  readonly label: string
  /** The entry of the glossary that says what it means. */
  readonly entry?: string | undefined
}

/** What is wrong with a cell, or with a whole row. Rows count from 0. */
export interface Fault {
  readonly row: number
  readonly member: string
  readonly says: string
}

export type Row = readonly string[]

/** The fields of the form, besides the table itself. */
export const OPENED = 'opened'
export const COLUMNS = 'columns'

export interface PostedTable {
  readonly rows: readonly Row[]
  /** The records that the table was opened with. Rows that still equal them are not written. */
  readonly opened: readonly Row[]
  /** In UTF-16 units. */
  readonly length: number
}

export function tableIn(table: Table, form: Posted): PostedTable {
  const text = (form.get('table')?.at(-1) ?? '').replaceAll(/\r\n?/g, '\n')
  const opened = readOpened(form.get(OPENED)?.at(-1)).filter((row) => row.length === table.columns.length)
  return { rows: inColumns(table, readTable(text)), opened, length: text.length }
}

function readOpened(text = '[]'): readonly Row[] {
  try {
    const given: unknown = JSON.parse(text)
    return Array.isArray(given) ? given.filter(isRow) : []
  } catch {
    return []
  }
}

function isRow(given: unknown): given is Row {
  return Array.isArray(given) && given.every((cell) => typeof cell === 'string')
}

/** The cells in the order of our columns. A first row of names says which cell is what; without one, our order counts. */
function inColumns({ columns }: Table, rows: readonly string[][]): readonly Row[] {
  const key = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const placeOf = (cell: string) =>
    columns.findIndex(({ member, label }) => [key(member), key(label)].includes(key(cell)))
  const places = rows[0]?.map(placeOf) ?? []
  const isHead = places.filter((place) => place >= 0).length > 1
  if (!isHead) return rows.map((row) => columns.map((_, i) => row[i] ?? ''))
  return rows.slice(1).map((row) => columns.map((_, i) => row[places.indexOf(i)] ?? ''))
}

/** As a table has it: without line breaks, and without spaces around. */
export function rowOf({ columns }: Table, record: Shown): Row {
  return columns.map(({ member }) =>
    String(record[member] ?? '')
      .replaceAll(/\s*[\r\n]\s*/g, ' ')
      .trim(),
  )
}

export function recordOf({ columns, members }: Table, row: Row): Record<string, string> {
  const filled = columns.flatMap(({ member }, i): [string, string][] => {
    const cell = row[i] ?? ''
    const isChoice = members[member]?.type === 'choice'
    return cell === '' ? [] : [[member, isChoice ? cell.toLowerCase() : cell]]
  })
  return Object.fromEntries(filled)
}

const numberOf = (row: Row) => row.at(-1) ?? ''
const isSame = (one: Row, other: Row) => one.every((cell, i) => cell === other[i])

/** The positions of the rows that are new, or differ from what the table was opened with. */
export function changedRows({ rows, opened }: PostedTable): readonly number[] {
  const before = new Map(opened.map((row) => [numberOf(row), row]))
  return rows.flatMap((row, i) => {
    const old = before.get(numberOf(row))
    return old && isSame(row, old) ? [] : [i]
  })
}

interface Overtaken extends Pick<PostedTable, 'rows' | 'opened'> {
  readonly faults: readonly Fault[]
}

/**
 * Finds the rows whose records were changed by others since the table was opened. The cells that the user left alone get
 * the new values; if the user saves again, the others overwrite them.
 */
export async function overtaken(visit: ExplorerVisit, table: Table, posted: PostedTable): Promise<Overtaken> {
  const before = new Map(posted.opened.map((row) => [numberOf(row), row]))
  const places = changedRows(posted)
  const asked = places.map((i) => numberOf(posted.rows[i] ?? [])).filter((number) => before.has(number))
  const now = await rowsNow(visit, table, asked)
  const rows = [...posted.rows]
  const faults = places.flatMap((i): Fault[] => {
    const mine = rows[i] ?? []
    const [old, theirs] = [before.get(numberOf(mine)), now.get(numberOf(mine))]
    if (!old || !theirs || isSame(theirs, old) || isSame(theirs, mine)) return []
    rows[i] = mine.map((cell, at) => (cell === old[at] ? (theirs[at] ?? '') : cell))
    return faultsBetween(table, i, { mine, old, theirs })
  })
  return { rows, faults, opened: posted.opened.map((row) => now.get(numberOf(row)) ?? row) }
}

function faultsBetween(
  { columns }: Table,
  row: number,
  { mine, old, theirs }: { readonly mine: Row; readonly old: Row; readonly theirs: Row },
): Fault[] {
  const disputed = columns.flatMap(({ member }, i): Fault[] => {
    const isDisputed = mine[i] !== old[i] && theirs[i] !== old[i] && mine[i] !== theirs[i]
    const says = `In the meantime this was changed to “${theirs[i]}”. Save again to overwrite that.`
    return isDisputed ? [{ row, member, says }] : []
  })
  const says = 'The record was changed in the meantime. The row shows the change now. Look at it, and save again.'
  return disputed.length > 0 ? disputed : [{ row, member: '', says }]
}

/** As many as one parameter takes. */
const ASKED_AT_ONCE = 100

async function rowsNow(
  visit: ExplorerVisit,
  table: Table,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const found = new Map<string, Row>()
  for (let i = 0; i < numbers.length; i += ASKED_AT_ONCE) {
    const some = numbers.slice(i, i + ASKED_AT_ONCE)
    const query = new URLSearchParams({ id__in: some.join(','), page_size: String(ASKED_AT_ONCE) })
    const { json } = await visit.ask(`/api/${table.kind.name}/?${query}`)
    for (const record of json?.results ?? []) {
      const row = rowOf(table, record)
      found.set(numberOf(row), row)
    }
  }
  return found
}

/** "Record 2, mode: ..." counts the records that were sent, which are at these places of the table. */
export function faultsOf({ members }: Table, messages: readonly string[], places: readonly number[]): Fault[] {
  return messages.flatMap((message) => {
    const [, sent, member = '', says = ''] = /^Record ([0-9]+)(?:, (\w+))?: (.*)$/s.exec(message) ?? []
    if (sent === undefined) return [{ row: 0, member: '', says: inOurWords(message) }]
    const choices = members[member]?.choices?.map(({ value }) => value).join(', ')
    const inWords = inOurWords(says).replace(/ is not one of the choices\.$/, (all) =>
      choices ? `${all.slice(0, -1)}: ${choices}.` : all,
    )
    return [{ row: places[Number(sent)] ?? 0, member, says: inWords }]
  })
}
