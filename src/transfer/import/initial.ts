/**
 * Exports of an older catalogue lack members that are new and required. Their records get the initial value of the
 * field, as records of an older database and of an older backup do. Members that records are told apart or ordered by
 * are never assumed: a source that lacks them is not an older export.
 */
import { type AnyResource, type Errors, type Field, fieldsOf, type JsonObject, orderOf } from '../../declare/index.ts'

/** The absent members that are required and have a valid initial value, with that value; undefined if there are none. */
export function initialMembers(resource: AnyResource, body: JsonObject, errors: Errors): JsonObject | undefined {
  const essential = new Set<unknown>([...resource.unique.flat(), ...orderOf(resource).map(({ key }) => key)])
  let found: JsonObject | undefined
  for (const [key, field] of fieldsOf(resource)) {
    if (essential.has(key)) continue
    const members = field.members(key)
    if (!members.some((member) => member in errors) || members.some((member) => body[member] !== undefined)) continue
    const initial = shownInitial(key, field)
    if (initial) found = { ...found, ...initial }
  }
  return found
}

/** Undefined if a client could not give it either: an empty text where a text is required. */
function shownInitial(key: string, field: Field): JsonObject | undefined {
  if (!field.writable || field.initial === undefined) return undefined
  const shown: JsonObject = JSON.parse(`{${field.show(field.initial, key)}}`)
  return 'errors' in field.parse(shown, key) ? undefined : shown
}
