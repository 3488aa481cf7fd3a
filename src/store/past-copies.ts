/** Records as a follower copies them: as they are now, or as they were after an entry of the log. */
import { type AnyResource, type Row, TIMES } from '../declare/index.ts'
import type { LoggedChange } from './change-log.ts'
import type { Copied, Copies } from './copy.ts'
import type { Work } from './database.ts'
import type { LoggedChanges } from './logged-changes.ts'
import { Forgotten, type PastState, stateBefore } from './past-rows.ts'

/** How many later entries of the records are undone. */
const MOST_LATER = 10_000

interface Past {
  readonly copies: Copies
  readonly logged: LoggedChanges
}

/** In id order. A record that did not exist is left out. Throws `Forgotten` if the log does not say what they were. */
export function* copiesAfterEntry(
  { copies, logged }: Past,
  resource: AnyResource,
  ids: readonly number[],
  seq: number,
): Work<Copied[]> {
  const later = yield* logged.ofRecords(resource.name, ids, { since: seq, limit: MOST_LATER, hasVotes: true })
  if (later.length === MOST_LATER) throw new Forgotten()
  const entries = Map.groupBy(later, ({ id }) => id)
  const now = new Map((yield* copies.byIds(resource, ids)).map((copy) => [copy.id, copy]))
  return ids
    .toSorted((a, b) => a - b)
    .flatMap((id) => copyBefore(resource, id, now.get(id), entries.get(id) ?? []) ?? [])
}

/** `changed` is not what it was: the follower has it from the entries. */
function copyBefore(
  resource: AnyResource,
  id: number,
  now: Copied | undefined,
  entries: readonly LoggedChange[],
): Copied | undefined {
  if (entries.length === 0) return now
  const state = stateBefore(resource, now && stateOf(now), entries)
  return state && copyOf(id, state, timesIn(now?.columns ?? {}))
}

function stateOf({ owner = 0, columns, links = {}, votes = [] }: Copied): PastState {
  const { created: _, changed: __, ...cells } = columns
  return { owner, cells, links, voters: votes }
}

function copyOf(id: number, { owner, cells, links, voters }: PastState, times: Row): Copied {
  return { id, owner, columns: { ...times, ...cells }, links, votes: voters }
}

function timesIn(columns: Row): Row {
  return Object.fromEntries(TIMES.map((time) => [time, columns[time] ?? 0]))
}
