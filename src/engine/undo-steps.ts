/** Carries out the steps of an undo. */
import type { JsonObject } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import { checkGrowth } from './budget.ts'
import type { Engine } from './engine.ts'
import { loadOne } from './load.ts'
import { prepare, type Values } from './prepare.ts'
import { Problem } from './problem.ts'
import { findUses, type Place } from './remove.ts'
import { showOne } from './show.ts'
import { type Conflict, ownerIn, type Step } from './undo-plan.ts'
import { inheritedOwner } from './write.ts'

/** What stops a step, which the plan could not see: it is found when the step is carried out. */
export class Stopped extends Error {
  readonly conflict: Conflict & { readonly errors?: JsonObject; readonly usedBy?: readonly Place[] }

  constructor({ resource, id, changes }: Step, detail: string, rest: Omit<Stopped['conflict'], keyof Conflict> = {}) {
    super(detail)
    // Other members of the same record may go back.
    const faulty = Object.entries(changes).filter(([member]) => rest.errors && member in rest.errors)
    const members = faulty.map(([member, { was, became = null }]) => [member, { was: became, became: was, now: was }])
    this.conflict = { resource: resource.name, id, detail, members: Object.fromEntries(members), ...rest }
  }
}

export function* carryOut(engine: Engine, step: Step, actor: Actor): Work<void> {
  const { action, resource, id, vote } = step
  const { votes } = engine.store
  if (vote && action === 'unvote') yield* votes.unvote(resource, id, vote.account)
  else if (vote) yield* votes.voteAgain(resource, id, vote.account, vote.place)
  else if (action === 'remove') yield* remove(engine, step)
  else yield* store(engine, step, actor)
}

function* store(engine: Engine, step: Step, actor: Actor): Work<void> {
  const { resource, id, action, voters } = step
  const { records, votes } = engine.store
  const { values, owner } = yield* valuesOf(engine, step, actor)
  const other = yield* records.same(resource, values)
  if (other !== undefined && other !== id) {
    throw new Stopped(step, 'Another record has taken its place.', { usedBy: [{ resource: resource.name, id: other }] })
  }
  if (action === 'restore') {
    yield* records.insert(resource, { values, owner, id, action })
    return yield* votes.restore(resource, id, voters)
  }
  const before = (yield* showOne(engine.store, { resource }, id)).json
  yield* records.update(resource, id, { values, owner })
  const after = (yield* showOne(engine.store, { resource }, id)).json
  yield* refusing(step, checkGrowth(engine, resource, id, { before, after }))
}

/** The same checks as in a write, unless the record has been exactly like this before. */
function* valuesOf(engine: Engine, step: Step, actor: Actor): Work<{ values: Values; owner: number }> {
  const { resource, members, isPast } = step
  const { store } = engine
  const given = ownerIn(resource, members)
  const account = given === undefined ? undefined : yield* store.accounts.byId(given)
  if (!account) throw new Stopped(step, 'The log no longer has the old values.')
  const before = isPast ? { asStored: true } : { before: (yield* loadOne(store, { resource }, step.id)).record }
  const values = yield* refusing(step, prepare(store, resource, members, { ownerName: account.name, ...before }))
  return { values, owner: (yield* inheritedOwner(engine, resource, values, actor)) ?? account.id }
}

/** A body that a write would refuse with 400 is a conflict: the request itself is right. */
function* refusing<T>(step: Step, work: Work<T>): Work<T> {
  try {
    return yield* work
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    throw new Stopped(step, 'The old values are no longer valid.', { errors: error.body })
  }
}

/** As DELETE does it, but a record also stays if it has lines that are not part of the undo. */
function* remove(engine: Engine, step: Step): Work<void> {
  const { resource, id } = step
  const usedBy = new Map<string, Place>()
  for (const use of yield* findUses(engine, resource, id, { lines: true }))
    usedBy.set(`${use.resource.name} ${use.id}`, { resource: use.resource.name, id: use.id })
  if (usedBy.size > 0) throw new Stopped(step, 'Other records use it.', { usedBy: [...usedBy.values()] })
  yield* engine.store.records.delete(resource, id)
}
