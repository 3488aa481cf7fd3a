/**
 * Upserts a record by its natural key, which is its unique rule: creates it if it does not exist, changes it if it
 * differs.
 */
import {
  type AnyRecord,
  type AnyResource,
  fieldsOf,
  type JsonObject,
  nameMember,
  showRecord,
} from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Owner } from './access.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { loadOne } from './load.ts'
import { prepare, type Values } from './prepare.ts'
import { problems } from './problem.ts'
import { oldOf } from './record-past.ts'
import { inheritedOwner } from './write.ts'

export type Outcome = 'made' | 'changed' | 'same'

interface PutOptions {
  readonly owner: Owner
  /** The id of a new record; an existing one keeps its own. */
  readonly id?: number | undefined
  /** Whether an existing record stays as it is, whatever the body says. */
  readonly leave?: (id: number) => boolean
  /** What was valid when it was stored elsewhere stays valid, as in a change. */
  readonly asStored?: boolean
  /** Members that only a new record gets from the body; an existing one keeps its own. */
  readonly assumed?: readonly string[]
}

export function* putRecord(
  engine: Engine,
  resource: AnyResource,
  body: JsonObject,
  { owner, id: wanted, leave = () => false, asStored = false, assumed = [] }: PutOptions,
): Work<{ readonly id: number; readonly outcome: Outcome }> {
  const { store } = engine
  const prepared = (given: JsonObject) => prepare(store, resource, given, { ownerName: owner.name, asStored })
  let values = yield* prepared(body)
  const found = yield* store.records.same(resource, values)
  if (found === undefined) {
    if (wanted !== undefined) yield* refuseTaken(engine, resource, wanted, body)
    const ownerId = (yield* inheritedOwner(engine, resource, values)) ?? owner.id
    const id = yield* store.records.insert(resource, { values, owner: ownerId, id: wanted })
    return { id, outcome: 'made' }
  }
  if (leave(found)) return { id: found, outcome: 'same' }
  const current = yield* loadOne(store, { resource }, found)
  if (assumed.length > 0) values = yield* prepared({ ...body, ...membersIn(current.record, assumed) })
  if (!differs(resource, values, current.record)) return { id: found, outcome: 'same' }
  yield* store.records.update(resource, found, { values, owner: current.owner })
  return { id: found, outcome: 'changed' }
}

function membersIn(record: AnyRecord, members: readonly string[]): JsonObject {
  const shown: JsonObject = JSON.parse(showRecord(record))
  return Object.fromEntries(Object.entries(shown).filter(([member]) => members.includes(member)))
}

/** Whether a record may have the id in this catalogue. */
export function isPossibleId(id: unknown): id is number {
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= LIMITS.highestId
}

function* refuseTaken({ store }: Engine, resource: AnyResource, id: number, body: JsonObject): Work<void> {
  const member = `${resource.name}_id`
  if (!isPossibleId(id)) throw problems.invalid({ [member]: ['A valid integer is required.'] })
  const [taken] = yield* store.records.byIds({ resource }, [id])
  if (taken) throw problems.invalid({ [member]: [`Another ${resource.name} has the id ${id}.`] })
  const [last] = yield* store.logged.ofRecord(resource.name, id, { limit: 1, offset: 0 })
  // The history of the id, and an undo of the deletion, are those of the deleted record.
  if (last?.action === 'remove' && !isNamedAlike(resource, oldOf(last), body))
    throw problems.invalid({ [member]: [`Another ${resource.name} had the id ${id} and was deleted.`] })
}

/** Whether a record that was deleted may be the one that comes back. */
function isNamedAlike(resource: AnyResource, before: JsonObject, now: JsonObject): boolean {
  const name = nameMember(resource)
  return name === '' || before[name] === now[name]
}

function differs(resource: AnyResource, values: Values, record: AnyRecord): boolean {
  return fieldsOf(resource).some(([key, { writable, identity }]) => {
    return writable && JSON.stringify(identity(values[key])) !== JSON.stringify(identity(record[key]))
  })
}
