/** Many records of one collection in one write: all of them are written, or none. */
import { isObject, type Json, type JsonObject, textOfJson } from '../declare/index.ts'
import { undoable, type Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { Problem, problems } from './problem.ts'
import { ruleBroken, transact } from './transact.ts'
import { createRecord, replaceRecord } from './write.ts'

/** A record with its id is replaced, others are created. Returns the ids, in the order of the records. */
export function* writeBatch(
  engine: Engine,
  collection: Collection,
  records: readonly Json[],
  actor: Actor,
): Work<number[]> {
  const ids: number[] = []
  const faults: string[] = []
  for (const [i, record] of records.entries()) {
    const tried = yield* tryOne(engine, collection, record, actor)
    if ('id' in tried) ids.push(tried.id)
    else faults.push(...tried.faults.map((fault) => `Record ${i}${fault}`))
    if (faults.length >= LIMITS.batchFaults) break
  }
  if (faults.length > 0) throw problems.invalid({ records: faults })
  return ids
}

class Rehearsed extends Error {}

/** Checks the records as a write does, and writes nothing. */
export async function rehearseBatch(
  engine: Engine,
  collection: Collection,
  records: readonly Json[],
  actor: Actor,
): Promise<void> {
  try {
    await transact(engine, actor, function* (actor) {
      yield* writeBatch(engine, collection, records, actor)
      throw new Rehearsed()
    })
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
  }
}

type Tried = { readonly id: number } | { readonly faults: readonly string[] }

/** Whether a record of a batch is created, and not replaced. */
export function isNewRecord({ resource }: Collection, record: Json): boolean {
  const id = isObject(record) ? record[`${resource.name}_id`] : undefined
  return id === undefined || id === null || id === ''
}

/** A record at fault does not keep the others from being checked. */
function* tryOne(engine: Engine, collection: Collection, record: Json, actor: Actor): Work<Tried> {
  if (!isObject(record)) return { faults: [': Must be an object.'] }
  const isNew = isNewRecord(collection, record)
  try {
    const id = yield* undoable(() =>
      isNew ? created(engine, collection, record, actor) : replaced(engine, collection, record, actor),
    )
    return { id }
  } catch (error) {
    const problem = ruleBroken(engine, error) ?? error
    // Who may create nothing here learns it from the status.
    if (!(problem instanceof Problem) || (isNew && problem.status === 403)) throw problem
    return { faults: faultsIn(problem.body) }
  }
}

function* created(engine: Engine, collection: Collection, body: JsonObject, actor: Actor): Work<number> {
  return (yield* createRecord(engine, collection, body, actor)).id
}

function* replaced(engine: Engine, collection: Collection, body: JsonObject, actor: Actor): Work<number> {
  const given = textOfJson(body[`${collection.resource.name}_id`])
  if (!/^[1-9][0-9]{0,14}$/.test(given)) throw problems.notFound()
  const id = Number(given)
  yield* replaceRecord(engine, { collection, id, actor }, body)
  return id
}

/** ", mode: This field is required." or ": Not found." */
function faultsIn(body: JsonObject): string[] {
  return Object.entries(body).flatMap(([member, messages]) => {
    const place = member === 'detail' || member === 'non_field_errors' ? '' : `, ${member}`
    return [messages].flat().map((message) => `${place}: ${message}`)
  })
}
