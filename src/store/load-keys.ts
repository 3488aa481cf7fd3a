/**
 * Drops the keys and indexes of tables before many rows are inserted, and creates them at the end: to sort all rows once
 * is faster than to find a place for each. Only for tables that no other process uses.
 */
import type { AnyResource } from '../declare/index.ts'
import type { Copies } from './copy.ts'
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { inDependencyOrder, tablesOf } from './schema.ts'
import { CHANGE } from './service-tables.ts'

/**
 * Fills the tables, as a part of one transaction: they exist and follow the declarations. It calls `createKeys` after
 * the last row, before anything that looks for rows.
 */
export type Fill<T> = (copies: Copies, createKeys: () => Work<void>) => Work<T>

/** Statements that create again what was dropped, in their order. */
export type DroppedKeys = readonly string[]

/** Accounts and what belongs to them are few, and the load looks them up. */
export function* dropKeys(dialect: Dialect, catalogue: readonly AnyResource[]): Work<DroppedKeys> {
  const tables = new Set(
    [CHANGE, ...inDependencyOrder(catalogue).flatMap((resource) => tablesOf(dialect, resource))].map(
      ({ name }) => name,
    ),
  )
  const keys = (yield* query(dialect.keys)).filter((row) => tables.has(String(row['table'])))
  for (const key of keys.toReversed()) yield* query(String(key['dropped']))
  return keys.map((key) => String(key['created']))
}

export function* createKeys(keys: DroppedKeys): Work<void> {
  for (const sql of keys) yield* query(sql)
}
