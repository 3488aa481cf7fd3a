/** The records that the questions of rounds were made from: those that still exist, and those that staff hide. */
import { type RoundRow, sourcesIn, type Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'

export interface RecordPlace {
  readonly resource: string
  readonly id: number
}

/** For any of these rounds. It asks once for each resource, however many rounds there are. */
export function* existingSources(
  { store, catalogue }: Engine,
  rows: readonly RoundRow[],
): Work<(row: RoundRow) => readonly RecordPlace[]> {
  const known = new Set<string>()
  for (const [name, ids] of idsOf(rows)) {
    const resource = catalogue.find((each) => each.name === name)
    const found = resource ? yield* store.records.byIds({ resource, only: [] }, ids) : []
    for (const { id } of found) known.add(`${name}/${id}`)
  }
  return (row) => sourcesIn(row).filter(({ resource, id }) => known.has(`${resource}/${id}`))
}

/** Whether a question shows what staff hide. */
export function* hiddenSources({ store }: Engine, rows: readonly RoundRow[]): Work<(row: RoundRow) => boolean> {
  const hidden = new Set<string>()
  for (const [name, ids] of idsOf(rows)) {
    for (const id of yield* store.hidden.among(name, ids)) hidden.add(`${name}/${id}`)
  }
  return (row) => sourcesIn(row).some(({ resource, id }) => hidden.has(`${resource}/${id}`))
}

/** By resource. */
function idsOf(rows: readonly RoundRow[]): [string, number[]][] {
  const byResource = Map.groupBy(rows.flatMap(sourcesIn), ({ resource }) => resource)
  return Array.from(byResource, ([name, places]) => [name, [...new Set(places.map(({ id }) => id))]])
}
