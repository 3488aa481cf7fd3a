/** Deleting: a record that others embed stays, unless staff delete with a cascade. */
import { type AnyResource, fieldsOf, type Lines, type Row } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import { demand } from './access.ts'
import type { Engine } from './engine.ts'
import { resourceOfLines } from './lines.ts'
import { complete, derive } from './prepare.ts'
import { openForChange, readOne, type Target } from './write.ts'

/** A record, named by its resource and id. */
export interface Place {
  readonly resource: string
  readonly id: number
}

/** Other records embed the record to delete. */
export class InUse extends Error {
  readonly usedBy: readonly Place[]
  constructor(usedBy: readonly Place[]) {
    super(`used by ${usedBy.length} records`)
    this.usedBy = usedBy
  }
}

export interface Removal {
  readonly deleted: Place[]
  readonly changed: Place[]
}

export function* removeRecord(
  engine: Engine,
  target: Target,
  { cascade }: { readonly cascade: boolean },
): Work<Removal> {
  const { collection, id, actor } = target
  const { resource } = collection
  const { stored } = yield* openForChange(engine, target)
  if (cascade) demand(actor.staff)
  else {
    const uses = yield* findUses(engine, resource, id)
    if (uses.length > 0) {
      const places = new Map(
        uses.map((use) => [`${use.resource.name} ${use.id}`, { resource: use.resource.name, id: use.id }]),
      )
      throw new InUse([...places.values()])
    }
  }
  const removal: Removal = { deleted: [], changed: [] }
  yield* remove(engine, resource, id, removal, { stored, ...(cascade ? {} : { uses: [] }) })
  return removal
}

interface Use {
  readonly resource: AnyResource
  readonly key: string
  readonly id: number
}

/** Every place where another record refers to this one. Its own lines do not count, unless they should. */
export function* findUses(
  engine: Engine,
  target: AnyResource,
  id: number,
  { lines = false }: { readonly lines?: boolean } = {},
): Work<Use[]> {
  const fields: { resource: AnyResource; key: string }[] = []
  for (const resource of engine.catalogue) {
    for (const [key, field] of fieldsOf(resource)) {
      const storage = field.storage(key)
      if ((storage.in !== 'reference' && storage.in !== 'links') || storage.to !== target) continue
      if (!lines && target.lines && isLineField(resource, key, target.lines)) continue
      fields.push({ resource, key })
    }
  }
  return yield* engine.store.records.uses(fields, id)
}

const isLineField = (resource: AnyResource, key: string, lines: Lines) =>
  resource.name === lines.resource && key === lines.parent

/** Removes the record from all that can exist without it, deletes those that cannot, then its lines and itself. */
function* remove(
  engine: Engine,
  resource: AnyResource,
  id: number,
  removal: Removal,
  known: { readonly stored?: Row; readonly uses?: readonly Use[] } = {},
): Work<void> {
  const { records } = engine.store
  for (const use of known.uses ?? (yield* findUses(engine, resource, id))) {
    if (has(removal.deleted, use)) continue
    const left = yield* released(engine, use, id)
    if (!left) {
      yield* remove(engine, use.resource, use.id, removal)
      continue
    }
    yield* records.update(use.resource, use.id, left)
    if (!has(removal.changed, use)) removal.changed.push({ resource: use.resource.name, id: use.id })
  }
  if (resource.lines) {
    const lines = resourceOfLines(engine, resource.lines)
    for (const line of yield* records.holders(lines, resource.lines.parent, id))
      yield* remove(engine, lines, line, removal)
  }
  yield* records.delete(resource, id, known.stored)
  removal.deleted.push({ resource: resource.name, id })
}

/** The values of a record without one that it embeds; undefined if it cannot exist without it. */
function* released(engine: Engine, { resource, key, id }: Use, gone: number) {
  const owner = yield* engine.store.records.lockOwner(resource, id)
  const record = yield* readOne(engine, { name: resource.name, resource }, id)
  const value = resource.fields[key].release(record[key], gone)
  if (value === undefined) return undefined
  const values = resource.release ? resource.release(record as never, gone) : { ...record, [key]: value }
  const whole = complete(resource, values, new Set())
  return { values: { ...whole, ...derive(resource, whole) }, owner: owner! }
}

function has(places: readonly Place[], { resource, id }: Use): boolean {
  return places.some((place) => place.resource === resource.name && place.id === id)
}
