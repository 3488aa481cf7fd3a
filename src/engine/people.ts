/**
 * People and their points: votes given, records made, and best scores. All numbers come from counters, so the cost does
 * not grow with the records.
 */
import type { Badge, Deeds, Honours, JsonObject, Level, PlayedGame } from '../declare/index.ts'
import type { Contribution, Ranked, Work } from '../store/index.ts'
import { isOpen } from './access.ts'
import { keyOfName } from './account-names.ts'
import type { Engine } from './engine.ts'
import { narrowingOf } from './list-parameters.ts'
import { placeOf, type WantedPage } from './page-place.ts'
import { problems } from './problem.ts'
import { showByIds } from './show.ts'

/** How many people the list has at most. */
export const MOST_PEOPLE = 10_000
/** How many best scores of a person are read: one for each game. */
const MOST_SCORES = 50

type Counts = Readonly<Record<string, number>>

export interface Person {
  readonly user: string
  readonly points: number
  readonly level: Level
  /** The points that the next level begins with; undefined at the last one. */
  readonly next: number | undefined
  readonly votes: number
  readonly made: number
  /** The sum of the best scores. */
  readonly best: number
  /** Records made, by resource. */
  readonly entries: Counts
  /** Votes given, by resource. */
  readonly liked: Counts
}

export interface Profile extends Person {
  readonly badges: readonly Badge[]
  readonly games: readonly PlayedGame[]
}

/** Most points first. */
export async function readPeople({ store, honours }: Engine, wanted: WantedPage) {
  return await store.read(function* () {
    const count = yield* store.contributions.count(MOST_PEOPLE)
    const { offset, ...place } = placeOf(count, wanted)
    const limit = Math.min(wanted.size, count - offset)
    const ranked = yield* store.contributions.ranked({ limit, offset })
    const parts = yield* store.contributions.of(ranked.map(({ account }) => account))
    const byAccount = Map.groupBy(parts, ({ account }) => account)
    return { count, ...place, rows: ranked.map((each) => person(each, byAccount.get(each.account) ?? [], honours)) }
  })
}

/** Somebody who has neither points nor rounds is not found. Blocked and deleted accounts have no badges and no games. */
export async function readProfile(engine: Engine, name: string): Promise<Profile> {
  const { store, honours } = engine
  return await store.read(function* () {
    const account = yield* store.accounts.byKey(keyOfName(name))
    if (!account) throw problems.notFound()
    const parts = yield* store.contributions.of([account.id])
    const games = isOpen(account) ? yield* gamesOf(engine, account.id, account.name) : []
    if (parts.length === 0 && games.length === 0) throw problems.notFound()
    const found = person({ account: account.id, name: account.name }, parts, honours)
    const { made, votes, entries } = found
    const deeds: Deeds = { made, votes, kinds: Object.keys(entries).length, games }
    const badges = isOpen(account) ? honours.badges.filter((badge) => badge.isEarned(deeds)) : []
    return { ...found, games, badges }
  })
}

function person({ name }: Ranked, parts: readonly Contribution[], { levels }: Honours): Person {
  const of = (wanted: Contribution['part']) => parts.filter(({ part }) => part === wanted)
  const sum = (list: readonly Contribution[]) => list.reduce((all, { count }) => all + count, 0)
  const counts = (list: readonly Contribution[]) =>
    Object.fromEntries(list.map(({ resource, count }) => [resource, count]))
  const [made, votes, points] = [of('made'), of('votes'), sum(of('points'))]
  return {
    user: name,
    points,
    level: levels.findLast(({ from }) => points >= from) ?? levels[0],
    next: levels.find(({ from }) => points < from)?.from,
    votes: sum(votes),
    made: sum(made),
    best: sum(of('score')),
    entries: counts(made),
    liked: counts(votes),
  }
}

/** The games of the catalogue first, then those of other services that have a score. */
function* gamesOf({ store, games }: Engine, account: number, user: string): Work<PlayedGame[]> {
  if (!games) return []
  const { resource, game: member, score } = games.winners
  const collection = { name: resource.name, resource }
  const by = narrowingOf(collection, [['user', user]]) ?? { conditions: [] }
  const count = yield* store.lists.count(collection, by)
  const limit = Math.min(count, MOST_SCORES)
  const { ids } = yield* store.lists.page(collection, { limit, offset: 0 }, { by, count })
  const scores = new Map<string, number>()
  const shown = new Map((yield* showByIds(store, collection, ids)).map(({ id, json }) => [id, json]))
  for (const id of ids) {
    const record: JsonObject = JSON.parse(shown.get(id)!)
    scores.set(String(record[member]), Number(record[score]))
  }
  const standings = new Map((yield* store.standings.of(account)).map((each) => [each.game, each]))
  const known = [games.daily, ...games.list]
  const names = new Set([...known.map(({ name }) => name), ...scores.keys()])
  return [...names].flatMap((game) => {
    const standing = standings.get(game)
    const best = scores.get(game)
    if (!standing && best === undefined) return []
    const { rounds = 0, hits = 0, near = 0, points = 0 } = standing ?? {}
    const title = known.find(({ name }) => name === game)?.title ?? game
    return { game, title, rounds, hits, near, points, best: best ?? 0 }
  })
}
