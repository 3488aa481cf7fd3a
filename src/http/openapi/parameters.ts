/** The parameters of queries, paths and headers, by their names in the document. */
import { type AnyResource, type Fields, idFilter, type Lookup, type Schema } from '../../declare/index.ts'
import {
  type Collection,
  collectionsOf,
  filtersOf,
  ID_ALIAS,
  LIMITS,
  type NamedFilter,
  orderable,
  takesSearch,
  takesTerm,
} from '../../engine/index.ts'
import { AS_OF } from '../request/as-of-parameter.ts'
import { COUNT, ID, means, type Parameter, schemaRef, TIME } from './operation.ts'

const query = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
})
const header = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'header',
  description,
  schema,
})

const list = (name: string, description: string): Parameter => ({
  ...query(name, description, { type: 'array', items: { type: 'string' }, minItems: 1 }),
  commas: true,
})

const TAGS = { type: 'string', examples: ['"p2mJxqXk0aB8Hq3wDmVz6cT1yQ4"'] }

function shared(pageSize: number): Record<string, Parameter> {
  return {
    page: query('page', 'The number of the page, or `last`.', {
      anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }],
      default: 1,
    }),
    page_size: query('page_size', 'The number of records on a page.', {
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.largestPage,
      default: pageSize,
    }),
    'format-or-text': query('format', '`txt`: plain text. `json`: JSON, whatever Accept says.', {
      type: 'string',
      enum: ['json', 'api', 'txt'],
    }),
    'format-or-stream': query(
      'format',
      '`ndjson`, `csv`: the whole list, without pages. `json`: JSON, whatever Accept says.',
      {
        type: 'string',
        enum: ['json', 'api', 'ndjson', 'csv'],
      },
    ),
    'If-Match': header('If-Match', 'The ETag of the record as you read it: 412 if the record has changed since.', TAGS),
    'Idempotency-Key': header(
      'Idempotency-Key',
      'A key of your choice. The same request with the same key within a day gets the first response again.',
      { type: 'string', pattern: '^[!-~]{1,255}$' },
    ),
    cascade: query('cascade', 'For staff: `true` also removes the record from others, or deletes those.', {
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
    }),
    [AS_OF]: query(AS_OF, 'As it was after the change with this number; `latest` is the newest one.', {
      anyOf: [COUNT, { const: 'latest' }],
    }),
    fields: list('fields', 'The members to send, in the order of the record. The id is always sent.'),
    omit: list('omit', 'The members not to send.'),
    embed: query('embed', '`ids` sends ids instead of embedded records.', { type: 'string', enum: ['ids'] }),
    'embed-or-lines': query('embed', '`ids`: ids instead of embedded records. `lines`: also its lines.', {
      type: 'string',
      enum: ['ids', 'lines'],
    }),
    limit: query('limit', 'The maximum number of results.', {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    }),
    [RECORD_ID]: { name: 'id', in: 'path', required: true, schema: means(ID, 'The id of the record.') },
  }
}

/** The id in a path. */
export const RECORD_ID = 'record-id'

/** Every shared parameter: those of all collections, and each collection's own, `shell.turns__gte`. */
export function parametersOf(catalogue: readonly AnyResource[], pageSize: number): Record<string, Parameter> {
  const parameters = shared(pageSize)
  for (const parameter of COMMON_LOOKUPS) parameters[parameter.name] = parameter
  for (const collection of collectionsOf(catalogue)) {
    for (const parameter of lookups(collection)) parameters[`${collection.name}.${parameter.name}`] = parameter
  }
  return parameters
}

/** The names of the parameters that filter and order a list of the collection. */
export function narrowedBy(collection: Collection): string[] {
  const own = lookups(collection).map(({ name }) => `${collection.name}.${name}`)
  return [...own, ...COMMON_LOOKUPS.map(({ name }) => name)]
}

/**
 * The filters that `random/` lists: search, and exact lookups of indexed members. It takes all filters of the list, but
 * listing them all at each address would make the document much larger.
 */
export function indexedFilters(collection: Collection): string[] {
  const usual = new Set([
    'search',
    ...filtersOf(collection)
      .filter(isIndexed)
      .map(({ member }) => member),
  ])
  return lookups(collection)
    .filter(({ name }) => usual.has(name))
    .map(({ name }) => `${collection.name}.${name}`)
}

function isIndexed({ on }: NamedFilter): boolean {
  return on === 'owner' || on === 'reference' || (typeof on === 'object' && on.column.indexed === true)
}

function lookups(collection: Collection): Parameter[] {
  const members = [...orderable(collection).keys()]
  return [
    ...(takesSearch(collection)
      ? [query('search', 'Words that a record must all contain; the last one may be a prefix.', WORDS)]
      : []),
    ...(takesTerm(collection)
      ? [
          query(
            'term',
            'The name, or the term in any slot; letter case and accents do not matter. Repeat it for several.',
            { type: 'array', items: { type: 'string' }, minItems: 1 },
          ),
        ]
      : []),
    {
      name: 'ordering',
      in: 'query',
      schema: { ...schemaRef('ordering'), items: { type: 'string', pattern: `^-?(${members.join('|')})$` } },
      commas: true,
    },
    ...listedFilters(collection).flatMap((filter) => listedLookups(filter).map((lookup) => lookupOf(filter, lookup))),
  ]
}

/**
 * The document lists the filters of the first numbered slot only, and for a view those of the members that it shows. The id, under
 * its short name, and the times are listed once for all collections.
 */
function listedFilters(collection: Collection): NamedFilter[] {
  const { resource, only } = collection
  return filtersOf(collection).filter(({ key, member, on }) => {
    if (on === 'id' || on === 'time') return false
    const members: readonly string[] = resource.fields[key]?.members(key) ?? []
    const isFirst = !/[0-9]$/.test(member) || !members.includes(member) || members.length === 1 || member === members[0]
    return isFirst && (!only || only.includes(key))
  })
}

/** Listing all of them at each list would make the document much larger: `__in` is listed for texts with an index. */
function listedLookups({ lookups, on }: NamedFilter): readonly Lookup[] {
  const isIndexedText = typeof on === 'object' && on.column.type === 'text' && on.column.indexed === true
  return lookups.filter((lookup) => (lookup === 'in' ? isIndexedText : lookup !== 'startswith'))
}

const WORDS: Schema = { type: 'string', maxLength: LIMITS.searchLength }

/** The schemas of lookups, by their names in the document. They are the same for every member. */
export const LOOKUPS: Readonly<Record<string, Schema>> = {
  ordering: {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: 4,
    description: 'The order of the list; `-` for descending.',
  },
  'lookup-exact': { type: 'string', description: 'The member is exactly this text.' },
  'lookup-in': {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    maxItems: LIMITS.values,
    description: 'The member is one of these.',
  },
  'lookup-startswith': { type: 'string', description: 'The member begins with this text.' },
  'lookup-icontains': { type: 'string', description: 'The member contains this text, in any letter case.' },
  'lookup-isnull': { type: 'boolean', description: '`true`: the member has no value. `false`: it has one.' },
  'lookup-number': { type: 'integer', description: 'The member is this number.' },
  'lookup-number-in': {
    type: 'array',
    items: { type: 'integer' },
    minItems: 1,
    maxItems: LIMITS.values,
    description: 'The member is one of these numbers.',
  },
  'lookup-exact-all': {
    type: 'array',
    items: { type: 'string' },
    minItems: 1,
    description: 'The member holds this text. Repeat it for several: the member holds all of them.',
  },
  'lookup-number-all': {
    type: 'array',
    items: { type: 'integer' },
    minItems: 1,
    description: 'The member holds this number. Repeat it for several: the member holds all of them.',
  },
  'lookup-gte': { type: 'integer', description: 'The member is this number or more.' },
  'lookup-lte': { type: 'integer', description: 'The member is this number or less.' },
}

/** A member that is a list can match several values at once. */
function isSet({ on }: NamedFilter): boolean {
  return on === 'links' || on === 'voters'
}

function lookupOf(filter: NamedFilter, lookup: Lookup): Parameter {
  const { member, schema } = filter
  const isNumber = schema['type'] === 'integer'
  const exact = `${isNumber ? 'number' : 'exact'}${isSet(filter) ? '-all' : ''}`
  const kind = { exact, in: isNumber ? 'number-in' : 'in' }[lookup as string] ?? lookup
  const choices = lookup === 'exact' ? schema['enum'] : undefined
  return {
    name: lookup === 'exact' ? member : `${member}__${lookup}`,
    in: 'query',
    schema: choices ? means(schema, 'The member is exactly this.') : schemaRef(`lookup-${kind}`),
    ...(lookup === 'in' ? { commas: true } : {}),
  }
}

/** The same for every collection, whatever the name of its id member; the two that clients use most. */
const ID_LOOKUPS = (['exact', 'in'] as const).map((lookup) =>
  lookupOf({ ...idFilter, key: 'id', member: ID_ALIAS }, lookup),
)
/** Two of the lookups of times: all of them at each list would make the document much larger. */
const TIME_LOOKUPS = [
  query('changed__gte', 'Changed at this time or later. Also `changed__gt`, `created__gte`, `created__gt`.', TIME),
  query('changed__lt', 'Changed before this time. Also `changed__lte`, `created__lt`, `created__lte`.', TIME),
]
const COMMON_LOOKUPS = [...ID_LOOKUPS, ...TIME_LOOKUPS]

/** The query parameters for the fields of a question. */
export function questionParameters(takes: Fields, needs: readonly string[]): Parameter[] {
  return Object.entries(takes).flatMap(([key, field]) =>
    Object.entries(field.schema(key)).flatMap(([member, { given, required, does }]) =>
      given
        ? [
            {
              ...query(member, does ?? `\`${member}\`.`, inQuery(given)),
              ...(required || needs.includes(member) ? { required: true } : {}),
            },
          ]
        : [],
    ),
  )
}

/** A query has no null, and gives a record only by its id. */
function inQuery(given: Schema): Schema {
  const choices = given['anyOf'] as readonly Schema[] | undefined
  if (choices) return inQuery(choices[0]!)
  if (typeof given['$ref'] === 'string') return ID
  if (Array.isArray(given['type'])) return withoutNull(given)
  if (given['type'] === 'array') return { ...given, items: inQuery(given['items'] as Schema) }
  return given
}

function withoutNull({ type, enum: choices, ...rest }: Schema): Schema {
  const given = Array.isArray(choices) ? { enum: choices.filter((each) => each !== null) } : {}
  return { ...rest, type: (type as readonly string[])[0], ...given }
}
