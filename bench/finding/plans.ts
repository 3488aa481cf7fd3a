/** The query plans of a request: which indexes the databases use, and whether they scan every record. */
import type { Database, Work } from '../../src/store/index.ts'

export interface Statement {
  readonly sql: string
  readonly parameters: readonly (string | number | null)[]
  readonly rare?: boolean
}

/** Records the statements of all reads. */
export function noting(database: Database, statements: Statement[]): Database {
  const noted = <T>(work: () => Work<T>) =>
    function* (): Work<T> {
      const steps = work()
      let step = steps.next()
      while (!step.done) {
        statements.push(step.value)
        step = steps.next(yield step.value)
      }
      return step.value
    }
  return { ...database, read: (work, seconds) => database.read(noted(work), seconds) }
}

export interface Plan {
  readonly indexes: readonly string[]
  /** Tables that are read as a whole. */
  readonly scans: readonly string[]
  readonly text: string
}

export async function explain(database: Database, engine: string, { sql, parameters }: Statement): Promise<Plan> {
  const how = engine === 'SQLite' ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN'
  const rows = await database.read(function* (): Work<readonly object[]> {
    return yield { sql: `${how} ${sql}`, parameters, rare: true }
  })
  const lines = rows.map((row) => String('detail' in row ? row.detail : Object.values(row)[0]))
  return { ...(engine === 'SQLite' ? sqlitePlan(lines) : postgresPlan(lines)), text: lines.join('\n') }
}

/** Temporary, or so small that an index would be slower. */
const SMALL = /^(matched|f|ids|numbered|probe|some|synonym|account|a|\w+_votes|CONSTANT|\(.*)$/

function sqlitePlan(lines: readonly string[]): Omit<Plan, 'text'> {
  const indexes = lines.flatMap((line) => {
    const [, index] = /USING (?:COVERING )?INDEX (\S+)/.exec(line) ?? []
    if (index) return [index]
    return /SEARCH .* USING (INTEGER )?PRIMARY KEY/.test(line) ? ['primary key'] : []
  })
  // The result of an inner query is also called `t`, and is read as a whole.
  const made = lines.filter((line) => /^(CO-ROUTINE|MATERIALIZE) t$/.test(line))
  const read = lines.flatMap((line) => /^SCAN (.+)/.exec(line)?.[1] ?? [])
  const whole = read.filter((table) => table === 't').slice(made.length)
  const walked = read.filter((table) => table !== 't' && !SMALL.test(table.split(' ')[0]!))
  return { indexes: [...new Set(indexes)], scans: [...whole, ...walked] }
}

function postgresPlan(lines: readonly string[]): Omit<Plan, 'text'> {
  const indexes = lines.flatMap((line) => /Index (?:Only )?Scan(?: Backward)? (?:using|on) (\S+)/.exec(line)?.[1] ?? [])
  const scans = lines.flatMap((line, i) => {
    const [, whole] = /Seq Scan on (\S+)/.exec(line) ?? []
    if (whole) return SMALL.test(whole) ? [] : [whole]
    // An index without a condition is read from end to end.
    const [, walked] = /Index (?:Only )?Scan(?: Backward)? using (\S+)/.exec(line) ?? []
    return walked && !/Index Cond/.test(lines[i + 1] ?? '') ? [walked] : []
  })
  return { indexes: [...new Set(indexes)].map((index) => index.replaceAll('"', '')), scans }
}
