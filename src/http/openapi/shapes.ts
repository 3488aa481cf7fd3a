/** What records, pages and bodies of each collection look like, from the declarations. */
import type { AnyResource, Schema } from '../../declare/index.ts'
import { type Collection, collectionsOf, LIMITS, resourceOfLines } from '../../engine/index.ts'
import { Groups, type Member, membersOf, objectOf, type Use } from './members.ts'
import { ADDRESS, COUNT, exactly, ID, listOf, means, schemaRef, TIME } from './operation.ts'
import { LOOKUPS } from './parameters.ts'

/** By name: `shell`, `shell-records`, `shell-page`, `shell-body`, `shell-change`, `shell-reference`. */
export function schemasOf(catalogue: readonly AnyResource[]): Record<string, Schema> {
  const groups = new Groups(catalogue)
  const schemas: Record<string, Schema> = {
    ...LOOKUPS,
    ...groups.schemas,
    problem: PROBLEM,
    faults: FAULTS,
    page: PAGE,
    records: RECORDS,
    'given-id': GIVEN_ID,
  }
  for (const collection of collectionsOf(catalogue)) {
    const { name, resource, only } = collection
    schemas[name] = recordSchema(catalogue, collection, groups)
    schemas[`${name}-records`] = recordsSchema(name)
    schemas[`${name}-page`] = { allOf: [schemaRef(`${name}-records`), schemaRef('page')] }
    if (only) continue
    schemas[`${name}-body`] = bodySchema(resource, groups)
    schemas[`${name}-change`] = changeSchema(catalogue, resource, groups)
    schemas[`${name}-reference`] = referenceSchema(resource)
  }
  return schemas
}

/** An object that has the members of other schemas too. They say already that it is an object. */
function alsoWith(names: readonly string[], { type: _, ...members }: Schema): Schema {
  return { allOf: names.map(schemaRef), ...members }
}

/** Records and their number; a page has the same, and links. */
function recordsSchema(name: string): Schema {
  return alsoWith(['records'], exactly({ results: means(listOf(schemaRef(name)), 'The records.') }))
}

const LINK: Schema = { anyOf: [ADDRESS, { type: 'null' }] }

const RECORDS: Schema = {
  ...exactly({ count: means(COUNT, 'The number of records that match.') }),
  description: 'Some records, and how many there are.',
}

const PAGE: Schema = {
  ...exactly({
    count: means(COUNT, 'The number of records on all pages.'),
    next: means(LINK, 'The address of the next page; null on the last page.'),
    previous: means(LINK, 'The address of the previous page; null on the first page.'),
  }),
  description: 'A page of a list.',
}

const GIVEN_ID: Schema = { anyOf: [ID, { type: 'string', pattern: '^\\s*[0-9]+\\s*$' }] }

const PROBLEM: Schema = {
  ...exactly({
    detail: means({ type: 'string', minLength: 1 }, 'The problem, in a sentence.'),
    'oldest?': means(COUNT, 'With 410: the oldest number that is possible.'),
    'hidden?': means(TIME, 'With 404, for the owner and staff: when staff hid the record.'),
  }),
  description: 'What is wrong with the request as a whole.',
}

const FAULTS: Schema = {
  type: 'object',
  description:
    'The errors, by the name of the member or parameter at fault; errors between members are under non_field_errors.',
  minProperties: 1,
  propertyNames: { not: { const: 'detail' } },
  additionalProperties: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
}

const MEMBER_DESCRIPTION: Schema = exactly({
  type: { type: 'string', enum: ['string', 'integer', 'choice', 'field', 'list'] },
  required: { type: 'boolean' },
  read_only: { type: 'boolean' },
  label: { type: 'string' },
  'max_length?': COUNT,
  'min_value?': { type: 'integer' },
  'max_value?': { type: 'integer' },
  'choices?': listOf(exactly({ value: { type: 'string' }, display_name: { type: 'string' } })),
  'child?': exactly({
    type: { type: 'string', enum: ['string', 'field'] },
    required: { type: 'boolean' },
    read_only: { type: 'boolean' },
  }),
})

/**
 * Every OPTIONS response has this shape, so the document describes it in words; the tests check responses against it.
 */
export const DESCRIPTION: Schema = {
  ...exactly({
    name: { type: 'string' },
    description: { type: 'string' },
    'renders?': listOf({ type: 'string' }),
    'parses?': listOf({ type: 'string' }),
    'actions?': {
      type: 'object',
      description: 'What a body may contain, by method and member, for a caller who may send one.',
      propertyNames: { enum: ['POST', 'PUT'] },
      additionalProperties: { type: 'object', additionalProperties: MEMBER_DESCRIPTION },
    },
  }),
  description: 'What OPTIONS says about an address.',
}

function idMember(resource: AnyResource): string {
  return `${resource.name}_id`
}

const RECORD_ID = means(ID, 'The id of the record.')

/** An object with these members; members of a group are a reference to it. */
function withGroups(members: readonly Member[], use: Use, groups: Groups): Schema {
  const [whole, rest] = groups.split(members, use)
  return whole.length > 0 ? alsoWith(whole, objectOf(rest, use)) : objectOf(rest, use)
}

function recordSchema(catalogue: readonly AnyResource[], { resource, only }: Collection, groups: Groups): Schema {
  const shown = membersOf(resource).filter(({ key }) => !only || only.includes(key))
  const id = { key: '', member: idMember(resource), group: undefined, schema: { shown: RECORD_ID, always: true } }
  const lines = only ? [] : shownLines(catalogue, resource)
  return { ...withGroups([...shown, ...lines, id], 'shown', groups), description: resource.does }
}

/** The lines of a record, with ids in place of records. */
function shownLines(catalogue: readonly AnyResource[], { lines }: AnyResource): Member[] {
  if (!lines) return []
  const { fields, ...resource } = resourceOfLines({ catalogue }, lines)
  const members = membersOf({ fields, ...resource }).filter(({ key }) => key !== lines.parent)
  const described = members.map(({ key, member, schema }): [string, Schema] => {
    const isRecord = fields[key].storage(key).in === 'reference'
    return [member, means(isRecord ? ID : schema.shown, schema.does)]
  })
  const shown = means(listOf(exactly(Object.fromEntries(described))), 'With `embed=lines`: its lines, by rank.')
  return [{ key: '', member: 'lines', group: undefined, schema: { shown, always: false } }]
}

const givenOf = (resource: AnyResource) => membersOf(resource).filter(({ schema }) => schema.given)

/** A body in which every member is optional. Unknown members are ignored. */
function changeSchema(catalogue: readonly AnyResource[], resource: AnyResource, groups: Groups): Schema {
  const { properties, ...rest } = withGroups(givenOf(resource), 'given', groups)
  return {
    ...rest,
    properties: { ...(properties as object), ...(resource.lines ? { lines: linesSchema(catalogue, resource) } : {}) },
  }
}

/** The same, with what a whole record requires. Some tools look for required members in what `allOf` names directly. */
function bodySchema(resource: AnyResource, groups: Groups): Schema {
  const given = givenOf(resource)
  const required = given.filter(({ schema }) => schema.required).map(({ member }) => member)
  return {
    allOf: [...groups.split(given, 'given')[0], `${resource.name}-change`].map(schemaRef),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Lines are given without the members that their position sets: the record they belong to, and their rank. */
function linesSchema(catalogue: readonly AnyResource[], resource: AnyResource): Schema {
  const lines = resource.lines!
  const given = membersOf(resourceOfLines({ catalogue }, lines)).filter(
    ({ key, schema }) => schema.given && key !== lines.parent && key !== lines.rank,
  )
  const required = given.filter(({ schema }) => schema.required).map(({ member }) => member)
  const whole = { ...objectOf(given, 'given'), required }
  const short = given.find(({ key }) => key === lines.shorthand)?.schema.given
  return {
    type: 'array',
    description: `All lines, in order; they replace the existing ones. JSON only; read them in ${lines.resource}.`,
    items: short ? { anyOf: [short, whole] } : whole,
    maxItems: LIMITS.lines,
  }
}

function referenceSchema(resource: AnyResource): Schema {
  return {
    description: `A record of ${resource.name}: its id, or an object that has the id, such as the whole record.`,
    anyOf: [
      schemaRef('given-id'),
      {
        type: 'object',
        required: [idMember(resource)],
        properties: { [idMember(resource)]: means(schemaRef('given-id'), 'The id of the record.') },
      },
    ],
  }
}
