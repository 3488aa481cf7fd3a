/**
 * Fills a PostgreSQL database in one transaction, with COPY. The server stores rows while this process computes the next
 * ones.
 */
import pg from 'pg'
import type { AnyResource, Row } from '../declare/index.ts'
import { Copies } from './copy.ts'
import { NOTHING, query, type Statement, statementOf, throwInto, Unusable, type Work } from './database.ts'
import { postgresDialect } from './dialect.ts'
import { countOn } from './generations.ts'
import { createKeys, dropKeys, type Fill } from './load-keys.ts'
import { bringUp } from './migrate.ts'
import { beginWrite } from './postgres-client.ts'
import { CopyRows, canBeCopied } from './postgres-copy.ts'
import { connectReason, endsWork, errorForWork, translated } from './postgres-errors.ts'
import { ADVISORY_LOCK, ROW_LOCK } from './postgres-lock.ts'
import { Statements } from './postgres-statements.ts'
import { parserFor } from './postgres-values.ts'
import { Rank } from './rank.ts'
import { redactUrl, withoutSecrets } from './redact.ts'
import { databaseSettings, type GivenSettings } from './settings.ts'
import { refuseEncoding, setupFault } from './setup.ts'
import { Touched } from './touched.ts'

/** The rows that are sent at once, in bytes. While they are stored, the next ones are collected. */
const SENT_AT_ONCE = 1024 * 1024

export async function loadPostgres<T>(
  given: GivenSettings,
  catalogue: readonly AnyResource[],
  fill: Fill<T>,
): Promise<T> {
  const settings = databaseSettings(given)
  const client = new pg.Client({
    connectionString: settings.url,
    application_name: 'nymdex',
    connectionTimeoutMillis: settings.waitSeconds * 1000,
    types: { getTypeParser: parserFor },
  })
  // An error of the connection also fails the statement that runs.
  client.on('error', () => {})
  try {
    await connect(client, settings.url)
    const load = new Load(client, new Statements(settings.namedStatements))
    return await load.run(() => wholeLoad(catalogue, fill))
  } catch (error) {
    const fault = setupFault(error)
    throw fault === undefined ? translated(error) : new Unusable(fault)
  } finally {
    // The end of the connection rolls back what was not committed.
    await client.end().catch(() => {})
  }
}

async function connect(client: pg.Client, url: string): Promise<void> {
  try {
    await client.connect()
  } catch (error) {
    throw new Unusable(`cannot reach PostgreSQL at ${redactUrl(url)}: ${withoutSecrets(connectReason(error), url)}`)
  }
}

function* wholeLoad<T>(catalogue: readonly AnyResource[], fill: Fill<T>): Work<T> {
  const dialect = postgresDialect
  yield* refuseEncoding()
  const there = new Set((yield* query(dialect.tables)).map((row) => row['name']))
  if (there.has('migration')) yield* query(ROW_LOCK)
  yield* bringUp(dialect, catalogue)
  // Other processes see nothing of new tables until the end; those that exist may be read meanwhile.
  const dropped = there.has('account') ? [] : yield* dropKeys(dialect, catalogue)
  return yield* fill(new Copies(dialect, new Rank(dialect)), () => createKeys(dropped))
}

/** The transaction. Rows are collected and sent with COPY; a statement that returns something waits until they are stored. */
class Load {
  readonly #client: pg.Client
  readonly #statements: Statements
  #rows = new CopyRows()
  /** The rows that are being stored. */
  #sent: Promise<void> = Promise.resolve()

  constructor(client: pg.Client, statements: Statements) {
    this.#client = client
    this.#statements = statements
  }

  async run<T>(work: () => Work<T>): Promise<T> {
    for (const { sql } of [...beginWrite(), statementOf(ADVISORY_LOCK)]) await this.#client.query(sql)
    const touched = new Touched()
    const done = await this.#complete(work(), touched)
    await this.#complete(countOn(touched))
    await this.#flush()
    await this.#client.query('COMMIT')
    // Plans that were made for empty tables would stay until autovacuum comes by. The rows are stored with or without this.
    await this.#client.query('ANALYZE').catch(() => {})
    return done
  }

  async #complete<T>(steps: Work<T>, touched?: Touched): Promise<T> {
    let step = steps.next()
    while (!step.done) {
      let rows: readonly Row[]
      try {
        rows = touched?.hear(step.value) ?? (await this.#run(step.value))
      } catch (error) {
        step = throwInto(steps, errorForWork(error), { isOver: endsWork(error) })
        continue
      }
      step = steps.next(rows)
    }
    return step.value
  }

  async #run(statement: Statement): Promise<readonly Row[]> {
    const { sql, inserts } = statement
    if (sql === NOTHING) return []
    if (inserts && canBeCopied(inserts)) {
      this.#rows.add(inserts)
      if (this.#rows.size >= SENT_AT_ONCE) await this.#send()
      return []
    }
    await this.#flush()
    return (await this.#client.query<Row>(this.#statements.of(statement))).rows
  }

  async #flush(): Promise<void> {
    await this.#send()
    await this.#sent
  }

  /** Waits for the rows before, but not for these. */
  async #send(): Promise<void> {
    await this.#sent
    const rows = this.#rows
    this.#rows = new CopyRows()
    this.#sent = rows.send(this.#client)
    // The next statement that waits for it gets the error.
    this.#sent.catch(() => {})
  }
}
