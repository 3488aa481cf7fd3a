/**
 * What a write does to the list of a resource: its order and its counters follow at the end of the write, and judgements
 * about its records at once.
 */
import type { AnyResource, Row } from '../declare/index.ts'
import type { Work } from './database.ts'
import { noteCounts } from './facet-counts.ts'
import { forgetJudged, regroupJudged } from './fit-counts.ts'
import type { Rank } from './rank.ts'

export function* noteAdded(rank: Rank, resource: AnyResource, row: Row, id: number): Work<void> {
  yield* rank.add(resource, row, id)
  yield* noteCounts(rank.dialect, resource, { after: row })
}

export function* noteRemoved(rank: Rank, resource: AnyResource, row: Row, id: number): Work<void> {
  yield* rank.remove(resource, row, id)
  yield* noteCounts(rank.dialect, resource, { before: row })
  yield* forgetJudged(resource, id)
}

export function* noteChanged(
  rank: Rank,
  resource: AnyResource,
  { before, after }: { readonly before: Row; readonly after: Row },
  id: number,
): Work<void> {
  yield* rank.move(resource, before, after, id)
  yield* noteCounts(rank.dialect, resource, { before, after })
  yield* regroupJudged(resource, id, { before, after })
}
