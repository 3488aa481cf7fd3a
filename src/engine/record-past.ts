/** What records were before and after their changes: found from the record as it is now, and the log backwards. */
import type { AnyResource, Json, JsonObject } from '../declare/index.ts'
import { type LoggedChange, ownerMember, type RecordState, readStates, type Work } from '../store/index.ts'
import type { Engine } from './engine.ts'

/** The members of a record at one time; a member that was not there is null. */
export interface State {
  readonly members: JsonObject
  /** Whether these are all of its members. If not, the log says nothing about the others. */
  readonly isWhole: boolean
}

/** The state before and after a change; null if the record did not exist. */
export interface Passage {
  readonly before: State | null
  readonly after: State | null
}

export interface Pasts {
  /** By the number of the entry; votes have none. */
  readonly passages: ReadonlyMap<number, Passage>
  /** The records as they are now, by `keyOf`. */
  readonly now: ReadonlyMap<string, RecordState>
}

/** How many later changes are looked at, for each resource. Before them, states are not whole. */
const MOST_LATER = 2000
const UNKNOWN: State = { members: {}, isWhole: false }

export const keyOf = ({ resource, id }: Pick<LoggedChange, 'resource' | 'id'>) => `${resource} ${id}`

/** The passages of some entries of the log. Entries of resources that are no longer declared have none. */
export function* readPasts({ store, catalogue }: Engine, entries: readonly LoggedChange[]): Work<Pasts> {
  const passages = new Map<number, Passage>()
  const now = new Map<string, RecordState>()
  for (const resource of catalogue) {
    const own = entries.filter((entry) => entry.resource === resource.name)
    if (own.length === 0) continue
    const ids = [...new Set(own.map(({ id }) => id))]
    for (const [id, state] of yield* readStates(store.records, resource, ids))
      now.set(keyOf({ resource: resource.name, id }), state)
    const since = own.reduce((least, { seq }) => Math.min(least, seq), Number.MAX_SAFE_INTEGER) - 1
    const limit = own.length + MOST_LATER
    const later = yield* store.logged.ofRecords(resource.name, ids, { since, limit, hasVotes: false })
    const isCut = later.length === limit
    walkBack(later, (key) => (isCut ? UNKNOWN : stateNow(now.get(key))), passages)
  }
  return { passages, now }
}

/** `entries` are in the order of the log. */
function walkBack(
  entries: readonly LoggedChange[],
  newest: (key: string) => State | null,
  passages: Map<number, Passage>,
): void {
  const states = new Map<string, State | null>()
  for (const entry of entries.toReversed()) {
    const key = keyOf(entry)
    const after = states.get(key)
    const passage = passageOf(entry, after === undefined ? newest(key) : after)
    passages.set(entry.seq, passage)
    states.set(key, passage.before)
  }
}

function passageOf(entry: LoggedChange, after: State | null): Passage {
  const { action, old } = entry
  if (action === 'create' || action === 'restore') return { before: null, after }
  const members = old === undefined ? {} : withoutVoters(JSON.parse(old))
  // What was blanked in the log is not known, and so is everything before it.
  if (isForgotten(entry)) return { before: { members, isWhole: false }, after: action === 'remove' ? null : after }
  if (action === 'remove') return { before: { members, isWhole: true }, after: null }
  if (!after) return { before: UNKNOWN, after }
  return { before: { members: { ...after.members, ...members }, isWhole: after.isWhole }, after }
}

/** Whether old values of the entry were blanked. */
export function isForgotten({ action, old, forgotten }: LoggedChange): boolean {
  return forgotten || (old === undefined && (action === 'change' || action === 'remove'))
}

/** The old values of an entry. */
export function oldOf({ old }: LoggedChange): JsonObject {
  return old === undefined ? {} : JSON.parse(old)
}

export function stateNow(state: RecordState | undefined): State | null {
  return state ? { members: state.members, isWhole: true } : null
}

/** Undefined if it is not known. */
export function memberOf(state: State | null, member: string): Json | undefined {
  if (state === null) return null
  return state.members[member] ?? (state.isWhole || member in state.members ? null : undefined)
}

export function withoutVoters({ voters: _, ...members }: JsonObject): JsonObject {
  return members
}

/** The account that owns a record with these members. */
export function ownerIn(resource: AnyResource | undefined, members: JsonObject): number | undefined {
  const owner = members[ownerMember(resource)]
  return typeof owner === 'number' ? owner : undefined
}

export function resourceNamed({ catalogue }: Pick<Engine, 'catalogue'>, name: string): AnyResource | undefined {
  return catalogue.find((resource) => resource.name === name)
}
