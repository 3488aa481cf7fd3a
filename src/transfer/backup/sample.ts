/** What is compared between a database and its restored backup: the number of rows, and some records as clients see them. */
import { hash } from 'node:crypto'
import { showRecord } from '../../declare/index.ts'
import { type Engine, loadRecords } from '../../engine/index.ts'
import { copiedTables, type Work } from '../../store/index.ts'
import type { Counts } from './format.ts'

/** A run of records that follow an id. */
interface Run {
  readonly resource: string
  readonly after: number
  readonly records: number
  readonly sha256: string
}

export interface Sample {
  readonly counts: Counts
  readonly runs: readonly Run[]
}

const RUNS_OF_RESOURCE = 4
const RECORDS_OF_RUN = 5

/** Part of the transaction that backs up. The first records of each resource, and some at random. */
export function* takeSample(engine: Engine): Work<Sample> {
  const { store, catalogue } = engine
  const highest = yield* store.copies.highestIds(catalogue)
  const runs: Run[] = []
  for (const { name } of catalogue) {
    const places = Array.from({ length: RUNS_OF_RESOURCE }, (_, i) =>
      i === 0 ? 0 : Math.floor(Math.random() * (highest[name] ?? 0)),
    )
    for (const after of places) runs.push(yield* readRun(engine, name, after))
  }
  return { counts: yield* countAll(engine), runs }
}

export const recordsIn = ({ runs }: Sample) => runs.reduce((sum, { records }) => sum + records, 0)

/** The first difference between the sample and another database, in words; undefined if there is none. */
export function* differenceFrom(engine: Engine, sample: Sample): Work<string | undefined> {
  const counts = yield* countAll(engine)
  for (const [table, count] of Object.entries(sample.counts)) {
    if (counts[table] !== count)
      return `the source has ${count} of ${table}, and the restored database ${counts[table]}`
  }
  for (const { resource, after, sha256 } of sample.runs) {
    const restored = yield* readRun(engine, resource, after)
    if (restored.sha256 !== sha256) {
      return `some records of ${resource} after id ${after} differ from those of the source: nymdex doctor may say why`
    }
  }
  return undefined
}

function* countAll({ store, catalogue }: Engine): Work<Counts> {
  const counts: Record<string, number> = {}
  for (const { name } of copiedTables(catalogue)) counts[name] = yield* store.copies.count(name)
  return counts
}

function* readRun({ store, catalogue }: Engine, name: string, after: number): Work<Run> {
  const resource = catalogue.find((each) => each.name === name)
  if (!resource) throw new Error(`there is no resource ${name}`)
  const rows = yield* store.records.after({ resource }, after, RECORDS_OF_RUN)
  const records = yield* loadRecords(store, { resource }, rows)
  return { resource: name, after, records: rows.length, sha256: hash('sha256', records.map(showRecord).join('\n')) }
}
