/** The records with the best score of each player in each game, which rounds write, and the hall of fame of a game. */
import type { BestScore, Games, JsonObject } from '../../declare/index.ts'
import type { Standing, Store, Work } from '../../store/index.ts'
import type { Owner } from '../access.ts'
import type { Engine } from '../engine.ts'
import { narrowingOf } from '../list-parameters.ts'
import { loadOne } from '../load.ts'
import { prepare } from '../prepare.ts'
import { showByIds } from '../show.ts'
import { putRecord } from '../upsert.ts'

export const MOST_FAMOUS = 10
const READ_AT_ONCE = 20

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

/** Without accounts that are blocked or deleted. */
export async function readFame({ store }: Engine, winners: Games['winners'], name: string): Promise<Fame> {
  return await store.read(function* () {
    const scores = yield* bestScores(store, winners, name)
    return { scores, means: yield* store.standings.bestMeans(name, MOST_FAMOUS) }
  })
}

function* bestScores(store: Store, { resource, game }: Games['winners'], name: string): Work<JsonObject[]> {
  const collection = { name: resource.name, resource }
  const by = narrowingOf(collection, [[game, name]]) ?? { conditions: [] }
  const count = yield* store.lists.count(collection, by)
  const scores: JsonObject[] = []
  for (let offset = 0; offset < count && scores.length < MOST_FAMOUS; offset += READ_AT_ONCE) {
    const limit = Math.min(READ_AT_ONCE, count - offset)
    const { ids } = yield* store.lists.page(collection, { limit, offset }, { by, count })
    const shown = yield* showByIds(store, collection, ids)
    const open = yield* store.accounts.openAmong(shown.map(({ owner }) => owner))
    const byId = new Map(shown.flatMap(({ id, owner, json }) => (open.has(owner) ? [[id, json] as const] : [])))
    for (const id of ids) {
      const json = byId.get(id)
      if (json !== undefined) scores.push(JSON.parse(json))
    }
  }
  return scores.slice(0, MOST_FAMOUS)
}
