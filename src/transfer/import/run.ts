/** Runs an import: in batches that are each committed, or as one transaction that may be rolled back. */
import type { AnyResource, JsonObject } from '../../declare/index.ts'
import { type Engine, Problem } from '../../engine/index.ts'
import { Scratch, type Work } from '../../store/index.ts'
import { type Item, Unreadable } from '../item.ts'
import { refuseExistingUsers } from './existing-users.ts'
import { type Enrich, Intake, type IntakeOptions } from './intake.ts'
import { type Fault, Report } from './report.ts'

/** Something to read records from, usually a file. */
export interface Source {
  /** The name that the operator knows. */
  readonly name: string
  /** The collection of its records, if they do not say so themselves. */
  readonly resource?: AnyResource | undefined
  /** In bytes, or in the unit of `end` of its items; 0 if unknown. */
  readonly size: number
  /**
   * For a source that has less than whole records: what is added to each, by the ids that others have here. An existing
   * record stays unchanged, unless it has no value for it.
   */
  readonly enrich?: Enrich | undefined
  /** From the beginning, each time. */
  items(): Iterable<Item>
}

export interface Progress {
  readonly source: Source
  /** Bytes of this source, and records of all sources so far. */
  readonly end: number
  readonly records: number
}

export interface ImportOptions extends Partial<Pick<IntakeOptions, 'keepIds'>> {
  /** The owner of records that name none, if the operator gave one. */
  readonly owner?: string | undefined
  /** Whether records may go to users who can sign in. */
  readonly toExistingUsers?: boolean
  /** Does everything, reports the result, and rolls it back. */
  readonly dryRun?: boolean
  /** The first fault ends the import, and nothing of it stays. */
  readonly strict?: boolean
  readonly onFault?: (fault: Fault) => void
  readonly onProgress?: (progress: Progress) => void
}

/** Thrown to roll everything back; the result is still reported. */
class TakenBack extends Error {
  readonly report: Report
  constructor(report: Report) {
    super('taken back')
    this.report = report
  }
}

/** Thrown in a strict import. */
export class StoppedAtFault extends Error {
  readonly fault: Fault
  constructor(fault: Fault) {
    super(`${fault.file}:${fault.line}: ${fault.reason}`)
    this.fault = fault
  }
}

/** Short enough that a running server's writers hardly wait. */
const BATCH = 800
/** Records that are looked up and inserted together. */
const LONGEST_RUN = 800
const SHORTEST_TRY = 4

export async function runImport(
  engine: Engine,
  sources: readonly Source[],
  options: ImportOptions = {},
): Promise<Report> {
  if (!options.toExistingUsers) {
    await refuseExistingUsers(engine, sources, options.owner === undefined ? DEFAULT_OWNER : undefined)
  }
  return await (options.dryRun || options.strict ? inOneGo : inBatches)(engine, sources, options)
}

/** Nobody can sign up under this name. */
const DEFAULT_OWNER = 'import'

function intakeOf(engine: Engine, scratch: Scratch, options: ImportOptions): Intake {
  const { keepIds = false, owner = DEFAULT_OWNER, toExistingUsers = false } = options
  const mayOwn = (isNamed: boolean) => toExistingUsers || (options.owner !== undefined && !isNamed)
  return new Intake(engine, scratch, { keepIds, owner, mayOwn })
}

interface Found {
  readonly source: Source
  readonly item: Item
}

function* itemsOf(sources: readonly Source[]): Generator<Found> {
  for (const source of sources) for (const item of source.items()) yield { source, item }
}

async function inBatches(engine: Engine, sources: readonly Source[], options: ImportOptions): Promise<Report> {
  const report = new Report()
  const scratch = new Scratch()
  const intake = intakeOf(engine, scratch, options)
  let records = 0
  try {
    for (const batch of batchesOf(itemsOf(sources))) {
      const faults: Fault[] = []
      const part = await engine.store.write(function* () {
        const part = new Report()
        faults.length = 0
        yield* takeAll(engine, intake, batch, part, options, (fault) => faults.push(fault))
        return part
      })
      intake.settle()
      report.add(part)
      for (const fault of faults) options.onFault?.(fault)
      records += batch.length
      const { source, item } = batch.at(-1)!
      options.onProgress?.({ source, end: item.end, records })
    }
    return report
  } finally {
    scratch.close()
  }
}

function* batchesOf(found: Iterable<Found>): Generator<readonly Found[]> {
  let batch: Found[] = []
  for (const each of found) {
    batch.push(each)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function inOneGo(engine: Engine, sources: readonly Source[], options: ImportOptions): Promise<Report> {
  const told = function* (intake: Intake): Generator<Found> {
    let records = 0
    for (const found of itemsOf(sources)) {
      yield found
      if (++records % BATCH > 0) continue
      intake.settle()
      options.onProgress?.({ source: found.source, end: found.item.end, records })
    }
  }
  let scratch = new Scratch()
  try {
    return await engine.store.write(function* () {
      const report = new Report()
      // A retried transaction has seen nothing yet.
      scratch.close()
      scratch = new Scratch()
      const intake = intakeOf(engine, scratch, options)
      yield* takeAll(engine, intake, told(intake), report, options, (fault) => {
        if (options.strict) throw new StoppedAtFault(fault)
        options.onFault?.(fault)
      })
      if (options.dryRun) throw new TakenBack(report)
      return report
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.report
    throw error
  } finally {
    scratch.close()
  }
}

/** The work of one transaction. */
export function* takeAll(
  engine: Engine,
  intake: Intake,
  batch: Iterable<Found>,
  report: Report,
  { keepIds, dryRun }: ImportOptions,
  onFault: (fault: Fault) => void,
): Work<void> {
  intake.begin()
  const pace = new Pace()
  for (const { name, resource, bodies, found } of runsOf(engine, batch)) {
    const counts = report.of(name)
    counts.read += found.length
    for (let next = 0; next < found.length; ) {
      const wanted = bodies.slice(next, next + pace.most)
      if (typeof resource !== 'string' && wanted.length > 1 && pace.isTime) {
        const taken = yield* intake.takeNew(resource, wanted, report)
        pace.learn(taken, wanted.length)
        next += taken
      }
      const one = found[next++]
      if (!one) break
      const { source, item } = one
      try {
        if (item.found instanceof Unreadable) throw new Misread(item.found.reason)
        if (typeof resource === 'string') throw new Misread(resource)
        yield* intake.take(resource, item.found, report, source.enrich)
      } catch (error) {
        if (!(error instanceof Misread) && !(error instanceof Problem)) throw error
        counts.bad++
        report.faults++
        onFault({ file: source.name, line: item.line, reason: reasonOf(error) })
      }
    }
  }
  // For all resources, because embedded records were inserted with their ids too. Id sequences are not rolled back.
  if (keepIds && !dryRun) for (const resource of engine.catalogue) yield* engine.store.records.keepIds(resource)
}

/** Records of one collection that follow each other. `bodies` is empty if they must be taken one by one. */
interface Run {
  /** Under which they are counted. */
  readonly name: string
  readonly resource: AnyResource | string
  readonly found: readonly Found[]
  readonly bodies: readonly JsonObject[]
}

function* runsOf(engine: Engine, batch: Iterable<Found>): Generator<Run> {
  let [found, bodies]: [Found[], JsonObject[]] = [[], []]
  let resource: AnyResource | undefined
  for (const each of batch) {
    const { source, item } = each
    const its = resourceOf(engine, source, item)
    const body = typeof its === 'string' || source.enrich || item.found instanceof Unreadable ? undefined : item.found
    if (resource && (resource !== its || !body || found.length === LONGEST_RUN)) {
      yield { name: resource.name, resource, found, bodies }
      ;[found, bodies, resource] = [[], [], undefined]
    }
    if (typeof its !== 'string' && body) {
      resource = its
      found.push(each)
      bodies.push(body)
    } else {
      const name = typeof its === 'string' ? source.name : its.name
      yield { name, resource: its, found: [each], bodies: [] }
    }
  }
  if (resource) yield { name: resource.name, resource, found, bodies }
}

/**
 * How many records are tried together. Where few of them are new and valid, a try costs more than it saves, so fewer are
 * tried, and less often.
 */
class Pace {
  most = LONGEST_RUN
  #pause = 0
  #left = 0

  get isTime(): boolean {
    return this.#left-- <= 0
  }

  learn(taken: number, tried: number): void {
    const isWorth = taken * 2 >= tried
    this.most = isWorth ? Math.min(this.most * 2, LONGEST_RUN) : Math.max(SHORTEST_TRY, Math.floor(this.most / 4))
    this.#pause = isWorth ? 0 : Math.min(this.#pause * 2 + 1, LONGEST_RUN)
    this.#left = this.#pause
  }
}

class Misread extends Error {}

/** The collection of a record: what the source says, otherwise by its id member. */
export function resourceOf({ catalogue }: Engine, source: Source, { collection, found }: Item): AnyResource | string {
  const named = collection === undefined ? source.resource : catalogue.find(({ name }) => name === collection)
  if (named) return named
  if (collection !== undefined) return `there is no collection "${collection}"`
  if (found instanceof Unreadable) return found.reason
  // The record's own id is its last member; embedded records keep theirs inside.
  const byId = catalogue.find(({ name }) => `${name}_id` in found)
  return byId ?? 'its collection is unknown: name the file after it, or use --collection'
}

function reasonOf(error: Misread | Problem): string {
  if (!(error instanceof Problem)) return error.message
  return Object.entries(error.body)
    .map(([member, messages]) => `${member}: ${[messages].flat().join(' ')}`)
    .join('; ')
}
