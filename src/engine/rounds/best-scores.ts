/** The records with the best score of each player in each game, which rounds write, and the hall of fame of a game. */
import type { BestScore, Games, JsonObject } from '../../declare/index.ts'
import type { Standing, Work } from '../../store/index.ts'
import type { Owner } from '../access.ts'
import type { Engine } from '../engine.ts'
import { narrowingOf } from '../list-parameters.ts'
import { loadOne } from '../load.ts'
import { prepare } from '../prepare.ts'
import { showByIds } from '../show.ts'
import { putRecord } from '../upsert.ts'

export const MOST_FAMOUS = 10

export interface Fame {
  /** Records of winners, the highest score first. */
  readonly scores: readonly JsonObject[]
  /** Most points a round first. */
  readonly means: readonly (Pick<Standing, 'rounds' | 'points'> & { readonly user: string })[]
}

/** A score that does not beat the old one changes nothing, also if staff wrote that. */
export function* noteBest(
  engine: Engine,
  { resource, score, keeps, write }: Games['winners'],
  best: BestScore,
  owner: Owner,
): Work<void> {
  if (best.score <= 0) return
  const { store } = engine
  const body = write(best)
  const values = yield* prepare(store, resource, body, { ownerName: owner.name })
  const found = yield* store.records.same(resource, values)
  if (found !== undefined) {
    const { record } = yield* loadOne(store, { resource }, found)
    if (Number(record[score]) >= best.score) return
  }
  yield* putRecord(engine, resource, body, { owner, assumed: keeps })
}

export async function readFame({ store }: Engine, { resource, game }: Games['winners'], name: string): Promise<Fame> {
  const collection = { name: resource.name, resource }
  const by = narrowingOf(collection, [[game, name]]) ?? { conditions: [] }
  return await store.read(function* () {
    const count = yield* store.lists.count(collection, by)
    const limit = Math.min(MOST_FAMOUS, count)
    const { ids } = yield* store.lists.page(collection, { limit, offset: 0 }, { by, count })
    const shown = yield* showByIds(store, collection, ids)
    const byId = new Map(shown.map(({ id, json }) => [id, json]))
    return {
      scores: ids.flatMap((id): JsonObject[] => {
        const json = byId.get(id)
        return json === undefined ? [] : [JSON.parse(json)]
      }),
      means: yield* store.standings.bestMeans(name, MOST_FAMOUS),
    }
  })
}
