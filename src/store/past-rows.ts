/** Undoes entries of the log: what a record was before them, as the row that a write would have stored. */
import { type AnyResource, type Cell, fieldsOf, type JsonObject, keyStoredIn, type Row } from '../declare/index.ts'
import type { LoggedChange } from './change-log.ts'
import { HIDDEN, ownerMember } from './old-members.ts'
import { packed, type Values, valuesOf } from './pack.ts'
import { recordTableOf, voteCount } from './schema.ts'
import { initialOf } from './table.ts'
import type { Times } from './times.ts'

/** A record as it was. */
export interface PastRecord {
  readonly id: number
  /** All columns, and the ids of links as JSON, by field. */
  readonly row: Row
  /** Accounts, oldest vote first. */
  readonly voters: readonly number[]
  readonly values: Values
}

/** The given cells of a record, without those computed from them. Links are lists of ids by field. */
export interface PastState {
  readonly owner: number
  readonly cells: Readonly<Record<string, Cell>>
  readonly links: Readonly<Record<string, readonly number[]>>
  readonly voters: readonly number[]
}

/** The log does not have the old values, so the moment cannot be rebuilt. */
export class Forgotten extends Error {}

/** What the record was before these entries, which are oldest first; undefined if it did not exist. */
export function stateBefore(
  resource: AnyResource,
  now: PastState | undefined,
  entries: readonly LoggedChange[],
): PastState | undefined {
  return entries.reduceRight((state: PastState | undefined, entry) => undone(resource, state, entry), now)
}

function undone(
  resource: AnyResource,
  after: PastState | undefined,
  { action, old, account, forgotten }: LoggedChange,
): PastState | undefined {
  if (forgotten) throw new Forgotten()
  if (action === 'create' || action === 'restore') return undefined
  if (action === 'remove') return withMembers(resource, blank(resource), membersIn(old))
  if (!after) throw new Forgotten()
  const { voters } = after
  if (action === 'vote') return { ...after, voters: voters.filter((voter) => voter !== account) }
  if (action !== 'unvote') return withMembers(resource, after, membersIn(old))
  const place = membersIn(old)[HIDDEN.place]
  if (typeof place !== 'number' || account === undefined) throw new Forgotten()
  return { ...after, voters: voters.toSpliced(place, 0, account) }
}

function membersIn(old: string | undefined): JsonObject {
  if (old === undefined) throw new Forgotten()
  return JSON.parse(old)
}

/** The state of a row that is stored now. */
export function stateOf(resource: AnyResource, row: Row, voters: readonly number[]): PastState {
  const state = blank(resource)
  const [cells, links] = [{ ...state.cells }, { ...state.links }]
  for (const column of Object.keys(cells)) cells[column] = row[column] ?? null
  for (const key of Object.keys(links)) links[key] = resource.fields[key].embeds(row, key)
  return { owner: Number(row['owner']), cells, links, voters }
}

const blanks = new WeakMap<AnyResource, PastState>()

/** A record without values, or with those that records older than a field have. */
function blank(resource: AnyResource): PastState {
  const known = blanks.get(resource)
  if (known) return known
  const made = makeBlank(resource)
  blanks.set(resource, made)
  return made
}

function makeBlank(resource: AnyResource): PastState {
  const given = new Set(givenColumnsOf(resource))
  const columns = recordTableOf(resource).columns.filter(({ name }) => given.has(name))
  const links = fieldsOf(resource).filter(([key, field]) => field.storage(key).in === 'links')
  return {
    owner: 0,
    cells: Object.fromEntries(columns.map((column) => [column.name, initialOf(column)])),
    links: Object.fromEntries(links.map(([key]) => [key, []])),
    voters: [],
  }
}

function givenColumnsOf(resource: AnyResource): string[] {
  return fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    if (storage.in === 'reference') return [key]
    return storage.in === 'columns' && field.writable ? storage.columns.map(({ name }) => name) : []
  })
}

/** Sets old members, which are as a body gives them (old-members.ts). A member that was not there is null. */
function withMembers(resource: AnyResource, state: PastState, old: JsonObject): PastState {
  const [cells, links, empty] = [{ ...state.cells }, { ...state.links }, blank(resource).cells]
  for (const column of Object.keys(cells)) {
    const was = old[column]
    if (was !== undefined)
      cells[column] = typeof was === 'string' || typeof was === 'number' ? was : (empty[column] ?? null)
  }
  for (const key of Object.keys(links)) {
    const members: readonly string[] = resource.fields[key].members(key)
    if (!members.some((member) => old[member] !== undefined)) continue
    const all = { ...JSON.parse(`{${resource.fields[key].showIds(links[key], key)}}`), ...old }
    links[key] = members.flatMap((member) => all[member] ?? [])
  }
  const owner = old[ownerMember(resource)]
  const voters = old['voters']
  return {
    owner: typeof owner === 'number' ? owner : state.owner,
    cells,
    links,
    voters: Array.isArray(voters) ? voters.map(Number) : state.voters,
  }
}

/** The record with everything that is computed from it. */
export function pastRecord(
  resource: AnyResource,
  id: number,
  state: PastState,
  ownerName: string,
  times: Times,
): PastRecord {
  const { owner, cells, voters } = state
  const links = Object.fromEntries(Object.entries(state.links).map(([key, ids]) => [key, JSON.stringify(ids)]))
  const values = valuesOf(resource, { ...cells, ...links }, ownerName)
  const votes = keyStoredIn(resource, 'votes')
  const counted = votes === undefined ? {} : { [voteCount(votes)]: voters.length }
  return { id, row: { id, owner, ...times, ...packed(resource, values), ...counted, ...links }, voters, values }
}
