/**
 * Checks the rule that every change of a record or an account says what it touches. Without that, every process would
 * keep serving old values from its caches. Tests run with the check on (`NYMDEX_CHECK_TOUCHES=on`); servers do not,
 * because it costs time.
 */
import type { Row } from '../declare/index.ts'
import { changesSchema, type Database, type Statement, Untold, type Work } from './database.ts'

/** The tables of accounts and credentials. Their touch is `PEOPLE_CHANGED`. */
const PEOPLE: ReadonlySet<string> = new Set(['account', 'token', 'session'])
const PEOPLE_RESOURCE = 'account'

/** Changes that need no touch, each with its reason. */
const UNTOUCHED: readonly { readonly sql: RegExp; readonly because: string }[] = [
  { sql: /^\S+ (INTO |FROM )?"?(generation|migration|sqlite_sequence)\b/, because: 'no answer is made from it' },
  {
    sql: /^\S+ (INTO |FROM )?"?(change|kept_answer|hook|hook_delivery|log|follow|recovery_code|mail_address|mail_link|report|hidden|judgement|fit_cell|fit_count|play_round|play_standing|play_board|play_tally|contribution)\b/,
    because: 'it is read from the table each time',
  },
  { sql: /^\S+ (INTO |FROM )?"?[a-z0-9-]+_blocks\b/, because: 'each block carries the generation it changed in' },
  { sql: /^\S+ (INTO |FROM )?"?(synonym|related_word)\b/, because: 'its writer says that every resource is touched' },
  { sql: /^UPDATE (token|session) SET last_used\b/, because: 'it is shown from the table each time' },
]

export function checkTouches(database: Database): Database {
  return { ...database, write: (work, footprint) => database.write(() => checked(work()), footprint) }
}

function* checked<T>(steps: Work<T>): Work<T> {
  const changes = new Changes()
  let step = steps.next()
  while (!step.done) {
    let rows: readonly Row[]
    try {
      rows = yield step.value
    } catch (error) {
      step = steps.throw(error)
      continue
    }
    changes.add(step.value, rows)
    step = steps.next(rows)
  }
  const fault = changes.fault()
  if (fault) throw new Untold(fault)
  return step.value
}

interface Change {
  readonly resource: string
  readonly sql: string
  /** Whether it changes what belongs to records (links, votes, words, terms), and not the records themselves. */
  readonly isBeside: boolean
}

/** The changes of a transaction that do not say what they touch, and the touches that other statements announce. */
class Changes {
  #untold: Change[] = []
  #isMigration = false
  readonly #touched = new Set<string>()
  readonly #touchedWhole = new Set<string>()
  /** The number of changes when each open savepoint was set. */
  readonly #savepoints: number[] = []

  add({ sql, touches, isTold }: Statement, rows: readonly Row[]): void {
    if (touches) {
      this.#touched.add(touches.resource)
      if (touches.ids === 'all') this.#touchedWhole.add(touches.resource)
    }
    if (changesSchema(sql)) this.#isMigration = true
    if (sql.startsWith('SAVEPOINT')) this.#savepoints.push(this.#untold.length)
    else if (sql.startsWith('ROLLBACK TO')) this.#untold = this.#untold.slice(0, this.#savepoints.at(-1))
    else if (sql.startsWith('RELEASE')) this.#savepoints.pop()
    const table = tableChangedBy(sql)
    const hasChangedNothing = / RETURNING /.test(sql) && rows.length === 0
    if (table === undefined || hasChangedNothing) return
    const isBeside = !PEOPLE.has(table) && table.includes('_')
    const resource = PEOPLE.has(table) ? PEOPLE_RESOURCE : table.split('_', 1)[0]!
    if (touches?.resource !== resource && !isTold) this.#untold.push({ resource, sql, isBeside })
  }

  fault(): string | undefined {
    // Nobody has read from tables that are being created, and other processes stop when the version changes.
    if (this.#isMigration) return undefined
    // A transaction that touches all records need not say so with every statement.
    const fault = this.#untold.find(({ resource, isBeside }) => {
      return !this.#touchedWhole.has(resource) && !(isBeside && this.#touched.has(resource))
    })
    return fault && `a statement changes "${fault.resource}" and does not say what it touches: ${fault.sql}`
  }
}

function tableChangedBy(sql: string): string | undefined {
  const changed = /^\s*(?:INSERT INTO|UPDATE|DELETE FROM) "?([a-z0-9_-]+)/.exec(sql)?.[1]
  return changed !== undefined && UNTOUCHED.some((each) => each.sql.test(sql)) ? undefined : changed
}
