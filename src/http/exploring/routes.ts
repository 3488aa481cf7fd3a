/** Ways to look around, as routes: chance, the day's record, counts by value, words, and sets side by side. */
import { type AnyResource, fieldsOf, type Schema } from '../../declare/index.ts'
import {
  type Collection,
  canCompare,
  collectionsOf,
  type Engine,
  facetable,
  hasText,
  holdsSlots,
  nests,
  titleOf,
} from '../../engine/index.ts'
import { hasTerms } from '../../store/index.ts'
import { described, ok } from '../describing.ts'
import {
  type Answered,
  type Asked,
  COUNT,
  exactly,
  type First,
  ID,
  listOf,
  type Parameter,
  schemaRef,
  TEXT,
} from '../openapi/operation.ts'
import { idOf, narrowedBy } from '../openapi/parameters.ts'
import type { Handler, ListedMethod, Route } from '../router.ts'
import { compare, DEEPEST, daily, facets, MOST_AT_ONCE, nested, random, related, term } from './answers.ts'

export function exploringRoutes(engine: Engine): Route[] {
  return [
    ...collectionsOf(engine.catalogue).flatMap((collection) => collectionRoutes(engine, collection)),
    termRoute(engine),
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

interface Reading extends Omit<ListedMethod, 'summary' | 'handle' | 'answers'> {
  readonly path: string
  readonly title: string
  readonly tag: string
  /** One sentence. */
  readonly does: string
  readonly hasText?: boolean
  readonly schemas?: Route['schemas']
  readonly answer: Answered
}

/** An address that is only read. */
function readingRoute(
  { path, title, tag, does, hasText = false, schemas = {}, ...said }: Reading,
  handle: Handler,
): Route {
  const { answer, ...operation } = said
  const inPath = operation.parameters?.filter((each) =>
    typeof each === 'string' ? each.endsWith('.id') : each.in === 'path',
  )
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
        answers: { 200: { ...answer, headers: ['ETag?'] } },
        handle,
      },
      OPTIONS: { ...described(title, () => ok({ name: title, description: does })), parameters: inPath ?? [] },
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
  const several = exactly({ count: COUNT, results: listOf(schemaRef(name)) })
  return readingRoute(
    {
      path: `/api/${name}/random/`,
      title: `${titleOf(collection)} Random`,
      tag: name,
      does: 'A record by chance; seed repeats it, n gives several.',
      hasText: hasText(collection),
      parameters: [
        { name: 'seed', in: 'query', description: 'The same seed picks the same record.', schema: TEXT },
        wholeNumber('n', 'How many different records. When it is given, the answer is a list.', 1, MOST_AT_ONCE),
        ...narrowedBy(collection),
      ],
      answer: {
        says: 'The record; with `n`, how many there were to pick from, and those picked.',
        schema: { anyOf: [schemaRef(name), several] },
        example: name,
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
      does: 'The same record for everybody on a day.',
      hasText: hasText(collection),
      parameters: [
        {
          name: 'date',
          in: 'query',
          description: 'The day, if not today.',
          schema: { type: 'string', format: 'date' },
        },
        {
          name: 'tz',
          in: 'query',
          description: 'Where today is, as a name of the time zone database.',
          schema: { type: 'string', default: 'UTC' },
        },
        ...narrowedBy(collection),
      ],
      answer: { says: 'The record.', schema: schemaRef(name), example: name },
    },
    (call) => daily(engine, collection, call),
  )
}

function facetsRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  const filters = facetable(collection)
  const members = filters.map(({ member }) => member)
  const valuesOf = ({ schema }: { readonly schema: Schema }): Schema =>
    listOf(exactly({ value: { type: schema['type'] }, count: { type: 'integer', minimum: 1 } }))
  const isShort = ({ schema, on }: (typeof filters)[number]) =>
    schema['enum'] !== undefined || on === 'owner' || (typeof on === 'object' && on.column.indexed)
  const few = filters.find(isShort) ?? filters[0]!
  return readingRoute(
    {
      path: `/api/${name}/facets/`,
      title: `${titleOf(collection)} Facets`,
      tag: name,
      does: 'How many records have each value of a member.',
      parameters: [
        {
          name: 'by',
          in: 'query',
          required: true,
          commas: true,
          description: 'The members whose values are counted.',
          schema: { type: 'array', items: { type: 'string', enum: members }, minItems: 1, maxItems: 10 },
        },
        // A member of that name cannot be asked for beside it.
        ...narrowedBy(collection).filter((each) => each !== `${name}.by`),
      ],
      answer: {
        says: 'The number of records, and for each member its values, the most frequent first.',
        schema: exactly({
          count: COUNT,
          facets: exactly(Object.fromEntries(filters.map((filter) => [`${filter.member}?`, valuesOf(filter)]))),
        }),
      },
      example: (first) => (first.has(name) ? [{ query: `by=${few.member}` }] : []),
    },
    (call) => facets(engine, collection, call),
  )
}

function relatedRoute(engine: Engine, collection: Collection): Route {
  const { name } = collection
  const found = exactly({
    resource: TEXT,
    shared: listOf(TEXT),
    jaccard: SHARE,
    record: anyOf(engine.catalogue.filter(holdsSlots)),
  })
  return readingRoute(
    {
      path: `/api/${name}/:id/related/`,
      title: `${titleOf(collection)} Related`,
      tag: name,
      does: 'Sets that share terms with this one.',
      parameters: [idOf(collection), 'limit'],
      answer: {
        says: 'Those that share the most come first.',
        schema: exactly({ count: COUNT, results: listOf(found) }),
      },
      example: (first) => ofFirst(first, name, 'limit=2'),
    },
    (call) => related(engine, collection, call),
  )
}

function nestedRoute(engine: Engine, collection: Collection): Route {
  const { name, resource } = collection
  const self = schemaRef(`${name}-nested`)
  const schema = exactly({
    name: TEXT,
    [`${resource.name}_id`]: ID,
    'repeated?': { const: true, description: 'It stands further up already, and is not unfolded again.' },
    'nested?': listOf(exactly({ slot: TEXT, term: TEXT, records: listOf(self) })),
  })
  return readingRoute(
    {
      path: `/api/${name}/:id/nested/`,
      title: `${titleOf(collection)} Nested`,
      tag: name,
      does: 'Sets whose names are the terms of this one.',
      schemas: { [`${name}-nested`]: schema },
      parameters: [idOf(collection), wholeNumber('depth', 'How many levels down.', 2, DEEPEST)],
      answer: { says: 'The set, and under its terms the sets that are called so.', schema: self },
      example: (first) => ofFirst(first, name, ''),
    },
    (call) => nested(engine, collection, call),
  )
}

function termRoute(engine: Engine): Route {
  const { catalogue } = engine
  const sets = exactly({ resource: TEXT, slot: TEXT, record: anyOf(catalogue.filter(hasTerms)) })
  const texts = exactly({ resource: TEXT, record: anyOf(catalogue.filter(({ textIn }) => textIn)) })
  return readingRoute(
    {
      path: '/api/term/:term/',
      title: 'Term',
      tag: 'catalogue',
      does: 'Where a word stands: in names, in slots of sets, in texts.',
      parameters: [
        { name: 'term', in: 'path', required: true, description: 'The word, or several.', schema: TEXT },
        'limit',
      ],
      answer: {
        says: 'The places it stands in, the words it often stands beside, and what may have been meant.',
        schema: exactly({
          term: TEXT,
          forms: listOf(TEXT),
          count: COUNT,
          slots: { type: 'object', additionalProperties: { type: 'object', additionalProperties: COUNT } },
          sets: listOf(sets),
          texts: exactly({ count: COUNT, results: listOf(texts) }),
          neighbours: listOf(exactly({ term: TEXT, count: { type: 'integer', minimum: 1 } })),
          did_you_mean: listOf(TEXT),
        }),
      },
      example: (first) => {
        const word = firstTerm(catalogue, first)
        return word ? [{ places: { term: word }, query: 'limit=2' }] : []
      },
    },
    (call) => term(engine, call),
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
      does: 'Two to ten sets side by side.',
      parameters: [
        {
          name: 'set',
          in: 'query',
          required: true,
          description: 'A collection, a colon and an id; repeated for each set.',
          schema: { type: 'array', items: set, minItems: 2, maxItems: 10 },
        },
      ],
      answer: {
        says: 'What all share, what each has alone, and how each two of them relate.',
        schema: exactly({
          sets: listOf(exactly({ set, name: TEXT, terms: listOf(TEXT), only: listOf(TEXT) })),
          shared: listOf(TEXT),
          union: listOf(TEXT),
          jaccard: SHARE,
          pairs: listOf(
            exactly({
              sets: { ...listOf(set), minItems: 2, maxItems: 2 },
              shared: listOf(TEXT),
              relation: { type: 'string', enum: ['equal', 'subset', 'superset', 'overlap', 'disjoint'] },
              jaccard: SHARE,
            }),
          ),
        }),
      },
      example: (first) => {
        const sets = names.flatMap((name) => (first.has(name) ? [`set=${name}:${first.get(name)!.id}`] : []))
        return sets.length > 1 ? [{ query: sets.slice(0, 2).join('&') }] : []
      },
    },
    (call) => compare(engine, call),
  )
}

/** How much of all that two sets have is in both. */
const SHARE: Schema = { type: 'number', minimum: 0, maximum: 1 }

function anyOf(resources: readonly AnyResource[]): Schema {
  if (resources.length === 0) return { type: 'object' }
  return { anyOf: resources.map(({ name }) => schemaRef(name)) }
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
