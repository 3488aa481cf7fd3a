/**
 * The first copy: the log, then all records, a page at a time, each in a transaction with its place, so that it can
 * continue after any interruption. Others write meanwhile, so records are of different moments; the changes since the
 * beginning make the copy exact.
 */
import type { AnyResource } from '../../declare/index.ts'
import type { Engine } from '../../engine/index.ts'
import {
  beginFollowing,
  Continued,
  continueFollowing,
  copyFingerprint,
  type FollowState,
  inDependencyOrder,
  logAs,
  readFollowState,
  Unusable,
} from '../../store/index.ts'
import { Unreachable } from '../client.ts'
import type { SourceAccounts } from './accounts.ts'
import type { Source } from './source.ts'

/** How far it is. */
interface Place {
  /** The last entry of the log that was copied. */
  readonly entry: number
  /** The last record that was copied; none while the log is copied. */
  readonly resource?: string
  readonly after: number
  readonly records: number
}

export interface CopyParts {
  readonly engine: Engine
  readonly source: Source
  readonly accounts: SourceAccounts
  onProgress(what: string, records: number, total?: number): void
}

const ENTRIES = 1000

/**
 * Throws if the source has another catalogue, if the database holds records that are no copy of it, or if another process
 * has begun meanwhile: `before` is what the database was a copy of.
 */
export async function beginCopy({ engine, source, accounts }: CopyParts, before?: FollowState): Promise<void> {
  const { store, catalogue } = engine
  const [first] = catalogue
  if (!first) throw new Unusable('there is nothing to copy')
  const { log, seq, catalogue: form } = await source.look(first.name)
  if (form !== copyFingerprint(catalogue)) {
    throw new Unreachable(`${source.address} has other collections or members: both need the same version of Nymdex`)
  }
  const { oldest } = await source.entries({ log, since: seq, limit: 1 })
  const place: Place = { entry: oldest - 1, after: 0, records: 0 }
  accounts.forget()
  await store.write(function* () {
    if (JSON.stringify(yield* readFollowState()) !== JSON.stringify(before)) throw new Continued()
    const { records } = before ? { records: 0 } : yield* store.copies.holdings(catalogue)
    if (records > 0) {
      throw new Unusable(`the database holds ${records} records and is no copy of ${source.address}: use an empty one`)
    }
    yield* store.copies.clearRecords(catalogue)
    yield* beginFollowing({ source: source.address, log, seq, latest: seq, copying: JSON.stringify(place) })
  })
}

/** Copies the next page. */
export async function continueCopy(parts: CopyParts, state: FollowState): Promise<void> {
  const place: Place = JSON.parse(state.copying)
  if (place.entry < state.seq) return await copyEntries(parts, state, place)
  const resources = inDependencyOrder(parts.engine.catalogue)
  const resource = place.resource === undefined ? resources[0] : resources.find(({ name }) => name === place.resource)
  if (!resource) throw new Unusable('the copy was begun by another version of Nymdex: begin with an empty database')
  await copyPage(parts, state, { place, resource, next: resources[resources.indexOf(resource) + 1] })
}

async function copyEntries({ engine, source, accounts, onProgress }: CopyParts, state: FollowState, place: Place) {
  const { log, seq } = state
  const { results, next } = await source.entries({ log, since: place.entry, limit: ENTRIES })
  const entries = results.filter((entry) => entry.seq <= seq)
  await accounts.know(entries.flatMap((entry) => accounts.namesIn(entry)))
  const copying = JSON.stringify({ ...place, entry: Math.min(next, seq) })
  await engine.store.write(function* () {
    yield* continueFollowing(state, { copying })
    yield* logAs(entries.map((entry) => accounts.logged(entry)))
  })
  onProgress('log', Math.min(next, seq), seq)
}

interface Step {
  readonly place: Place
  readonly resource: AnyResource
  readonly next: AnyResource | undefined
}

async function copyPage(parts: CopyParts, state: FollowState, { place, resource, next }: Step): Promise<void> {
  const { engine, source, accounts, onProgress } = parts
  const { store, catalogue } = engine
  const page = await source.page(state.log, resource.name, place.after)
  await accounts.know(page.results.flatMap(({ owner, voters }) => [owner, ...voters]))
  const records = place.records + page.results.length
  const isEnd = page.next === undefined
  const after: Place = {
    entry: place.entry,
    resource: (isEnd ? (next ?? resource) : resource).name,
    after: page.next ?? 0,
    records,
  }
  const isLast = isEnd && !next
  await store.write(function* () {
    const latest = Math.max(state.latest, page.seq)
    yield* continueFollowing(state, { latest, copying: isLast ? '' : JSON.stringify(after) })
    yield* store.applier.add(
      resource,
      page.results.map((record) => accounts.copied(record)),
    )
    yield* store.copies.raiseIds(resource.name, page.highest)
    if (isLast) yield* store.copies.rank(catalogue)
  })
  onProgress(resource.name, place.after === 0 ? page.results.length : records, page.count)
}
