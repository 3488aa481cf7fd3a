/**
 * Records as rows of CSV (RFC 4180): embedded records as ids, lists as words, so that people can read and edit them.
 */
import { type AnyResource, fieldsOf, type Json, type JsonObject } from '../declare/index.ts'

/** One row, quoted only where necessary. */
export function csvRow(cells: readonly string[]): string {
  // A single empty cell would be an empty line, which is not a row.
  if (cells.length === 1 && cells[0] === '') return '""\n'
  const quoted = cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
  return `${quoted.join(',')}\n`
}

/** The members that records may have, in record order, the id last; `only` for the fields of a view. */
export function csvColumns(resource: AnyResource, only?: readonly string[]): string[] {
  const fields = fieldsOf(resource).filter(([key]) => !only || only.includes(key))
  return [...fields.flatMap(([key, field]) => field.members(key)), `${resource.name}_id`]
}

/** The row of a record, from its JSON. */
export function csvRecord(columns: readonly string[], json: string): string {
  const record: JsonObject = JSON.parse(json)
  return csvRow(columns.map((member) => cellOf(record[member])))
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(cellOf).join(' ')
  if (typeof value !== 'object') return String(value)
  const [, id] = Object.entries(value).findLast(([key]) => key.endsWith('_id'))!
  return String(id)
}
