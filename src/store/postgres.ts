/** PostgreSQL, through a pool. Reads see one snapshot; a write that loses to another one is tried again. */
import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Row } from '../declare/index.ts'
import {
  changesSchema,
  type Database,
  NOTHING,
  type Statement,
  Taken,
  TooSlow,
  Unusable,
  type Work,
} from './database.ts'
import { postgresDialect } from './dialect.ts'
import { type Counted, countOn, Generations, READ_GENERATIONS, Touched } from './generations.ts'
import { redactUrl, withoutSecrets } from './redact.ts'
import { Watcher } from './watcher.ts'

/**
 * One writer at a time, in all processes, as on SQLite: a write reads many rows before it changes some, and would else
 * see half of another's work, or wait for it in a circle.
 */
const BEGIN_WRITE = "BEGIN; SELECT pg_advisory_xact_lock(hashtext('nymdex writes'))"
const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
const TIMED_OUT = '57014'
const TRIES = 5
/**
 * Serialization failure, deadlock, and a referenced row that came or went meanwhile: the transaction did nothing, and
 * run again it works, or finds out what is wrong.
 */
const LOST_TO_ANOTHER = new Set(['40001', '40P01', '23503'])

export async function openPostgres(url: string): Promise<Database> {
  const settings = {
    connectionString: url,
    application_name: 'nymdex',
    connectionTimeoutMillis: 10_000,
    types: { getTypeParser: parserFor },
  }
  // With the one that watches, a process has ten.
  const pool = new pg.Pool({ ...settings, max: 9 })
  // A connection that breaks while idle is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  try {
    ;(await pool.connect()).release()
  } catch (error) {
    await pool.end()
    throw new Unusable(`cannot reach PostgreSQL at ${redactUrl(url)}: ${withoutSecrets(reasonFor(error), url)}`)
  }
  const generations = new Generations()
  const watcher = new Watcher(settings, generations)
  const inTurn = turns()
  return {
    dialect: postgresDialect,
    generations,
    refresh: () => watcher.refresh(),
    read: (work, seconds) => reading(pool, beginRead(seconds), (client) => complete(client, work())),
    async readAt(work, seconds) {
      await watcher.refresh()
      const moment = generations.now
      const steps = work(moment)
      const step = steps.next()
      // All of it was known already.
      if (step.done) return step.value
      return await reading(pool, `${beginRead(seconds)}; ${READ_GENERATIONS}`, async (client, rows) => {
        const seen = generations.see(rows)
        if (seen === moment) return await complete(client, steps, { first: step })
        steps.return(undefined as never)
        return await complete(client, work(seen))
      })
    },
    write: (work) => inTurn(() => writeAgain(pool, generations, work)),
    async close() {
      await watcher.close()
      await pool.end()
    },
  }
}

function beginRead(seconds: number | undefined): string {
  return seconds === undefined
    ? BEGIN_READ
    : `${BEGIN_READ}; SET LOCAL statement_timeout = ${Math.ceil(seconds * 1000)}`
}

/** One after the other: writers that wait for the lock must not hold the connections that readers need. */
function turns(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const mine = last.then(task, task)
    last = mine.catch(() => {})
    return mine
  }
}

async function writeAgain<T>(pool: pg.Pool, generations: Generations, work: () => Work<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await writing(pool, generations, work)
    } catch (error) {
      if (tries === TRIES || !LOST_TO_ANOTHER.has((error as { code?: string }).code ?? '')) throw error
    }
  }
}

async function writing<T>(pool: pg.Pool, generations: Generations, work: () => Work<T>): Promise<T> {
  const client = await pool.connect()
  let broken: Error | undefined
  let counted: readonly Counted[] = []
  let done = false
  try {
    await client.query(BEGIN_WRITE)
    const touched = new Touched()
    const value = await complete(client, work(), { touched })
    counted = await complete(client, countOn(touched))
    generations.expect(counted)
    await client.query('COMMIT')
    done = true
    return value
  } catch (error) {
    broken = await rollback(client)
    throw translated(error)
  } finally {
    generations.settle(counted, done)
    client.release(broken)
  }
}

/** What is read is read: the end of the transaction is not waited for. */
async function reading<T>(
  pool: pg.Pool,
  begin: string,
  task: (client: pg.PoolClient, rows: readonly Row[]) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    const begun = (await client.query(begin)) as unknown as pg.QueryResult<Row> | pg.QueryResult<Row>[]
    const done = await task(client, [begun].flat().at(-1)!.rows)
    client.query('COMMIT').then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
    return done
  } catch (error) {
    client.release(await rollback(client))
    throw translated(error)
  }
}

function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  return client.query('ROLLBACK').then(
    () => undefined,
    (error: Error) => error,
  )
}

async function complete<T>(
  client: pg.PoolClient,
  steps: Work<T>,
  { touched, first = steps.next() }: { touched?: Touched; first?: IteratorResult<Statement, T> } = {},
): Promise<T> {
  let step = first
  while (!step.done) {
    const { sql, parameters, rare, touches } = step.value
    if (touches) touched?.add(touches)
    if (sql === NOTHING) {
      step = steps.next([])
      continue
    }
    const answer = await client.query<Row>({ ...(rare ? numbered(sql) : prepared(sql)), values: [...parameters] })
    step = steps.next(answer.rows)
  }
  return step.value
}

const statements = new Map<string, { readonly text: string; readonly name: string }>()

/** Named, so that a connection parses and plans each statement once. */
function prepared(sql: string): { readonly text: string; readonly name?: string } {
  let statement = statements.get(sql)
  if (!statement) {
    const { text } = numbered(sql)
    if (changesSchema(sql)) return { text }
    statement = { text, name: createHash('sha1').update(sql).digest('base64url') }
    statements.set(sql, statement)
  }
  return statement
}

function numbered(sql: string): { readonly text: string } {
  let place = 0
  return { text: sql.replaceAll('?', () => `$${++place}`) }
}

function translated(error: unknown): unknown {
  if ((error as { code?: string }).code === TIMED_OUT) return new TooSlow()
  const { code, table, constraint = '' } = error as { code?: string; table?: string; constraint?: string }
  if (code !== '23505' || !table) return error
  return new Taken(table, constraint.replace(`${table}_`, ''))
}

/** BIGINT comes as text by default; all of ours are within what a number holds exactly. */
function parserFor(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}

function reasonFor(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  return message || code || String(error)
}
