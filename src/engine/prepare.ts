/** Turns a body into the values of a record: parses its fields, looks up references, completes, checks and derives. */
import {
  type AnyRecord,
  type AnyResource,
  type Errors,
  type Fields,
  type Find,
  fieldsOf,
  type JsonObject,
  keyStoredIn,
} from '../declare/index.ts'
import type { Store, Work } from '../store/index.ts'
import { faultsOfSize } from './budget.ts'
import { findRecords } from './load.ts'
import { Problem, problems } from './problem.ts'

export type Values = Record<string, any>

interface Preparation {
  readonly ownerName: string
  /** The record that is being changed. */
  readonly before?: AnyRecord
  /** It was valid when it was stored elsewhere: what a change may keep is valid now. */
  readonly asStored?: boolean
  /** Faults found earlier, to report with the others. */
  readonly errors?: Errors | undefined
  /** What the client sent, if the body holds more: a change is merged into the old record. */
  readonly overlay?: JsonObject | undefined
}

/** All faults of a body are reported at once; those between members only if each member is valid by itself. */
export function* prepare(
  store: Store,
  resource: AnyResource,
  body: JsonObject,
  { ownerName, before, asStored, overlay, errors = {} }: Preparation,
): Work<Values> {
  const parsed = parse(resource, body)
  const find = yield* findRecords(store, referredTo(resource, [parsed.drafts]))
  const settled = settle(resource, parsed.drafts, { ...errors, ...parsed.errors }, find)
  refuse(faultsOfSize(resource, settled))
  setOwner(resource, settled, ownerName)
  const absent = overlay && before ? renewedFields(resource, overlay, settled, before) : absentFields(resource, body)
  return finish(resource, settled, absent, (values) => (asStored ? values : before))
}

/**
 * Several new bodies of one resource, whose references are looked up together. A faulty body yields a problem in its
 * place.
 */
export function* prepareMany(
  store: Store,
  resource: AnyResource,
  bodies: readonly JsonObject[],
  { ownerNames, asStored }: { readonly ownerNames?: readonly string[]; readonly asStored?: boolean } = {},
): Work<(Values | Problem)[]> {
  const parsed = bodies.map((body) => parse(resource, body))
  const wanted = referredTo(
    resource,
    parsed.map(({ drafts }) => drafts),
  )
  const find = yield* findRecords(store, wanted)
  return bodies.map((body, i) => {
    const { drafts, errors } = parsed[i]!
    try {
      const settled = settle(resource, drafts, errors, find)
      if (ownerNames) setOwner(resource, settled, ownerNames[i])
      return finish(resource, settled, absentFields(resource, body), (values) => (asStored ? values : undefined))
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
  })
}

function setOwner(resource: AnyResource, values: Values, name: string | undefined): void {
  const key = keyStoredIn(resource, 'owner')
  if (key !== undefined) values[key] = name
}

/** Completed, checked, and with derived values. */
function finish(
  resource: AnyResource,
  settled: Values,
  absent: ReadonlySet<string>,
  before: (values: Values) => Values | undefined,
): Values {
  const values = complete(resource, settled, absent)
  refuse(resource.check?.(values as never, before(values) as never) ?? {})
  return { ...values, ...derive(resource, values) }
}

/** The input of a question: parsed and looked up like a body, by fields that belong to no record. */
export function* readGiven(store: Store, fields: Fields, given: JsonObject): Work<Values> {
  const asked = { fields } as AnyResource
  const { drafts, errors } = parse(asked, given)
  return settle(asked, drafts, errors, yield* findRecords(store, referredTo(asked, [drafts])))
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

/** The ids that a body refers to, by resource. */
export function referencesIn(resource: AnyResource, body: JsonObject): ReadonlyMap<AnyResource, ReadonlySet<number>> {
  return referredTo(resource, [parse(resource, body).drafts])
}

/** The ids that drafts refer to, by resource. */
function referredTo(resource: AnyResource, all: readonly Values[]): Map<AnyResource, Set<number>> {
  const wanted = new Map<AnyResource, Set<number>>()
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    const ids = wanted.get(storage.to) ?? new Set()
    wanted.set(storage.to, ids)
    for (const drafts of all) if (key in drafts) for (const id of field.refers(drafts[key])) ids.add(id)
  }
  return wanted
}

/** Ids become records. Their faults are reported with the earlier ones. */
function settle(resource: AnyResource, drafts: Values, known: Errors, find: Find): Values {
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

/** Fields that were not given and depend on one that changes. */
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
