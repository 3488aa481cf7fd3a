/** A connection to SQLite and its prepared statements. Work runs in one go. */
import type SQLite from 'better-sqlite3'
import type { Cell, Row } from '../declare/index.ts'
import { changesSchema, type NewRows, NOTHING, type Statement, throwInto, type Work } from './database.ts'
import { forOneId } from './dialect.ts'
import { translated } from './sqlite-errors.ts'
import type { StatementWatch } from './statement-watch.ts'
import type { Touched } from './touched.ts'

/** How many statements of an unlimited kind stay prepared. */
const MOST_RARE = 100

type Prepared = SQLite.Statement<unknown[], Row>

export class Connection {
  readonly database: SQLite.Database
  readonly #statements = new Map<string, Prepared>()
  readonly #rare = new Map<string, Prepared>()
  /** Variants of statements, by the text that they come from. */
  readonly #forOneId = new Map<string, Prepared>()
  readonly #forNewRow = new Map<string, Prepared>()
  readonly #atOnce: number
  readonly #watch: StatementWatch | undefined
  /** How many rows it has inserted, and how often it has run other statements that write. */
  writes = 0

  /**
   * `rowsAtOnce`: how many rows one statement inserts. More than one is faster only without a journal; otherwise SQLite
   * writes one for each statement, to undo a part of it.
   */
  constructor(
    database: SQLite.Database,
    { rowsAtOnce = 1, watch }: { readonly rowsAtOnce?: number; readonly watch?: StatementWatch | undefined } = {},
  ) {
    this.database = database
    this.#atOnce = rowsAtOnce
    this.#watch = watch
  }

  run(statement: Statement): readonly Row[] {
    if (statement.sql === NOTHING) return []
    if (!this.#watch) return this.#run(statement)
    const watched = this.#watch.begin(statement.sql)
    try {
      const rows = this.#run(statement)
      watched.end(rows.length)
      return rows
    } catch (error) {
      watched.fail(error)
      throw error
    }
  }

  #run({ sql, parameters, rare, inserts, newRow, ids }: Statement): readonly Row[] {
    if (inserts) return this.#insert(sql, inserts)
    if (newRow) return this.#insertOne(sql, parameters)
    const id = ids?.length === 1 ? ids[0] : undefined
    if (id !== undefined) return this.#variant(this.#forOneId, sql, forOneId).all(id)
    const statement = this.#statementOf(sql, rare)
    if (!statement.readonly) this.writes++
    if (statement.reader) return statement.all(...parameters)
    statement.run(...parameters)
    return []
  }

  #insert(sql: string, { columns, rows }: NewRows): readonly Row[] {
    const atOnce = this.#atOnce
    const several = atOnce > 1 ? Math.floor(rows.length / atOnce) * atOnce : 0
    if (several > 0) {
      const statement = this.#prepare(sql.replace(/\(\?.*\)$/, (places) => Array(atOnce).fill(places).join(', ')))
      for (let i = 0; i < several; i += atOnce) statement.run(cellsOf(columns, rows, i, i + atOnce))
    }
    const statement = this.#prepare(sql)
    this.writes += rows.length
    for (let i = several; i < rows.length; i++) statement.run(cellsOf(columns, rows, i, i + 1))
    return []
  }

  /** Without RETURNING: for that, SQLite would store every page before it changes, to undo a part of the statement. */
  #insertOne(sql: string, parameters: readonly Cell[]): readonly Row[] {
    const statement = this.#variant(this.#forNewRow, sql, (text) => text.slice(0, text.lastIndexOf(' RETURNING ')))
    this.writes++
    return [{ id: Number(statement.run(...parameters).lastInsertRowid) }]
  }

  #variant(known: Map<string, Prepared>, sql: string, change: (sql: string) => string): Prepared {
    const found = known.get(sql)
    if (found) return found
    const statement = this.#prepare(change(sql))
    known.set(sql, statement)
    return statement
  }

  execute<T>(work: () => Work<T>, touched?: Touched): T {
    const steps = work()
    return this.complete(steps, steps.next(), touched)
  }

  complete<T>(steps: Work<T>, first: IteratorResult<Statement, T>, touched?: Touched): T {
    let step = first
    while (!step.done) {
      const told = touched?.hear(step.value)
      let rows: readonly Row[]
      try {
        rows = told ?? this.run(step.value)
      } catch (error) {
        // SQLite itself ends the transaction when the disk is full, or cannot be read or written.
        step = throwInto(steps, translated(error), { isOver: !this.database.inTransaction })
        continue
      }
      step = steps.next(rows)
    }
    return step.value
  }

  transaction<T>(work: () => Work<T>): T {
    return this.inTransaction(() => this.execute(work))
  }

  inTransaction<T>(task: () => T): T {
    this.#prepare('BEGIN').run()
    try {
      const done = task()
      this.#prepare('COMMIT').run()
      return done
    } catch (error) {
      if (this.database.inTransaction) this.#prepare('ROLLBACK').run()
      throw translated(error)
    }
  }

  #statementOf(sql: string, rare = false): Prepared {
    // A prepared statement would outlive the schema it was made for.
    if (changesSchema(sql)) return this.database.prepare<unknown[], Row>(sql)
    if (!rare) return this.#prepare(sql)
    const known = this.#rare.get(sql)
    const statement = known ?? this.database.prepare<unknown[], Row>(sql)
    // The statement used last is evicted last.
    if (known) this.#rare.delete(sql)
    else if (this.#rare.size >= MOST_RARE) this.#rare.delete(this.#rare.keys().next().value!)
    this.#rare.set(sql, statement)
    return statement
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.database.prepare<unknown[], Row>(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

function cellsOf(columns: readonly string[], rows: readonly Row[], from: number, to: number): unknown[] {
  const cells: unknown[] = []
  for (let i = from; i < to; i++) for (const column of columns) cells.push(rows[i]?.[column])
  return cells
}
