/** A body becomes the values of a record: parsed by its fields, references looked up, completed, checked, derived. */
import {
  type AnyRecord,
  type AnyResource,
  type Errors,
  type Fields,
  fieldsOf,
  type JsonObject,
} from '../declare/index.ts'
import type { Store, Work } from '../store/index.ts'
import { findRecords } from './load.ts'
import { problems } from './problem.ts'

export type Values = Record<string, any>

interface Preparation {
  readonly ownerName: string
  /** The record that is being changed. */
  readonly before?: AnyRecord
  /** It was right when it was stored elsewhere: what a change may leave as it is, is right now. */
  readonly asStored?: boolean
  /** Faults found before, to be told with the others. */
  readonly errors?: Errors | undefined
  /** What the client sent, when the body holds more: a change is laid over the record as it was. */
  readonly overlay?: JsonObject | undefined
}

/** All faults of a body are reported at once; those between members only when each member is right by itself. */
export function* prepare(
  store: Store,
  resource: AnyResource,
  body: JsonObject,
  { ownerName, before, asStored, overlay, errors = {} }: Preparation,
): Work<Values> {
  const parsed = parse(resource, body)
  const settled = yield* settle(store, resource, parsed.drafts, { ...errors, ...parsed.errors })
  for (const [key, field] of fieldsOf(resource)) if (field.storage(key).in === 'owner') settled[key] = ownerName
  const absent = overlay && before ? renewedFields(resource, overlay, settled, before) : absentFields(resource, body)
  const values = complete(resource, settled, absent)
  refuse(resource.check?.(values as never, (asStored ? values : before) as never) ?? {})
  return { ...values, ...derive(resource, values) }
}

/** What a question is given: parsed and looked up like a body, by fields that are nobody's members. */
export function* readGiven(store: Store, fields: Fields, given: JsonObject): Work<Values> {
  const asked = { fields } as AnyResource
  const { drafts, errors } = parse(asked, given)
  return yield* settle(store, asked, drafts, errors)
}

function parse(resource: AnyResource, body: JsonObject): { drafts: Values; errors: Errors } {
  const drafts: Values = {}
  const errors: Record<string, readonly string[]> = {}
  for (const [key, field] of fieldsOf(resource)) {
    if (!field.writable) continue
    const parsed = field.parse(body, key)
    if ('errors' in parsed) Object.assign(errors, parsed.errors)
    else drafts[key] = parsed.value
  }
  return { drafts, errors }
}

/** Ids become records. What is wrong with them is told with what was wrong before. */
function* settle(store: Store, resource: AnyResource, drafts: Values, known: Errors): Work<Values> {
  const wanted = new Map<AnyResource, Set<number>>()
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (!(key in drafts) || (storage.in !== 'reference' && storage.in !== 'links')) continue
    wanted.set(storage.to, new Set([...(wanted.get(storage.to) ?? []), ...field.refers(drafts[key])]))
  }
  const find = yield* findRecords(store, wanted)
  const values: Values = {}
  const errors: Record<string, readonly string[]> = { ...known }
  for (const [key, draft] of Object.entries(drafts)) {
    const settled = resource.fields[key].settle(draft, find, key)
    if ('errors' in settled) Object.assign(errors, settled.errors)
    else values[key] = settled.value
  }
  refuse(errors)
  return values
}

function absentFields(resource: AnyResource, body: JsonObject): Set<string> {
  const absent = fieldsOf(resource).filter(
    ([key, field]) => field.writable && field.members(key).every((member) => body[member] === undefined),
  )
  return new Set(absent.map(([key]) => key))
}

/** Fields that were not given and depend on one that the change touches. */
function renewedFields(resource: AnyResource, overlay: JsonObject, values: Values, before: AnyRecord): Set<string> {
  const changed = (key: string) => {
    const { identity } = resource.fields[key]
    return JSON.stringify(identity(values[key])) !== JSON.stringify(identity(before[key]))
  }
  const absent = [...absentFields(resource, overlay)]
  return new Set(absent.filter((key) => (resource.renews?.[key] ?? []).some(changed)))
}

export function complete(resource: AnyResource, values: Values, absent: ReadonlySet<string>): Values {
  if (!resource.complete) return values
  const completed = resource.complete(values as never, absent)
  if ('errors' in completed) throw problems.invalid(completed.errors)
  return completed.value
}

export function derive(resource: AnyResource, values: Values): Values {
  const derived: Values = {}
  for (const [key, field] of fieldsOf(resource)) {
    if (key in resource.derive && field.storage(key).in === 'columns') derived[key] = resource.derive[key]!(values)
  }
  return derived
}

export function refuse(errors: Errors): void {
  if (Object.keys(errors).length > 0) throw problems.invalid(errors)
}
