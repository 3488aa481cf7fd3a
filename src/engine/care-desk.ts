/** Care for the catalogue: anybody reports a record; staff deal with reports, and block accounts. */
import { type JsonObject, textOfJson } from '../declare/index.ts'
import type { ReportRow, Work } from '../store/index.ts'
import { type Actor, demand } from './access.ts'
import { keyOfName } from './account-names.ts'
import { currentActor } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { placeOf, type WantedPage } from './page-place.ts'
import { refuse } from './prepare.ts'
import { problems } from './problem.ts'

export const REASONS = ['spam', 'offensive', 'rights', 'wrong', 'other'] as const
export const LONGEST_NOTE = 500

interface Checked {
  readonly resource: string
  readonly record: number
  readonly reason: string
  readonly note: string
}

export class CareDesk {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  async report(actor: Actor | undefined, body: JsonObject): Promise<ReportRow> {
    const engine = this.#engine
    const { store } = engine
    const given = check(engine, body)
    const at = engine.now().toISOString()
    return await store.write(function* (): Work<ReportRow> {
      yield* mustExist(engine, given)
      const account = actor && (yield* currentActor(engine, actor)).id
      const id = yield* store.reports.insert({ ...given, account, at })
      return (yield* store.reports.byId(id)) ?? missing()
    })
  }

  async reports(actor: Actor, isDone: boolean, wanted: WantedPage) {
    demand(actor.staff)
    const { store } = this.#engine
    return await store.read(function* () {
      const count = yield* store.reports.count(isDone)
      const { offset, ...place } = placeOf(count, wanted)
      return { count, ...place, rows: yield* store.reports.page(isDone, wanted.size, offset) }
    })
  }

  async setDone(actor: Actor, id: number, isDone: boolean): Promise<ReportRow> {
    const engine = this.#engine
    const { store } = engine
    return await store.write(function* (): Work<ReportRow> {
      const current = yield* currentActor(engine, actor)
      demand(current.staff)
      yield* store.reports.setDone(id, isDone ? { at: engine.now().toISOString(), by: current.id } : undefined)
      return (yield* store.reports.byId(id)) ?? missing()
    })
  }

  async isBlocked(actor: Actor, name: string): Promise<{ readonly user: string; readonly blocked: boolean }> {
    demand(actor.staff)
    const { store } = this.#engine
    const account = await store.read(() => store.accounts.byKey(keyOfName(name)))
    if (!account || account.removed) throw problems.notFound()
    return { user: account.name, blocked: account.blocked }
  }

  /** Staff block users, not each other: `nymdex user block` can block anybody. */
  async setBlocked(actor: Actor, name: string, blocked: boolean) {
    const engine = this.#engine
    const { store } = engine
    return await store.write(function* () {
      demand((yield* currentActor(engine, actor)).staff)
      const account = yield* store.accounts.byKey(keyOfName(name))
      if (!account || account.removed) throw problems.notFound()
      if (account.staff) refuse({ blocked: ['Staff cannot be blocked.'] })
      yield* store.accounts.setBlocked(account.id, blocked)
      return { user: account.name, blocked }
    })
  }
}

function missing(): never {
  throw problems.notFound()
}

function check({ catalogue }: Engine, body: JsonObject): Checked {
  const { resource, id, reason, note = '' } = body
  const errors: Record<string, string[]> = {}
  const record = typeof id === 'string' && /^[0-9]{1,15}$/.test(id) ? Number(id) : id
  const required = (value: unknown) => value === undefined || value === null || value === ''
  if (required(resource)) errors['resource'] = ['This field is required.']
  else if (!catalogue.some(({ name }) => name === resource)) {
    errors['resource'] = [`"${textOfJson(resource)}" is not a valid choice.`]
  }
  if (required(id)) errors['id'] = ['This field is required.']
  else if (!Number.isSafeInteger(record)) errors['id'] = ['A valid integer is required.']
  if (required(reason)) errors['reason'] = ['This field is required.']
  else if (!REASONS.some((each) => each === reason))
    errors['reason'] = [`"${textOfJson(reason)}" is not a valid choice.`]
  if (typeof note !== 'string' || note.includes('\0') || !note.isWellFormed()) errors['note'] = ['Not a valid string.']
  else if ([...note].length > LONGEST_NOTE) {
    errors['note'] = [`Ensure this field has no more than ${LONGEST_NOTE} characters.`]
  }
  refuse(errors)
  return {
    resource: textOfJson(resource),
    record: Number(record),
    reason: textOfJson(reason),
    note: textOfJson(note).trim(),
  }
}

function* mustExist({ store, catalogue }: Engine, { resource: name, record }: Checked): Work<void> {
  const resource = catalogue.find((each) => each.name === name)
  const found = resource && (yield* store.records.byIds({ resource, only: [] }, [record]))
  if (!found || found.length === 0) refuse({ id: [`Invalid pk "${record}" - object does not exist.`] })
}
