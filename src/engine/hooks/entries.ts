/** The entries of the log that a hook wants. */
import { setImmediate } from 'node:timers/promises'
import type { HookRow } from '../../store/index.ts'
import { matchingIds } from '../as-of.ts'
import type { Engine } from '../engine.ts'
import { type Feed, type FeedAsked, type FeedEntry, readFeed } from '../feed.ts'
import { narrowingOf } from '../list-parameters.ts'
import { LEAVE, leaving } from '../narrowed-feed.ts'
import { Problem } from '../problem.ts'

export type HookFilter = Pick<HookRow, 'resources' | 'actions' | 'lookups'>

export interface WantedEntries {
  /** The id of the log. */
  readonly log: string
  readonly entries: readonly FeedEntry[]
  /** Everything up to this number has been looked at. */
  readonly next: number
  readonly latest: number
  /** Entries after `since` that the log no longer has, up to this one; undefined if it has all of them. */
  readonly lostUpTo: number | undefined
}

/**
 * Entries after a number, up to another. A number that the log does not have, because it was cut or replaced, means
 * the nearest one that it has.
 */
export type ReadEntries = (filter: HookFilter, since: number, until?: number) => Promise<WantedEntries>

/** How many entries of the log are looked at at once, and how many characters of old values. */
const AT_ONCE = 50
/** With lookups, a page costs as much as the entries after it, because records are taken back to what they were. */
const AT_ONCE_NARROWED = 500
const MOST_OLD = 256 * 1024

/**
 * Reads for all hooks of a process. SQLite reads at once: each page begins in a turn of the event loop of its own, so
 * that hooks that are far behind leave time for others.
 */
export function entriesReader(engine: Engine): ReadEntries {
  let turn: Promise<void> = Promise.resolve()
  return async (filter, since, until) => {
    turn = turn.then(() => setImmediate())
    await turn
    return await entriesFor(engine, filter, since, until)
  }
}

async function entriesFor(engine: Engine, filter: HookFilter, since: number, until?: number): Promise<WantedEntries> {
  const { store } = engine
  const { oldest, latest } = await store.read(() => store.changes.bounds())
  const from = Math.min(Math.max(since, oldest - 1), latest)
  const [resource] = filter.resources.length === 1 ? filter.resources : []
  const limit = filter.lookups === '' ? AT_ONCE : AT_ONCE_NARROWED
  const asked = { since: from, until, resource, limit, mostOld: MOST_OLD }
  const feed = filter.lookups === '' ? await readFeed(engine, asked) : await narrowed(engine, asked, filter.lookups)
  const entries = feed.results.filter((entry) => entry.action === LEAVE || wantsAction(filter, entry))
  return {
    log: feed.log,
    entries: entries.filter((entry) => wantsResource(filter, entry)),
    next: feed.next,
    latest: feed.latest,
    lostUpTo: from > since ? from : undefined,
  }
}

type Kind = Pick<FeedEntry, 'resource' | 'action'>

/** Whether a hook may want such entries. With lookups, any change may make a record leave. */
export function mayWant(filter: HookFilter, kind: Kind): boolean {
  return wantsResource(filter, kind) && (filter.lookups !== '' || wantsAction(filter, kind))
}

function wantsResource({ resources }: HookFilter, { resource }: Kind): boolean {
  return resources.length === 0 || resources.includes(resource)
}

function wantsAction({ actions }: HookFilter, { action }: Kind): boolean {
  return actions.length === 0 || actions.includes(action)
}

async function narrowed(engine: Engine, asked: FeedAsked, lookups: string): Promise<Feed> {
  const resource = engine.catalogue.find(({ name }) => name === asked.resource)
  const narrowing = resource && narrowingOf({ name: resource.name, resource }, [...new URLSearchParams(lookups)])
  if (!narrowing) return { ...(await readFeed(engine, asked)), results: [] }
  try {
    return await readFeed(engine, { ...asked, narrowing, mayStopAnywhere: true })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 410) throw error
    // Nobody knows what matched so long ago. To forget a record that was never known does no harm.
    const feed = await readFeed(engine, asked)
    const last = new Map(feed.results.map((entry) => [entry.id, entry]))
    const now = await matchingIds(engine, { resource, narrowing, ids: [...last.keys()] })
    const results = feed.results.flatMap((entry) => {
      if (now.has(entry.id)) return entry
      return last.get(entry.id) === entry ? leaving(entry) : []
    })
    return { ...feed, results }
  }
}
