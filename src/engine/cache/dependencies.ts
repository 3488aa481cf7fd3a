/** The resources on which the JSON of a record depends: only a write to one of them can make a cached record stale. */
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import type { Selection } from '../../store/index.ts'

export interface Dependencies {
  /** The names of all of them, beginning with the record's own. */
  readonly resources: readonly string[]
  /** The resources that it embeds directly, in field order. */
  readonly embeds: readonly string[]
  /** Resources that embedded records embed, or whose records are counted: any of their records may matter. */
  readonly beyond: readonly string[]
}

const known = new WeakMap<AnyResource, Map<string, Dependencies>>()

/** The same object for the same selection. */
export function dependenciesOf(selection: Selection): Dependencies {
  const { resource, only } = selection
  const view = only?.join(' ') ?? ''
  const found = known.get(resource)?.get(view)
  if (found) return found
  const computed = compute(selection)
  const views = known.get(resource)
  if (views) views.set(view, computed)
  else known.set(resource, new Map([[view, computed]]))
  return computed
}

function compute({ resource, only }: Selection): Dependencies {
  const embeds: string[] = []
  const beyond = new Set<string>()
  for (const [key, field] of fieldsOf(resource)) {
    if (only && !only.includes(key)) continue
    const storage = field.storage(key)
    if (storage.in === 'count') beyond.add(storage.of)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    embeds.push(storage.to.name)
    const further = dependenciesOf({ resource: storage.to })
    for (const name of [...further.embeds, ...further.beyond]) beyond.add(name)
  }
  return { resources: [...new Set([resource.name, ...embeds, ...beyond])], embeds, beyond: [...beyond] }
}
