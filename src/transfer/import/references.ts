/**
 * Resolves references. A source has its own ids, so an id alone identifies only records of the same source; an embedded
 * record is found by its unique rule, or created; a name, or a few members, must match exactly one record: of the
 * source, or otherwise of all.
 */
import { type AnyResource, fieldsOf, isObject, type Json, type JsonObject, showRecord } from '../../declare/index.ts'
import { type Engine, loadRecords, problems } from '../../engine/index.ts'
import type { Work } from '../../store/index.ts'
import { givenId } from './members.ts'

interface Surroundings {
  readonly engine: Engine
  /** Our id for an id of the source. */
  recall(kind: string, given: number): number | undefined
  /** Whether the source had the record with this id of ours. */
  isMet(target: AnyResource, id: number): boolean
  /** Whether ids mean the same here as in the source. */
  readonly keepIds: boolean
  /** Finds an embedded record, or creates it. */
  embed(target: AnyResource, record: JsonObject): Work<number>
}

/** The body, with every reference replaced by an object that has our id. */
export function* withReferences(
  surroundings: Surroundings,
  resource: AnyResource,
  body: JsonObject,
): Work<Record<string, Json>> {
  const settled: Record<string, Json> = { ...body }
  for (const { member, target, repeats } of referencesOf(resource)) {
    const given = body[member]
    if (given === undefined || given === null || given === '') continue
    if (!repeats) settled[member] = yield* resolve(surroundings, target, given, member)
    else {
      const list: Json[] = []
      for (const each of listOf(given)) list.push(yield* resolve(surroundings, target, each, member))
      settled[member] = list
    }
  }
  return settled
}

/** The same, if every reference is an id of a record that came before; otherwise undefined. */
export function withKnownReferences(
  recall: Surroundings['recall'],
  resource: AnyResource,
  body: JsonObject,
): JsonObject | undefined {
  let settled: Record<string, Json> | undefined
  for (const { member, target, repeats } of referencesOf(resource)) {
    const given = body[member]
    if (given === undefined || given === null || given === '') continue
    const list: Json[] = []
    for (const each of repeats ? listOf(given) : [given]) {
      const wanted = isObject(each) ? each : asReference(each, target)
      const id = givenId(target, wanted)
      const known = id === undefined ? undefined : recall(target.name, id)
      if (known === undefined) return undefined
      list.push({ ...(isObject(each) ? each : {}), [`${target.name}_id`]: known })
    }
    settled ??= { ...body }
    settled[member] = repeats ? list : (list[0] ?? null)
  }
  return settled ?? body
}

interface ReferenceMember {
  readonly member: string
  readonly target: AnyResource
  readonly repeats: boolean
}

const references = new WeakMap<AnyResource, readonly ReferenceMember[]>()

/** The members that refer to other records. */
function referencesOf(resource: AnyResource): readonly ReferenceMember[] {
  const known = references.get(resource)
  if (known) return known
  const found = fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') return []
    return field.members(key).map((member) => ({ member, target: storage.to, repeats: field.repeats }))
  })
  references.set(resource, found)
  return found
}

/** A cell of a table holds a list as words, or as JSON. */
export function listOf(given: Json): readonly Json[] {
  if (Array.isArray(given)) return given
  if (typeof given !== 'string') return [given]
  if (!given.startsWith('[')) return given.split(/[\s,;]+/).filter((word) => word !== '')
  try {
    const list: Json = JSON.parse(given)
    return Array.isArray(list) ? list : [given]
  } catch {
    return [given]
  }
}

function* resolve(surroundings: Surroundings, target: AnyResource, given: Json, member: string): Work<JsonObject> {
  const idMember = `${target.name}_id`
  const embedded = isObject(given) ? given : {}
  const id = yield* idOf(surroundings, target, isObject(given) ? given : asReference(given, target), member)
  return { ...embedded, [idMember]: id }
}

/** 7 and "7" are ids; any other text is a name. */
function asReference(given: Json, target: AnyResource): JsonObject {
  if (typeof given === 'string' && !/^\s*[0-9]+\s*$/.test(given)) return { [callingMember(target)]: given }
  return { [`${target.name}_id`]: typeof given === 'string' ? Number(given) : given }
}

function* idOf(surroundings: Surroundings, target: AnyResource, wanted: JsonObject, member: string): Work<number> {
  const { engine, recall, isMet, keepIds, embed } = surroundings
  const { [`${target.name}_id`]: id, ...members } = wanted
  const given = typeof id === 'string' && /^[0-9]+$/.test(id) ? Number(id) : id
  const isWhole = given !== undefined && Object.keys(members).length > 0
  if (typeof given === 'number') {
    const known = recall(target.name, given)
    if (known !== undefined) return known
    if (isWhole) return yield* embed(target, wanted)
    if (keepIds && (yield* engine.store.records.byIds({ resource: target }, [given])).length > 0) return given
    throw problems.invalid({ [member]: [`No ${target.name} of the id ${given} came before.`] })
  }
  const found = yield* findCalled(engine, target, members)
  const met = found.filter((id) => isMet(target, id))
  const meant = met.length > 0 ? met : found
  if (meant.length === 1) return meant[0]!
  const many = meant.length === 0 ? 'No' : 'More than one'
  throw problems.invalid({ [member]: [`${many} ${target.name} is ${JSON.stringify(members)}.`] })
}

/** The ids of the records with all of these members, found by name. */
function* findCalled({ store }: Engine, target: AnyResource, members: JsonObject): Work<number[]> {
  const called = members[callingMember(target)]
  if (typeof called !== 'string') return []
  const rows = yield* store.records.byIds({ resource: target }, yield* store.records.called(target, called))
  const records = yield* loadRecords(store, { resource: target }, rows)
  const fits = (shown: JsonObject) => Object.entries(members).every(([member, value]) => shown[member] === value)
  return records.filter((record) => fits(JSON.parse(showRecord(record)))).map(({ id }) => id)
}

/** The first member that lists are ordered by: name, or body. */
function callingMember(target: AnyResource): string {
  return String(target.order[0]).replace(/^-/, '')
}
