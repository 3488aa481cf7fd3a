/**
 * Plans an undo: which steps take some entries of the log back, and what prevents it. Entries are taken back
 * newest first, so that each step meets the records as they were after its entry, except for what others changed.
 */
import { type AnyResource, fieldsOf, isList, type Json, type JsonObject, keyStoredIn } from '../declare/index.ts'
import { HIDDEN, type LoggedChange, ownerMember } from '../store/index.ts'
import { type Actor, demand, mayChange } from './access.ts'
import { appearing, disappearing, type MemberChange, type MemberChanges } from './changed-members.ts'
import { problems } from './problem.ts'
import { isForgotten, keyOf, memberOf, oldOf, ownerIn, type Passage, type Pasts, type State } from './record-past.ts'

/** One change that the undo makes. */
export interface Step {
  readonly action: 'change' | 'remove' | 'restore' | 'vote' | 'unvote'
  readonly resource: AnyResource
  readonly id: number
  /** Of the record after the step; empty if it is removed. */
  readonly members: JsonObject
  readonly changes: MemberChanges
  /** Whether the record has been exactly like this before: then it was valid, and stays so. */
  readonly isPast: boolean
  /** Of a restored record: accounts, oldest vote first. */
  readonly voters: readonly number[]
  /** The account that votes, and the place of its vote. */
  readonly vote?: { readonly account: number; readonly place: number }
}

/** Why a record cannot go back. */
export interface Conflict {
  readonly resource: string
  readonly id: number
  readonly detail: string
  /** The members at fault. */
  readonly members: MemberChanges
}

export interface Plan {
  readonly steps: readonly Step[]
  readonly conflicts: readonly Conflict[]
}

/** A record while steps are planned. */
interface Planned {
  /** Null if it does not exist. */
  members: JsonObject | null
  voters: readonly number[]
}

const DETAILS = {
  changed: 'These members have changed since.',
  removed: 'The record has been removed since.',
  unknown: 'The log no longer has the old values.',
}

export class UndoPlanner {
  readonly #pasts: Pasts
  readonly #catalogue: readonly AnyResource[]
  readonly #records = new Map<string, Planned>()
  readonly #steps: Step[] = []
  readonly #conflicts: Conflict[] = []

  constructor(catalogue: readonly AnyResource[], pasts: Pasts) {
    this.#catalogue = catalogue
    this.#pasts = pasts
  }

  /** `entries` are newest first. */
  plan(entries: readonly LoggedChange[], actor: Actor): Plan {
    for (const entry of entries) this.#demandRight(entry, actor)
    for (const entry of entries) this.#takeBack(entry)
    return { steps: this.#steps, conflicts: this.#conflicts }
  }

  /** The owner of the record takes changes back, and voters their votes; staff take back everything. */
  #demandRight(entry: LoggedChange, actor: Actor): void {
    const resource = this.#resource(entry)
    if (isVote(entry)) {
      demand(actor.staff || entry.account === actor.id)
      return
    }
    const passage = this.#pasts.passages.get(entry.seq)
    const members = this.#record(entry).members ?? (passage?.before ?? passage?.after)?.members
    const owner = members && ownerIn(resource, members)
    demand(actor.staff || (owner !== undefined && mayChange(resource, owner, actor)))
  }

  #takeBack(entry: LoggedChange): void {
    const passage = this.#pasts.passages.get(entry.seq)
    const record = this.#record(entry)
    if (isVote(entry) || !passage) this.#takeBackVote(entry, record)
    else if (passage.before === null) this.#takeBackCreation(entry, passage, record)
    else if (isForgotten(entry)) this.#conflict(entry, DETAILS.unknown)
    else if (entry.action === 'remove') this.#takeBackRemoval(entry, record)
    else this.#takeBackChange(entry, passage, record)
  }

  #takeBackChange(entry: LoggedChange, { before, after }: Passage, record: Planned): void {
    const changes: Record<string, MemberChange> = {}
    const faults: Record<string, MemberChange> = {}
    for (const [member, was] of Object.entries(this.#oldOf(entry))) {
      const became = memberOf(after, member)
      const now = record.members?.[member] ?? null
      if (record.members && isSame(now, became)) changes[member] = { was: now, became: was }
      // Somebody has taken it back already.
      else if (!record.members || !isSame(now, was)) faults[member] = { was, became, now }
    }
    if (this.#hasFaults(entry, record, faults) || Object.keys(changes).length === 0) return
    const members = { ...record.members }
    for (const [member, { became = null }] of Object.entries(changes)) members[member] = became
    record.members = members
    this.#step(entry, 'change', { members, changes, isPast: isLike(members, before) })
  }

  /** Removes the record, if nobody has changed it since. Votes do not count: they are removed with it. */
  #takeBackCreation(entry: LoggedChange, { after }: Passage, record: Planned): void {
    const { members } = record
    if (members === null) return
    const faults: Record<string, MemberChange> = {}
    for (const member of new Set([...Object.keys(members), ...Object.keys(after?.members ?? {})])) {
      const [became, now] = [memberOf(after, member), members[member] ?? null]
      if (!isSame(now, became)) faults[member] = { was: null, became, now }
    }
    if (this.#hasFaults(entry, record, faults)) return
    record.members = null
    record.voters = []
    this.#step(entry, 'remove', { members: {}, changes: disappearing(members), isPast: true })
  }

  #takeBackRemoval(entry: LoggedChange, record: Planned): void {
    // Somebody has restored it already.
    if (record.members) return
    const { voters = [], ...members } = this.#oldOf(entry)
    record.members = members
    record.voters = isList(voters) ? voters.map(Number) : []
    const changes = appearing({ members, isWhole: true })
    this.#step(entry, 'restore', { members, changes, isPast: true, voters: record.voters })
  }

  #takeBackVote(entry: LoggedChange, record: Planned): void {
    const { account, action } = entry
    const { [HIDDEN.place]: place = record.voters.length } = oldOf(entry)
    // The votes of a removed record are not missed until it returns.
    if (record.members === null || account === undefined || !hasVotes(this.#resource(entry))) return
    const [gave, has] = [action === 'vote', record.voters.includes(account)]
    if (gave !== has) return
    const vote = { account, place: Number(place) }
    record.voters = gave
      ? record.voters.filter((each) => each !== account)
      : record.voters.toSpliced(vote.place, 0, account)
    this.#step(entry, gave ? 'unvote' : 'vote', { members: record.members, changes: {}, isPast: true, vote })
  }

  #step(
    entry: LoggedChange,
    action: Step['action'],
    rest: Partial<Step> & Pick<Step, 'members' | 'changes' | 'isPast'>,
  ) {
    this.#steps.push({ action, resource: this.#resource(entry), id: entry.id, voters: [], ...rest })
  }

  #hasFaults(entry: LoggedChange, { members }: Planned, faults: MemberChanges): boolean {
    const all = Object.values(faults)
    if (all.length === 0) return false
    const isUnknown = all.some(({ became }) => became === undefined)
    this.#conflict(entry, isUnknown ? DETAILS.unknown : members ? DETAILS.changed : DETAILS.removed, faults)
    return true
  }

  #conflict({ resource, id }: LoggedChange, detail: string, members: MemberChanges = {}): void {
    this.#conflicts.push({ resource, id, detail, members })
  }

  /** The old values that a record can still have: the catalogue may have changed. */
  #oldOf(entry: LoggedChange): JsonObject {
    const members = loggedMembers(this.#resource(entry))
    return Object.fromEntries(Object.entries(oldOf(entry)).filter(([member]) => members.has(member)))
  }

  #resource({ resource: name }: LoggedChange): AnyResource {
    const resource = this.#catalogue.find((each) => each.name === name)
    // The catalogue no longer declares it.
    if (!resource) throw problems.notFound()
    return resource
  }

  #record(entry: LoggedChange): Planned {
    const key = keyOf(entry)
    const known = this.#records.get(key)
    if (known) return known
    const now = this.#pasts.now.get(key)
    const record = { members: now?.members ?? null, voters: now?.voters ?? [] }
    this.#records.set(key, record)
    return record
  }
}

function isVote({ action }: LoggedChange): boolean {
  return action === 'vote' || action === 'unvote'
}

function hasVotes(resource: AnyResource): boolean {
  return keyStoredIn(resource, 'votes') !== undefined
}

/** The members that entries of a resource can have. */
function loggedMembers(resource: AnyResource): Set<string> {
  const own = fieldsOf(resource).flatMap(([key, field]) => (field.writable ? field.members(key) : []))
  return new Set([...own, ownerMember(resource), ...(hasVotes(resource) ? ['voters'] : [])])
}

function isSame(a: Json, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Whether all members are as they were in that state. */
function isLike(members: JsonObject, state: State | null): boolean {
  if (!state?.isWhole) return false
  const all = new Set([...Object.keys(members), ...Object.keys(state.members)])
  return [...all].every((member) => isSame(members[member] ?? null, state.members[member] ?? null))
}
