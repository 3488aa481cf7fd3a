/** Addresses that many collections have. The OpenAPI document lists each of them once, to stay small. */
import { type Collection, problems, titleOf } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Asked, First, Operation, Parameter } from '../openapi/operation.ts'
import type { Offer } from './form-actions.ts'
import { described, ok } from './options.ts'
import type { Call, ListedMethod, Route, UnlistedMethod } from './router.ts'

type CollectionHandler = (collection: Collection, call: Call) => Promise<Outcome>

interface CollectionMethod extends Omit<Operation, 'example'> {
  readonly example?: (collection: Collection, first: First) => readonly Asked[]
  readonly handle: CollectionHandler
}

interface CollectionRoute extends Omit<Route, 'methods' | 'offers' | 'description'> {
  /** '/api/:collection/:id/vote/' */
  readonly path: string
  readonly description: string
  readonly offers?: (collection: Collection, call: Call) => Promise<Offer>
  readonly methods: Readonly<Record<string, CollectionMethod>>
}

/** The route that the document lists, and a route for each collection, which answers. */
export function everyCollection(
  { methods, offers, ...route }: CollectionRoute,
  collections: readonly Collection[],
): Route[] {
  if (collections.length === 0) return []
  const listed = Object.entries(methods).map(([method, said]) => [method, listedMethod(said, collections)])
  const { schemas: _, tag: __, ...rest } = route
  const own = collections.map((collection): Route => {
    const title = `${titleOf(collection)} ${route.title}`
    const answering = Object.entries(methods).map(([method, { handle }]): [string, UnlistedMethod] => [
      method,
      { unlisted: true, handle: (call) => handle(collection, call) },
    ])
    return {
      ...rest,
      path: route.path.replace(':collection', collection.name),
      title,
      ...(offers ? { offers: (call: Call) => offers(collection, call) } : {}),
      methods: {
        ...Object.fromEntries(answering),
        OPTIONS: described(() => ok({ name: title, description: route.description })),
      },
    }
  })
  return [{ ...route, isOnlyListed: true, methods: Object.fromEntries(listed) }, ...own]
}

function listedMethod(
  { example, handle, parameters = [], ...said }: CollectionMethod,
  collections: readonly Collection[],
): ListedMethod {
  return {
    ...said,
    parameters: [collectionParameter(collections), ...parameters],
    ...(example
      ? { example: (first: First) => collections.flatMap((each) => askedOf(each, example(each, first))) }
      : {}),
    /** For examples: requests go to the route of the collection. */
    async handle(call) {
      const collection = collections.find(({ name }) => name === call.places['collection'])
      if (!collection) throw problems.notFound()
      return await handle(collection, call)
    },
  }
}

/** `:collection` in the path of a listed route. */
function collectionParameter(collections: readonly Collection[]): Parameter {
  return {
    name: 'collection',
    in: 'path',
    required: true,
    description: 'The collection.',
    schema: { type: 'string', enum: collections.map(({ name }) => name) },
  }
}

function askedOf({ name }: Collection, asked: readonly Asked[]): Asked[] {
  return asked.map(({ places, ...rest }) => ({ ...rest, places: { ...places, collection: name } }))
}
