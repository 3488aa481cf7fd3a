/**
 * How the tables of a database differ from what the declarations need. It only reads; `syncTables` makes the changes.
 */
import type { AnyResource } from '../declare/index.ts'
import type { Work } from './database.ts'
import { isNewer, PROGRAM, readDeclared, WHOLE } from './declared.ts'
import type { Dialect } from './dialect.ts'
import { catalogueFingerprint } from './fingerprint.ts'
import { hasType, isSameIndex, readPresent } from './present.ts'
import { allTables } from './schema.ts'
import { type Unused, unusedIn } from './unused.ts'

export interface Drift {
  /** Whether the tables were last synced with exactly these declarations. */
  readonly isCurrent: boolean
  /** Tables, columns and indexes that are missing, or differ from the declaration. */
  readonly missing: readonly string[]
  /** What is no longer declared. */
  readonly unused: readonly Unused[]
  /** The version of the newer program that has changed the tables, if any. */
  readonly newer: string | undefined
}

export function* driftOf(dialect: Dialect, catalogue: readonly AnyResource[]): Work<Drift> {
  const whole = (yield* readDeclared(dialect)).get(WHOLE)
  const present = yield* readPresent(dialect)
  const missing: string[] = []
  for (const table of allTables(dialect, catalogue)) {
    const columns = present.tables.get(table.name)
    if (!columns) {
      missing.push(`table ${table.name}`)
      continue
    }
    for (const column of table.columns) {
      if (!hasType(columns.get(column.name), column)) missing.push(`column ${table.name}.${column.name}`)
    }
    for (const index of table.indexes) {
      const there = present.indexes.find(({ name }) => name === index.name)
      if (!there || !isSameIndex(there, table.name, index)) missing.push(`index ${index.name}`)
    }
  }
  const isCurrent = whole?.fingerprint === catalogueFingerprint(dialect, catalogue)
  const newer = !isCurrent && whole && isNewer(whole.program, PROGRAM) ? whole.program : undefined
  return { isCurrent, missing, unused: unusedIn(present), newer }
}
