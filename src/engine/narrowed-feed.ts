/**
 * A feed that is narrowed by lookups, for clients that keep a copy of a narrowed list. A client gets the entries of a
 * record that the list has at the end of the page. It is told that a record leaves if the list had it at the start of
 * the page, and no longer has it at the end.
 *
 * A page may end inside a set, which is committed as a whole: the list is always looked at after the whole set. The
 * next page compares with the list before the set, except for records that the pages before it have told.
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
}

/** All entries of the page are of this resource. */
export function* narrowedEntries(followed: Followed, page: Feed): Work<FeedEntry[]> {
  const { since, next, latest, oldest, results } = page
  const first = Math.max(oldest - 1, latest - LIMITS.changesSince)
  if (since < first) throw problems.forgotten(first + 1)
  const last = new Map(results.map((entry) => [entry.id, entry]))
  const has = yield* listedAt(followed, next, latest, [...last.keys()])
  const others = [...last.keys()].filter((id) => !has.has(id))
  const had = yield* listedBefore(followed, since, latest, others)
  return results.flatMap((entry) => {
    if (has.has(entry.id)) return entry
    return had.has(entry.id) && last.get(entry.id) === entry ? leaving(entry) : []
  })
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
  const told = new Set<number>()
  if (start < since) {
    const inSet = { since: start, hasVotes: true }
    for (const { id, seq } of yield* store.logged.ofRecords(followed.resource.name, ids, inSet))
      if (seq <= since) told.add(id)
  }
  return yield* listedAt(
    followed,
    start,
    latest,
    ids.filter((id) => !told.has(id)),
  )
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
