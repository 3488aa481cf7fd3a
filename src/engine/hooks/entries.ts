/** The entries of the log that a hook wants. */
import type { HookRow } from '../../store/index.ts'
import { matchingIds } from '../as-of.ts'
import { collectionsOf } from '../collection.ts'
import type { Engine } from '../engine.ts'
import { type FeedEntry, readFeed } from '../feed.ts'
import { narrowingOf } from '../list-parameters.ts'
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

/** The action of an entry after which a record no longer matches the lookups. */
export const LEAVE = 'leave'
/** How many entries of the log are looked at at once. */
const AT_ONCE = 50

/**
 * Entries after a number, up to another. A number that the log does not have, because it was cut or replaced, means
 * the nearest one that it has.
 */
export async function entriesFor(
  engine: Engine,
  filter: HookFilter,
  since: number,
  until?: number,
): Promise<WantedEntries> {
  const { store } = engine
  const { oldest, latest } = await store.read(() => store.changes.bounds())
  const from = Math.min(Math.max(since, oldest - 1), latest)
  const [resource] = filter.resources.length === 1 ? filter.resources : []
  const feed = await readFeed(engine, { since: from, until, resource, limit: AT_ONCE })
  const wanted = feed.results.filter((entry) => wants(filter, entry))
  const entries = filter.lookups === '' ? wanted : await matching(engine, filter, wanted, from)
  return { log: feed.log, entries, next: feed.next, latest: feed.latest, lostUpTo: from > since ? from : undefined }
}

/** Whether a hook wants such entries; if it has lookups, some of them. */
export function wants({ resources, actions }: HookFilter, entry: Pick<FeedEntry, 'resource' | 'action'>): boolean {
  const isResource = resources.length === 0 || resources.includes(entry.resource)
  return isResource && (actions.length === 0 || actions.includes(entry.action))
}

/**
 * Entries of records that match now, and the last entry of each that matched before these entries, so that receivers
 * can forget it.
 */
async function matching(
  engine: Engine,
  { resources, lookups }: HookFilter,
  entries: readonly FeedEntry[],
  since: number,
): Promise<readonly FeedEntry[]> {
  const collection = collectionsOf(engine.catalogue).find(({ name }) => name === resources[0])
  const narrowing = collection && narrowingOf(collection, [...new URLSearchParams(lookups)])
  if (!collection || !narrowing || entries.length === 0) return []
  const { resource } = collection
  const last = new Map(entries.map(({ id, seq }) => [id, seq]))
  const now = await matchingIds(engine, { resource, narrowing, ids: [...last.keys()] })
  const others = [...last.keys()].filter((id) => !now.has(id))
  const before = others.length > 0 ? await matched(engine, { resource, narrowing, ids: others, asOf: since }) : now
  return entries.flatMap((entry) => {
    if (now.has(entry.id)) return [entry]
    if (!before.has(entry.id) || entry.seq !== last.get(entry.id)) return []
    return [entry.action === 'remove' ? entry : { ...entry, action: LEAVE }]
  })
}

/** If that is too long ago, all of them may have matched: it does no harm to forget a record that was never known. */
async function matched(engine: Engine, asked: Parameters<typeof matchingIds>[1]): Promise<ReadonlySet<number>> {
  try {
    return await matchingIds(engine, asked)
  } catch (error) {
    if (error instanceof Problem && error.status === 410) return new Set(asked.ids)
    throw error
  }
}
