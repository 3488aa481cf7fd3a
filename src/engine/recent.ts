/** Recent changes: the newest sets of the log, each with its first entries. */
import type { ActionCount, ChangeFilter, FoundSet, LoggedChange, Work } from '../store/index.ts'
import { keyOfName } from './account-names.ts'
import type { Engine } from './engine.ts'
import { type FeedEntry, shownEntries } from './feed.ts'
import { readPatiently } from './query-timeout.ts'

export interface RecentAsked {
  /** Only sets that begin before this number. */
  readonly before?: number | undefined
  readonly resource?: string | undefined
  readonly id?: number | undefined
  readonly user?: string | undefined
  readonly hasVotes: boolean
  /** How many sets at most. */
  readonly limit: number
}

interface RecentSet {
  readonly set: number
  /** How many entries it has, wanted or not. */
  readonly count: number
  /** What its first 1,000 entries did. */
  readonly actions: readonly ActionCount[]
  /** Its first wanted entries. */
  readonly changes: readonly FeedEntry[]
}

interface Recent {
  /** The `before` of the next request; null if the log has no more. */
  readonly next: number | null
  readonly latest: number
  readonly results: readonly RecentSet[]
}

/** How many entries one request looks at. With an id, the index finds the entries of the record. */
const SPAN = 10_000
/** How many entries of a set are shown, and how many are counted by action. */
const SHOWN = 10
const COUNTED = 1000
/** How many characters of old values a response has before it ends; the client continues with `next`. */
const MOST_OLD = 4 * 1024 * 1024

export function readRecent(engine: Engine, asked: RecentAsked): Promise<Recent> {
  return readPatiently(engine, () => recent(engine, asked))
}

interface ReadSet {
  readonly set: number
  readonly count: number
  readonly actions: readonly ActionCount[]
  readonly entries: readonly LoggedChange[]
}

function* recent(engine: Engine, { before, user, limit, ...wanted }: RecentAsked): Work<Recent> {
  const { changes, changeSets, accounts } = engine.store
  const { oldest, latest } = yield* changes.bounds()
  const account = user === undefined ? undefined : yield* accounts.byKey(keyOfName(user))
  if (user !== undefined && !account) return { next: null, latest, results: [] }
  const filter: ChangeFilter = { ...wanted, account: account?.id }
  let end = Math.min(before ?? latest + 1, latest + 1)
  const first = wanted.id === undefined ? Math.max(oldest, end - SPAN) : oldest
  const sets: ReadSet[] = []
  let size = 0
  while (sets.length < limit && size <= MOST_OLD) {
    const found = end > first ? yield* changeSets.newest(filter, { first, end }) : undefined
    if (!found) {
      end = Math.min(end, first)
      break
    }
    const isLast = found.newest + SPAN > latest
    const read = yield* readSet(engine, filter, found, found.end ?? (isLast ? latest + 1 : end))
    sets.push(read)
    size += read.entries.reduce((sum, { old }) => sum + (old?.length ?? 0), 0)
    end = found.set
  }
  const shown = yield* shownEntries(
    engine,
    sets.flatMap(({ entries }) => entries),
  )
  const results = sets.map(({ entries: _, ...each }) => ({
    ...each,
    changes: shown.filter(({ set }) => set === each.set),
  }))
  return { next: end > oldest ? end : null, latest, results }
}

function* readSet({ store }: Engine, filter: ChangeFilter, found: FoundSet, end: number): Work<ReadSet> {
  const { changeSets } = store
  const { set, newest } = found
  const near = yield* changeSets.entries(set, filter, { first: set, end: Math.min(end, set + SPAN) }, SHOWN)
  const entries = near.length > 0 ? near : yield* changeSets.entries(set, filter, { first: newest, end }, SHOWN)
  const most = end - set
  if (entries.length === most) return { set, count: most, actions: countActions(entries), entries }
  const actions = yield* changeSets.actions(set, { first: set, end: Math.min(end, set + COUNTED) })
  // Votes that were compacted have left gaps in the numbers.
  const count = actions.reduce((sum, each) => sum + each.count, Math.max(0, most - COUNTED))
  return { set, count, actions, entries }
}

function countActions(entries: readonly LoggedChange[]): ActionCount[] {
  const counts = new Map<string, ActionCount>()
  for (const { action, resource } of entries) {
    const key = `${action} ${resource}`
    counts.set(key, { action, resource, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}
