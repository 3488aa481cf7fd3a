/** What a record was before a change, for the log: members as a body gives them, with ids in place of records. */
import {
  type AnyResource,
  type Field,
  fieldsOf,
  type Json,
  type JsonObject,
  keyStoredIn,
  type Row,
} from '../declare/index.ts'
import type { Values } from './pack.ts'

/**
 * What the log keeps although no client sees it: the owner of a record that does not show it, and the place of a vote
 * that was taken back, counted from the oldest.
 */
export const HIDDEN = { owner: '_owner', place: '_place' } as const

/** The member of an entry that names the owner. */
export function ownerMember(resource: AnyResource | undefined): string {
  return (resource && keyStoredIn(resource, 'owner')) ?? HIDDEN.owner
}

interface After {
  readonly values: Values
  readonly owner: number
}

/** The members that differ, as they were; undefined if none does. A member that was not there is null. */
export function oldMembers(resource: AnyResource, row: Row, after: After): string | undefined {
  const old: Record<string, Json> = {}
  for (const [key, field] of fieldsOf(resource)) {
    const [before, now] = [textBefore(field, key, row), textAfter(field, key, after)]
    if (before === now) continue
    const [was, is] = [parsed(before), parsed(now)]
    for (const member of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (JSON.stringify(was[member]) !== JSON.stringify(is[member])) old[member] = was[member] ?? null
    }
  }
  return Object.keys(old).length > 0 ? JSON.stringify(old) : undefined
}

/** All members of a record that is removed. `voters` are accounts, in the order of their votes. */
export function allMembers(resource: AnyResource, row: Row, voters: readonly number[]): string {
  const members = fieldsOf(resource).flatMap(([key, field]) => {
    const text = field.storage(key).in === 'votes' && voters.length > 0 ? `"voters":[${voters}]` : ''
    return text || textBefore(field, key, row) || []
  })
  if (keyStoredIn(resource, 'owner') === undefined) members.push(`"${HIDDEN.owner}":${row['owner']}`)
  return `{${members.join(',')}}`
}

/** `"a":1,"b":2`, or empty if a body cannot give it. Owners are accounts: their names may change. */
function textBefore(field: Field, key: string, row: Row): string {
  switch (field.storage(key).in) {
    case 'owner':
      return `"${key}":${row['owner']}`
    case 'reference':
    case 'links':
      return field.showIds(field.embeds(row, key), key)
    case 'columns':
      return field.writable ? field.show(field.unpack(row, key, nothing), key) : ''
    default:
      return ''
  }
}

function textAfter(field: Field, key: string, { values, owner }: After): string {
  const value = values[key]
  switch (field.storage(key).in) {
    case 'owner':
      return `"${key}":${owner}`
    case 'reference':
      return field.showIds(value ? [value.id] : [], key)
    case 'links':
      return field.showIds(
        value.map(({ id }: { readonly id: number }) => id),
        key,
      )
    case 'columns':
      return field.writable ? field.show(value, key) : ''
    default:
      return ''
  }
}

function parsed(members: string): JsonObject {
  return JSON.parse(`{${members}}`)
}

/** Only fields that refer to other records look them up. */
function nothing(): undefined {}
