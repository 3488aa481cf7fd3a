/** The part of the document for some of its groups. */
import { type Components, collectionsIn, operationsIn, type PathItem, reachable } from './components.ts'
import type { OpenApi } from './document.ts'

/**
 * The operations of the groups, those that are listed once for many collections, and the components that these refer
 * to.
 */
export function partOf(document: OpenApi, groups: ReadonlySet<string>): OpenApi {
  const { securitySchemes, ...components } = document.components
  const isTagged = (item: PathItem) => operationsIn(item).some(({ tags = [] }) => tags.some((tag) => groups.has(tag)))
  const paths = Object.entries(document.paths).flatMap(([path, item]): [string, PathItem][] => {
    if (isTagged(item)) return [[path, item]]
    const collections = collectionsIn(item, components)
    const others = collections.filter((name) => !groups.has(name))
    return others.length < collections.length ? [[path, without(item, others, components)]] : []
  })
  const kept = Object.fromEntries(paths)
  return {
    ...document,
    tags: document.tags.filter(({ name }) => groups.has(name)),
    paths: kept,
    components: { ...reachable(kept, components), securitySchemes: securitySchemes! },
  }
}

/** Without the names of these collections, and without what their records look like. */
function without(item: PathItem, collections: readonly string[], components: Components): PathItem {
  const schemas = new Set(
    collections.flatMap((name) => [name, `${name}-nested`].map((each) => `#/components/schemas/${each}`)),
  )
  const isGone = (each: unknown): boolean =>
    typeof each === 'string' ? collections.includes(each) : schemas.has(referenceOf(each))
  const narrow = (value: object): PathItem =>
    JSON.parse(JSON.stringify(value), (key, each) => {
      if (key === 'enum' || key === 'anyOf') return each.filter((one: unknown) => !isGone(one))
      const [, kind = '', name = ''] = /^#\/components\/(parameters|responses)\/(.*)/.exec(referenceOf(each)) ?? []
      const shared = components[kind]?.[name]
      if (!shared) return each
      const narrowed = narrow(shared)
      return JSON.stringify(narrowed) === JSON.stringify(shared) ? each : narrowed
    })
  return narrow(item)
}

function referenceOf(value: unknown): string {
  return typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref) : ''
}
