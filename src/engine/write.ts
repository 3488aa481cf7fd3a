/** Creating and changing records, with permissions. */
import {
  type AnyRecord,
  type AnyResource,
  type Errors,
  type JsonObject,
  keyStoredIn,
  type Row,
  showRecord,
} from '../declare/index.ts'
import { isStoredShown, note, type ShownRecord, type Work } from '../store/index.ts'
import { type Actor, demand, mayChange, mayCreate, type Owner } from './access.ts'
import { keyOfName } from './account-names.ts'
import { checkGrowth } from './budget.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { createLines, deleteLines, withLines } from './lines.ts'
import { loadOne, loadRecords } from './load.ts'
import { prepare, type Values } from './prepare.ts'
import { problems } from './problem.ts'
import { showByIds, showOne, showValues } from './show.ts'

/** Compares what a client says it read with the record as it is now, with and without its lines; it throws if it is neither. */
export type Precondition = (...shown: readonly string[]) => void

/** A record that somebody wants to change or delete. */
export interface Target {
  readonly collection: Collection
  readonly id: number
  readonly actor: Actor
  readonly precondition?: Precondition | undefined
}

export interface Written {
  readonly id: number
  readonly json: string
}

export function* createRecord(engine: Engine, collection: Collection, body: JsonObject, actor: Actor): Work<Written> {
  const { resource } = collection
  demand(mayCreate(resource, actor))
  const { owner = actor, errors } = yield* namedOwner(engine, resource, body)
  const { id, values } = yield* insertValues(engine, resource, body, owner, { actor, errors })
  const json = isShownByValues(collection)
    ? showValues(resource, values, { id })
    : (yield* showOne(engine.store, collection, id)).json
  return { id, json }
}

/** Whether the values of a record are all that is needed to show it. */
function isShownByValues({ resource, only }: Collection): boolean {
  return !only && !resource.lines && !resource.ownedThrough
}

/** The response to a creation that was already carried out: the record as it is now. */
export function* createdBefore(engine: Engine, collection: Collection, id: number): Work<string> {
  const [shown] = yield* showByIds(engine.store, collection, [id])
  if (!shown) throw problems.deletedSince()
  return shown.json
}

/** Without an actor there is no permission check: the program itself also inserts records. */
export function* insertRecord(
  engine: Engine,
  resource: AnyResource,
  body: JsonObject,
  owner: Owner,
  rest: InsertOptions = {},
): Work<number> {
  return (yield* insertValues(engine, resource, body, owner, rest)).id
}

interface InsertOptions {
  readonly actor?: Actor
  readonly errors?: Errors | undefined
}

function* insertValues(
  engine: Engine,
  resource: AnyResource,
  body: JsonObject,
  owner: Owner,
  { actor, errors }: InsertOptions,
): Work<{ readonly id: number; readonly values: Values }> {
  const { store } = engine
  const values = yield* prepare(store, resource, body, { ownerName: owner.name, errors })
  const ownerId = (yield* inheritedOwner(engine, resource, values, actor)) ?? owner.id
  const id = yield* store.records.insert(resource, { values, owner: ownerId })
  if (resource.lines) yield* createLines(engine, resource.lines, body['lines'], id, owner)
  return { id, values }
}

/** All members take the values given; those that are missing become empty. */
export function* replaceRecord(engine: Engine, target: Target, body: JsonObject): Work<string> {
  // A view shows a few members, and what it does not show is not its to empty.
  if (target.collection.only) return yield* changeRecord(engine, target, body)
  const current = yield* openForChange(engine, target)
  return yield* update(engine, target, current, { body })
}

/** Members that are not given stay as they are; then the whole is checked. */
export function* changeRecord(engine: Engine, target: Target, overlay: JsonObject): Work<string> {
  const current = yield* openForChange(engine, target)
  // What GET gives, a body may hold; so the record itself is the ground the change is laid on.
  const body = { ...JSON.parse(showRecord(current.record)), ...overlay }
  return yield* update(engine, target, current, { body, overlay })
}

interface Current {
  readonly stored: Row
  readonly record: AnyRecord
  readonly owner: Owner
}

/** The record as it is. Other writers wait until the transaction ends. */
export function* openForChange(engine: Engine, { collection, id, actor, precondition }: Target): Work<Current> {
  const { store } = engine
  const { resource } = collection
  const stored = yield* store.records.stored(resource, id)
  const [record] = yield* loadRecords(store, { resource }, stored ? [stored] : [])
  if (!stored || !record) throw problems.notFound()
  const ownerId = Number(stored['owner'])
  demand(mayChange(resource, ownerId, actor))
  if (precondition) {
    const json = showRecord(collection.only ? yield* readOne(engine, collection, id) : record)
    precondition(json, ...(resource.lines ? [yield* withLines(engine, collection, id, json)] : []))
  }
  const names = yield* store.names.of(new Set([ownerId]))
  return { stored, record, owner: { id: ownerId, name: names.get(ownerId)! } }
}

/** `overlay` is what the client sent, when the body holds more. */
function* update(
  engine: Engine,
  { collection, id, actor }: Target,
  { stored, record: before, owner: currentOwner }: Current,
  { body, overlay }: { readonly body: JsonObject; readonly overlay?: JsonObject },
): Work<string> {
  const { store } = engine
  const { resource } = collection
  const { owner = currentOwner, errors } = yield* namedOwner(engine, resource, body)
  const values = yield* prepare(store, resource, body, {
    ownerName: owner.name,
    before,
    overlay,
    errors,
  })
  const ownerId = (yield* inheritedOwner(engine, resource, values, actor)) ?? owner.id
  const changed = yield* store.records.update(resource, id, { values, owner: ownerId }, stored)
  if (resource.lines && body['lines'] !== undefined) {
    yield* deleteLines(engine, resource.lines, id)
    yield* createLines(engine, resource.lines, body['lines'], id, owner)
  }
  const json = isShownByValues(collection)
    ? showValues(resource, values, stored)
    : (yield* showOne(store, collection, id)).json
  if (!collection.only) yield* checkGrowth(engine, resource, id, { before: showRecord(before), after: json })
  yield* noteShown(collection, { id, json, owner: ownerId, changed })
  return json
}

/** The next reader need not read the record: what the write responds with is what is cached. */
export function* noteShown({ resource, only }: Collection, record: ShownRecord): Work<void> {
  if (!only && !resource.plain && isStoredShown(resource))
    yield* note({ resource: resource.name, ids: [], shown: [record] })
}

export function* readOne(engine: Engine, collection: Collection, id: number): Work<AnyRecord> {
  return (yield* loadOne(engine.store, collection, id)).record
}

/** For records that only staff write, the body names the user; all others belong to their creator. */
function* namedOwner(
  engine: Engine,
  resource: AnyResource,
  body: JsonObject,
): Work<{ readonly owner?: Owner; readonly errors?: Errors }> {
  const member = keyStoredIn(resource, 'owner')
  if (!resource.staffOnly || !member) return {}
  const name = body[member]
  const wrong = (message: string) => ({ errors: { [member]: [message] } })
  if (name === undefined || name === null || name === '') return wrong('This field is required.')
  if (typeof name !== 'string') return wrong('Not a valid string.')
  const owner = yield* engine.store.accounts.byKey(keyOfName(name))
  return owner ? { owner } : wrong(`Object with username=${name} does not exist.`)
}

/** The owner of the record that this one is a part of; only the owner or staff may add to it. */
export function* inheritedOwner(
  engine: Engine,
  resource: AnyResource,
  values: Values,
  actor?: Actor,
): Work<number | undefined> {
  const key = resource.ownedThrough
  if (!key) return undefined
  const storage = resource.fields[key].storage(key)
  const owner = yield* engine.store.records.lockOwner(storage.to, values[key].id)
  // It existed a moment ago, when the body was settled.
  if (owner === undefined)
    throw problems.invalid({ [key]: [`Invalid pk "${values[key].id}" - object does not exist.`] })
  if (actor) demand(mayChange(storage.to, owner, actor))
  return owner
}
