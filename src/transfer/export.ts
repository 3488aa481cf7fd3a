/**
 * Exports records as GET returns them, in id order, from one snapshot, a batch at a time. If a record does not show its
 * owner, the export adds it as `user`, so that an import keeps it.
 */
import { createHash } from 'node:crypto'
import { type AnyRecord, type AnyResource, keyStoredIn, showRecord } from '../declare/index.ts'
import { csvColumns, csvRecord, csvRow, type Engine, loadRecords } from '../engine/index.ts'
import { inDependencyOrder, type Work } from '../store/index.ts'
import { type Format, fortuneEntry } from './formats/index.ts'
import { readOnce } from './read-once.ts'

/** Where text goes; it is written as it comes, so it must not wait. */
export interface Sink {
  write(text: string): void
}

export interface Written {
  readonly records: number
  readonly sha256: string
}

const SPAN = 500

/** Records that others refer to come first, so that they exist when the file is read again. */
export function exportOrder(engine: Engine, wanted: readonly AnyResource[]): AnyResource[] {
  return inDependencyOrder(engine.catalogue).filter((resource) => wanted.includes(resource))
}

/** Whether records of this resource can be written in the format. Only some are texts. */
export function canExport(resource: AnyResource, format: Format): boolean {
  return format !== 'fortune' || resource.plain !== undefined
}

/** Writes each collection into the sink opened for it. */
export function exportEach(
  engine: Engine,
  resources: readonly AnyResource[],
  format: Format,
  open: (resource: AnyResource) => Sink & { close(): void },
): Promise<Map<AnyResource, Written>> {
  return readOnce(engine, function* () {
    const written = new Map<AnyResource, Written>()
    const names = yield* ownerNames(engine)
    for (const resource of resources) {
      const sink = open(resource)
      const out = counting(sink)
      const shape = shapes[format](resource, 'alone')
      out.write(shape.begin)
      const records = yield* writeRecords(engine, resource, names, shape, out)
      out.write(shape.end)
      sink.close()
      written.set(resource, { records, sha256: out.sha256() })
    }
    return written
  })
}

/** Writes all collections into one sink. */
export function exportTogether(
  engine: Engine,
  resources: readonly AnyResource[],
  format: Format,
  sink: Sink,
): Promise<Written> {
  return readOnce(engine, function* () {
    const names = yield* ownerNames(engine)
    const out = counting(sink)
    const place = resources.length === 1 ? 'alone' : 'among others'
    let records = 0
    if (place === 'among others') out.write(together[format].begin)
    for (const [i, resource] of resources.entries()) {
      const shape = shapes[format](resource, place)
      if (i > 0 && place === 'among others') out.write(together[format].between)
      out.write(shape.begin)
      records += yield* writeRecords(engine, resource, names, shape, out)
      out.write(shape.end)
    }
    if (place === 'among others') out.write(together[format].end)
    return { records, sha256: out.sha256() }
  })
}

function* ownerNames({ store }: Engine): Work<ReadonlyMap<number, string>> {
  return new Map((yield* store.accounts.all()).map(({ id, name }) => [id, name]))
}

function counting(sink: Sink): Sink & { sha256(): string } {
  const hash = createHash('sha256')
  return {
    write(text) {
      if (text === '') return
      hash.update(text)
      sink.write(text)
    },
    sha256: () => hash.digest('hex'),
  }
}

function* writeRecords(
  { store }: Engine,
  resource: AnyResource,
  names: ReadonlyMap<number, string>,
  shape: Shape,
  out: Sink,
): Work<number> {
  let [count, last] = [0, 0]
  for (;;) {
    const rows = yield* store.records.after({ resource }, last, SPAN)
    if (rows.length === 0) return count
    const records = yield* loadRecords(store, { resource }, rows)
    const texts = records.map((record, i) => {
      const json = withOwner(resource, showRecord(record), names.get(Number(rows[i]!['owner'])))
      return (count + i > 0 ? shape.between : '') + shape.record(record, json)
    })
    out.write(texts.join(''))
    count += rows.length
    last = Number(rows.at(-1)!['id'])
  }
}

/** Before the id, which stays last. */
function withOwner(resource: AnyResource, json: string, name: string | undefined): string {
  if (name === undefined || !ownsSilently(resource)) return json
  const idMember = `"${resource.name}_id":`
  const place = json.lastIndexOf(idMember)
  return `${json.slice(0, place)}"user":${JSON.stringify(name)},${json.slice(place)}`
}

/** Whether it has its own owner and does not show it. */
function ownsSilently(resource: AnyResource): boolean {
  return !resource.ownedThrough && keyStoredIn(resource, 'owner') === undefined
}

/** How records of a collection are separated. */
interface Shape {
  readonly begin: string
  readonly between: string
  readonly end: string
  record(record: AnyRecord, json: string): string
}

const shapes: Readonly<Record<Format, (resource: AnyResource, place: 'alone' | 'among others') => Shape>> = {
  ndjson: () => ({ begin: '', between: '', end: '', record: (_, json) => `${json}\n` }),
  json: (resource, place) => ({
    begin: `${place === 'alone' ? '' : `${JSON.stringify(resource.name)}:`}[\n`,
    between: ',\n',
    end: place === 'alone' ? '\n]\n' : '\n]',
    record: (_, json) => json,
  }),
  csv: (resource) => {
    const members = columnsOf(resource)
    return {
      begin: csvRow(members),
      between: '',
      end: '',
      record: (_, json) => csvRecord(members, json),
    }
  },
  fortune: (resource) => ({
    begin: '',
    between: '',
    end: '',
    record: (record) => fortuneEntry(resource.plain!.write(record as never)),
  }),
}

const together: Readonly<Record<Format, Omit<Shape, 'record'>>> = {
  ndjson: { begin: '', between: '', end: '' },
  json: { begin: '{', between: ',\n', end: '}\n' },
  csv: { begin: '', between: '', end: '' },
  fortune: { begin: '', between: '', end: '' },
}

/** The owner comes before the id, which stays last. */
function columnsOf(resource: AnyResource): string[] {
  return csvColumns(resource).toSpliced(-1, 0, ...(ownsSilently(resource) ? ['user'] : []))
}
