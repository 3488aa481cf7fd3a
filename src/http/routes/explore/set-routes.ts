/** Questions about sets: what is related to one, what is nested in it, and how several compare. */
import type { AnyResource, Schema } from '../../../declare/index.ts'
import {
  type Collection,
  canCompare,
  collectionsOf,
  type Engine,
  FEWEST_SETS,
  holdsSlots,
  MOST_SETS,
  nests,
} from '../../../engine/index.ts'
import { askFirst } from '../../openapi/examples.ts'
import { COUNT, type First, ID, inQuery, listOf, schemaRef } from '../../openapi/operation.ts'
import { RECORD_ID } from '../../openapi/parameters.ts'
import { PROJECTING } from '../../response/projection.ts'
import { everyCollection } from '../../routing/every-collection.ts'
import type { Call, Route } from '../../routing/router.ts'
import { pageOf } from '../hook-schemas.ts'
import { compare, crossings, DEEPEST, MOST_AT_ONCE, nested, related, SOME } from './answers.ts'
import { readingRoute, wholeNumber } from './reading-route.ts'
import { compareSchema, nestedSchema, relatedSchema, SET_ADDRESS, setAddressSchema, sharingSchema } from './schemas.ts'

export function setRoutes(engine: Engine, pageSize: number): Route[] {
  return [
    ...relatedRoutes(engine),
    ...nestedRoutes(engine),
    ...(engine.catalogue.some(canCompare) ? [compareRoute(engine)] : []),
    ...(engine.catalogue.some(holdsSlots) ? [crossingsRoute(engine, pageSize)] : []),
  ]
}

function relatedRoutes(engine: Engine): Route[] {
  const does = 'Sets that share terms with this one.'
  const route = {
    path: '/api/:collection/:id/related/',
    title: 'Related',
    tag: 'records',
    description: does,
    methods: {
      GET: {
        summary: does,
        description:
          'Finds sets of any collection that have a term or a name in common with the record. Those that share the most come first.',
        parameters: [RECORD_ID, 'limit'],
        answers: { 200: { says: 'The sets.', schema: relatedSchema(engine.catalogue.filter(holdsSlots)) } },
        example: (collection: Collection, first: First) => askFirst(collection, first, 'limit=1'),
        handle: (collection: Collection, call: Call) => related(engine, collection, call),
      },
    },
  }
  return everyCollection(route, resourcesOf(engine, holdsSlots))
}

function nestedRoutes(engine: Engine): Route[] {
  const does = 'Sets whose names are the terms of this one.'
  const collections = resourcesOf(engine, nests)
  const schemas = collections.map(({ name, resource }) => [`${name}-nested`, nestedSchema(resource, `${name}-nested`)])
  const schema = { anyOf: collections.map(({ name }) => schemaRef(`${name}-nested`)) }
  const route = {
    path: '/api/:collection/:id/nested/',
    title: 'Nested',
    tag: 'records',
    description: does,
    schemas: Object.fromEntries(schemas),
    methods: {
      GET: {
        summary: does,
        description:
          'Follows each term to the sets of the same collection that have it as their name, level by level; at most 500 records.',
        parameters: [RECORD_ID, wholeNumber('depth', 'How many levels down.', 2, DEEPEST)],
        answers: { 200: { says: 'The set, and under its terms the sets with these names.', schema } },
        example: (collection: Collection, first: First) => askFirst(collection, first, ''),
        handle: (collection: Collection, call: Call) => nested(engine, collection, call),
      },
    },
  }
  return everyCollection(route, collections)
}

/** The collections of whole records that have a property. */
function resourcesOf({ catalogue }: Engine, has: (resource: AnyResource) => boolean): Collection[] {
  return collectionsOf(catalogue).filter(({ only, resource }) => !only && has(resource))
}

function compareRoute(engine: Engine): Route {
  const names = engine.catalogue.filter(canCompare).map(({ name }) => name)
  const number = (name: string, description: string, schema: Schema) =>
    inQuery(name, description, { ...COUNT, ...schema })
  return readingRoute(
    {
      path: '/api/compare/',
      title: 'Compare',
      tag: 'catalogue',
      does: 'Compares two to twenty sets.',
      details:
        'Which terms the sets share, which only one has, how each pair relates, and what can be combined. Sets of sets count with all their terms.',
      schemas: { 'set-address': setAddressSchema(names) },
      parameters: [
        {
          name: 'set',
          in: 'query',
          required: true,
          description: 'A collection, a colon and an id. Repeat it for each set.',
          schema: { ...listOf(SET_ADDRESS), minItems: FEWEST_SETS, maxItems: MOST_SETS },
        },
        number('limit', 'How many combinations of the product to list.', { maximum: MOST_AT_ONCE, default: SOME }),
        number('offset', 'How many combinations to leave out before.', { default: 0 }),
      ],
      answer: { says: 'The comparison.', schema: compareSchema() },
      example: (first) => {
        // Neighbours of a small set: sets of sets have too many terms for an example.
        const small = engine.catalogue.filter(holdsSlots).findLast(({ name }) => first.has(name))?.name ?? ''
        const id = first.get(small)?.id ?? 0
        return [id - 1, id + 1].map((other) => ({ query: `set=${small}:${id}&set=${small}:${other}&limit=1` }))
      },
    },
    (call) => compare(engine, call),
  )
}

function crossingsRoute(engine: Engine, pageSize: number): Route {
  const crossed = engine.catalogue.filter(holdsSlots)
  return readingRoute(
    {
      path: '/api/crossings/',
      title: 'Crossings',
      tag: 'catalogue',
      does: 'Sets that cross a set: those that share the most terms come first.',
      details: 'Give one set, by the name of its collection. Up to 1,000 sets of each collection are listed.',
      parameters: [
        ...crossed.map(({ name }) => inQuery(name, `The id of a ${name} to cross.`, ID)),
        'page',
        'page_size',
        ...PROJECTING,
      ],
      answer: { says: 'A page.', schema: pageOf(sharingSchema(crossed)) },
      example: (first) => crossed.map(({ name }) => ({ query: `${name}=${first.get(name)?.id}&page_size=1` })),
    },
    (call) => crossings(engine, pageSize, call),
  )
}
