/** The table `declaration`: which declarations the tables of a database follow, and which program last changed them. */
import { readFileSync } from 'node:fs'
import { type AnyResource, fieldsOf } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { valuesFingerprint } from './fingerprint.ts'
import { insertRows } from './insert-rows.ts'
import { tablesOf } from './schema.ts'

/** The row for all resources together. */
export const WHOLE = ''

/** The version of this program. */
export const PROGRAM: string = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version

export interface Shape {
  /** The columns of the records that are computed from others. */
  readonly worked?: readonly string[]
  /** The resources that references and links point to, by field. */
  readonly refers?: Readonly<Record<string, string>>
  readonly indexes?: readonly string[]
  /** For the whole database: what is put aside. */
  readonly unused?: readonly string[]
}

export interface Declared {
  readonly fingerprint: string
  readonly shape: Shape
  readonly program: string
}

export function shapeOf(dialect: Dialect, resource: AnyResource): Shape {
  const tables = tablesOf(dialect, resource)
  const refers = fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    return storage.in === 'reference' || storage.in === 'links' ? [[key, storage.to.name]] : []
  })
  return {
    worked: tables[0].columns.filter(({ worked }) => worked).map(({ name }) => name),
    refers: Object.fromEntries(refers),
    indexes: tables.flatMap(({ indexes }) => indexes.map(({ name }) => name)),
  }
}

/** Empty for a database of a version without this table. */
export function* readDeclared(dialect: Dialect): Work<ReadonlyMap<string, Declared>> {
  const tables = yield* query(dialect.tables)
  if (!tables.some((row) => row['name'] === 'declaration')) return new Map()
  const rows = yield* query('SELECT resource, fingerprint, shape, program FROM declaration')
  return new Map(
    rows.map((row) => [
      String(row['resource']),
      {
        fingerprint: String(row['fingerprint']),
        shape: JSON.parse(String(row['shape'])),
        program: String(row['program']),
      },
    ]),
  )
}

export function* writeDeclared(dialect: Dialect, resources: readonly AnyResource[], whole: Declared): Work<void> {
  const at = new Date().toISOString()
  const row = (resource: string, fingerprint: string, shape: Shape) => {
    return { resource, fingerprint, shape: JSON.stringify(shape), program: whole.program, at }
  }
  yield* query('DELETE FROM declaration')
  yield* insertRows('declaration', [
    row(WHOLE, whole.fingerprint, whole.shape),
    ...resources.map((resource) =>
      row(resource.name, valuesFingerprint(dialect, resource), shapeOf(dialect, resource)),
    ),
  ])
}

/** Whether a version such as 1.12.0 is above another. */
export function isNewer(version: string, other: string): boolean {
  const [mine, theirs] = [version, other].map((each) => each.split('.').map((part) => Number.parseInt(part, 10) || 0))
  for (let i = 0; i < Math.max(mine!.length, theirs!.length); i++) {
    const difference = (mine![i] ?? 0) - (theirs![i] ?? 0)
    if (difference !== 0) return difference > 0
  }
  return false
}
