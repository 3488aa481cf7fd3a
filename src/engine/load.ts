/** Turns rows into records: embedded ones are loaded per resource, never one by one, and each is serialised once. */
import { type AnyRecord, type AnyResource, type Field, fieldsOf, jsonText, type Row } from '../declare/index.ts'
import type { Selection, Store, Work } from '../store/index.ts'
import { problems } from './problem.ts'

/** The records of the rows, in the rows' order, with all they embed. */
export function* loadRecords(store: Store, selection: Selection, rows: readonly Row[]): Work<AnyRecord[]> {
  const fields = shownFields(selection)
  const wanted = new Map<AnyResource, Set<number>>()
  for (const [key, field] of fields) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    const ids = wanted.get(storage.to) ?? new Set()
    wanted.set(storage.to, ids)
    for (const row of rows) for (const id of field.embeds(row, key)) ids.add(id)
  }
  const embedded = yield* findRecords(store, wanted)
  return rows.map((row) => makeRecord(selection.resource, fields, row, embedded))
}

/** One record and its owner; throws a problem if there is none. */
export function* loadOne(store: Store, selection: Selection, id: number): Work<{ record: AnyRecord; owner: number }> {
  const rows = yield* store.records.byIds(selection, [id])
  const [record] = yield* loadRecords(store, selection, rows)
  if (!record) throw problems.notFound()
  return { record, owner: Number(rows[0]!['owner']) }
}

/** Records by resource and id, one query for each resource (and for each that they embed in turn). */
export function* findRecords(
  store: Store,
  wanted: ReadonlyMap<AnyResource, ReadonlySet<number>>,
): Work<(resource: AnyResource, id: number) => AnyRecord | undefined> {
  const found = new Map<AnyResource, Map<number, AnyRecord>>()
  for (const [resource, ids] of wanted) {
    const rows = yield* store.records.byIds({ resource }, [...ids])
    const records = yield* loadRecords(store, { resource }, rows)
    found.set(resource, new Map(records.map((record) => [record.id, record])))
  }
  return (resource, id) => found.get(resource)?.get(id)
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
