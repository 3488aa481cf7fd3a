/** The exploring routes: random, daily, facets, related, nested, term and compare. */
import { type AnyResource, fieldsOf } from '../../../declare/index.ts'
import {
  type Collection,
  canCompare,
  collectionsOf,
  type Engine,
  facetable,
  hasText,
  holdsSlots,
  LIMITS,
  nests,
  titleOf,
} from '../../../engine/index.ts'
import { hasTerms } from '../../../store/index.ts'
import { type Answered, type Asked, type First, type Parameter, schemaRef, TEXT } from '../../openapi/operation.ts'
import { indexedFilters, RECORD_ID } from '../../openapi/parameters.ts'
import { PROJECTING } from '../../response/projection.ts'
import { described, ok } from '../../routing/options.ts'
import type { Handler, ListedMethod, Route } from '../../routing/router.ts'
import { compare, DEEPEST, daily, facets, MOST_AT_ONCE, nested, random, related, suggest, term } from './answers.ts'
import { compareSchema, FACETS, nestedSchema, relatedSchema, SUGGESTIONS, termSchema } from './schemas.ts'

export function exploringRoutes(engine: Engine): Route[] {
  return [
    ...collectionsOf(engine.catalogue).flatMap((collection) => collectionRoutes(engine, collection)),
    termRoute(engine),
    suggestRoute(engine),
    ...(engine.catalogue.some(canCompare) ? [compareRoute(engine)] : []),
  ]
}

function collectionRoutes(engine: Engine, collection: Collection): Route[] {
  const { resource, only } = collection
  return [
    randomRoute(engine, collection),
    dailyRoute(engine, collection),
    ...(facetable(collection).length > 0 ? [facetsRoute(engine, collection)] : []),
    ...(!only && holdsSlots(resource) ? [relatedRoute(engine, collection)] : []),
    ...(!only && nests(resource) ? [nestedRoute(engine, collection)] : []),
  ]
}

interface Reading extends Omit<ListedMethod, 'summary' | 'description' | 'handle' | 'answers'> {
  readonly path: string
  readonly title: string
  readonly tag: string
  /** One sentence. */
  readonly does: string
  /** Further details. */
  readonly details: string
  readonly hasText?: boolean
  readonly schemas?: Route['schemas']
  readonly answer: Answered
}

/** A read-only address. */
function readingRoute(
  { path, title, tag, does, details, hasText = false, schemas = {}, ...said }: Reading,
  handle: Handler,
): Route {
  const { answer, ...operation } = said
  return {
    path,
    title,
    tag,
    description: does,
    hasText,
    schemas,
    methods: {
      GET: {
        ...operation,
        summary: does,
        description: details,
        answers: { 200: answer },
        handle,
      },
      OPTIONS: described(() => ok({ name: title, description: does })),
    },
  }
}

const wholeNumber = (name: string, description: string, byDefault: number, maximum: number): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', minimum: 1, maximum, default: byDefault },
})

function randomRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  return readingRoute(
    {
      path: `/api/${name}/random/`,
      title: `${titleOf(collection)} Random`,
      tag: name,
      does: 'A random record; seed repeats it, n returns several.',
      details: 'Takes the filters of the list.',
      hasText: hasText(collection),
      parameters: [
        { name: 'seed', in: 'query', description: 'The same seed picks the same record.', schema: TEXT },
        wholeNumber('n', 'How many different records to pick. With it, the response is a list.', 1, MOST_AT_ONCE),
        ...indexedFilters(collection),
      ],
      answer: {
        says: 'The record; with `n`, a list.',
        schema: { anyOf: [schemaRef(name), schemaRef(`${name}-picked`)] },
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
      does: 'The record of the day, the same for everyone.',
      details: 'Takes the filters of the list.',
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
      does: 'How many records have each value of a member.',
      details: 'Takes the filters of the list. Up to 1,000 values of each member.',
      parameters: [
        {
          name: 'by',
          in: 'query',
          required: true,
          commas: true,
          description: 'The members whose values are counted: those that filter the list.',
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
        'limit',
        ...PROJECTING,
      ],
      answer: {
        says: 'Where the term occurs, and which terms occur with it.',
        schema: termSchema(catalogue.filter(hasTerms), texts),
      },
      example: (first) => {
        const word = firstTerm(catalogue, first)
        return word ? [{ places: { term: word }, query: 'limit=2' }] : []
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

function ofFirst(first: First, name: string, query: string): Asked[] {
  const found = first.get(name)
  return found ? [{ places: { id: String(found.id) }, query }] : []
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
