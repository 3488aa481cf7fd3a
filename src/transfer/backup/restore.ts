/**
 * Restoring: the database gets the content of a backup, or stays unchanged. On SQLite a new file replaces the old one;
 * on PostgreSQL it is one transaction. The replaced content is kept.
 */
import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AnyResource } from '../../declare/index.ts'
import { keyOfName } from '../../engine/index.ts'
import {
  type Copies,
  damageOf,
  Foreign,
  type GivenSettings,
  type Holdings,
  inspectDatabase,
  loadPostgres,
  loadSqlite,
  removeLeftover,
  renewLogId,
  sqliteFile,
  standAlone,
  storeOn,
  swapIn,
  Taken,
  Unusable,
  uniqueRule,
  type Work,
} from '../../store/index.ts'
import { copyAll } from './backup.ts'
import {
  BadBackup,
  type Contents,
  type Counts,
  type IdsLine,
  type Notable,
  type RowLine,
  type Skipped,
  type Tables,
  tablesOf,
} from './format.ts'
import { checkBackup, type ReadLine, readBackup } from './reader.ts'
import { BackupWriter } from './writer.ts'

export interface RestoreOrder {
  readonly url: string
  /** How to use the database, besides its address. */
  readonly settings?: Partial<GivenSettings>
  readonly catalogue: readonly AnyResource[]
  readonly file: string
  /** Replaces a database that is not empty. */
  readonly force: boolean
  /** Leaves out what the catalogue does not know. */
  readonly skipUnknown?: boolean
  /** The secret keys of an encrypted backup. */
  readonly identities?: readonly string[] | undefined
  /** The moment, by `performance.now()`, at which it gives up. */
  readonly deadline?: number
}

export interface Restored extends Contents, Notable, Skipped {
  /** Where that what was there before is kept. */
  readonly kept: string | undefined
}

/** Rows that are computed and inserted together. */
const BATCH = 1000
/** Long rows make a smaller batch. */
const BATCH_BYTES = 16 * 1024 * 1024

export async function restore(order: RestoreOrder): Promise<Restored> {
  const contents = checkBackup(order.file, order.catalogue, order)
  const path = sqliteFile(order.url)
  const kept = path === undefined ? await restorePostgres(order) : await restoreSqlite(order, path)
  return { ...contents, kept }
}

async function restoreSqlite(order: RestoreOrder, given: string): Promise<string | undefined> {
  const path = existsSync(given) ? realpathSync(given) : given
  const before = await highestIn(path, order)
  if (existsSync(path)) standAlone(path)
  const fresh = `${path}.restoring`
  removeLeftover(fresh)
  try {
    await fill(fresh, order, before)
    const there = existsSync(path)
    // Another process may have written something meanwhile.
    await highestIn(path, order)
    const kept = `${path}.before-restore-${stamp()}`
    swapIn(fresh, path, kept)
    return there ? kept : undefined
  } catch (error) {
    removeLeftover(fresh)
    throw error
  }
}

/** The highest ids of the existing database; throws if it must not be replaced. */
async function highestIn(path: string, { catalogue, force }: RestoreOrder): Promise<Readonly<Record<string, number>>> {
  if (!existsSync(path)) return {}
  let held: Holdings
  try {
    const database = await inspectDatabase(`sqlite:${path}`)
    try {
      const { copies } = storeOn(database)
      held = await database.read(() => copies.holdings(catalogue))
      if (isEmpty(held) || force) return await database.read(() => copies.highestIds(catalogue))
    } finally {
      await database.close()
    }
  } catch (error) {
    if (error instanceof Foreign) throw error
    // A database that cannot be read can still be moved aside.
    if (force) return {}
    const reason = error instanceof Unusable ? error.message : `${path} is damaged`
    throw new Unusable(`${reason}; --force replaces it and keeps the old file`)
  }
  throw new Unusable(`${path} exists and holds ${tally(held)}; --force replaces it and keeps the old file`)
}

async function fill(path: string, order: RestoreOrder, before: Readonly<Record<string, number>>): Promise<void> {
  await loadSqlite(path, order.catalogue, function* (copies, createKeys) {
    yield* putAll(copies, order, createKeys)
    for (const [table, highest] of Object.entries(before)) yield* copies.raiseIds(table, highest)
  })
  const made = await inspectDatabase(`sqlite:${path}`)
  try {
    // Its indexes were created a moment ago, from all rows.
    const { damage, dangling } = await made.read(() => damageOf({ quick: true }))
    if (damage || dangling > 0)
      throw new BadBackup(`the restored database is damaged: ${damage ?? 'references to missing records'}`)
  } finally {
    await made.close()
  }
}

async function restorePostgres(order: RestoreOrder): Promise<string | undefined> {
  const { url, settings, catalogue, file, force } = order
  const copy = join(dirname(file), `nymdex-before-restore-${stamp()}.backup`)
  let writer: BackupWriter | undefined
  try {
    return await loadPostgres({ ...settings, url }, catalogue, function* (copies, createKeys) {
      const held = yield* copies.holdings(catalogue)
      if (!isEmpty(held)) {
        if (!force) {
          throw new Unusable(`the database holds ${tally(held)}; --force replaces them and first backs them up`)
        }
        // In the same transaction, so that nothing can be written between the copy and the replacement.
        writer = new BackupWriter(copy, tablesOf(catalogue).keys(), { force })
        yield* copyAll(copies, { catalogue, now: () => new Date() }, writer)
        yield* copies.clear(catalogue)
      }
      yield* putAll(copies, order, createKeys)
      yield* renewLogId()
      return isEmpty(held) ? undefined : copy
    })
  } finally {
    writer?.close()
  }
}

/** Part of a transaction: everything in the file. */
function* putAll(copies: Copies, order: RestoreOrder, createKeys: () => Work<void>): Work<void> {
  const { file, catalogue } = order
  const tables = tablesOf(catalogue)
  const batches = batchesOf(readBackup(file, catalogue, order))
  try {
    let step = batches.next()
    for (; !step.done; step = batches.next()) {
      if (performance.now() > (order.deadline ?? Number.POSITIVE_INFINITY)) throw new BadBackup('it takes too long')
      yield* put(copies, tables, step.value)
    }
    yield* createKeys()
    yield* copies.rank(catalogue)
    yield* checkCounts(copies, step.value.counts)
  } catch (error) {
    const resource = error instanceof Taken ? tables.get(error.table)?.resource : undefined
    const rule = error instanceof Taken && resource && uniqueRule(resource, error.column)
    if (!rule) throw error
    throw new BadBackup(`two records of ${resource.name} have the same ${rule.join(', ')}, which no two may share`)
  }
}

/** The lines, grouped into up to this many rows of one table. */
function* batchesOf(lines: Generator<ReadLine, Contents>): Generator<readonly RowLine[] | IdsLine, Contents> {
  let rows: RowLine[] = []
  let size = 0
  for (;;) {
    const { done, value } = lines.next()
    const line = done ? undefined : value.line
    const row = line && 'in' in line ? line : undefined
    const isFull = rows.length === BATCH || size >= BATCH_BYTES
    if (rows.length > 0 && (isFull || rows[0]!.in !== row?.in)) {
      yield rows
      rows = []
      size = 0
    }
    if (done) return value
    size += value.bytes
    if (row) rows.push(row)
    else if (line && 'ids' in line) yield line
  }
}

function* put(copies: Copies, tables: Tables, batch: readonly RowLine[] | IdsLine): Work<void> {
  if ('ids' in batch) {
    for (const [table, highest] of Object.entries(batch.ids)) {
      if (tables.get(table)?.counts) yield* copies.raiseIds(table, highest)
    }
    return
  }
  yield* copies.insert(tables.get(batch[0]!.in)!, batch.map(withKey))
}

/** The key of a name is computed again, like all derived values. */
function withKey(line: RowLine): RowLine {
  if (line.in !== 'account') return line
  return { ...line, columns: { ...line.columns, name_key: keyOfName(String(line.columns['name'])) } }
}

function* checkCounts(copies: Copies, counts: Counts): Work<void> {
  for (const [table, count] of Object.entries(counts)) {
    const stored = yield* copies.count(table)
    if (stored !== count) throw new BadBackup(`the backup holds ${count} of ${table}, and ${stored} were stored`)
  }
}

function isEmpty({ records, accounts }: Holdings): boolean {
  return records + accounts === 0
}

function tally({ records, accounts }: Holdings): string {
  if (records === 0) return `${accounts} account${accounts === 1 ? '' : 's'}`
  return `${records} record${records === 1 ? '' : 's'}`
}

/** A time that can be part of a file name. */
function stamp(): string {
  return new Date().toISOString().replaceAll(/[-:]/g, '')
}
