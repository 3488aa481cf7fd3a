/**
 * Forgetting: blanks old values in the log. The entry stays, with its number, time, user and action. It does not
 * touch what a record is now: to forget that, change or delete the record first.
 */
import type { Json } from '../declare/index.ts'
import type { LoggedChange, LogRange, Work } from '../store/index.ts'
import { HIDDEN_MEMBERS } from './changed-members.ts'
import type { Engine } from './engine.ts'
import { oldOf, ownerIn } from './record-past.ts'

/** One entry, all entries of a record, or what one account wrote, in all entries. */
export type ToForget = { readonly member?: string | undefined } & (
  | { readonly seq: number }
  | { readonly resource: string; readonly id: number }
  | { readonly account: number }
)

/** The members to blank in an entry. */
export interface Forgettable {
  readonly entry: LoggedChange
  readonly members: readonly string[]
}

/** Entries read at once, and entries changed in one transaction. */
const SPAN = 500

/** What would be blanked. */
export async function findForgettable(engine: Engine, what: ToForget): Promise<Forgettable[]> {
  const found: Forgettable[] = []
  const isWanted = (member: string) => what.member === undefined || what.member === member
  const take = (entry: LoggedChange, members: readonly string[]) => {
    const wanted = members.filter(isWanted)
    if (wanted.length > 0) found.push({ entry, members: wanted })
  }
  const whole = (entry: LoggedChange) => take(entry, membersOf(entry))
  if ('seq' in what) for await (const entry of entriesIn(engine, { since: what.seq - 1, until: what.seq })) whole(entry)
  else if ('resource' in what) for await (const entry of entriesIn(engine, { ...what })) whole(entry)
  else {
    for (const [resource, ids] of await recordsOf(engine, what.account)) {
      for (const id of ids) await takeWritten(engine, { resource, id }, what.account, take)
    }
  }
  return found.sort((a, b) => a.entry.seq - b.entry.seq)
}

/** In short transactions, so that others can write between them. */
export async function forget({ store, games }: Engine, found: readonly Forgettable[]): Promise<void> {
  for (let i = 0; i < found.length; i += SPAN) {
    await store.write(function* (): Work<void> {
      yield* store.logKeeping.overwriteDeleted()
      for (const { entry, members } of found.slice(i, i + SPAN)) {
        const left = Object.entries(oldOf(entry)).filter(([member]) => !members.includes(member))
        yield* store.logKeeping.blank(entry.seq, left.length > 0 ? JSON.stringify(Object.fromEntries(left)) : undefined)
      }
    })
  }
  // Questions of games have copies of what records said.
  const places = new Set(found.map(({ entry }) => `${entry.resource}/${entry.id}`))
  if (places.size === 0) return
  await store.write(function* () {
    yield* store.rounds.dropFrom(places, games?.daily.name)
    yield* store.boards.dropFrom(places)
  })
}

async function* entriesIn({ store }: Engine, range: Partial<LogRange>): AsyncGenerator<LoggedChange> {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, resource, id } = range
  for (let from = since; ; ) {
    const entries = await store.read(function* () {
      // What is hidden can be shown again, so it is not forgotten yet.
      return yield* store.hidden.revealed(yield* store.changes.entries({ since: from, until, resource, id }, SPAN))
    })
    yield* entries
    if (entries.length < SPAN) return
    from = entries.at(-1)?.seq ?? until
  }
}

/** The records that the account owns, has owned, or has written to, by resource. */
async function recordsOf(engine: Engine, account: number): Promise<Map<string, Set<number>>> {
  const { store, catalogue } = engine
  const records = new Map<string, Set<number>>()
  const add = (resource: string, id: number) => {
    const ids = records.get(resource) ?? new Set()
    records.set(resource, ids.add(id))
  }
  for await (const entry of entriesIn(engine, {})) {
    if (entry.account === account || ownerBefore(engine, entry) === account) add(entry.resource, entry.id)
  }
  for (const { name } of catalogue) {
    for (let after = 0; ; ) {
      const ids = await store.read(() => store.logKeeping.owned(name, account, after, SPAN))
      for (const id of ids) add(name, id)
      if (ids.length < SPAN) break
      after = ids.at(-1) ?? after
    }
  }
  return records
}

/**
 * The members of a record that the account wrote. An entry has the values of the writer before it; what no entry tells
 * is the owner's. A value that comes back, such as by an undo, is still that of its first writer.
 */
async function takeWritten(
  engine: Engine,
  record: { readonly resource: string; readonly id: number },
  account: number,
  take: (entry: LoggedChange, members: readonly string[]) => void,
): Promise<void> {
  const entries = await Array.fromAsync(entriesIn(engine, record))
  const owner = entries.map((entry) => ownerBefore(engine, entry)).find((id) => id !== undefined)
  const creator = owner ?? (await ownerNow(engine, record))
  const writers = new Map<string, number | undefined>()
  const valuesBy = new Map<string, number | undefined>()
  let first = creator
  for (const entry of entries) {
    if (entry.action === 'create') first = entry.account ?? creator
    const members = membersOf(entry)
    const old = oldOf(entry)
    const isTheirs = (member: string) => {
      const writer = writers.has(member) ? writers.get(member) : first
      // Nobody has written what is empty.
      if (isEmpty(old[member])) return writer === account
      const value = JSON.stringify([member, old[member]])
      if (!valuesBy.has(value)) valuesBy.set(value, writer)
      return valuesBy.get(value) === account
    }
    take(entry, members.filter(isTheirs))
    if (entry.action === 'change') for (const member of members) writers.set(member, entry.account ?? creator)
  }
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === ''
}

async function ownerNow({ store, catalogue }: Engine, { resource: name, id }: { resource: string; id: number }) {
  const resource = catalogue.find((each) => each.name === name)
  if (!resource) return undefined
  const [row] = await store.read(() => store.records.byIds({ resource, only: [] }, [id]))
  return row && Number(row['owner'])
}

/** The account that owned the record before the entry, if the entry says so. */
function ownerBefore({ catalogue }: Engine, entry: LoggedChange): number | undefined {
  return ownerIn(
    catalogue.find(({ name }) => name === entry.resource),
    oldOf(entry),
  )
}

/** Without those that only the log knows: they hold nothing that somebody wrote. */
function membersOf(entry: LoggedChange): string[] {
  return Object.keys(oldOf(entry)).filter((member) => !HIDDEN_MEMBERS.has(member))
}
