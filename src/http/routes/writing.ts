/** Writing records over HTTP: the methods of lists and records that change something. */
import {
  type Actor,
  type Collection,
  changeRecord,
  createdBefore,
  createRecord,
  type Engine,
  footprintOfChange,
  footprintOfNew,
  footprintOfVote,
  InUse,
  once,
  type Place,
  Problem,
  problems,
  type Removal,
  removeRecord,
  replaceRecord,
  transact,
  vote,
} from '../../engine/index.ts'
import { header, type JsonOutcome, type Outcome } from '../exchange/message.ts'
import { membersOf } from '../request/body.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import { ifMatch } from '../response/etag.ts'
import type { Call } from '../routing/router.ts'

export interface WritingParts {
  readonly engine: Engine
  readonly writes: WriteLimits
}

const SHOWN_USES = 20

/** The signed-in user, within the write limit. */
export function writer({ identity }: Call, writes: WriteLimits): Actor {
  if (!identity.actor) throw problems.notSignedIn()
  writes.take(identity.actor)
  return identity.actor
}

export async function create({ engine, writes }: WritingParts, collection: Collection, call: Call): Promise<Outcome> {
  const actor = writer(call, writes)
  const key = idempotencyKey(call)
  const members = membersOf(await call.readBody(), collection.resource)
  const { method, path } = call
  // Only the transaction knows whether the user is still new or staff, and whether the key was used before.
  let takeBack: (() => void) | undefined
  const create = (actor: Actor) => {
    const work = () => {
      // It may run again, and then for a user with other rights.
      takeBack?.()
      takeBack = undefined
      takeBack = writes.takeNew(actor)
      return createRecord(engine, collection, members, actor)
    }
    if (key === undefined) return work()
    return once(engine, actor, { key, method, path, body: members }, work, (id) =>
      createdBefore(engine, collection, id),
    )
  }
  const { id, json } = await transact(engine, actor, create, footprintOfNew(collection, members, key)).catch(
    (error) => {
      takeBack?.()
      throw error
    },
  )
  const location = addressOf(call, { resource: collection.name, id })
  return { status: 201, json, headers: { Location: location }, contentLocation: location }
}

/** No ETag: it would say that the body was stored as it was sent, and the server completes what it gets. */
export async function replace(parts: WritingParts, collection: Collection, call: Call, id: number): Promise<Outcome> {
  return await update(parts, collection, call, id, replaceRecord)
}

export async function change(parts: WritingParts, collection: Collection, call: Call, id: number): Promise<Outcome> {
  const outcome = await update(parts, collection, call, id, changeRecord)
  return { ...outcome, contentLocation: addressOf(call, { resource: collection.name, id }) }
}

async function update(
  { engine, writes }: WritingParts,
  collection: Collection,
  call: Call,
  id: number,
  write: typeof replaceRecord,
): Promise<JsonOutcome> {
  const actor = writer(call, writes)
  const body = await call.readBody()
  const json = await transact(
    engine,
    actor,
    (actor) =>
      write(engine, { collection, id, actor, precondition: ifMatch(call) }, membersOf(body, collection.resource)),
    footprintOfChange(collection, id),
  )
  return { status: 200, json }
}

export async function remove(
  { engine, writes }: WritingParts,
  collection: Collection,
  call: Call,
  id: number,
): Promise<Outcome> {
  const actor = writer(call, writes)
  const cascade = call.query.get('cascade') === 'true'
  try {
    const removal = await transact(engine, actor, (actor) =>
      removeRecord(engine, { collection, id, actor, precondition: ifMatch(call) }, { cascade }),
    )
    return cascade ? { status: 200, json: JSON.stringify(report(call, removal)) } : { status: 204, json: '' }
  } catch (error) {
    throw error instanceof InUse ? inUse(call, error.usedBy) : error
  }
}

export async function castVote(
  { engine, writes }: WritingParts,
  collection: Collection,
  call: Call,
  id: number,
  way: 'give' | 'take back',
): Promise<Outcome> {
  const actor = writer(call, writes)
  const footprint = footprintOfVote(collection, id)
  const json = await transact(engine, actor, (actor) => vote(engine, collection, id, actor, way), footprint)
  return { status: 200, json, contentLocation: addressOf(call, { resource: collection.name, id }) }
}

export function addressOf({ base }: Call, { resource, id }: Place): string {
  return `${base}/api/${resource}/${id}/`
}

function report(call: Call, { deleted, changed }: Removal) {
  return {
    deleted: deleted.map((place) => addressOf(call, place)),
    changed: changed.map((place) => addressOf(call, place)),
  }
}

function inUse(call: Call, usedBy: readonly Place[]): Problem {
  const others = usedBy.length === 1 ? '1 other record uses' : `${usedBy.length} other records use`
  return new Problem(409, {
    detail: `Cannot be deleted: ${others} it.`,
    count: usedBy.length,
    used_by: usedBy.slice(0, SHOWN_USES).map((place) => addressOf(call, place)),
  })
}

export function idempotencyKey(call: Call): string | undefined {
  const key = header(call, 'idempotency-key')
  if (key === undefined) return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw problems.badRequest('An Idempotency-Key is 1 to 255 visible ASCII characters.')
  }
  return key
}
