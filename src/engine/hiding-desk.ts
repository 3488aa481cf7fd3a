/**
 * Hiding: staff delete a record and put aside what the log tells about it, so that nobody can read it. Showing it puts the
 * values back into the log; then the deletion can be undone, with the same ids and votes.
 */
import { type AnyResource, nameMember } from '../declare/index.ts'
import type { LoggedChange, Work } from '../store/index.ts'
import { type Actor, demand } from './access.ts'
import { currentActor } from './current-actor.ts'
import { hideFromBoards } from './daily/withdrawn-boards.ts'
import type { Engine } from './engine.ts'
import { placeOf, type WantedPage } from './page-place.ts'
import { refuse } from './prepare.ts'
import { type Problem, problems } from './problem.ts'
import { ownerIn, resourceNamed } from './record-past.ts'

/** Entries read at once. */
const SPAN = 500

export interface HiddenState {
  readonly resource: string
  readonly id: number
  /** The set of changes that deleted it: its undo brings the record back. */
  readonly set: number
  readonly hidden: boolean
}

export class HidingDesk {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async page(actor: Actor, wanted: WantedPage) {
    demand(actor.staff)
    const engine = this.#engine
    const { store } = engine
    return await store.read(function* () {
      const count = yield* store.hidden.count()
      const { offset, ...place } = placeOf(count, wanted)
      const rows = yield* store.hidden.page(wanted.size, offset)
      return {
        count,
        ...place,
        rows: rows.map(({ old, ...row }) => ({ ...row, name: hiddenName(engine, row.resource, old) })),
      }
    })
  }

  async setHidden(actor: Actor, place: Pick<HiddenState, 'resource' | 'id'>, hidden: boolean): Promise<HiddenState> {
    const engine = this.#engine
    const { store } = engine
    return await store.write(function* (): Work<HiddenState> {
      const current = yield* currentActor(engine, actor)
      demand(current.staff)
      if (!engine.catalogue.some(({ name }) => name === place.resource)) throw problems.notFound()
      const [last] = yield* store.logged.ofRecord(place.resource, place.id, { limit: 1, offset: 0 })
      if (!last) throw problems.notFound()
      if (last.action !== 'remove') refuse({ hidden: ['Delete the record first.'] })
      const isHidden = yield* store.hidden.isHidden(place.resource, place.id, last.set)
      if (hidden && !isHidden) yield* hide(engine, last, current.id)
      else if (!hidden && isHidden) yield* show(engine, last)
      return { ...place, set: last.set, hidden }
    })
  }
}

/** Why a record is not there. Its owner and staff are told that it is hidden; for others it was deleted. */
export async function missingRecord(
  { store }: Engine,
  resource: AnyResource,
  id: number,
  actor: Actor | undefined,
): Promise<Problem> {
  const hidden = actor && (await store.read(() => store.hidden.removed(resource.name, id)))
  if (!hidden) return problems.notFound()
  const owner = ownerIn(resource, JSON.parse(hidden.old ?? '{}'))
  return actor.staff || owner === actor.id ? problems.hidden(hidden.at) : problems.notFound()
}

/** Undefined if the log had forgotten it, or if the resource is no longer declared. */
export function hiddenName(engine: Engine, resource: string, old = '{}'): string | undefined {
  const declared = resourceNamed(engine, resource)
  const name: unknown = declared && JSON.parse(old)[nameMember(declared)]
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The records that were deleted together: a story has lines. */
function* hide(engine: Engine, removal: LoggedChange, account: number): Work<void> {
  const { store, now } = engine
  const { seq: head, set } = removal
  const hiding = { set, account, at: now().toISOString(), head }
  yield* eachRemoved(engine, removal, function* (resource, ids) {
    const ofThem = (since: number) => store.logged.ofRecords(resource, ids, { since, limit: SPAN, hasVotes: true })
    yield* eachSpan(0, ofThem, (past) => store.hidden.putAside(past, hiding))
    if (resource === engine.games?.daily.of.name) yield* hideFromBoards(engine, resource, ids, true)
  })
}

function* show(engine: Engine, removal: LoggedChange): Work<void> {
  yield* engine.store.hidden.putBack(removal.set)
  yield* eachRemoved(engine, removal, function* (resource, ids) {
    if (resource === engine.games?.daily.of.name) yield* hideFromBoards(engine, resource, ids, false)
  })
}

/** Some of the records that were deleted in the same set at a time. */
function* eachRemoved(
  { store }: Engine,
  { seq, set }: LoggedChange,
  take: (resource: string, ids: readonly number[]) => Work<void>,
): Work<void> {
  const until = yield* store.changes.endOfSet(seq, (yield* store.changes.bounds()).latest)
  const inSet = (since: number) => store.changes.entries({ since, until }, SPAN)
  yield* eachSpan(set - 1, inSet, function* (entries) {
    const removed = entries.filter(({ action }) => action === 'remove')
    for (const [resource, records] of Map.groupBy(removed, ({ resource }) => resource)) {
      yield* take(
        resource,
        records.map(({ id }) => id),
      )
    }
  })
}

/** Reads entries in the order of the log, some at a time. */
function* eachSpan(
  start: number,
  read: (since: number) => Work<readonly LoggedChange[]>,
  take: (entries: readonly LoggedChange[]) => Work<void>,
): Work<void> {
  for (let since = start; ; ) {
    const entries = yield* read(since)
    yield* take(entries)
    const last = entries.at(-1)
    if (!last || entries.length < SPAN) return
    since = last.seq
  }
}
