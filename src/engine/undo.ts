/**
 * Takes changes back: an entry of the log, a set, or everything that one user has done since a moment. Members that
 * nobody has changed since go back to what they were; if anything prevents it, nothing changes.
 */
import type { JsonObject } from '../declare/index.ts'
import type { LoggedChange, Work } from '../store/index.ts'
import { type Actor, demand } from './access.ts'
import { keyOfName } from './account-names.ts'
import { type MemberChanges, VOTERS, withAccountNames } from './changed-members.ts'
import type { Engine } from './engine.ts'
import { membersChangedBy } from './history.ts'
import { LIMITS } from './limits.ts'
import { problems } from './problem.ts'
import { readPasts } from './record-past.ts'
import type { Place } from './remove.ts'
import { transact } from './transact.ts'
import { type Conflict, type Step, UndoPlanner } from './undo-plan.ts'
import { Stopped, UndoSteps } from './undo-steps.ts'

export type UndoAsked =
  | { readonly seq: number }
  | { readonly set: number }
  /** All entries after a number, or from a time on, in ISO format; up to a number, if there is one. */
  | { readonly user: string; readonly since: number | string; readonly until?: number | undefined }

interface Undone extends Place {
  readonly action: string
  /** Left out after `MOST_SHOWN` characters. */
  readonly members?: MemberChanges
}

export interface UndoReport {
  /** The number of the new set. */
  readonly set: number
  /** In the order in which they are done. */
  readonly results: readonly Undone[]
}

/** Why nothing was taken back. */
export class UndoConflict extends Error {
  readonly conflicts: readonly (Conflict & { readonly errors?: JsonObject; readonly usedBy?: readonly Place[] })[]
  constructor(conflicts: UndoConflict['conflicts']) {
    super(`${conflicts.length} conflicts`)
    this.conflicts = conflicts
  }
}

/** How many characters of members a report has. */
const MOST_SHOWN = 4 * 1024 * 1024

export function* undoChanges(engine: Engine, asked: UndoAsked, actor: Actor): Work<UndoReport> {
  const { changes } = engine.store
  const entries = yield* entriesOf(engine, asked, actor)
  const { steps, conflicts } = new UndoPlanner(engine.catalogue, yield* readPasts(engine, entries)).plan(entries, actor)
  if (conflicts.length > 0 || steps.length === 0) {
    throw new UndoConflict(yield* withAccountNames(engine, conflicts))
  }
  // Writers take turns, so this write has the next number.
  const { latest } = yield* changes.bounds()
  try {
    yield* new UndoSteps(engine, actor).carryOut(steps)
  } catch (error) {
    throw error instanceof Stopped ? new UndoConflict([error.conflict]) : error
  }
  return { set: latest + 1, results: yield* report(engine, steps) }
}

class Rehearsed extends Error {
  readonly report: UndoReport
  constructor(report: UndoReport) {
    super('nothing is written')
    this.report = report
  }
}

/** What an undo would do: it is carried out and rolled back, so that nothing is overlooked. */
export async function rehearseUndo(engine: Engine, asked: UndoAsked, actor: Actor): Promise<UndoReport> {
  try {
    return await transact(engine, actor, function* (actor) {
      throw new Rehearsed(yield* undoChanges(engine, asked, actor))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.report
    throw error
  }
}

/** The report of an undo that was already carried out, from the log. A report does not name the votes of a removed record. */
export function* undoneBefore(engine: Engine, set: number): Work<UndoReport> {
  const entries = yield* engine.store.logged.ofSet(set, LIMITS.undone)
  const changed = yield* membersChangedBy(engine, entries)
  const results = changed.map(({ resource, id, action, members: { [VOTERS]: _, ...members } }) => {
    return { resource, id, action, members }
  })
  return { set, results: withinBudget(results) }
}

/** Newest first. */
function* entriesOf(engine: Engine, asked: UndoAsked, actor: Actor): Work<LoggedChange[]> {
  if ('user' in asked) return yield* entriesOfUser(engine, asked, actor)
  const { logged } = engine.store
  if ('seq' in asked) {
    const entry = yield* logged.entry(asked.seq)
    if (!entry) throw problems.notFound()
    return [entry]
  }
  const entries = yield* logged.ofSet(asked.set, LIMITS.undone + 1)
  if (entries.length === 0) throw problems.notFound()
  if (entries.length > LIMITS.undone) {
    throw problems.badRequest(`The set has more than ${LIMITS.undone} entries. Undo its entries one by one.`)
  }
  return entries.reverse()
}

function* entriesOfUser(
  { store }: Engine,
  { user, since, until = Number.MAX_SAFE_INTEGER }: Extract<UndoAsked, { user: string }>,
  actor: Actor,
): Work<LoggedChange[]> {
  demand(actor.staff)
  const { changes, logged, accounts } = store
  const account = yield* accounts.byKey(keyOfName(user))
  if (!account) throw problems.notFound()
  const { latest } = yield* changes.bounds()
  const oldest = Math.max(0, latest - LIMITS.undoneSpan)
  const [first] = yield* changes.entries({ since: oldest - 1, until: oldest }, 1)
  const isTooFar = typeof since === 'number' ? since < oldest : first !== undefined && first.at >= since
  if (isTooFar) {
    throw problems.invalid({ since: [`Only the last ${LIMITS.undoneSpan} entries are looked at: begin at ${oldest}.`] })
  }
  const range = typeof since === 'number' ? { since, from: '' } : { since: oldest, from: since }
  const entries = yield* logged.ofAccount(account.id, { ...range, until, limit: LIMITS.undoneOfUser + 1 })
  if (entries.length > LIMITS.undoneOfUser) {
    const next = entries.slice(0, LIMITS.undoneOfUser).reduce((least, { seq }) => Math.min(least, seq), latest) - 1
    throw problems.invalid({
      since: [
        `These are more than ${LIMITS.undoneOfUser} entries: undo since=${next}, and then the rest with until=${next}.`,
      ],
    })
  }
  return entries
}

function* report(engine: Engine, steps: readonly Step[]): Work<Undone[]> {
  const done = steps.map(({ resource, id, action, changes }) => {
    return { resource: resource.name, id, action, members: changes }
  })
  return withinBudget(yield* withAccountNames(engine, done))
}

function withinBudget(results: readonly (Undone & { readonly members: MemberChanges })[]): Undone[] {
  let size = 0
  return results.map(({ members, ...rest }) => {
    size += JSON.stringify(members).length
    return size > MOST_SHOWN ? rest : { ...rest, members }
  })
}
