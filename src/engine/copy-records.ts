/** Records for a server that follows this one: everything that is stored of them, with names in place of accounts. */
import type { AnyResource, Row } from '../declare/index.ts'
import {
  type Copied,
  copiesAfterEntry,
  copyFingerprint,
  Forgotten,
  isWholeCopy,
  readFollowState,
  type Work,
} from '../store/index.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'

export interface CopiesAsked {
  readonly resource: AnyResource
  /** The id of the log that the follower knows. */
  readonly log?: string | undefined
  /** Records after this id. */
  readonly after: number
  readonly limit: number
  /** Only these, as they were after the entry `until`. */
  readonly past?: { readonly ids: readonly number[]; readonly until: number } | undefined
}

interface NamedCopy {
  readonly id: number
  /** Null for an account that does not exist. */
  readonly owner: string | null
  readonly columns: Row
  readonly links: Copied['links'] | undefined
  /** Oldest vote first. */
  readonly voters: readonly (string | null)[]
}

export interface RecordCopies {
  readonly log: string
  /** A hash of what copies of this catalogue hold. */
  readonly catalogue: string
  /** The records are as they were after this entry; later changes of a page are unknown. */
  readonly seq: number
  /** The highest id that the resource ever gave. */
  readonly highest: number
  readonly count: number
  /** The id to continue after; null at the end. */
  readonly next: number | null
  readonly results: readonly NamedCopy[]
}

/** How many characters of records a response has before it ends; the follower continues with `next`. */
const MOST_CHARACTERS = 4 * 1024 * 1024

export function readCopies(engine: Engine, asked: CopiesAsked): Promise<RecordCopies> {
  return engine.store.read(() => copies(engine, asked))
}

function* copies(engine: Engine, { resource, after, limit, past, ...asked }: CopiesAsked): Work<RecordCopies> {
  const { store, catalogue } = engine
  const following = yield* readFollowState()
  // What the first copy adds has no entries of its own, so a follower would miss it.
  if (following && !isWholeCopy(following)) throw problems.incomplete()
  const { log, oldest, latest } = yield* store.changes.bounds()
  const isOther = asked.log !== undefined && asked.log !== log
  if (isOther || (past && (past.until > latest || past.until < oldest - 1))) throw problems.forgotten(oldest)
  const wanted = past?.ids.filter((id) => id > after).toSorted((a, b) => a - b)
  const some = wanted?.slice(0, limit)
  const found = past
    ? yield* pastCopies(engine, resource, some ?? [], past.until)
    : yield* store.copies.after(resource, after, limit)
  const { taken, isCut } = withinBudget(found)
  const isEnd = wanted ? wanted.length === (some ?? []).length : found.length < limit
  const last = isCut ? taken.at(-1)?.id : (some ?? found.map(({ id = 0 }) => id)).at(-1)
  const highest = yield* store.copies.highestIds([resource])
  return {
    log,
    catalogue: copyFingerprint(catalogue),
    seq: past?.until ?? latest,
    highest: highest[resource.name] ?? 0,
    count: yield* store.records.count({ resource }),
    next: isEnd && !isCut ? null : (last ?? null),
    results: yield* named(engine, taken),
  }
}

function* pastCopies(
  { store }: Engine,
  resource: AnyResource,
  ids: readonly number[],
  until: number,
): Work<readonly Copied[]> {
  try {
    return yield* copiesAfterEntry(store, resource, ids, until)
  } catch (error) {
    if (!(error instanceof Forgotten)) throw error
    throw problems.forgotten((yield* store.changes.bounds()).latest)
  }
}

/** The first ones, up to a number of characters; at least one. */
function withinBudget(found: readonly Copied[]): { readonly taken: readonly Copied[]; readonly isCut: boolean } {
  let size = 0
  const end = found.findIndex((copy, i) => {
    size += JSON.stringify(copy).length
    return size > MOST_CHARACTERS && i > 0
  })
  return end < 0 ? { taken: found, isCut: false } : { taken: found.slice(0, end), isCut: true }
}

function* named({ store }: Engine, copies: readonly Copied[]): Work<NamedCopy[]> {
  const people = new Set(copies.flatMap(({ owner = 0, votes = [] }) => [owner, ...votes]))
  const names = yield* store.names.of(people)
  return copies.map(({ id = 0, owner = 0, columns, links, votes = [] }) => ({
    id,
    owner: names.get(owner) ?? null,
    columns,
    links,
    voters: votes.map((voter) => names.get(voter) ?? null),
  }))
}
