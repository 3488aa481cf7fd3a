/** A body becomes a stored record: parsed by its fields, references looked up, checked, derived, inserted. */
import {
  type AnyResource,
  type Errors,
  fieldsOf,
  type Json,
  type JsonObject,
  type Lines,
  typeName,
} from '../declare/index.ts'
import type { Store, Work } from '../store/index.ts'
import { findRecords } from './load.ts'
import { Problem, problems } from './problem.ts'

/** What the engine works on: a store, and the catalogue it was opened for. */
export interface Engine {
  readonly store: Store
  readonly catalogue: readonly AnyResource[]
}

export interface Account {
  readonly id: number
  readonly name: string
}

/** The new record's id. All faults of the body are reported at once. */
export function* createRecord(engine: Engine, resource: AnyResource, body: JsonObject, owner: Account): Work<number> {
  const { store } = engine
  const given = yield* settle(store, resource, parse(resource, body))
  for (const [key, field] of fieldsOf(resource)) if (field.storage(key).in === 'owner') given[key] = owner.name
  refuse(resource.check?.(given as never, undefined) ?? {})
  const values = { ...given, ...derive(resource, given) }
  const id = yield* store.records.insert(resource, { values, owner: owner.id })
  if (resource.lines) yield* createLines(engine, resource.lines, body['lines'], id, owner)
  return id
}

type Values = Record<string, any>

function parse(resource: AnyResource, body: JsonObject): Values {
  const drafts: Values = {}
  const errors: Record<string, readonly string[]> = {}
  for (const [key, field] of fieldsOf(resource)) {
    if (!field.writable) continue
    const parsed = field.parse(body, key)
    if ('errors' in parsed) Object.assign(errors, parsed.errors)
    else drafts[key] = parsed.value
  }
  refuse(errors)
  return drafts
}

/** Ids become records. */
function* settle(store: Store, resource: AnyResource, drafts: Values): Work<Values> {
  const wanted = new Map<AnyResource, Set<number>>()
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (!(key in drafts) || (storage.in !== 'reference' && storage.in !== 'links')) continue
    wanted.set(storage.to, new Set([...(wanted.get(storage.to) ?? []), ...field.refers(drafts[key])]))
  }
  const find = yield* findRecords(store, wanted)
  const values: Values = {}
  const errors: Record<string, readonly string[]> = {}
  for (const [key, draft] of Object.entries(drafts)) {
    const settled = resource.fields[key].settle(draft, find, key)
    if ('errors' in settled) Object.assign(errors, settled.errors)
    else values[key] = settled.value
  }
  refuse(errors)
  return values
}

function derive(resource: AnyResource, given: Values): Values {
  const derived: Values = {}
  for (const [key, field] of fieldsOf(resource)) {
    if (key in resource.derive && field.storage(key).in === 'columns') derived[key] = resource.derive[key]!(given)
  }
  return derived
}

function* createLines(
  engine: Engine,
  lines: Lines,
  given: Json | undefined,
  parent: number,
  owner: Account,
): Work<void> {
  if (given === undefined) return
  if (!Array.isArray(given)) refuse({ lines: [`Expected a list of items but got type "${typeName(given)}".`] })
  const resource = engine.catalogue.find(({ name }) => name === lines.resource)!
  for (const [rank, line] of (given as Json[]).entries()) {
    const body = lineBody(line, lines)
    try {
      yield* createRecord(engine, resource, { ...body, [lines.rank]: rank, [lines.parent]: parent }, owner)
    } catch (error) {
      // Named after the member the client sent, with the place of the line at fault.
      if (error instanceof Problem && error.status === 400) refuse({ lines: faultsOfLine(rank, error.body) })
      throw error
    }
  }
}

function lineBody(line: Json, { shorthand }: Lines): JsonObject {
  const isBody = typeof line === 'object' && line !== null && !Array.isArray(line)
  if (shorthand && !(isBody && shorthand in line)) return { [shorthand]: line }
  if (!isBody) refuse({ lines: [`Invalid data. Expected a dictionary, but got ${typeName(line)}.`] })
  return line as JsonObject
}

function faultsOfLine(rank: number, errors: JsonObject): string[] {
  return Object.entries(errors).flatMap(([member, messages]) =>
    (messages as string[]).map((message) => `Line ${rank}, ${member}: ${message}`),
  )
}

function refuse(errors: Errors): void {
  if (Object.keys(errors).length > 0) throw problems.invalid(errors)
}
