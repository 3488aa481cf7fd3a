/** Questions about sets: what is related to one, what is nested in it, and how several compare. */
import type { Schema } from '../../../declare/index.ts'
import {
  type Collection,
  canCompare,
  collectionsOf,
  type Engine,
  FEWEST_SETS,
  holdsSlots,
  MOST_SETS,
  nests,
  titleOf,
} from '../../../engine/index.ts'
import { COUNT, inQuery, listOf, schemaRef } from '../../openapi/operation.ts'
import { RECORD_ID } from '../../openapi/parameters.ts'
import type { Route } from '../../routing/router.ts'
import { compare, DEEPEST, MOST_AT_ONCE, nested, related, SOME } from './answers.ts'
import { ofFirst, readingRoute, wholeNumber } from './reading-route.ts'
import { compareSchema, nestedSchema, relatedSchema, SET_ADDRESS, setAddressSchema } from './schemas.ts'

export function setRoutes(engine: Engine): Route[] {
  const whole = collectionsOf(engine.catalogue).filter(({ only }) => !only)
  return [
    ...whole.flatMap((collection) => [
      ...(holdsSlots(collection.resource) ? [relatedRoute(engine, collection)] : []),
      ...(nests(collection.resource) ? [nestedRoute(engine, collection)] : []),
    ]),
    ...(engine.catalogue.some(canCompare) ? [compareRoute(engine)] : []),
  ]
}

function relatedRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  return readingRoute(
    {
      path: `/api/${name}/:id/related/`,
      title: `${titleOf(collection)} Related`,
      tag: name,
      does: 'Sets that share terms with this one.',
      details:
        'Finds sets of any collection that have a term or a name in common with the record. Those that share the most come first.',
      parameters: [RECORD_ID, 'limit'],
      answer: {
        says: 'The sets.',
        schema: relatedSchema(engine.catalogue.filter(holdsSlots)),
      },
      example: (first) => ofFirst(first, name, 'limit=1'),
    },
    (call) => related(engine, collection, call),
  )
}

function nestedRoute(engine: Engine, collection: Collection): Route {
  const { name, resource } = collection
  const schema = `${name}-nested`
  return readingRoute(
    {
      path: `/api/${name}/:id/nested/`,
      title: `${titleOf(collection)} Nested`,
      tag: name,
      does: 'Sets whose names are the terms of this one.',
      details:
        'Follows each term to the sets of the same collection that have it as their name, level by level; at most 500 records.',
      schemas: { [schema]: nestedSchema(resource, schema) },
      parameters: [RECORD_ID, wholeNumber('depth', 'How many levels down.', 2, DEEPEST)],
      answer: { says: 'The set, and under its terms the sets with these names.', schema: schemaRef(schema) },
      example: (first) => ofFirst(first, name, ''),
    },
    (call) => nested(engine, collection, call),
  )
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
