/** The feed of changes: what was done to which record, by whom and when, in the order of the commits. */
import { setTimeout } from 'node:timers/promises'
import { isList, type Json, type JsonObject } from '../declare/index.ts'
import {
  currentRequest,
  HIDDEN,
  type LoggedChange,
  type LogRange,
  type Narrowing,
  ownerMember,
  type Work,
  whileClientWaits,
  withinSeconds,
} from '../store/index.ts'
import { keyOfName } from './account-names.ts'
import type { Engine } from './engine.ts'
import { narrowedEntries } from './narrowed-feed.ts'
import { problems } from './problem.ts'
import { readPatiently } from './query-timeout.ts'

/** Which entries are wanted; all of them if nothing is given. */
export interface FeedFilter {
  readonly resource?: string | undefined
  readonly id?: number | undefined
  readonly user?: string | undefined
  /** Which records of the resource. */
  readonly narrowing?: Narrowing | undefined
}

export interface FeedAsked extends FeedFilter {
  /** The id of the log that the client follows, if it says so. */
  readonly log?: string | undefined
  /** The number of the last entry that the client knows; 0 for none. */
  readonly since: number
  readonly until?: number | undefined
  readonly limit: number
  /** How many characters of old values a page has before it ends; the client continues with `next`. */
  readonly mostOld?: number
  /** With a narrowing: whether the reader may continue after any entry of a page, not only after `next`. */
  readonly mayStopAnywhere?: boolean
  /** Also tells what the log keeps although no client sees it, for followers. */
  readonly hidden?: boolean | undefined
}

export interface FeedEntry {
  readonly seq: number
  readonly set: number
  readonly at: string
  /** Null for the program itself, such as an import. */
  readonly user: string | null
  readonly action: string
  readonly resource: string
  readonly id: number
  /** The members that changed, as they were; null if nothing was there before. */
  readonly old: JsonObject | null
  /** Only if old values were blanked. */
  readonly forgotten?: true
}

export interface Feed {
  readonly log: string
  readonly since: number
  /** Where the next request continues. */
  readonly next: number
  readonly latest: number
  readonly oldest: number
  readonly results: readonly FeedEntry[]
}

/** How many entries one request looks at: a filter that matches few of them must not cost more. */
const SPAN = 10_000
const MOST_OLD = 4 * 1024 * 1024
/** A request that waits looks at the log no more often than this. */
const BREATH_MS = 20
/** How long a page waits for the database after the response has begun. */
const READ_SECONDS = 30

export function readFeed(engine: Engine, asked: FeedAsked): Promise<Feed> {
  const { narrowing, mayStopAnywhere = false } = asked
  const resource = narrowing && engine.catalogue.find(({ name }) => name === asked.resource)
  if (!resource) return engine.store.read(() => feed(engine, asked))
  return readPatiently(engine, function* () {
    const page = yield* feed(engine, asked)
    return { ...page, results: yield* narrowedEntries({ engine, resource, narrowing, mayStopAnywhere }, page) }
  })
}

/** The entries of a page, and of all pages after it up to this number. Entries never change, so no snapshot is needed. */
export async function* entriesUpTo(
  engine: Engine,
  asked: FeedAsked,
  first: Feed,
  until: number,
): AsyncGenerator<readonly FeedEntry[]> {
  const { log } = first
  for (let page = first; ; ) {
    if (page.results.length > 0) yield page.results
    if (page.next >= until) return
    const since = page.next
    page = await withinSeconds(READ_SECONDS, () => readFeed(engine, { ...asked, log, since, until }))
  }
}

/**
 * The same, but if there is nothing to tell, it waits up to this many milliseconds for something. Entries that a filter
 * leaves out do not end the wait.
 */
export async function awaitFeed(engine: Engine, asked: FeedAsked, ms: number): Promise<Feed> {
  const { watch, monotonic } = engine
  const { since } = asked
  const until = monotonic() + ms
  const isGone = () => currentRequest()?.isGone() ?? false
  let found: Feed | undefined
  for (let from = since; ; ) {
    const read = new AbortController()
    try {
      // Before the log is read, so that no commit is missed.
      const change = watch.next({ ms: until - monotonic(), signal: read.signal, isGone })
      const quiet: Feed | undefined = found && (await unlessMatched(engine, asked, found))
      found = quiet ?? (await readFeed(engine, { ...asked, since: from }))
      const mayWait = monotonic() < until && !watch.isFull && !isGone()
      const isBehind = found.next < found.latest && found.next > from
      if (found.results.length > 0 || !mayWait || isBehind) return { ...found, since }
      from = found.next
      // Writes that do not match may come often: they are looked at together.
      await whileClientWaits(async () => {
        await change
        await setTimeout(BREATH_MS)
      })
    } finally {
      read.abort()
    }
  }
}

/** How many entries are looked at for all who wait, and how many characters of old values. */
const LOOKED_AT = 100
const MOST_LOOKED_AT = 64 * 1024
/** How many different pages are remembered. */
const MOST_LOOKS = 1000
/** What was read since the last commit, for requests that wait for the same. */
const looks = new WeakMap<Engine['watch'], { readonly heard: number; readonly pages: Map<string, Promise<Feed>> }>()

/** The next page, if it is empty: then many requests wait for the same, and it is read once for all of them. */
async function unlessMatched(engine: Engine, asked: FeedFilter, before: Feed): Promise<Feed | undefined> {
  const { resource, id, user, narrowing } = asked
  const all = await look(engine, {}, before)
  if (!all?.results.some(matcherOf(asked))) return all && { ...all, results: [] }
  const found = narrowing && (await look(engine, { resource, id, user, narrowing }, before))
  return found?.results.length === 0 ? found : undefined
}

/** Everything that is new, unless it is much. If it cannot be read, each request learns why by itself. */
async function look(engine: Engine, filter: FeedFilter, { log, next }: Feed): Promise<Feed | undefined> {
  const { watch } = engine
  const known = looks.get(watch)
  const isFresh = known?.heard === watch.heard && known.pages.size < MOST_LOOKS
  const pages = isFresh ? known.pages : new Map<string, Promise<Feed>>()
  looks.set(watch, { heard: watch.heard, pages })
  const asked = { ...filter, log, since: next, limit: LOOKED_AT, mostOld: MOST_LOOKED_AT }
  const key = JSON.stringify(asked)
  const page = pages.get(key) ?? withinSeconds(READ_SECONDS, () => readFeed(engine, asked))
  pages.set(key, page)
  const found = await page.catch(() => undefined)
  // Those who wait for these entries get a response now, so nobody asks again.
  if (filter.narrowing && found?.results.length !== 0) pages.delete(key)
  return found && found.next === found.latest ? found : undefined
}

/** Says which entries are wanted, as far as the entries themselves tell: lookups need the database. */
export function matcherOf({ resource, id, user }: FeedFilter): (entry: FeedEntry) => boolean {
  const key = user === undefined ? undefined : keyOfName(user)
  return (entry) =>
    (resource === undefined || resource === entry.resource) &&
    (id === undefined || id === entry.id) &&
    (key === undefined || (entry.user !== null && key === keyOfName(entry.user)))
}

function* feed(engine: Engine, asked: FeedAsked): Work<Feed> {
  const { since, until, resource, id, user, limit, mostOld = MOST_OLD } = asked
  const { changes, accounts } = engine.store
  const { log, oldest, latest } = yield* changes.bounds()
  // A number that the log has not reached is from a log that was replaced, such as by a restore.
  const isOther = (asked.log !== undefined && asked.log !== log) || since > latest
  if (isOther || since < oldest - 1) throw problems.forgotten(oldest)
  const end = Math.min(until ?? latest, latest)
  const account = user === undefined ? undefined : yield* accounts.byKey(keyOfName(user))
  const upTo = Math.min(end, since + SPAN)
  const range: LogRange = { since, until: upTo, resource, id, account: account?.id }
  const isNobody = user !== undefined && !account
  const found = isNobody ? [] : yield* changes.entries(range, limit)
  const entries = withinBudget(found, mostOld)
  const isCut = found.length === limit || entries.length < found.length
  const next = isCut ? (entries.at(-1)?.seq ?? since) : Math.max(since, upTo)
  return { log, since, next, latest, oldest, results: yield* shownEntries(engine, entries, asked) }
}

/** The first entries, up to a number of characters; at least one. */
function withinBudget(entries: readonly LoggedChange[], mostOld: number): readonly LoggedChange[] {
  let size = 0
  const end = entries.findIndex(({ old }) => {
    size += old?.length ?? 0
    return size > mostOld
  })
  return end < 0 ? entries : entries.slice(0, Math.max(1, end))
}

export function* shownEntries(
  engine: Engine,
  entries: readonly LoggedChange[],
  { hidden = false }: Pick<FeedAsked, 'hidden'> = {},
): Work<FeedEntry[]> {
  const parsed = entries.map((entry) => ({ entry, old: entry.old === undefined ? null : JSON.parse(entry.old) }))
  const people = new Set<number>()
  for (const { entry, old } of parsed) for (const id of peopleIn(engine, entry, old)) people.add(id)
  const names = yield* engine.store.names.of(people)
  return parsed.map(({ entry: { seq, set, at, account, action, resource, id, forgotten }, old }) => {
    const user = account === undefined ? null : (names.get(account) ?? null)
    const told = old && withNames(engine, resource, old, names)
    const shown = told && !hidden ? withoutHidden(told) : told
    const isEmpty = shown !== null && Object.keys(shown).length === 0
    const before = isEmpty ? null : shown
    return { seq, set, at, user, action, resource, id, old: before, ...(forgotten ? { forgotten } : {}) }
  })
}

function peopleIn(engine: Engine, { resource, account }: LoggedChange, old: JsonObject | null): number[] {
  const inOld = old ? [old[ownerMemberIn(engine, resource)], old['voters']].flat() : []
  return [account, ...inOld].filter((id) => typeof id === 'number')
}

/** The log holds accounts, whose names may change. */
function withNames(engine: Engine, resource: string, old: JsonObject, names: ReadonlyMap<number, string>): JsonObject {
  const owner = ownerMemberIn(engine, resource)
  const shown: Record<string, Json> = { ...old }
  if (owner in old) shown[owner] = names.get(Number(old[owner])) ?? null
  // Votes are shown newest first.
  const { voters } = old
  if (voters !== undefined && isList(voters))
    shown['voters'] = voters.toReversed().map((id) => names.get(Number(id)) ?? null)
  return shown
}

function withoutHidden(old: JsonObject): JsonObject {
  const shown: Record<string, Json> = { ...old }
  for (const member of Object.values(HIDDEN)) delete shown[member]
  return shown
}

function ownerMemberIn({ catalogue }: Engine, name: string): string {
  return ownerMember(catalogue.find((each) => each.name === name))
}
