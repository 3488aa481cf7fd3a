/** Records as JSON, by the shortest path: a record with stored JSON need not be serialised again. */
import { type AnyRecord, type AnyResource, type Field, fieldsOf, type Row, showRecord } from '../declare/index.ts'
import { isStoredShown, NO_VOTES, type Selection, type Store, shownText, type Work } from '../store/index.ts'
import { loadRecords } from './load.ts'
import type { Values } from './prepare.ts'
import { problems } from './problem.ts'
import { type Projection, showProjected } from './project.ts'

export interface Shown {
  readonly id: number
  readonly json: string
  readonly plain: string | undefined
  readonly owner: number
  /** When it was last changed, in milliseconds; 0 if that is not known. */
  readonly changed: number
  /** The ids of the records that it embeds directly, for each field that embeds. */
  readonly embedded: readonly (readonly number[])[]
}

const NONE: readonly never[] = []

/** `fetch` gets the rows of a selection; they are shown in that order. */
export function* showRows(
  store: Store,
  selection: Selection,
  fetch: (selection: Selection) => Work<readonly Row[]>,
  projection?: Projection,
): Work<Shown[]> {
  const { resource, only } = selection
  if (projection)
    return yield* showParts(store, selection, yield* fetch({ resource, ...(only && { only }) }), projection)
  if (only || resource.plain || !isStoredShown(resource)) {
    return yield* showWhole(store, selection, yield* fetch(selection))
  }
  const rows = yield* fetch({ resource, shown: true })
  const names = yield* store.names.of(new Set(rows.map((row) => Number(row['owner']))))
  const shown: Shown[] = []
  for (const row of rows) {
    const json = shownText(resource, row, names.get(Number(row['owner']))!)
    // An older program wrote it.
    if (json === undefined) return yield* showWhole(store, selection, yield* fetch(selection))
    shown.push({ ...ownOf(row), json, plain: undefined, embedded: NONE })
  }
  return shown
}

export function* showByIds(
  store: Store,
  selection: Selection,
  ids: readonly number[],
  projection?: Projection,
): Work<Shown[]> {
  return yield* showRows(store, selection, (wanted) => store.records.byIds(wanted, ids), projection)
}

/** Throws a problem if there is none. */
export function* showOne(store: Store, selection: Selection, id: number, projection?: Projection): Work<Shown> {
  const [shown] = yield* showByIds(store, selection, [id], projection)
  if (!shown) throw problems.notFound()
  return shown
}

/** A record that was just written, from its values. `row` has its id, and what others add to it; nothing for a new one. */
export function showValues(resource: AnyResource, values: Values, row: Row): string {
  const shownValue = (key: string, field: Field) => {
    switch (field.storage(key).in) {
      case 'votes':
        return field.unpack({ [key]: row[key] ?? NO_VOTES }, key, nothing)
      case 'count':
        return field.unpack({ [key]: row[key] ?? 0 }, key, nothing)
      case 'nothing':
        return resource.derive[key]!(values)
      default:
        return values[key]
    }
  }
  const members = fieldsOf(resource).map(([key, field]) => field.show(shownValue(key, field), key))
  return `{${members.filter((text) => text !== '').join(',')},"${resource.name}_id":${row['id']}}`
}

function nothing(): undefined {
  return undefined
}

function* showParts(store: Store, selection: Selection, rows: readonly Row[], projection: Projection): Work<Shown[]> {
  const texts = yield* showProjected(store, selection, rows, projection)
  return rows.map((row, i) => ({ ...ownOf(row), json: texts[i]!, plain: undefined, embedded: NONE }))
}

/** What is known of every record, whatever it shows. */
function ownOf(row: Row): Pick<Shown, 'id' | 'owner' | 'changed'> {
  return { id: Number(row['id']), owner: Number(row['owner']), changed: Number(row['changed']) }
}

function* showWhole(store: Store, selection: Selection, rows: readonly Row[]): Work<Shown[]> {
  const { resource, only } = selection
  const plain = only ? undefined : resource.plain
  const records = yield* loadRecords(store, selection, rows, plain ? 'whole' : 'shown')
  return records.map((record, i) => ({
    ...ownOf(rows[i]!),
    json: showRecord(record),
    plain: plain?.write(record as never),
    embedded: embeddedIn(selection, record),
  }))
}

function idOf({ id }: { readonly id: number }): number {
  return id
}

function embeddedIn({ resource, only }: Selection, record: AnyRecord): number[][] {
  const lists: number[][] = []
  for (const [key, field] of fieldsOf(resource)) {
    if (only && !only.includes(key)) continue
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    lists.push(storage.in === 'reference' ? [record[key].id] : record[key].map(idOf))
  }
  return lists
}
