/** Questions about sets: what is related to one, what is nested in it, and how several compare. */
import {
  type Collection,
  canCompare,
  collectionsOf,
  type Engine,
  holdsSlots,
  nests,
  titleOf,
} from '../../../engine/index.ts'
import { schemaRef } from '../../openapi/operation.ts'
import { RECORD_ID } from '../../openapi/parameters.ts'
import type { Route } from '../../routing/router.ts'
import { compare, DEEPEST, nested, related } from './answers.ts'
import { ofFirst, readingRoute, wholeNumber } from './reading-route.ts'
import { compareSchema, nestedSchema, relatedSchema } from './schemas.ts'

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
      example: (first) => ofFirst(first, name, 'limit=2'),
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
  const set = { type: 'string', pattern: `^(${names.join('|')}):[1-9][0-9]*$` }
  return readingRoute(
    {
      path: '/api/compare/',
      title: 'Compare',
      tag: 'catalogue',
      does: 'Compares two to ten sets.',
      details:
        'Shows which terms the sets share, which only one has, and how each pair relates. Sets of sets count with all their terms.',
      parameters: [
        {
          name: 'set',
          in: 'query',
          required: true,
          description: 'A collection, a colon and an id. Repeat it for each set.',
          schema: { type: 'array', items: set, minItems: 2, maxItems: 10 },
        },
      ],
      answer: {
        says: 'What all sets share, what only one has, and how each pair relates.',
        schema: compareSchema(set),
      },
      example: (first) => {
        const sets = names.flatMap((name) => (first.has(name) ? [`set=${name}:${first.get(name)!.id}`] : []))
        return sets.length > 1 ? [{ query: sets.slice(0, 2).join('&') }] : []
      },
    },
    (call) => compare(engine, call),
  )
}
