/** Values become the cells of a row: what was given, and what is worked out from it to order, compare and find by. */
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

/** Long texts do not fit an index and NULLs are never equal, so a unique rule is one column with this. */
export function identityOf(resource: AnyResource, keys: readonly string[], values: Values): string {
  const identity = keys.map((key) => resource.fields[key].identity(values[key]))
  return hash('sha256', JSON.stringify(identity), 'base64url')
}
