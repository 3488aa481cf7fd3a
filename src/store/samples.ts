/**
 * Samples: some records of a resource, evenly spread over their ids, for questions that would otherwise read every
 * record. Both databases pick the same ones. A resource with few records is its own sample.
 */
import type { AnyResource, Row } from '../declare/index.ts'
import { cell, query, rareQuery, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { termTable } from './schema.ts'
import type { Sql } from './sql.ts'

/** More runs spread a sample better, and fewer are read faster. */
const RUNS = 50

export interface Sample {
  /** How many records it has. */
  readonly read: number
  /** How many there are. */
  readonly of: number
  /** The first and the last id of each run of records; undefined if it has all records. */
  readonly runs?: readonly Run[]
}

type Run = readonly [first: number, last: number]

interface TermCount {
  readonly term: string
  readonly count: number
  /** The first record that has the term. */
  readonly record: number
}

export class Samples {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** About `most` of the resource's records, of which there are `of`. */
  *take({ name }: AnyResource, of: number, most: number): Work<Sample> {
    if (of <= most) return { read: of, of }
    // SQLite reads the whole table for a minimum and a maximum in one SELECT.
    const ends = `SELECT (SELECT min(id) FROM ${quoted(name)}) AS first, (SELECT max(id) FROM ${quoted(name)}) AS last`
    const [row] = yield* query(ends)
    const [first, last] = [Number(cell(row, 'first')), Number(cell(row, 'last'))]
    const beginOf = (run: number) => first + Math.floor((run * (last + 1 - first)) / RUNS)
    const parts = Array.from({ length: RUNS }, (_, run) => [beginOf(run), beginOf(run + 1) - 1] as const)
    const { sql, parameters } = ofEachRun(
      this.#dialect,
      parts,
      (between) => `SELECT min(id) AS first, max(id) AS last, count(*) AS count
        FROM (SELECT id FROM ${quoted(name)} WHERE id ${between} ORDER BY id LIMIT ${Math.ceil(most / RUNS)}) AS run`,
    )
    const rows = (yield* rareQuery(sql, parameters)).filter(({ count }) => Number(count) > 0)
    return {
      read: rows.reduce((sum, { count }) => sum + Number(count), 0),
      of,
      runs: rows.map((row) => [Number(row['first']), Number(row['last'])]),
    }
  }

  /** The terms that occur most often, with ties in the order of the terms. */
  *terms(resource: AnyResource, sample: Sample, limit: number): Work<TermCount[]> {
    const { sql, parameters } = this.#rows(termTable(resource), 'record', 'record, term', sample)
    const rows = yield* rareQuery(
      `SELECT term, count(*) AS count, min(record) AS record FROM (${sql}) AS places
       GROUP BY term ORDER BY count DESC, term LIMIT ?`,
      [...parameters, limit],
    )
    return rows.map((row) => ({
      term: String(row['term']),
      count: Number(row['count']),
      record: Number(row['record']),
    }))
  }

  /** Which terms each record has in its slots, in the order of the ids and of the terms. */
  *slots(resource: AnyResource, sample: Sample, slots: readonly string[]): Work<ReadonlyMap<number, string[]>> {
    const { sql, parameters } = this.#rows(termTable(resource), 'record', 'record, member, term', sample)
    const among = slots.map(() => '?').join(', ')
    const rows = yield* rareQuery(
      `SELECT record, term FROM (${sql}) AS places WHERE member IN (${among}) ORDER BY record, term`,
      [...parameters, ...slots],
    )
    const records = new Map<number, string[]>()
    for (const row of rows) {
      const [id, term] = [Number(row['record']), String(row['term'])]
      const terms = records.get(id)
      if (terms) terms.push(term)
      else records.set(id, [term])
    }
    return records
  }

  /** Columns of the records themselves. */
  *columns(resource: AnyResource, sample: Sample, columns: readonly string[]): Work<readonly Row[]> {
    const { sql, parameters } = this.#rows(resource.name, 'id', columns.map(quoted).join(', '), sample)
    return yield* rareQuery(sql, parameters)
  }

  #rows(table: string, id: string, columns: string, sample: Sample): Sql {
    return rowsIn(this.#dialect, sample, { table: quoted(table), id, columns })
  }
}

/** The records of a sample, as a table that no condition reads by another index. */
export function recordsIn(dialect: Dialect, { name }: AnyResource, sample: Sample): Sql {
  return rowsIn(dialect, sample, { table: `${quoted(name)}${dialect.byKeyOnly}`, id: 'id', columns: '*' })
}

/** The rows of a table that belong to the records of the sample. */
function rowsIn(
  dialect: Dialect,
  { runs }: Sample,
  { table, id, columns }: { readonly table: string; readonly id: string; readonly columns: string },
): Sql {
  const inTime = dialect.inTime(id)
  const rows = `SELECT ${columns} FROM ${table}`
  if (!runs) return { sql: `${rows} WHERE ${inTime}`, parameters: [] }
  return ofEachRun(dialect, runs, (between) => `${rows} WHERE ${id} ${between} AND ${inTime}`)
}

/** No collection can have this name. */
const RUN = '"run of ids"'

/** The rows of a SELECT for each run of ids, one run after the other. */
function ofEachRun({ hasLateral, each }: Dialect, runs: readonly Run[], select: (between: string) => string): Sql {
  if (!hasLateral)
    return { sql: runs.map(() => select('BETWEEN ? AND ?')).join(' UNION ALL '), parameters: runs.flat() }
  // PostgreSQL would take longer to plan fifty SELECTs than to run them. OFFSET keeps conditions on the rows out of this one.
  const [low, high] = [0, 1].map((end) => `CAST(${RUN}.bounds ->> ${end} AS BIGINT)`)
  const rows = select(`BETWEEN ${low} AND ${high}`)
  return {
    sql: `SELECT of_run.* FROM ${each} AS ${RUN}(bounds) CROSS JOIN LATERAL (${rows} OFFSET 0) AS of_run`,
    parameters: [JSON.stringify(runs)],
  }
}
