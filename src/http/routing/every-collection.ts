/** Addresses that many collections have. The OpenAPI document lists each of them once, to stay small. */
import { type Collection, problems, titleOf } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Parameter } from '../openapi/operation.ts'
import type { Offer } from './form-actions.ts'
import { type Call, isListed, type Route } from './router.ts'

type CollectionHandler = (collection: Collection, call: Call) => Promise<Outcome>

/** `:collection` in the path of a listed route. */
export function collectionParameter(collections: readonly Collection[]): Parameter {
  return {
    name: 'collection',
    in: 'path',
    required: true,
    description: 'The collection.',
    schema: { type: 'string', enum: collections.map(({ name }) => name) },
  }
}

/** The collection that the path of a listed route names. */
export function inCollection(collections: readonly Collection[], handle: CollectionHandler) {
  return async (call: Call): Promise<Outcome> => {
    const collection = collections.find(({ name }) => name === call.places['collection'])
    if (!collection) throw problems.notFound()
    return await handle(collection, call)
  }
}

/** The listed route, whose path has `:collection`, and a route for each collection, which the router finds first. */
export function everyCollection(
  listed: Route,
  collections: readonly Collection[],
  handle: CollectionHandler,
  offers?: (collection: Collection, call: Call) => Promise<Offer>,
): Route[] {
  const { schemas: _, tag: __, ...rest } = listed
  const own = collections.map((collection): Route => {
    const get = { unlisted: true as const, handle: (call: Call) => handle(collection, call) }
    const others = Object.entries(listed.methods).filter(([, method]) => !isListed(method))
    return {
      ...rest,
      path: listed.path.replace(':collection', collection.name),
      title: `${titleOf(collection)} ${listed.title}`,
      ...(offers ? { offers: (call: Call) => offers(collection, call) } : {}),
      methods: { GET: get, ...Object.fromEntries(others) },
    }
  })
  return [listed, ...own]
}
