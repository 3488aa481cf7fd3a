/** The entries of the log that a hook wants. */
import type { HookRow } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { type FeedEntry, readFeed } from '../feed.ts'

export type HookFilter = Pick<HookRow, 'resources' | 'actions' | 'lookups'>

export interface WantedEntries {
  /** The id of the log. */
  readonly log: string
  readonly entries: readonly FeedEntry[]
  /** Everything up to this number has been looked at. */
  readonly next: number
  readonly latest: number
}

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
  const { log, next, results } = feed
  return { log, entries: results.filter((entry) => wants(filter, entry)), next, latest: feed.latest }
}

/** Whether a hook wants such entries; if it has lookups, some of them. */
export function wants({ resources, actions }: HookFilter, entry: Pick<FeedEntry, 'resource' | 'action'>): boolean {
  const isResource = resources.length === 0 || resources.includes(entry.resource)
  return isResource && (actions.length === 0 || actions.includes(entry.action))
}
