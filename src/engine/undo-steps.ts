/** Carries out the steps of an undo. Neighbours that do the same to records of one resource are carried out together. */
import type { AnyResource, JsonObject } from '../declare/index.ts'
import { type AccountRow, Taken, undoable, type Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import { checkGrowth, faultsOfSize } from './budget.ts'
import type { Engine } from './engine.ts'
import { loadOne } from './load.ts'
import { prepare, prepareMany, type Values } from './prepare.ts'
import { Problem } from './problem.ts'
import { ownerIn } from './record-past.ts'
import { findUses, type Place } from './remove.ts'
import { showOne } from './show.ts'
import type { Conflict, Step } from './undo-plan.ts'
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

interface Restored {
  readonly values: Values
  readonly owner: number
  readonly id: number
  readonly action: 'restore'
}

export class UndoSteps {
  readonly #engine: Engine
  readonly #actor: Actor
  readonly #accounts = new Map<number, AccountRow | undefined>()
  /** The owners of the records that lines belong to. */
  readonly #parents = new Map<string, number | undefined>()

  constructor(engine: Engine, actor: Actor) {
    this.#engine = engine
    this.#actor = actor
  }

  *carryOut(steps: readonly Step[]): Work<void> {
    for (let i = 0; i < steps.length; ) {
      const run = runAt(steps, i)
      i += run.length
      for (const { vote, action, resource, id } of run) {
        if (vote && action === 'unvote') yield* this.#engine.store.votes.unvote(resource, id, vote.account)
        else if (vote) yield* this.#engine.store.votes.voteAgain(resource, id, vote.account, vote.place)
      }
      const [{ resource, action } = {}] = run
      if (resource && action === 'remove') yield* this.#remove(resource, run)
      else if (resource && action === 'restore') yield* this.#restore(resource, run)
      else for (const step of run) if (step.action === 'change') yield* this.#change(step)
    }
  }

  /** As DELETE does it, but a record also stays if it has lines that are not part of the undo. */
  *#remove(resource: AnyResource, run: readonly Step[]): Work<void> {
    for (const step of run) {
      const usedBy = new Map<string, Place>()
      for (const use of yield* findUses(this.#engine, resource, step.id, { lines: true }))
        usedBy.set(`${use.resource.name} ${use.id}`, { resource: use.resource.name, id: use.id })
      if (usedBy.size > 0) throw new Stopped(step, 'Other records use it.', { usedBy: [...usedBy.values()] })
    }
    yield* this.#engine.store.records.deleteMany(
      resource,
      run.map(({ id }) => id),
    )
  }

  /** The records have been like this before, so they are valid, unless a record that they refer to is gone or has grown. */
  *#restore(resource: AnyResource, run: readonly Step[]): Work<void> {
    const { store } = this.#engine
    const owners: AccountRow[] = []
    for (const step of run) owners.push(yield* this.#ownerOf(step))
    const bodies = run.map(({ members }) => members)
    const ownerNames = owners.map(({ name }) => name)
    const prepared = yield* prepareMany(store, resource, bodies, { ownerNames, asStored: true })
    const records: Restored[] = []
    for (const [i, step] of run.entries()) {
      const values = prepared[i]
      if (!values || values instanceof Problem) throw invalid(step, values?.body)
      const faults = faultsOfSize(resource, values)
      if (Object.keys(faults).length > 0) throw invalid(step, faults)
      const owner = (yield* this.#inherited(resource, values)) ?? owners[i]?.id
      if (owner !== undefined) records.push({ values, owner, id: step.id, action: 'restore' })
    }
    try {
      yield* undoable(() => store.records.insertMany(resource, records))
    } catch (error) {
      if (error instanceof Taken) yield* this.#findTaken(run, records)
      throw error
    }
    for (const { id, voters } of run) yield* store.votes.restore(resource, id, voters)
  }

  /** Throws for the first one whose place is taken, perhaps by another one of them. */
  *#findTaken(run: readonly Step[], records: readonly Restored[]): Work<void> {
    for (const [i, step] of run.entries()) {
      const record = records[i]
      if (!record) continue
      yield* this.#demandPlace(step, record.values)
      yield* this.#engine.store.records.insertMany(step.resource, [record])
    }
  }

  /** No other record may have the values of its unique rules. */
  *#demandPlace(step: Step, values: Values): Work<void> {
    const { resource, id } = step
    const other = yield* this.#engine.store.records.same(resource, values)
    if (other === undefined || other === id) return
    throw new Stopped(step, 'Another record has taken its place.', { usedBy: [{ resource: resource.name, id: other }] })
  }

  /** The same checks as in a write, unless the record has been exactly like this before. */
  *#change(step: Step): Work<void> {
    const { resource, id, members, isPast } = step
    const { store } = this.#engine
    const { id: account, name: ownerName } = yield* this.#ownerOf(step)
    const before = (yield* showOne(store, { resource }, id)).json
    const stored = isPast ? { asStored: true } : { before: (yield* loadOne(store, { resource }, id)).record }
    const values = yield* refusing(step, prepare(store, resource, members, { ownerName, ...stored }))
    const owner = (yield* this.#inherited(resource, values)) ?? account
    yield* this.#demandPlace(step, values)
    yield* store.records.update(resource, id, { values, owner })
    const after = (yield* showOne(store, { resource }, id)).json
    yield* refusing(step, checkGrowth(this.#engine, resource, id, { before, after }))
  }

  *#inherited(resource: AnyResource, values: Values): Work<number | undefined> {
    const { ownedThrough } = resource
    if (ownedThrough === undefined) return undefined
    const key = `${resource.name} ${values[ownedThrough].id}`
    if (!this.#parents.has(key))
      this.#parents.set(key, yield* inheritedOwner(this.#engine, resource, values, this.#actor))
    return this.#parents.get(key)
  }

  *#ownerOf(step: Step): Work<AccountRow> {
    const id = ownerIn(step.resource, step.members)
    if (id !== undefined && !this.#accounts.has(id)) this.#accounts.set(id, yield* this.#engine.store.accounts.byId(id))
    const account = id === undefined ? undefined : this.#accounts.get(id)
    if (!account) throw new Stopped(step, 'The log no longer has the old values.')
    return account
  }
}

/** The steps from a place on that have the same action and resource. */
function runAt(steps: readonly Step[], start: number): readonly Step[] {
  const first = steps[start]
  const end = steps.findIndex(
    ({ action, resource }, i) => i > start && (action !== first?.action || resource !== first.resource),
  )
  return steps.slice(start, end < 0 ? steps.length : end)
}

/** A body that a write would refuse with 400 is a conflict: the request itself is right. */
function* refusing<T>(step: Step, work: Work<T>): Work<T> {
  try {
    return yield* work
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 400) throw error
    throw invalid(step, error.body)
  }
}

function invalid(step: Step, errors: JsonObject = {}): Stopped {
  return new Stopped(step, 'The old values are no longer valid.', { errors })
}
