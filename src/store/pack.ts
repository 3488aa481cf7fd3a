/**
 * Turns values into the cells of a row: the given values, and those computed from them to order, compare and search.
 */
import { hash } from 'node:crypto'
import { type AnyResource, type Cell, fieldsOf, orderOf } from '../declare/index.ts'
import { findingCells } from './finding.ts'
import { orderColumn, sortColumn, uniqueColumn } from './schema.ts'
import { shownCell } from './shown.ts'

export interface Values {
  readonly [key: string]: any
}

/** The row of a record: its own columns, the sort keys and the unique columns. */
export function packed(resource: AnyResource, values: Values): Record<string, Cell> {
  const row: Record<string, Cell> = {}
  for (const [key, field] of fieldsOf(resource)) Object.assign(row, field.pack(values[key], key))
  for (const { key } of orderOf(resource)) {
    if (orderColumn(resource, key) !== key) row[sortColumn(key)] = resource.fields[key].sortKey(values[key])
  }
  resource.unique.forEach((keys, i) => {
    row[uniqueColumn(i)] = identityOf(resource, keys, values)
  })
  return { ...row, ...findingCells(resource, values, row), ...shownCell(resource, values) }
}

/** Long texts do not fit an index and NULLs are never equal, so a unique rule is one column with this hash. */
export function identityOf(resource: AnyResource, keys: readonly string[], values: Values): string {
  const identity = keys.map((key) => resource.fields[key].identity(values[key]))
  return hash('sha256', JSON.stringify(identity), 'base64url')
}
