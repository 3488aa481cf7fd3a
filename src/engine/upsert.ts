/**
 * Upserts a record by its natural key, which is its unique rule: creates it if it does not exist, changes it if it
 * differs.
 */
import { type AnyRecord, type AnyResource, fieldsOf, type JsonObject } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Owner } from './access.ts'
import type { Engine } from './engine.ts'
import { loadOne } from './load.ts'
import { prepare, type Values } from './prepare.ts'
import { problems } from './problem.ts'
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
}

export function* putRecord(
  engine: Engine,
  resource: AnyResource,
  body: JsonObject,
  { owner, id: wanted, leave = () => false, asStored = false }: PutOptions,
): Work<{ readonly id: number; readonly outcome: Outcome }> {
  const { store } = engine
  const values = yield* prepare(store, resource, body, { ownerName: owner.name, asStored })
  const found = yield* store.records.same(resource, values)
  if (found === undefined) {
    if (wanted !== undefined) yield* refuseTaken(engine, resource, wanted)
    const ownerId = (yield* inheritedOwner(engine, resource, values)) ?? owner.id
    const id = yield* store.records.insert(resource, { values, owner: ownerId, id: wanted })
    return { id, outcome: 'made' }
  }
  if (leave(found)) return { id: found, outcome: 'same' }
  const current = yield* loadOne(store, { resource }, found)
  if (!differs(resource, values, current.record)) return { id: found, outcome: 'same' }
  yield* store.records.update(resource, found, { values, owner: current.owner })
  return { id: found, outcome: 'changed' }
}

function* refuseTaken({ store }: Engine, resource: AnyResource, id: number): Work<void> {
  const member = `${resource.name}_id`
  if (!Number.isSafeInteger(id) || id < 1) throw problems.invalid({ [member]: ['A valid integer is required.'] })
  const [taken] = yield* store.records.byIds({ resource }, [id])
  if (taken) throw problems.invalid({ [member]: [`Another ${resource.name} has the id ${id}.`] })
}

function differs(resource: AnyResource, values: Values, record: AnyRecord): boolean {
  return fieldsOf(resource).some(([key, { writable, identity }]) => {
    return writable && JSON.stringify(identity(values[key])) !== JSON.stringify(identity(record[key]))
  })
}
