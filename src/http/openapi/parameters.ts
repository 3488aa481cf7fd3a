/** What may stand in queries, paths and headers, by the name it has in the document. */
import { type AnyResource, type Fields, idFilter, type Lookup, type Schema } from '../../declare/index.ts'
import {
  type Collection,
  collectionsOf,
  filtersOf,
  ID_ALIAS,
  type NamedFilter,
  orderable,
  takesSearch,
  takesTerm,
} from '../../engine/index.ts'
import { ID, type Parameter } from './operation.ts'

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

function shared(pageSize: number, mostOfPage: number): Record<string, Parameter> {
  return {
    page: query('page', 'Which page: a number, or `last`.', {
      anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }],
      default: 1,
    }),
    page_size: query(
      'page_size',
      'How many records a page has. What makes no sense means the default, more than the most means the most.',
      { type: 'integer', minimum: 1, maximum: mostOfPage, default: pageSize },
    ),
    format: query('format', '`json`: JSON, whatever Accept says. `api`: the page for people, or indented JSON.', {
      type: 'string',
      enum: ['json', 'api'],
    }),
    'format-or-text': query('format', '`txt` is plain text; `json` and `api` are as everywhere.', {
      type: 'string',
      enum: ['json', 'api', 'txt'],
    }),
    'If-None-Match': header('If-None-Match', 'ETags that the client has: if one is right, the answer is 304.', TAGS),
    'If-Match': header('If-Match', 'The ETag of the record as it was read; if it has changed since, 412.', TAGS),
    'Idempotency-Key': header(
      'Idempotency-Key',
      'Carries the request out once: repeated within a day, it gets the first answer again.',
      { type: 'string', pattern: '^[!-~]{1,255}$' },
    ),
    cascade: query('cascade', 'For staff: `true` takes out or deletes whatever uses the record, too.', {
      type: 'string',
      enum: ['true', 'false'],
      default: 'false',
    }),
    fields: list('fields', 'The members that are sent, in the order of the record; the id is always sent.'),
    omit: list('omit', 'Members that are not sent.'),
    embed: query('embed', '`ids`: ids are sent in place of embedded records.', { type: 'string', enum: ['ids'] }),
    limit: query('limit', 'How many at most.', { type: 'integer', minimum: 1, maximum: 100, default: 20 }),
  }
}

/** Every shared parameter: those of all collections, and each collection's own, `shell.turns__gte`. */
export function parametersOf(
  catalogue: readonly AnyResource[],
  sizes: { readonly pageSize: number; readonly mostOfPage: number },
): Record<string, Parameter> {
  const parameters = shared(sizes.pageSize, sizes.mostOfPage)
  for (const parameter of ID_LOOKUPS) parameters[parameter.name] = parameter
  for (const collection of collectionsOf(catalogue)) {
    parameters[idOf(collection)] = { name: 'id', in: 'path', required: true, description: 'The id.', schema: ID }
    for (const parameter of lookups(collection)) parameters[`${collection.name}.${parameter.name}`] = parameter
  }
  return parameters
}

export function idOf({ name }: Collection): string {
  return `${name}.id`
}

/** The names of what narrows and orders a list of the collection. */
export function narrowedBy(collection: Collection): string[] {
  const own = lookups(collection).map(({ name }) => `${collection.name}.${name}`)
  return [...own, ...ID_LOOKUPS.map(({ name }) => name)]
}

function lookups(collection: Collection): Parameter[] {
  const members = [...orderable(collection).keys()]
  return [
    ...(takesSearch(collection)
      ? [query('search', 'Words that must all be found, the last one as the beginning of a word.', WORDS)]
      : []),
    ...(takesTerm(collection)
      ? [
          query(
            'term',
            'Stands in any slot, or is the name. Repeated, all must be there.',
            repeated({ type: 'string' }),
          ),
        ]
      : []),
    {
      ...query('ordering', 'What the list is ordered by; `-` for highest first.', {
        type: 'array',
        items: { type: 'string', enum: members.flatMap((member) => [member, `-${member}`]) },
        minItems: 1,
        maxItems: 4,
      }),
      commas: true,
    },
    ...filtersOf(collection).flatMap((filter) => filter.lookups.map((lookup) => lookupOf(filter, lookup))),
  ]
}

const WORDS: Schema = { type: 'string', maxLength: 400 }
const MOST_VALUES = 100

const SAYS: Readonly<Record<Lookup, (member: string) => string>> = {
  exact: (member) => `\`${member}\` is this.`,
  in: (member) => `\`${member}\` is one of these.`,
  startswith: (member) => `\`${member}\` begins with this.`,
  icontains: (member) => `\`${member}\` holds this, in any letter case.`,
  gte: (member) => `\`${member}\` is this or more.`,
  lte: (member) => `\`${member}\` is this or less.`,
  isnull: (member) => `Is \`${member}\` empty?`,
}

/** Conditions that several values can meet at once; the parameter is repeated for each. */
const repeated = (items: Schema): Schema => ({ type: 'array', items, minItems: 1 })

function lookupOf({ member, schema, on }: NamedFilter, lookup: Lookup): Parameter {
  const name = lookup === 'exact' ? member : `${member}__${lookup}`
  const says = SAYS[lookup](member)
  if (lookup === 'in') {
    return { ...query(name, says, { type: 'array', items: schema, minItems: 1, maxItems: MOST_VALUES }), commas: true }
  }
  const isSet = on === 'links' || on === 'voters'
  if (lookup === 'exact' && isSet)
    return query(name, `\`${member}\` holds this. Repeated, it holds all.`, repeated(schema))
  if (lookup === 'isnull') return query(name, says, { type: 'boolean' })
  // A beginning, or a part, need not be a whole value.
  const isPart = lookup === 'startswith' || lookup === 'icontains'
  return query(name, says, isPart ? { type: 'string' } : schema)
}

/** The same for every collection, whatever its id member is called. */
const ID_LOOKUPS = idFilter.lookups.map((lookup) => lookupOf({ ...idFilter, key: 'id', member: ID_ALIAS }, lookup))

/** What the query may give for the fields of a question. */
export function questionParameters(takes: Fields, needs: readonly string[]): Parameter[] {
  return Object.entries(takes).flatMap(([key, field]) =>
    Object.entries(field.schema(key)).flatMap(([member, { given, required }]) =>
      given
        ? [
            {
              ...query(member, labels(given, member), inQuery(given)),
              ...(required || needs.includes(member) ? { required: true } : {}),
            },
          ]
        : [],
    ),
  )
}

function labels(given: Schema, member: string): string {
  return given['type'] === 'array' ? `\`${member}\`, repeated for several.` : `\`${member}\`.`
}

/** In a query nothing is null, and a record is given by its id alone. */
function inQuery(given: Schema): Schema {
  const choices = given['anyOf'] as readonly Schema[] | undefined
  if (choices) return inQuery(choices[0]!)
  if (typeof given['$ref'] === 'string') return ID
  if (given['type'] === 'array') return { ...given, items: inQuery(given['items'] as Schema) }
  return given
}
