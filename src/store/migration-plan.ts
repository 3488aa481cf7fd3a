/** What a start of this program would do to the tables of a database. It only reads. */
import type { AnyResource } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { readDeclared } from './declared.ts'
import { type Dialect, quoted } from './dialect.ts'
import { driftOf } from './drift.ts'
import { valuesFingerprint } from './fingerprint.ts'
import { versionOf } from './inspect.ts'
import { STEPS } from './steps.ts'

export interface MigrationPlan {
  /** 0 if there are no tables. */
  readonly version: number
  readonly steps: readonly { readonly number: number; readonly title: string }[]
  /** Tables, columns and indexes that are added. */
  readonly missing: readonly string[]
  /** Resources whose records are read, and written where a stored value differs. */
  readonly checked: readonly { readonly name: string; readonly records: number }[]
  /** The version of a newer program that has changed the tables: this one does not start. */
  readonly newer: string | undefined
}

export function* planMigration(dialect: Dialect, catalogue: readonly AnyResource[]): Work<MigrationPlan> {
  const { version } = yield* versionOf(dialect, catalogue)
  if (version === 0) return { version, steps: [], missing: [], checked: [], newer: undefined }
  const { isCurrent, missing, newer } = yield* driftOf(dialect, catalogue)
  const steps = STEPS.filter(({ number }) => number > version).map(({ number, title }) => ({ number, title }))
  return { version, steps, missing, checked: isCurrent ? [] : yield* checkedBy(dialect, catalogue), newer }
}

function* checkedBy(dialect: Dialect, catalogue: readonly AnyResource[]): Work<MigrationPlan['checked']> {
  const tables = new Set((yield* query(dialect.tables)).map((row) => String(row['name'])))
  const recorded = yield* readDeclared(dialect)
  const checked: { name: string; records: number }[] = []
  for (const resource of catalogue) {
    const { name } = resource
    const isSame = recorded.get(name)?.fingerprint === valuesFingerprint(dialect, resource)
    if (isSame || !tables.has(name)) continue
    const [row] = yield* query(`SELECT count(*) AS count FROM ${quoted(name)}`)
    const records = Number(cell(row, 'count'))
    if (records > 0) checked.push({ name, records })
  }
  return checked
}
