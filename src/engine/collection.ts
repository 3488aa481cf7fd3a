/** The collections a catalogue publishes: one for each resource and each of its views. */
import type { AnyResource } from '../declare/index.ts'
import type { Selection } from '../store/index.ts'

export interface Collection extends Selection {
  /** As in addresses: quadranym-id. */
  readonly name: string
}

export function collectionsOf(catalogue: readonly AnyResource[]): Collection[] {
  return catalogue.flatMap((resource) => [
    { name: resource.name, resource },
    ...Object.entries(resource.views ?? {}).map(([name, only]) => ({ name, resource, only })),
  ])
}

/** Name -> the collection at its address. A resource may list one of its views instead of itself. */
export function rootIndex(catalogue: readonly AnyResource[]): Map<string, string> {
  return new Map(
    collectionsOf(catalogue).map(({ name, resource }) => [
      name,
      name === resource.name ? (resource.listedAs ?? name) : name,
    ]),
  )
}

/** Whether its records are available as plain text. */
export function hasText({ resource, only }: Collection): boolean {
  return !only && resource.plain !== undefined
}

/** "quadranym-id" becomes "Quadranym Id". */
export function titleOf(collection: Collection): string {
  return collection.name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
}
