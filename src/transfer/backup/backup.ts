/** Backs up a whole database from one snapshot, while others keep writing. */
import type { Engine } from '../../engine/index.ts'
import { type Copies, copiedTables, NEWEST_VERSION, type Work } from '../../store/index.ts'
import { readOnce } from '../read-once.ts'
import { type Contents, FORMAT, tablesOf } from './format.ts'
import { BackupWriter } from './writer.ts'

export interface BackedUp extends Contents {
  readonly bytes: number
}

export interface BackupOptions {
  /** Replaces a file that exists. */
  readonly force: boolean
  /** Reads more of the same snapshot. */
  readonly alsoRead?: () => Work<void>
}

export async function backUp(engine: Engine, path: string, options: BackupOptions): Promise<BackedUp> {
  const writer = new BackupWriter(path, tablesOf(engine.catalogue).keys(), options)
  try {
    return await readOnce(engine, function* () {
      const made = yield* copyAll(engine.store.copies, engine, writer)
      if (options.alsoRead) yield* options.alsoRead()
      return made
    })
  } finally {
    writer.close()
  }
}

/** Part of a transaction, so that nothing changes meanwhile. */
export function* copyAll(
  copies: Copies,
  { catalogue, now }: Pick<Engine, 'catalogue' | 'now'>,
  writer: BackupWriter,
): Work<BackedUp> {
  const at = now().toISOString()
  writer.begin({ nymdex: 'backup', format: FORMAT, version: NEWEST_VERSION, at })
  for (const table of copiedTables(catalogue)) {
    yield* copies.each(table, (row) => writer.row({ in: table.name, ...row }))
  }
  writer.ids({ ids: yield* copies.highestIds(catalogue) })
  return { at, ...writer.finish() }
}
