/** What OPTIONS says about a collection or one of its records, and about what the caller may send. */
import { fieldsOf, type MemberDescription } from '../declare/index.ts'
import { type Actor, mayChange, mayCreate } from './access.ts'
import { type Collection, hasText, titleOf } from './collection.ts'

/** About a record if its owner is given, otherwise about the list. */
export function describe(collection: Collection, actor: Actor | undefined, owner?: number): object {
  const { resource } = collection
  const may = actor && (owner === undefined ? mayCreate(resource, actor) : mayChange(resource, owner, actor))
  return {
    name: `${titleOf(collection)} ${owner === undefined ? 'List' : 'Instance'}`,
    description: resource.does,
    renders: ['application/json', 'text/html', ...(owner !== undefined && hasText(collection) ? ['text/plain'] : [])],
    parses: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    ...(may ? { actions: { [owner === undefined ? 'POST' : 'PUT']: describeMembers(collection) } } : {}),
  }
}

function describeMembers({ resource }: Collection): Record<string, MemberDescription> {
  const members: Record<string, MemberDescription> = {}
  for (const [key, field] of fieldsOf(resource)) {
    Object.assign(members, field.describe(key))
    // If only staff write it, they name the owner.
    if (resource.staffOnly && field.storage(key).in === 'owner') {
      members[key] = { ...members[key]!, required: true, read_only: false }
    }
  }
  if (resource.lines) {
    const child = { type: 'field', required: true, read_only: false } as const
    members['lines'] = { type: 'list', required: false, read_only: false, label: 'Lines', child }
  }
  const id = `${resource.name}_id`
  return { ...members, [id]: { type: 'integer', required: false, read_only: true, label: 'ID' } }
}
