/**
 * The records that a write reads or changes, as far as they are known before it runs. Writes without a common record may
 * run together.
 */
import { type AnyResource, fieldsOf, type JsonObject } from '../declare/index.ts'
import type { Footprint } from '../store/index.ts'
import type { Collection } from './collection.ts'
import { referencesIn } from './prepare.ts'

/** Undefined for a record whose creation may read more than the records that the body names. */
export function footprintOfNew(
  { resource }: Collection,
  body: JsonObject,
  idempotencyKey?: string,
): Footprint | undefined {
  const writesMore = resource.staffOnly || (resource.lines && body['lines'] !== undefined)
  // What those embed in turn counts for the size of the new record.
  if (writesMore || !targetsOf(resource).every(isLeaf)) return undefined
  const named = Array.from(referencesIn(resource, body), ([{ name }, ids]) => [...ids].map((id) => `${name}/${id}`))
  return [...named.flat(), ...(idempotencyKey === undefined ? [] : [`key ${idempotencyKey}`])]
}

/** Undefined for a record that embeds others: changing it reads them. */
export function footprintOfChange({ resource }: Collection, id: number): Footprint | undefined {
  return resource.staffOnly || resource.lines || !isLeaf(resource) ? undefined : [`${resource.name}/${id}`]
}

export function footprintOfVote({ resource }: Collection, id: number): Footprint {
  return [`${resource.name}/${id}`]
}

function isLeaf(resource: AnyResource): boolean {
  return targetsOf(resource).length === 0
}

function targetsOf(resource: AnyResource): AnyResource[] {
  return fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    return storage.in === 'reference' || storage.in === 'links' ? storage.to : []
  })
}
