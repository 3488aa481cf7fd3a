/** The records that the questions of rounds were made from, as far as they still exist. */
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
  for (const [name, places] of Map.groupBy(rows.flatMap(sourcesIn), ({ resource }) => resource)) {
    const resource = catalogue.find((each) => each.name === name)
    const ids = [...new Set(places.map(({ id }) => id))]
    const found = resource ? yield* store.records.byIds({ resource, only: [] }, ids) : []
    for (const { id } of found) known.add(`${name}/${id}`)
  }
  return (row) => sourcesIn(row).filter(({ resource, id }) => known.has(`${resource}/${id}`))
}
