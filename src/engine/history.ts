/** The history of a record, also of one that has been removed: who changed what, and when. */
import type { AnyResource } from '../declare/index.ts'
import { type LoggedChange, timesNow, type Work } from '../store/index.ts'
import { type Actor, mayChange } from './access.ts'
import { changedBy, type MemberChange, type MemberChanges, withAccountNames } from './changed-members.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { placeOf, type WantedPage } from './page-place.ts'
import { problems } from './problem.ts'
import { readPatiently } from './query-timeout.ts'
import { ownerIn, readPasts } from './record-past.ts'
import { type Difference, WordDiff } from './word-diff.ts'

interface HistoryEntry {
  readonly seq: number
  readonly set: number
  readonly at: string
  /** Null for the program itself, such as an import. */
  readonly user: string | null
  readonly action: string
  /** Only if old values were blanked. */
  readonly forgotten?: true
  readonly members: { readonly [member: string]: MemberChange & { readonly diff?: readonly Difference[] } }
}

interface History {
  readonly count: number
  readonly number: number
  readonly last: number
  /** When the record was created; null if the log does not go back that far. */
  readonly created: string | null
  /** When it last changed, or was removed. */
  readonly changed: string | null
  /** The account that owns it, or did when it was removed. */
  readonly owner: number | undefined
  /** Newest first. */
  readonly entries: readonly HistoryEntry[]
}

/** Throws a problem if the record never existed, or the page does not exist. */
export function readHistory(engine: Engine, collection: Collection, id: number, wanted: WantedPage): Promise<History> {
  return readPatiently(engine, () => history(engine, collection, id, wanted))
}

function* history(engine: Engine, { resource }: Collection, id: number, wanted: WantedPage): Work<History> {
  const { logged, records } = engine.store
  const { count, ...told } = yield* logged.summary(resource.name, id)
  const [row] = yield* records.byIds({ resource }, [id])
  // The record may be older than the log.
  if (count === 0 && !row) throw problems.notFound()
  const now = row && told.created === undefined ? yield* timesNow(resource, id) : undefined
  const created = told.created ?? timeOf(now?.created)
  const changed = told.changed ?? timeOf(now?.changed)
  const { number, last, offset } = placeOf(count, wanted)
  const found = yield* logged.ofRecord(resource.name, id, { limit: wanted.size, offset })
  const owner = row ? Number(row['owner']) : yield* lastOwner(engine, resource, id)
  return { count, number, last, created, changed, owner, entries: yield* shownHistory(engine, found) }
}

/** The newest entry of a record that is gone is its removal. */
function* lastOwner({ store }: Engine, resource: AnyResource, id: number): Work<number | undefined> {
  const [newest] = yield* store.logged.ofRecord(resource.name, id, { limit: 1, offset: 0 })
  return newest?.old === undefined ? undefined : ownerIn(resource, JSON.parse(newest.old))
}

/** Whether a user may undo an entry: the owner of the record, the voter, or staff. */
export function mayUndo(actor: Actor, { resource }: Collection, { owner }: History, entry: HistoryEntry): boolean {
  if (entry.action === 'vote' || entry.action === 'unvote') return actor.staff || entry.user === actor.name
  return actor.staff || (owner !== undefined && mayChange(resource, owner, actor))
}

/** Null if it is not known. */
function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds ? new Date(milliseconds).toISOString() : null
}

function* shownHistory(engine: Engine, found: readonly LoggedChange[]): Work<HistoryEntry[]> {
  const entries = yield* membersChangedBy(engine, found)
  const names = yield* engine.store.names.of(new Set(found.flatMap(({ account }) => account ?? [])))
  const diffs = new WordDiff()
  return entries.map(({ seq, set, at, account, action, forgotten, members }) => {
    const user = account === undefined ? null : (names.get(account) ?? null)
    const changes = Object.entries(members).map(([member, change]) => [member, withDiff(change, diffs)])
    const shown = { seq, set, at, user, action, ...(forgotten ? { forgotten } : {}) }
    return { ...shown, members: Object.fromEntries(changes) }
  })
}

/** These entries with the members that each of them changed, as clients see them. */
export function* membersChangedBy(
  engine: Engine,
  entries: readonly LoggedChange[],
): Work<(LoggedChange & { readonly members: MemberChanges })[]> {
  const { passages } = yield* readPasts(engine, entries)
  const changed = entries.map((entry) => ({ ...entry, members: changedBy(entry, passages.get(entry.seq)) }))
  return yield* withAccountNames(engine, changed)
}

function withDiff(change: MemberChange, diffs: WordDiff): HistoryEntry['members'][string] {
  const { was, became } = change
  const areTexts = typeof was === 'string' && typeof became === 'string'
  return areTexts ? { ...change, diff: diffs.compare(was, became) } : change
}
