/** The members of a record as a source gives them. */
import { type AnyResource, fieldsOf, type Json, type JsonObject, keyStoredIn } from '../../declare/index.ts'

/** All members that a record of this resource may have in a source; votes are reported separately if it takes none. */
export function membersOf(resource: AnyResource): Set<string> {
  const own = fieldsOf(resource).flatMap(([key, field]) => field.members(key))
  return new Set([...own, 'user', 'likes', 'voters', ...(resource.lines ? ['lines'] : []), `${resource.name}_id`])
}

export function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

/** The id of the record in the source. */
export function givenId(resource: AnyResource, body: JsonObject): number | undefined {
  const id = body[`${resource.name}_id`]
  const number = typeof id === 'string' && /^[0-9]+$/.test(id) ? Number(id) : id
  return typeof number === 'number' ? number : undefined
}

/** The owner that the record names: the member, and its value. */
export function givenOwner(resource: AnyResource, body: JsonObject): { member: string; given: Json | undefined } {
  const member = keyStoredIn(resource, 'owner') ?? 'user'
  return { member, given: body[member] }
}
