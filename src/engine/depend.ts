/** The resources that the JSON of a record depends on, besides its own row. Only their changes can make it stale. */
import { type AnyResource, fieldsOf } from '../declare/index.ts'
import type { Selection } from '../store/index.ts'

export interface Dependence {
  /** The record's own, and all others, by name. */
  readonly resources: readonly string[]
  /** The resources that it embeds directly, in field order. */
  readonly embeds: readonly string[]
  /** Resources further inside, or counted: which of their records matter is unknown. */
  readonly beyond: readonly string[]
}

const known = new WeakMap<AnyResource, Map<string, Dependence>>()

export function dependenceOf(selection: Selection): Dependence {
  const { resource, only } = selection
  const views = known.get(resource) ?? new Map<string, Dependence>()
  known.set(resource, views)
  const view = only?.join(' ') ?? ''
  const found = views.get(view) ?? workOut(selection)
  views.set(view, found)
  return found
}

function workOut({ resource, only }: Selection): Dependence {
  const embeds: string[] = []
  const beyond = new Set<string>()
  for (const [key, field] of fieldsOf(resource)) {
    if (only && !only.includes(key)) continue
    const storage = field.storage(key)
    if (storage.in === 'count') beyond.add(storage.of)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    embeds.push(storage.to.name)
    const further = dependenceOf({ resource: storage.to })
    for (const name of [...further.embeds, ...further.beyond]) beyond.add(name)
  }
  return { resources: [...new Set([resource.name, ...embeds, ...beyond])], embeds, beyond: [...beyond] }
}
