/**
 * Turns values into the cells of a row, and back: the given values, and those computed from them to order, compare and
 * search.
 */
import { hash } from 'node:crypto'
import { type AnyResource, type Cell, fieldsOf, orderOf, type Row } from '../declare/index.ts'
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

/** The values of a row, with only the id for each embedded record; derived values are computed again. */
export function valuesOf(resource: AnyResource, row: Row, ownerName: string): Record<string, any> {
  const values: Record<string, any> = {}
  const stored = fieldsOf(resource).map(([key, field]) => ({ key, field, storage: field.storage(key).in }))
  for (const { key, field, storage } of stored) {
    if (storage === 'owner') values[key] = ownerName
    else if (!(key in resource.derive) && STORED.has(storage)) {
      values[key] = field.unpack(row, key, (_, id) => ({ id }))
    }
  }
  const derived = stored.filter(({ key, storage }) => key in resource.derive && STORED.has(storage))
  return { ...values, ...Object.fromEntries(derived.map(({ key }) => [key, resource.derive[key]!(values)])) }
}

const STORED: ReadonlySet<string> = new Set(['columns', 'reference', 'links'])
