/** Turns rows into records: embedded ones are loaded per resource, never one by one, and each is serialised once. */
import { type AnyRecord, type AnyResource, type Field, fieldsOf, jsonText, type Row } from '../declare/index.ts'
import { isStoredShown, type Selection, type Store, shownText, type Work } from '../store/index.ts'
import { problems } from './problem.ts'

/** Embedded records, as a whole, or as far as showing them needs: their JSON and the fields that `derive` reads. */
type Embedding = 'whole' | 'shown'

/** The records of the rows, in the rows' order, with all they embed. */
export function* loadRecords(
  store: Store,
  selection: Selection,
  rows: readonly Row[],
  embedding: Embedding = 'whole',
): Work<AnyRecord[]> {
  const fields = shownFields(selection)
  const wanted = new Map<AnyResource, Set<number>>()
  const read = new Map<AnyResource, Set<string> | undefined>()
  for (const [key, field] of fields) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    const ids = wanted.get(storage.to) ?? new Set()
    wanted.set(storage.to, ids)
    for (const row of rows) for (const id of field.embeds(row, key)) ids.add(id)
    const reads = embedding === 'shown' && storage.in === 'links' ? storage.reads : undefined
    const others = read.has(storage.to) ? read.get(storage.to) : new Set<string>()
    read.set(storage.to, reads && others && new Set([...others, ...reads]))
  }
  const embedded = yield* findRecords(store, wanted, read)
  return rows.map((row) => makeRecord(selection.resource, fields, row, embedded))
}

/** One record and its owner; throws a problem if there is none. */
export function* loadOne(store: Store, selection: Selection, id: number): Work<{ record: AnyRecord; owner: number }> {
  const rows = yield* store.records.byIds(selection, [id])
  const [record] = yield* loadRecords(store, selection, rows)
  if (!record) throw problems.notFound()
  return { record, owner: Number(rows[0]!['owner']) }
}

/**
 * Records by resource and id, one query for each resource (and for each that they embed in turn). `read` has the fields
 * to read of records that are only shown.
 */
export function* findRecords(
  store: Store,
  wanted: ReadonlyMap<AnyResource, ReadonlySet<number>>,
  read?: ReadonlyMap<AnyResource, ReadonlySet<string> | undefined>,
): Work<(resource: AnyResource, id: number) => AnyRecord | undefined> {
  const found = new Map<AnyResource, Map<number, AnyRecord>>()
  for (const [resource, ids] of wanted) {
    const reads = read?.get(resource)
    const brief = reads && isStoredShown(resource) ? yield* findShown(store, resource, ids, reads) : undefined
    found.set(resource, brief ?? (yield* findWhole(store, resource, ids)))
  }
  return (resource, id) => found.get(resource)?.get(id)
}

function* findWhole(store: Store, resource: AnyResource, ids: ReadonlySet<number>): Work<Map<number, AnyRecord>> {
  const rows = yield* store.records.byIds({ resource }, [...ids])
  return new Map((yield* loadRecords(store, { resource }, rows)).map((record) => [record.id, record]))
}

/** Records with their stored JSON and some fields; undefined if an older program wrote one of them. */
function* findShown(
  store: Store,
  resource: AnyResource,
  ids: ReadonlySet<number>,
  reads: ReadonlySet<string>,
): Work<Map<number, AnyRecord> | undefined> {
  const rows = yield* store.records.byIds({ resource, shown: true, beside: [...reads] }, [...ids])
  const names = yield* store.names.of(new Set(rows.map((row) => Number(row['owner']))))
  const fields = fieldsOf(resource).filter(([key]) => reads.has(key))
  const records = new Map<number, AnyRecord>()
  for (const row of rows) {
    const json = shownText(resource, row, names.get(Number(row['owner'])) ?? '')
    if (json === undefined) return undefined
    const id = Number(row['id'])
    const record: Record<string | symbol, any> = { id, [jsonText]: json }
    for (const [key, field] of fields) record[key] = field.unpack(row, key, nothing)
    records.set(id, record as AnyRecord)
  }
  return records
}

function nothing(): undefined {
  return undefined
}

function shownFields({ resource, only }: Selection): [string, Field][] {
  return fieldsOf(resource).filter(([key]) => !only || only.includes(key))
}

function makeRecord(
  resource: AnyResource,
  fields: readonly (readonly [string, Field])[],
  row: Row,
  find: (resource: AnyResource, id: number) => AnyRecord | undefined,
): AnyRecord {
  const record: Record<string | symbol, any> = {}
  for (const [key, field] of fields) record[key] = field.unpack(row, key, find)
  let json = ''
  for (const [key, field] of fields) {
    if (field.storage(key).in === 'nothing') record[key] = resource.derive[key]!(record)
  }
  for (const [key, field] of fields) {
    const members = field.show(record[key], key)
    if (members !== '') json += `${members},`
  }
  const id = Number(row['id'])
  record['id'] = id
  record[jsonText] = `{${json}"${resource.name}_id":${id}}`
  return record as AnyRecord
}
