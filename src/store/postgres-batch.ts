/**
 * Several statements for PostgreSQL in one message, with one end. The server answers each statement of its own with a
 * packet of its own, and each packet may wake this process: for a write of twenty statements that costs more than the
 * statements. The answers to a batch come together. If a statement fails, the server skips those after it.
 */
import pg from 'pg'
import type { Cell, Row } from '../declare/index.ts'

type Settle = (error: Error | undefined, results: readonly pg.QueryResult<Row>[]) => void

/** What the driver's types lack. */
interface Connection extends pg.Connection {
  /** The statements that the server has prepared, and those that it was asked to prepare, by name. */
  readonly parsedStatements: Record<string, string>
  readonly submittedNamedStatements: Record<string, string>
}

/** The methods by which the driver passes what the server sends. */
interface Receiver {
  handleCommandComplete(message: unknown, connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

const receiver: Receiver = pg.Query.prototype as never

/** A subclass, because in pipeline mode the driver takes only queries of its own. */
export class Batch extends pg.Query<Row> implements Receiver {
  override submit
  readonly #statements: readonly pg.QueryConfig[]
  /** The names of those that the server was asked to prepare; undefined for the others. */
  #prepared: readonly (string | undefined)[] = []
  /** How many are done. */
  #done = 0
  /** The driver notes under this name that the server has prepared a statement. */
  name: string | undefined
  text: string | undefined

  constructor(statements: readonly pg.QueryConfig[], settle: Settle) {
    super('', (error: Error | undefined, results: unknown) =>
      settle(error, [results].flat() as readonly pg.QueryResult<Row>[]),
    )
    this.#statements = statements
    this.submit = (connection: pg.Connection) => this.#submit(connection as Connection)
  }

  #submit(connection: Connection): void {
    const { stream } = connection
    stream.cork()
    this.#prepared = this.#statements.map((statement) => send(connection, statement))
    connection.sync()
    stream.uncork()
    this.#expect()
  }

  #expect(): void {
    this.name = this.#prepared[this.#done]
    this.text = this.#statements[this.#done]?.text
  }

  handleCommandComplete(message: unknown, connection: Connection): void {
    receiver.handleCommandComplete.call(this, message, connection)
    this.#done++
    this.#expect()
  }

  handleError(error: Error, connection: Connection): void {
    // The server has not seen those that come later.
    for (const name of this.#prepared.slice(this.#done)) if (name) delete connection.submittedNamedStatements[name]
    receiver.handleError.call(this, error, connection)
  }
}

/** Returns the name of the statement if the server has to prepare it. */
function send(connection: Connection, { name = '', text, values = [] }: pg.QueryConfig): string | undefined {
  const { parsedStatements, submittedNamedStatements } = connection
  const isPrepared = name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined
  if (!isPrepared) connection.parse({ name, text, types: [] }, true)
  if (!isPrepared && name) submittedNamedStatements[name] = text
  connection.bind({ statement: name, values: values.map(textOf) } as never, true)
  connection.describe({ type: 'P' }, true)
  connection.execute({}, true)
  return isPrepared ? undefined : name || undefined
}

function textOf(value: Cell): string | null {
  return value === null ? null : String(value)
}
