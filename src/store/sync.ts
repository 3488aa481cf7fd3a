/**
 * Changes the tables of a database so that they follow the declarations: at start, in one transaction, under the lock.
 * If the recorded fingerprint is that of the catalogue, this is one small read.
 */
import { type AnyResource, TIMES } from '../declare/index.ts'
import { renewLogId } from './change-log.ts'
import { CONTRIBUTION, clearUndeclared } from './contributions.ts'
import { query, Unusable, type Work } from './database.ts'
import { type Declared, isNewer, PROGRAM, readDeclared, WHOLE, writeDeclared } from './declared.ts'
import { type Dialect, quoted } from './dialect.ts'
import { rebuildCounts } from './facet-counts.ts'
import { catalogueFingerprint, valuesFingerprint } from './fingerprint.ts'
import { readPresent } from './present.ts'
import { Rank } from './rank.ts'
import { type Report, refill } from './refill.ts'
import { blockTable, inDependencyOrder, tablesOf, uniqueColumn, uniqueIndex } from './schema.ts'
import { SERVICE_TABLES } from './service-tables.ts'
import { recountStandings } from './standings.ts'
import { TableChanges } from './table-changes.ts'
import { fillTimes } from './times.ts'
import { nameOfUnused, unusedIn } from './unused.ts'

export interface SyncOptions {
  /** Called with one line for each change, and for the progress of a long check. */
  readonly report?: Report | undefined
  /** The version of this program. */
  readonly program?: string
}

/** The fingerprint of the tables if they follow the declarations; otherwise undefined. */
export function* fingerprintInLine(
  dialect: Dialect,
  catalogue: readonly AnyResource[],
  { report = () => {} }: SyncOptions = {},
): Work<string | undefined> {
  const fingerprint = catalogueFingerprint(dialect, catalogue)
  const whole = (yield* readDeclared(dialect)).get(WHOLE)
  if (whole?.fingerprint !== fingerprint) return undefined
  reportUnused(whole.shape.unused, report)
  return fingerprint
}

/** Returns the fingerprint that the tables have now. */
export function* syncTables(
  dialect: Dialect,
  catalogue: readonly AnyResource[],
  { report = () => {}, program = PROGRAM }: SyncOptions = {},
): Work<string> {
  // Another process may have changed them while this one waited for the lock.
  const inLine = yield* fingerprintInLine(dialect, catalogue, { report })
  if (inLine !== undefined) return inLine
  const fingerprint = catalogueFingerprint(dialect, catalogue)
  const recorded = yield* readDeclared(dialect)
  const whole = recorded.get(WHOLE)
  if (whole && isNewer(whole.program, program)) {
    throw new Unusable(
      `Nymdex ${whole.program} has changed the tables, and this is Nymdex ${program}: start the newer one, or restore a backup`,
    )
  }
  const resources = inDependencyOrder(catalogue)
  const before = yield* readPresent(dialect)
  const isNew = !before.tables.has('account')
  const changes = new TableChanges(dialect, before, recorded)
  for (const table of SERVICE_TABLES) yield* changes.bring(table)
  for (const resource of resources) {
    refuseOtherTarget(resource, recorded.get(resource.name))
    yield* changes.putFieldsAside(resource)
    for (const table of tablesOf(dialect, resource)) yield* changes.bring(table)
  }
  yield* changes.putResourcesAside(resources)
  yield* clearUndeclared(resources)
  for (const resource of resources) {
    const isSame = recorded.get(resource.name)?.fingerprint === valuesFingerprint(dialect, resource)
    yield* bringValues(dialect, resource, { changes, isSame, report })
  }
  if (changes.hasAdded('play_standing', 'hits')) yield* recountStandings()
  const unused = unusedIn(yield* readPresent(dialect)).map(nameOfUnused)
  yield* writeDeclared(dialect, resources, { fingerprint, shape: { unused }, program })
  // Values may differ from what the log says.
  if (changes.done.length > 0) yield* renewLogId()
  const done = [...changes.done, ...changes.indexed]
  if (!isNew && done.length > 0) report(`brought the tables in line with the declarations: ${done.join(', ')}`)
  reportUnused(unused, report)
  return fingerprint
}

function reportUnused(unused: readonly string[] | undefined, report: Report): void {
  if (unused?.length) report(`no longer declared: ${unused.join(', ')}; nymdex drop-unused drops the data`)
}

/** Otherwise ids of another resource's records would be taken for this one's. */
function refuseOtherTarget({ name, fields }: AnyResource, declared: Declared | undefined): void {
  for (const [key, target] of Object.entries(declared?.shape.refers ?? {})) {
    const storage = fields[key]?.storage(key)
    if (storage && 'to' in storage && storage.to.name !== target) {
      throw new Unusable(
        `${name}.${key} refers to ${target} in the database, and to ${storage.to.name} in the declaration: give the field another name`,
      )
    }
  }
}

interface Bringing {
  readonly changes: TableChanges
  /** Whether the values depend on the same things as before. */
  readonly isSame: boolean
  readonly report: Report
}

function* bringValues(dialect: Dialect, resource: AnyResource, { changes, isSame, report }: Bringing): Work<void> {
  const { name } = resource
  const tables = tablesOf(dialect, resource)
  const isEmpty = changes.isEmpty(name)
  if (changes.hasAdded(name, TIMES[0])) yield* fillTimes(dialect, resource)
  const mustCheck = !isEmpty && (!isSame || tables.some((table) => changes.hasTouched(table.name)))
  const refilled = mustCheck ? yield* refill(dialect, resource, report) : undefined
  if (refilled && refilled.changed > 0) changes.done.push(`${refilled.changed} records of ${name} computed again`)
  const [records] = tables
  for (const index of records.indexes) {
    if (!(changes.lacks(index.name) || refilled?.dropped.has(index.name))) continue
    if (index.unique) yield* refuseDuplicates(resource, index.name)
    yield* changes.makeIndex(records, index)
  }
  if (!isEmpty && (refilled?.moved || changes.hasTouched(blockTable(resource)) || changes.hasMade(name))) {
    yield* new Rank(dialect).rebuild(resource)
  }
  const lacksCounts = changes.hasMade(name) || changes.hasMade(CONTRIBUTION.name)
  if (!isEmpty && (mustCheck || lacksCounts)) yield* rebuildCounts(dialect, resource)
}

const MOST_NAMED = 5

/** Names the records that break a unique rule, because the error of the index would not. */
function* refuseDuplicates(resource: AnyResource, index: string): Work<void> {
  const place = resource.unique.findIndex((_, i) => uniqueIndex(resource, i) === index)
  const column = quoted(uniqueColumn(place))
  const table = quoted(resource.name)
  const rows = yield* query(
    `SELECT id FROM ${table} WHERE ${column} =
     (SELECT ${column} FROM ${table} GROUP BY ${column} HAVING count(*) > 1 ORDER BY min(id) LIMIT 1)
     ORDER BY id LIMIT ${MOST_NAMED}`,
  )
  if (rows.length === 0) return
  const ids = rows.map((row) => row['id']).join(', ')
  const rule = resource.unique[place]!.join(', ')
  throw new Unusable(
    `the records ${ids} of ${resource.name} have the same ${rule}, which no two may share: change them with the Nymdex that wrote them, and start again`,
  )
}
