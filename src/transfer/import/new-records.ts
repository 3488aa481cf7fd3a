/**
 * Imports records that are new and valid, many with a few statements. It takes the first ones of a list, up to one that
 * needs more care: a record that exists, refers to one that did not come before, or has a fault.
 */
import type { AnyResource, JsonObject } from '../../declare/index.ts'
import { type Engine, faultsOfSize, isPossibleId, Problem, prepareMany, type Values } from '../../engine/index.ts'
import type { BulkRecord, Work } from '../../store/index.ts'
import { givenId, givenOwner } from './members.ts'
import { isOwnerNamed, type People } from './people.ts'
import { withKnownReferences } from './references.ts'
import type { RepairNotes } from './repair-notes.ts'
import type { MadeRepair } from './report.ts'

export interface NewRecordsParts {
  readonly engine: Engine
  readonly people: People
  readonly notes: RepairNotes
  readonly keepIds: boolean
  /** The owner of records that name none. */
  readonly owner: string
  mayOwn(isNamed: boolean): boolean
  /** Our id for an id of the source. */
  recall(kind: string, given: number): number | undefined
}

export interface MadeRecord {
  readonly id: number
  readonly sourceId: number | undefined
  readonly repairs: readonly MadeRepair[]
}

interface Draft {
  readonly given: JsonObject
  /** With our ids in place of the source's. */
  readonly body: JsonObject
  readonly owner: string
  readonly isNamed: boolean
  readonly sourceId: number | undefined
}

interface Planned extends Draft {
  readonly values: Values
}

export class NewRecords {
  readonly #parts: NewRecordsParts

  constructor(parts: NewRecordsParts) {
    this.#parts = parts
  }

  /** Returns those that were imported. */
  *take(resource: AnyResource, bodies: readonly JsonObject[]): Work<readonly MadeRecord[]> {
    const planned = yield* this.#plan(resource, bodies)
    if (planned.length === 0) return []
    const { bulk } = this.#parts.engine.store
    const kept = planned.flatMap(({ sourceId }) => sourceId ?? [])
    const ids = this.#parts.keepIds ? kept : yield* bulk.newIds(resource, planned.length)
    const records: BulkRecord[] = []
    const made: MadeRecord[] = []
    for (const [i, { given, values, owner, sourceId }] of planned.entries()) {
      const id = ids[i] ?? 0
      const { id: ownerId } = yield* this.#account(resource, owner)
      this.#parts.notes.noteUnknown(resource, given)
      const voters = new Set<number>()
      for (const voter of this.#parts.notes.noteVotes(resource, given)) {
        voters.add((yield* this.#account(resource, voter)).id)
      }
      records.push({ id, owner: ownerId, values, voters: [...voters] })
      made.push({ id, sourceId, repairs: this.#parts.notes.take() })
    }
    yield* bulk.insert(resource, records)
    return made
  }

  *#account(resource: AnyResource, given: string) {
    const account = yield* this.#parts.people.named(given)
    if (account.name !== given) this.#parts.notes.note(resource, 'user renamed')
    return account
  }

  *#plan(resource: AnyResource, bodies: readonly JsonObject[]): Work<readonly Planned[]> {
    const { engine, people, keepIds, mayOwn } = this.#parts
    const { store } = engine
    // A line belongs to the owner of its story.
    if (resource.ownedThrough) return []
    const drafts = untilMissing(bodies, (body) => this.#draft(resource, body))
    yield* people.lookUp(drafts.flatMap(({ given, owner }) => [owner, ...namesIn(given['voters'])]))
    const owned = untilMissing(drafts, (draft) => {
      const account = people.expected(draft.owner)
      return account && (!account.canSignIn || mayOwn(draft.isNamed)) ? { draft, name: account.name } : undefined
    })
    const all = yield* prepareMany(
      store,
      resource,
      owned.map(({ draft }) => draft.body),
      { ownerNames: owned.map(({ name }) => name) },
    )
    const valid = untilMissing(owned, ({ draft }, i) => {
      const values = all[i]
      if (!values || values instanceof Problem || Object.keys(faultsOfSize(resource, values)).length > 0)
        return undefined
      return { ...draft, values }
    })
    const { bulk } = store
    const count = yield* bulk.countNew(
      resource,
      valid.map(({ values }) => values),
    )
    const fresh = valid.slice(0, count)
    if (!keepIds) return fresh
    return fresh.slice(
      0,
      yield* bulk.countFree(
        resource,
        fresh.map(({ sourceId }) => sourceId ?? 0),
      ),
    )
  }

  /** Undefined for a record that needs more care. */
  #draft(resource: AnyResource, given: JsonObject): Draft | undefined {
    const { keepIds, owner: other, recall } = this.#parts
    if (resource.lines && given['lines'] !== undefined) return undefined
    const named = givenOwner(resource, given).given
    const isNamed = isOwnerNamed(named)
    const owner = isNamed ? named : other
    const sourceId = givenId(resource, given)
    if (keepIds && !isPossibleId(sourceId)) return undefined
    const body = withKnownReferences(recall, resource, given)
    return typeof owner === 'string' && body ? { given, body, owner, isNamed, sourceId } : undefined
  }
}

function namesIn(voters: JsonObject[string] | undefined): string[] {
  return Array.isArray(voters) ? voters.filter((each) => typeof each === 'string') : []
}

/** What `make` returns for the first ones, up to the first for which it returns nothing. */
function untilMissing<T, R>(list: readonly T[], make: (each: T, i: number) => R | undefined): R[] {
  const made: R[] = []
  for (const [i, each] of list.entries()) {
    const one = make(each, i)
    if (one === undefined) break
    made.push(one)
  }
  return made
}
