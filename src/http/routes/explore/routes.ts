/** The exploring routes: random, daily, facets, term and suggest; set-routes.ts has those about sets. */
import { type AnyResource, fieldsOf } from '../../../declare/index.ts'
import {
  type Collection,
  collectionsOf,
  type Engine,
  facetable,
  hasText,
  holdsSlots,
  LIMITS,
  titleOf,
} from '../../../engine/index.ts'
import { hasTerms } from '../../../store/index.ts'
import { COUNT, type First, inQuery, schemaRef, TEXT } from '../../openapi/operation.ts'
import { indexedFilters } from '../../openapi/parameters.ts'
import { PROJECTING } from '../../response/projection.ts'
import type { Route } from '../../routing/router.ts'
import { pageOf } from '../hook-schemas.ts'
import { daily, facets, MOST_AT_ONCE, random, SOME, suggest, term, vocabulary } from './answers.ts'
import { chartRoutes } from './chart-routes.ts'
import { readingRoute, wholeNumber } from './reading-route.ts'
import { FACETS, SUGGESTIONS, termSchema } from './schemas.ts'
import { setRoutes } from './set-routes.ts'
import { textRoutes } from './text-routes.ts'

export function exploringRoutes(engine: Engine, pageSize: number): Route[] {
  return [
    ...collectionsOf(engine.catalogue).flatMap((collection) => collectionRoutes(engine, collection)),
    ...(engine.catalogue.some(holdsSlots) ? [vocabularyRoute(engine, pageSize)] : []),
    termRoute(engine),
    suggestRoute(engine),
    ...setRoutes(engine, pageSize),
    ...chartRoutes(engine),
    ...textRoutes(engine),
  ]
}

function collectionRoutes(engine: Engine, collection: Collection): Route[] {
  return [
    randomRoute(engine, collection),
    dailyRoute(engine, collection),
    ...(facetable(collection).length > 0 ? [facetsRoute(engine, collection)] : []),
  ]
}

function randomRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  return readingRoute(
    {
      path: `/api/${name}/random/`,
      title: `${titleOf(collection)} Random`,
      tag: name,
      does: 'A random record.',
      details: 'Filters apply.',
      hasText: hasText(collection),
      parameters: [
        { name: 'seed', in: 'query', description: 'The same seed picks the same record.', schema: TEXT },
        wholeNumber('n', 'How many different records to pick. With it, the response is a list.', 1, MOST_AT_ONCE),
        ...indexedFilters(collection),
      ],
      answer: {
        says: 'One record, or `n`.',
        schema: { anyOf: [schemaRef(name), schemaRef(`${name}-records`)] },
      },
    },
    (call) => random(engine, collection, call),
  )
}

function dailyRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  return readingRoute(
    {
      path: `/api/${name}/daily/`,
      title: `${titleOf(collection)} Daily`,
      tag: name,
      does: 'The record of the day.',
      details: 'Filters apply.',
      hasText: hasText(collection),
      parameters: [
        {
          name: 'date',
          in: 'query',
          description: 'The day; today by default.',
          schema: { type: 'string', format: 'date' },
        },
        {
          name: 'tz',
          in: 'query',
          description: 'The time zone that decides what today is, such as Asia/Tokyo.',
          schema: { type: 'string', default: 'UTC' },
        },
      ],
      answer: { says: 'The record.', schema: schemaRef(name), example: name },
    },
    (call) => daily(engine, collection, call),
  )
}

function facetsRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  const members = facetable(collection)
  // Most collections have an owner, so that they can share the parameter.
  const some = members.find(({ on }) => on === 'owner') ?? members[0]
  return readingRoute(
    {
      path: `/api/${name}/facets/`,
      title: `${titleOf(collection)} Facets`,
      tag: name,
      does: 'Counts of values.',
      details: 'Filters apply.',
      parameters: [
        {
          name: 'by',
          in: 'query',
          required: true,
          commas: true,
          description: 'The members whose values are counted: those that filter the list. Up to 1,000 values of each.',
          schema: { type: 'array', items: { ...TEXT, examples: [some?.member] }, minItems: 1, maxItems: 10 },
        },
      ],
      answer: {
        says: 'The number of records, and for each member its values, the most frequent first.',
        schema: FACETS,
      },
    },
    (call) => facets(engine, collection, call),
  )
}

function vocabularyRoute(engine: Engine, pageSize: number): Route {
  const names = engine.catalogue.filter(holdsSlots).map(({ name }) => name)
  return readingRoute(
    {
      path: '/api/words/',
      title: 'Words',
      tag: 'catalogue',
      does: 'All words of the sets, each once.',
      details: 'A page has the names and terms of its records that no record with a lower id has.',
      parameters: [
        {
          name: 'resource',
          in: 'query',
          required: true,
          description: 'The collection.',
          schema: { type: 'string', enum: names },
        },
        'page',
        'page_size',
      ],
      answer: { says: 'A page.', schema: pageOf(TEXT) },
      example: () => names.slice(0, 1).map((name) => ({ query: `resource=${name}&page_size=1` })),
    },
    (call) => vocabulary(engine, call, pageSize),
  )
}

function termRoute(engine: Engine): Route {
  const { catalogue } = engine
  const texts = catalogue.filter(({ textIn }) => textIn)
  return readingRoute(
    {
      path: '/api/term/:term/',
      title: 'Term',
      tag: 'catalogue',
      does: 'Where a word occurs: in names, in slots of sets, in texts.',
      details:
        'Letter case and accents do not matter. Texts are searched for every form of the word: for "dark" also "darker" and "darkest".',
      parameters: [
        { name: 'term', in: 'path', required: true, description: 'The word, or several.', schema: TEXT },
        inQuery('limit', 'How many sets to return, and how many texts. With 0, everything is only counted.', {
          ...COUNT,
          maximum: MOST_AT_ONCE,
          default: SOME,
        }),
        ...PROJECTING,
      ],
      answer: {
        says: 'Where the term occurs, and which terms occur with it.',
        schema: termSchema(catalogue.filter(hasTerms), texts),
      },
      example: (first) => {
        const word = firstTerm(catalogue, first)
        return word ? [{ places: { term: word }, query: 'limit=1' }] : []
      },
    },
    (call) => term(engine, call),
  )
}

function suggestRoute(engine: Engine): Route {
  return readingRoute(
    {
      path: '/api/suggest/',
      title: 'Suggest',
      tag: 'catalogue',
      does: 'What a search may mean.',
      details: 'Areas, realms, sources and users of that name, and other spellings.',
      parameters: [
        {
          name: 'q',
          in: 'query',
          required: true,
          description: 'What somebody has typed.',
          schema: { type: 'string', minLength: 1, maxLength: LIMITS.searchLength },
        },
      ],
      answer: { says: 'The suggestions.', schema: SUGGESTIONS },
      example: (first) => {
        const word = firstTerm(engine.catalogue, first)
        return word ? [{ query: `q=${encodeURIComponent(word.split(' ')[0] ?? word)}` }] : []
      },
    },
    (call) => suggest(engine, call),
  )
}

function firstTerm(catalogue: readonly AnyResource[], first: First): string | undefined {
  return catalogue
    .flatMap((resource) =>
      fieldsOf(resource)
        .filter(([, { searches }]) => searches === 'term')
        .flatMap(([key, field]) => field.members(key).map((member) => first.get(resource.name)?.record[member])),
    )
    .find((word) => typeof word === 'string' && word !== '')
}
