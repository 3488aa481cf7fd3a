/** The links of a record: the records that a list of it holds, in their order. */
import type { AnyResource } from '../declare/index.ts'
import { execute, type Work } from './database.ts'
import { quoted } from './dialect.ts'
import { insertLater } from './insert-rows.ts'
import { linkName } from './schema.ts'

type Targets = readonly { readonly id: number }[]

export function* insertLinks(resource: AnyResource, key: string, holder: number, targets: Targets): Work<void> {
  yield* insertFrom(0, linkName(resource, key), holder, targets)
}

/** Writes only the places from the first one that differs. `before` has the ids that it held. */
export function* replaceLinks(
  resource: AnyResource,
  key: string,
  holder: number,
  { before, after }: { readonly before: readonly number[]; readonly after: Targets },
): Work<void> {
  const length = Math.max(before.length, after.length)
  const from = Array.from({ length }).findIndex((_, place) => before[place] !== after[place]?.id)
  if (from < 0) return
  const table = linkName(resource, key)
  yield* execute(`DELETE FROM ${quoted(table)} WHERE holder = ? AND place >= ?`, [holder, from])
  yield* insertFrom(from, table, holder, after)
}

function* insertFrom(from: number, table: string, holder: number, targets: Targets): Work<void> {
  yield* insertLater(
    table,
    targets.slice(from).map(({ id }, i) => ({ holder, place: from + i, target: id })),
  )
}
