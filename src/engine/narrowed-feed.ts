/**
 * A feed that is narrowed by lookups, for clients that keep a copy of a narrowed list. A client gets the entries of a
 * record that the list has at the end of the page. It is told that a record leaves if the list had it at the start of
 * the page, and no longer has it at the end.
 *
 * A page may end inside a set, which is committed as a whole: the list is always looked at after the whole set. The
 * next page compares with the list before the set, except for records that the pages before it have told.
 *
 * Readers that may stop anywhere in a page, such as streams, are told with the first entry of a record that it leaves,
 * so that none stops before it is told, and again with the last, because a hook may have got the first one as a change.
 * They may also have been told of a record that came later in the page in which they stopped, so they are told that it
 * leaves if it came and left since.
 */
import type { AnyResource } from '../declare/index.ts'
import { Forgotten, type Narrowing, type Work } from '../store/index.ts'
import type { Engine } from './engine.ts'
import type { Feed, FeedEntry } from './feed.ts'
import { LIMITS } from './limits.ts'
import { problems } from './problem.ts'

/** The action of an entry after which the list no longer has the record. */
export const LEAVE = 'leave'

interface Followed {
  readonly engine: Engine
  readonly resource: AnyResource
  readonly narrowing: Narrowing
  /** Whether the reader may continue after any entry of a page. */
  readonly mayStopAnywhere: boolean
}

/** All entries of the page are of this resource. */
export function* narrowedEntries(followed: Followed, page: Feed): Work<FeedEntry[]> {
  const { since, next, latest, oldest, results } = page
  const start = Math.max(oldest - 1, latest - LIMITS.changesSince)
  if (since < start) throw problems.forgotten(start + 1)
  const last = new Map(results.map((entry) => [entry.id, entry]))
  const first = new Map(results.toReversed().map((entry) => [entry.id, entry]))
  const has = yield* listedAt(followed, next, latest, [...last.keys()])
  const others = [...last.keys()].filter((id) => !has.has(id))
  const had = yield* listedBefore(followed, since, latest, others)
  const { mayStopAnywhere } = followed
  const known = mayStopAnywhere ? had.union(yield* perhapsTold(followed, page, first, others)) : had
  return results.flatMap((entry) => {
    if (has.has(entry.id)) return entry
    const isTold = last.get(entry.id) === entry || (mayStopAnywhere && first.get(entry.id) === entry)
    return isTold && known.has(entry.id) ? leaving(entry) : []
  })
}

/** Which of these records have entries before the page, and may have come and left in it. */
function* perhapsTold(
  { engine, resource }: Followed,
  { since, results }: Feed,
  first: ReadonlyMap<number, FeedEntry>,
  ids: readonly number[],
): Work<Set<number>> {
  const changedAgain = new Set(results.flatMap(({ id, set }) => (first.get(id)?.set === set ? [] : id)))
  const again = ids.filter((id) => changedAgain.has(id))
  return yield* engine.store.logged.changedIn(resource.name, again, since - LIMITS.changesSince, since)
}

/** A record that was removed is told as such. */
export function leaving(entry: FeedEntry): FeedEntry {
  return entry.action === 'remove' ? entry : { ...entry, action: LEAVE, old: null }
}

/** Which of these records a reader that has read up to an entry still has. */
function* listedBefore(followed: Followed, since: number, latest: number, ids: readonly number[]): Work<Set<number>> {
  if (ids.length === 0) return new Set()
  const { store } = followed.engine
  const start = yield* store.past.wholeUpTo(since)
  const told = yield* store.logged.changedIn(followed.resource.name, ids, start, since)
  const others = ids.filter((id) => !told.has(id))
  const listed = yield* listedAt(followed, start, latest, others)
  return listed.union(yield* listedAt(followed, since, latest, [...told]))
}

/** Which of these records the list has after an entry. */
function* listedAt(followed: Followed, seq: number, latest: number, ids: readonly number[]): Work<Set<number>> {
  if (ids.length === 0) return new Set()
  const { resource, narrowing, engine } = followed
  const { store, catalogue } = engine
  const end = yield* store.changes.endOfSet(seq, latest)
  if (end === latest) return yield* store.lists.matching({ resource }, ids, narrowing)
  try {
    const past = yield* store.past.ofRecords(end, resource, ids)
    // Without compacted votes, nobody knows what matched.
    yield* store.past.check(past, latest)
    return yield* store.asOf(past, catalogue).lists.matching({ resource }, ids, narrowing)
  } catch (error) {
    throw error instanceof Forgotten ? problems.forgotten(latest + 1) : error
  }
}
