/**
 * Imports one record: settles its references, repairs what another service allowed, upserts it by its unique rule, then
 * its lines and votes. Faults are thrown as problems, and then nothing of the record stays.
 */
import {
  type AnyResource,
  type Errors,
  fieldsOf,
  isList,
  type Json,
  type JsonObject,
  type Lines,
  showRecord,
} from '../../declare/index.ts'
import {
  type Engine,
  lineBody,
  loadRecords,
  type NamedAccount,
  type Outcome,
  type Owner,
  Problem,
  problems,
  putRecord,
  resourceOfLines,
} from '../../engine/index.ts'
import { type Scratch, undoable, type Work } from '../../store/index.ts'
import { initialMembers } from './initial.ts'
import { inLine } from './line-faults.ts'
import { givenId, givenOwner, isEmpty } from './members.ts'
import { NewRecords } from './new-records.ts'
import { isOwnerNamed, People, SignedUpMeanwhile } from './people.ts'
import { withReferences } from './references.ts'
import { RepairNotes } from './repair-notes.ts'
import type { Report } from './report.ts'

export interface IntakeOptions {
  readonly keepIds: boolean
  /** The owner of records that name none. */
  readonly owner: string
  /** Whether a user who can sign in may get records that name that user, or name none. */
  mayOwn(isNamed: boolean): boolean
}

/** Adds to a body with settled references, if the existing record has no values for what is added. */
export type Enrich = (body: JsonObject) => JsonObject

/** For records whose owner is another record's. */
const NOBODY: Owner = { id: 0, name: '' }

/** Each repair of a body may reveal the next fault, but not forever. */
const MOST_REPAIRS = 10

export class Intake {
  readonly #engine: Engine
  readonly #scratch: Scratch
  readonly #options: IntakeOptions
  readonly #people: People
  readonly #newRecords: NewRecords
  readonly #notes = new RepairNotes()
  /** The records that this one embeds; counted when the whole record is imported. */
  #embedded: string[] = []
  /** Ids of the source and ours, of this record and those it embeds; stored when the whole record is imported. */
  readonly #ids = new Map<string, number>()
  /** Seen since the last `settle`: a retried transaction sees them for the first time again. */
  readonly #met = new Set<string>()

  constructor(engine: Engine, scratch: Scratch, options: IntakeOptions) {
    this.#engine = engine
    this.#scratch = scratch
    this.#options = options
    this.#people = new People(engine, options.owner)
    this.#newRecords = new NewRecords({
      engine,
      people: this.#people,
      notes: this.#notes,
      recall: (kind, given) => scratch.recall(kind, given),
      ...options,
    })
  }

  /** Before a transaction, and before each retry. */
  begin(): void {
    this.#met.clear()
    this.#people.forget()
  }

  /** After it was committed. */
  settle(): void {
    for (const key of this.#met) this.#scratch.mark(...parts(key))
    this.#met.clear()
  }

  *take(resource: AnyResource, body: JsonObject, report: Report, enrich?: Enrich): Work<void> {
    this.#notes.take()
    this.#embedded = []
    this.#ids.clear()
    const { id, outcome } = yield* this.#undoable(resource, body, () =>
      this.#put(resource, body, { onlyFind: false, enrich }),
    )
    const counts = report.of(resource.name)
    const given = givenId(resource, body)
    if (this.#isMet(resource, id)) counts.doubled++
    else counts[outcome]++
    this.#met.add(`${resource.name} ${id}`)
    if (outcome === 'made' && given !== undefined && given !== id) report.renumbered++
    for (const repair of this.#notes.take()) report.repaired(repair)
    for (const name of this.#embedded) report.of(name).embedded++
    for (const [key, ours] of this.#ids) this.#scratch.remember(...parts(key), ours)
  }

  /** Takes the first ones that are new and valid, together. Returns how many. */
  *takeNew(resource: AnyResource, bodies: readonly JsonObject[], report: Report): Work<number> {
    this.#notes.take()
    const made = yield* this.#newRecords.take(resource, bodies)
    const counts = report.of(resource.name)
    for (const { id, sourceId, repairs } of made) {
      counts.made++
      this.#met.add(`${resource.name} ${id}`)
      if (sourceId !== undefined && sourceId !== id) report.renumbered++
      for (const repair of repairs) report.repaired(repair)
      if (sourceId !== undefined) this.#scratch.remember(resource.name, sourceId, id)
    }
    return made.length
  }

  /** Undoes what a bad record has written so far. */
  *#undoable<T>(resource: AnyResource, body: JsonObject, put: () => Work<T>): Work<T> {
    const isPlain = !resource.lines && fieldsOf(resource).every(([key, field]) => !refers(field.storage(key).in))
    // A savepoint costs two statements, so it is used only if more than the record may be written.
    if (isPlain && this.#people.knows(this.#ownerGiven(resource, body))) return yield* put()
    try {
      return yield* undoable(put)
    } catch (error) {
      // Accounts created for it are gone too.
      this.#people.forget()
      throw error
    }
  }

  /** Whether the source had this record before. */
  #isMet(resource: AnyResource, id: number): boolean {
    return this.#met.has(`${resource.name} ${id}`) || this.#scratch.isMarked(resource.name, id)
  }

  *#put(
    resource: AnyResource,
    given: JsonObject,
    { onlyFind, enrich }: { readonly onlyFind: boolean; readonly enrich?: Enrich | undefined },
  ): Work<{ id: number; outcome: Outcome }> {
    const owner = yield* this.#owner(resource, given)
    const settled = yield* this.#withReferences(resource, given)
    const body = enrich?.(settled) ?? settled
    const sourceId = givenId(resource, given)
    const { keepIds } = this.#options
    const id = keepIds ? sourceId : undefined
    // The ids that other records have kept are not free.
    if (keepIds && id === undefined) yield* this.#engine.store.records.keepIds(resource)
    const put = (leave: (id: number) => boolean) =>
      this.#repairing(resource, body, (mended, asStored, assumed) => {
        return putRecord(this.#engine, resource, mended, { owner, id, leave, asStored, assumed: Object.keys(assumed) })
      })
    // A record that occurred earlier in the source stays as it was first imported.
    const leave = (id: number) => onlyFind || this.#isMet(resource, id)
    let met = yield* put(enrich ? () => true : leave)
    if (enrich && met.outcome === 'same' && (yield* this.#lacks(resource, met.id, added(body, settled)))) {
      met = yield* put(leave)
    }
    if (sourceId !== undefined) this.#ids.set(`${resource.name} ${sourceId}`, met.id)
    if (onlyFind && met.outcome === 'same') return met
    this.#notes.noteUnknown(resource, given)
    const isDoubled = this.#isMet(resource, met.id)
    const linesChanged = !isDoubled && (yield* this.#putLines(resource, given, met.id, owner))
    const votesChanged = yield* this.#putVotes(resource, given, met.id)
    const changed = linesChanged || votesChanged
    return { id: met.id, outcome: met.outcome === 'same' && changed ? 'changed' : met.outcome }
  }

  /** Whether the existing record has no value in any of the members. */
  *#lacks(resource: AnyResource, id: number, members: readonly string[]): Work<boolean> {
    const { store } = this.#engine
    const [record] = yield* loadRecords(store, { resource }, yield* store.records.byIds({ resource }, [id]))
    const shown: JsonObject = JSON.parse(showRecord(record!))
    return members.length > 0 && members.every((member) => isEmpty(shown[member]))
  }

  #withReferences(resource: AnyResource, body: JsonObject): Work<Record<string, Json>> {
    return withReferences(
      {
        engine: this.#engine,
        recall: (kind, given) => this.#ids.get(`${kind} ${given}`) ?? this.#scratch.recall(kind, given),
        isMet: (target, id) => this.#isMet(target, id),
        keepIds: this.#options.keepIds,
        embed: (target, record) => this.#embed(target, record),
      },
      resource,
      body,
    )
  }

  *#embed(target: AnyResource, record: JsonObject): Work<number> {
    const { id, outcome } = yield* this.#put(target, record, { onlyFind: true })
    if (outcome === 'made') this.#embedded.push(target.name)
    return id
  }

  /** Tries the body; applies repairs one after the other to the remaining faults. */
  *#repairing<T>(
    resource: AnyResource,
    body: JsonObject,
    attempt: (body: JsonObject, asStored: boolean, assumed: JsonObject) => Work<T>,
  ): Work<T> {
    let mended = body
    let assumed: JsonObject = {}
    for (let tries = 0; ; tries++) {
      try {
        return yield* attempt(mended, false, assumed)
      } catch (error) {
        if (!(error instanceof Problem) || error.status !== 400) throw error
        const errors = errorsOf(error)
        const better = tries < MOST_REPAIRS ? this.#mend(resource, mended, errors) : undefined
        const initial = better ? undefined : this.#assume(resource, mended, errors)
        if (better) mended = better
        else if (initial)
          [mended, assumed] = [
            { ...mended, ...initial },
            { ...assumed, ...initial },
          ]
        else return yield* this.#asStored(resource, error, () => attempt(mended, true, assumed))
      }
    }
  }

  #assume(resource: AnyResource, body: JsonObject, errors: Errors): JsonObject | undefined {
    const initial = initialMembers(resource, body, errors)
    for (const member of Object.keys(initial ?? {})) this.#notes.note(resource, 'initial value', member)
    return initial
  }

  *#asStored<T>(resource: AnyResource, problem: Problem, attempt: () => Work<T>): Work<T> {
    try {
      const met = yield* attempt()
      this.#notes.note(resource, 'kept as stored')
      return met
    } catch (error) {
      // The first error says more.
      throw error instanceof Problem ? problem : error
    }
  }

  #mend(resource: AnyResource, body: JsonObject, errors: Errors): JsonObject | undefined {
    for (const [name, { does, mend }] of Object.entries(resource.repairs ?? {})) {
      const mended = mend(body, errors)
      if (!mended) continue
      this.#notes.add({ collection: resource.name, name, does })
      return mended
    }
    return undefined
  }

  /** Lines belong to the owner of their story. */
  *#owner(resource: AnyResource, body: JsonObject): Work<Owner> {
    if (resource.ownedThrough) return NOBODY
    const account = yield* this.#account(resource, this.#ownerGiven(resource, body))
    const isNamed = isOwnerNamed(givenOwner(resource, body).given)
    if (account.canSignIn && !this.#options.mayOwn(isNamed)) throw new SignedUpMeanwhile(account.name)
    return account
  }

  #ownerGiven(resource: AnyResource, body: JsonObject): string {
    const { member, given } = givenOwner(resource, body)
    if (isEmpty(given)) return this.#options.owner
    if (typeof given !== 'string') throw problems.invalid({ [member]: ['Not a valid string.'] })
    return given
  }

  *#account(resource: AnyResource, given: string): Work<NamedAccount> {
    const account = yield* this.#people.named(given)
    if (account.name !== given) this.#notes.note(resource, 'user renamed')
    return account
  }

  *#putLines(resource: AnyResource, given: JsonObject, parent: number, owner: Owner): Work<boolean> {
    const { lines } = resource
    const list = given['lines']
    if (!lines || list === undefined) return false
    if (!isList(list)) throw problems.invalid({ lines: ['Expected a list of items.'] })
    const lineResource = resourceOfLines(this.#engine, lines)
    const { records } = this.#engine.store
    const before = new Set(yield* records.holders(lineResource, lines.parent, parent))
    let changed = false
    for (const [rank, line] of list.entries()) {
      const { id, outcome } = yield* inLine(rank, () => this.#putLine(lineResource, lines, line, rank, parent, owner))
      before.delete(id)
      changed ||= outcome !== 'same'
      if (outcome === 'made') this.#embedded.push(lineResource.name)
    }
    for (const id of before) yield* records.delete(lineResource, id)
    return changed || before.size > 0
  }

  *#putLine(resource: AnyResource, lines: Lines, line: Json, rank: number, parent: number, owner: Owner) {
    const body = yield* this.#withReferences(resource, lineBody(line, lines))
    const whole = { ...body, [lines.rank]: rank, [lines.parent]: parent }
    const put = (assumed: JsonObject) =>
      putRecord(this.#engine, resource, { ...whole, ...assumed }, { owner, assumed: Object.keys(assumed) })
    try {
      return yield* put({})
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      const initial = this.#assume(resource, whole, errorsOf(error))
      if (!initial) throw error
      return yield* put(initial)
    }
  }

  /** Missing votes are added, and none is removed. */
  *#putVotes(resource: AnyResource, given: JsonObject, id: number): Work<boolean> {
    let added = false
    for (const voter of this.#notes.noteVotes(resource, given)) {
      const account = yield* this.#account(resource, voter)
      if (yield* this.#engine.store.votes.vote(resource, id, account.id)) added = true
    }
    return added
  }
}

/** By member, as a body that is refused has them. */
function errorsOf({ body }: Problem): Errors {
  return body as unknown as Errors
}

/** Splits "shell 7". */
function parts(key: string): [kind: string, id: number] {
  const space = key.lastIndexOf(' ')
  return [key.slice(0, space), Number(key.slice(space + 1))]
}

function added(body: JsonObject, plain: JsonObject): string[] {
  return Object.keys(body).filter((member) => !(member in plain))
}

function refers(storage: string): boolean {
  return storage === 'reference' || storage === 'links'
}
