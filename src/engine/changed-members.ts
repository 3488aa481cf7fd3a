/** What happened to the members of a record: what each was, and what it became. */
import { isList, type Json, type JsonObject, keyStoredIn } from '../declare/index.ts'
import { HIDDEN, type LoggedChange, type Work } from '../store/index.ts'
import type { Engine } from './engine.ts'
import { memberOf, type Passage, resourceNamed, type State } from './record-past.ts'

/** Null: the member was not there. */
export interface MemberChange {
  readonly was: Json
  /** Undefined if the log does not say it. */
  readonly became?: Json | undefined
  /** In a conflict: what it is now. */
  readonly now?: Json | undefined
}

export interface MemberChanges {
  readonly [member: string]: MemberChange
}

export const VOTERS = 'voters'
export const HIDDEN_MEMBERS: ReadonlySet<string> = new Set(Object.values(HIDDEN))

/** The members that an entry changed. Votes change none that they name. */
export function changedBy({ action, old }: LoggedChange, passage: Passage | undefined): MemberChanges {
  if (!passage || action === 'vote' || action === 'unvote') return {}
  if (passage.before === null) return appearing(passage.after)
  const members: JsonObject = old === undefined ? {} : JSON.parse(old)
  const changes = Object.entries(members).map(([member, was]): [string, MemberChange] => [
    member,
    { was, became: memberOf(passage.after, member) },
  ])
  return Object.fromEntries(changes)
}

/** Of a record that was not there before. */
export function appearing(state: State | null): MemberChanges {
  const members = Object.entries(state?.members ?? {}).filter(([, became]) => became !== null)
  return Object.fromEntries(members.map(([member, became]) => [member, { was: null, became }]))
}

/** Of a record that is not there afterwards. */
export function disappearing(members: JsonObject): MemberChanges {
  return Object.fromEntries(Object.entries(members).map(([member, was]) => [member, { was, became: null }]))
}

interface Changed {
  readonly resource: string
  readonly members: MemberChanges
}

/** As clients see them: accounts have their names, and members that only the log knows are left out. */
export function* withAccountNames<T extends Changed>(engine: Engine, all: readonly T[]): Work<T[]> {
  const people = new Set<number>()
  for (const { resource, members } of all) {
    for (const [member, change] of Object.entries(members)) {
      if (!namesPeople(engine, resource, member)) continue
      for (const id of [change.was, change.became, change.now].flat()) if (typeof id === 'number') people.add(id)
    }
  }
  const names = yield* engine.store.names.of(people)
  return all.map((each) => {
    const { resource, members } = each
    const shown = Object.entries(members).filter(([member]) => !HIDDEN_MEMBERS.has(member))
    const changes = shown.map(([member, change]): [string, MemberChange] => [
      member,
      namesPeople(engine, resource, member) ? named(change, names) : change,
    ])
    return { ...each, members: Object.fromEntries(changes) }
  })
}

function namesPeople(engine: Engine, name: string, member: string): boolean {
  const resource = resourceNamed(engine, name)
  if (!resource) return false
  return (
    member === keyStoredIn(resource, 'owner') || (member === VOTERS && keyStoredIn(resource, 'votes') !== undefined)
  )
}

function named(change: MemberChange, names: ReadonlyMap<number, string>): MemberChange {
  const nameOf = (id: Json) => (typeof id === 'number' ? (names.get(id) ?? null) : null)
  // Votes are shown newest first.
  const shown = (value: Json) => (isList(value) ? value.toReversed().map(nameOf) : nameOf(value))
  const { was, became, now } = change
  return {
    was: shown(was),
    ...(became === undefined ? {} : { became: shown(became) }),
    ...(now === undefined ? {} : { now: shown(now) }),
  }
}
