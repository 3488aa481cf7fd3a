/** Undoes entries of the log: what a record was before them, as the cells of its row. */
import { type AnyResource, type Cell, fieldsOf, type JsonObject, keyStoredIn } from '../declare/index.ts'
import type { LoggedChange } from './change-log.ts'
import { HIDDEN } from './old-members.ts'
import { tablesOf } from './schema.ts'
import { initialOf } from './table.ts'

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
  { action, old, account }: LoggedChange,
): PastState | undefined {
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
  const columns = tablesOf(resource)[0].columns.filter(({ name }) => given.has(name))
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
  const owner = old[keyStoredIn(resource, 'owner') ?? HIDDEN.owner]
  const voters = old['voters']
  return {
    owner: typeof owner === 'number' ? owner : state.owner,
    cells,
    links,
    voters: Array.isArray(voters) ? voters.map(Number) : state.voters,
  }
}
