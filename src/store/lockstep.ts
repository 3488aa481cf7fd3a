/**
 * Runs several works in one transaction of PostgreSQL, side by side: the next statements of all of them are sent at
 * once, so that the number of round trips does not grow with the number of works. Statements that can be merged are
 * sent as one. The works must not share a record, because each of them may see what the others have written so far.
 */
import type { Row } from '../declare/index.ts'
import { abandon, type NewRow, NOTHING, type Statement, throwInto, type Work } from './database.ts'
import { postgresDialect } from './dialect.ts'
import { addedUp, insertionOf } from './insert-rows.ts'
import type { NewIds } from './new-ids.ts'
import { endsWork, errorForWork } from './postgres-errors.ts'
import type { Touched } from './touched.ts'

/** Sends statements without waiting for earlier ones; returns the rows of each. If one fails, those after it do not run. */
export type Send = (statements: readonly Statement[]) => Promise<readonly (readonly Row[])[]>

/** Rows that need not be asked for. */
export interface Memory {
  recall(statement: Statement): readonly Row[] | undefined
  remember(statement: Statement, rows: readonly Row[]): void
}

/** What one of several works came to. `alone`: it must run again, by itself. */
export type Outcome<T = unknown> = { readonly value: T } | { readonly error: unknown } | 'alone'

const MANY_ROWS = 100

export class Lockstep {
  readonly #send: Send
  readonly #memory: Memory | undefined
  readonly #ids: NewIds
  /** Statements that wait for the next round trip, in their order. */
  #later: Statement[] = []
  /** Those that were sent without waiting for it. */
  #sent: Promise<unknown>[] = []
  /** The works that have begun, and the answers to their first statements. */
  readonly #begun: Member<unknown>[] = []
  readonly #firstTurns: Promise<Failure | undefined>[] = []
  #isAbandoned = false

  constructor(send: Send, { ids, memory }: { ids: NewIds; memory: Memory | undefined }) {
    this.#send = send
    this.#ids = ids
    this.#memory = memory
  }

  /** Runs works up to their first statements, and sends these. Others may begin later, until `finish` goes on with all. */
  begin(works: readonly (() => Work<unknown>)[], touched: readonly Touched[]): void {
    const members = works.map((work, i) => new Member(work, touched[i], this.#parts))
    this.#begun.push(...members)
    if (members.every(({ statement }) => !statement)) return
    const turn = this.#turn(members)
    // The caller of `finish` gets the error.
    turn.catch(() => {})
    this.#firstTurns.push(turn)
  }

  /** One work gets the errors of its statements, and throws its own. */
  async finish(): Promise<Outcome[]> {
    const failures = await Promise.all(this.#firstTurns)
    const failure = failures.find((each) => each !== undefined)
    const [member, ...others] = this.#begun
    if (member && others.length === 0) return [{ value: await this.#finishOne(member, failure) }]
    return await this.#finishAll(this.#begun, failure)
  }

  /** The transaction is given up: what its statements return is not wanted. */
  abandon(): void {
    this.#isAbandoned = true
    for (const member of this.#begun) member.abandon()
  }

  /** Runs one work. It gets the errors of its statements. */
  async runOne<T>(work: () => Work<T>, touched?: Touched): Promise<T> {
    return await this.#finishOne(new Member(work, touched, this.#parts))
  }

  async #finishOne<T>(member: Member<T>, first?: Failure): Promise<T> {
    let failure = first
    for (;;) {
      if (failure) {
        this.#later = []
        this.#sent = []
        member.fail(failure.reason)
      }
      if (!member.statement) break
      failure = await this.#turn([member])
    }
    if (!member.done) throw member.error?.reason
    return member.done.value
  }

  /** Throws if what one of them has written must be undone: then each has to run by itself. */
  async #finishAll(members: readonly Member<unknown>[], first: Failure | undefined): Promise<Outcome[]> {
    let failure = first
    for (;;) {
      if (failure) throw failure.reason
      for (const { error, hasWritten } of members) if (error && hasWritten) throw error.reason
      if (members.every(({ statement }) => !statement)) break
      failure = await this.#turn(members)
    }
    return members.map(({ done, error }) => done ?? (error ? { error: error.reason } : 'alone'))
  }

  /** Sends what still waits, and after it these. Returns the rows of these; the first error is the reason for later ones. */
  async flush(statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> {
    const waiting = this.#takeLater()
    const [sent, asked] = [this.#sent, this.#send([...waiting, ...statements])]
    this.#sent = []
    const results = await Promise.allSettled<unknown>([...sent, asked])
    for (const result of results) if (result.status === 'rejected') throw result.reason
    return (await asked).slice(waiting.length)
  }

  #takeLater(): Statement[] {
    const waiting = this.#later
    this.#later = []
    return waiting
  }

  get #parts(): MemberParts {
    return { postpone: this.#postpone, memory: this.#memory, ids: this.#ids }
  }

  readonly #postpone = (statement: Statement): void => {
    const { sql, inserts } = statement
    const place = inserts ? this.#later.findLastIndex((each) => each.sql === sql || !each.inserts) : -1
    const known = this.#later[place]?.inserts
    if (inserts && known) {
      const all = [...known.rows, ...inserts.rows]
      const rows = inserts.adds ? addedUp(all, inserts.adds) : all
      this.#later[place] = { sql, parameters: [], inserts: { ...inserts, rows } }
    } else this.#later.push(statement)
    // The server inserts many rows while the work computes the next ones.
    if (!inserts || inserts.rows.length < MANY_ROWS) return
    const sent = this.#send(this.#takeLater())
    // The next one who awaits it gets the error.
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** One round trip. Returns why a statement failed. */
  async #turn(members: readonly Member<unknown>[]): Promise<Failure | undefined> {
    const waiting = members.flatMap((member) => (member.statement ? { member, statement: member.statement } : []))
    const shares = [...merged(waiting)]
    let results: readonly (readonly Row[])[]
    try {
      results = await this.flush(shares.map(({ statement }) => statement))
    } catch (reason) {
      return this.#isAbandoned ? undefined : { reason }
    }
    if (this.#isAbandoned) return undefined
    for (const [i, { give }] of shares.entries()) give(results[i] ?? [])
    return undefined
  }
}

interface Failure {
  readonly reason: unknown
}

interface MemberParts {
  readonly postpone: (statement: Statement) => void
  readonly memory: Memory | undefined
  readonly ids: NewIds
}

/** A work and how far it is. */
class Member<T> {
  readonly #steps: Work<T>
  readonly #touched: Touched | undefined
  readonly #parts: MemberParts
  /** What it waits for; undefined at its end. */
  statement: Statement | undefined
  done: { readonly value: T } | undefined
  error: Failure | undefined
  hasWritten = false
  /** Whether it had written before the statement that it waits for. */
  #hadWritten = false

  constructor(work: () => Work<T>, touched: Touched | undefined, parts: MemberParts) {
    this.#steps = work()
    this.#touched = touched
    this.#parts = parts
    this.#advance(() => this.#steps.next())
  }

  give(rows: readonly Row[]): void {
    const { memory, ids } = this.#parts
    if (this.statement) memory?.remember(this.statement, rows)
    const { newRow } = this.statement ?? {}
    if (newRow) ids.learn(newRow.table, Number(rows[0]?.['id']))
    this.#advance(() => this.#steps.next(rows))
  }

  fail(error: unknown): void {
    this.#advance(() => throwInto(this.#steps, errorForWork(error), { isOver: endsWork(error) }))
  }

  abandon(): void {
    this.statement = undefined
    abandon(this.#steps)
  }

  /** Ends it, because merged with others it cannot tell what is wrong. What it has written must be undone. */
  leave(): void {
    this.abandon()
    if (this.#hadWritten) this.error = { reason: new Error('a write of the group must run by itself') }
  }

  #advance(next: () => IteratorResult<Statement, T>): void {
    this.statement = undefined
    try {
      let step = next()
      while (!step.done) {
        const { sql, later } = step.value
        const told =
          this.#touched?.hear(step.value) ?? this.#parts.memory?.recall(step.value) ?? this.#insertLater(step.value)
        if (sql !== NOTHING && !told) {
          this.#hadWritten = this.hasWritten
          if (!sql.startsWith('SELECT')) this.hasWritten = true
          if (!later) {
            this.statement = step.value
            return
          }
          this.#parts.postpone(step.value)
        }
        step = this.#steps.next(told ?? [])
      }
      this.done = { value: step.value }
    } catch (reason) {
      this.error = { reason }
    }
  }

  /** A record whose id is known beforehand need not be there for the work to go on. */
  #insertLater({ newRow }: Statement): readonly Row[] | undefined {
    if (!newRow) return undefined
    const id = this.#parts.ids.take(newRow.table)
    if (id === undefined) return undefined
    this.hasWritten = true
    this.#parts.postpone(insertionOf(newRow.table, [{ id, ...newRow.row }]))
    return [{ id }]
  }
}

interface Waiting {
  readonly member: Member<unknown>
  readonly statement: Statement
}

/** A statement, and who gets which of its rows. */
interface Share {
  readonly statement: Statement
  give(rows: readonly Row[]): void
}

/** The statements that the works wait for; those of several that are the same are merged. */
function* merged(waiting: readonly Waiting[]): Iterable<Share> {
  for (const [sql, same] of Map.groupBy(waiting, ({ statement }) => statement.sql)) {
    const byIds = same.flatMap(({ member, statement: { ids } }) => (ids ? { member, ids } : []))
    const newRows = same.flatMap(({ member, statement: { newRow } }) => (newRow ? { member, newRow } : []))
    if (byIds.length > 1) yield mergedIds(sql, byIds)
    else if (newRows[1]) yield mergedRows(newRows[1].newRow, newRows)
    else for (const { member, statement } of same) yield { statement, give: (rows) => member.give(rows) }
  }
}

/** Each gets the rows with its own ids. */
function mergedIds(sql: string, same: readonly { member: Member<unknown>; ids: readonly number[] }[]): Share {
  const all = new Set(same.flatMap(({ ids }) => ids))
  return {
    statement: { sql, parameters: [postgresDialect.ids([...all])] },
    give(rows) {
      for (const { member, ids } of same) member.give(rows.filter((row) => ids.includes(Number(row['id']))))
    },
  }
}

/** One row for each. A row that is taken is not inserted: whose row it was runs again alone, and learns why. */
function mergedRows(
  { table, unique, row }: NewRow,
  same: readonly { member: Member<unknown>; newRow: NewRow }[],
): Share {
  const rows = same.map(({ newRow }) => newRow.row)
  const returning = unique === undefined ? ['id'] : ['id', unique]
  return {
    statement: { sql: 'INSERT', parameters: [], inserts: { table, columns: Object.keys(row), rows, returning } },
    give(inserted) {
      const ids = idsOf(rows, inserted, unique)
      if (ids.filter((id) => id !== undefined).length !== inserted.length) throw new Error(`whose rows of ${table}?`)
      for (const [i, { member }] of same.entries()) {
        const id = ids[i]
        if (id === undefined) member.leave()
        else member.give([{ id }])
      }
    },
  }
}

/** The id that each row got; undefined for a row that was not inserted. */
function idsOf(rows: readonly Row[], inserted: readonly Row[], unique: string | undefined): (number | undefined)[] {
  // Ids ascend in the order in which rows are inserted.
  if (unique === undefined) return inserted.map((row) => Number(row['id'])).sort((a, b) => a - b)
  const ids = new Map(inserted.map((row) => [row[unique], Number(row['id'])]))
  return rows.map((row) => {
    const id = ids.get(row[unique])
    // Of two rows with the same value only the first was inserted.
    ids.delete(row[unique])
    return id
  })
}
