/** What records, pages and bodies of each collection look like, from the declarations. */
import { type AnyResource, fieldsOf, type MemberSchema, type Schema } from '../../declare/index.ts'
import { type Collection, collectionsOf, resourceOfLines } from '../../engine/index.ts'
import { ADDRESS, COUNT, exactly, ID, listOf, schemaRef } from './operation.ts'

const MOST_LINES = 1000

/** By name: `shell`, `shell-page`, `shell-body`, `shell-change`, `shell-reference`. Nobody needs all of them. */
export function schemasOf(catalogue: readonly AnyResource[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = { problem: PROBLEM, faults: FAULTS, description: DESCRIPTION }
  for (const collection of collectionsOf(catalogue)) {
    const { name, resource, only } = collection
    schemas[name] = recordSchema(collection)
    schemas[`${name}-page`] = {
      ...exactly({ count: COUNT, next: LINK, previous: LINK, results: listOf(schemaRef(name)) }),
      description: 'A page: how many records there are, the pages beside it, and its records.',
    }
    if (only) continue
    schemas[`${name}-body`] = bodySchema(catalogue, resource, 'whole')
    schemas[`${name}-change`] = bodySchema(catalogue, resource, 'part')
    schemas[`${name}-reference`] = referenceSchema(resource)
  }
  return schemas
}

const LINK: Schema = { anyOf: [ADDRESS, { type: 'null' }] }

const PROBLEM: Schema = {
  ...exactly({ detail: { type: 'string', minLength: 1 } }),
  description: 'What is wrong with the request as a whole.',
}

const FAULTS: Schema = {
  type: 'object',
  description:
    'What is wrong, by the name of the member or parameter at fault; between members, under non_field_errors.',
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

const DESCRIPTION: Schema = {
  ...exactly({
    name: { type: 'string' },
    description: { type: 'string' },
    'renders?': listOf({ type: 'string' }),
    'parses?': listOf({ type: 'string' }),
    'actions?': {
      type: 'object',
      description: 'What a body may hold, by method and member: for a caller who may send one.',
      propertyNames: { enum: ['POST', 'PUT'] },
      additionalProperties: { type: 'object', additionalProperties: MEMBER_DESCRIPTION },
    },
  }),
  description: 'What OPTIONS says of an address.',
}

function idMember(resource: AnyResource): string {
  return `${resource.name}_id`
}

function recordSchema({ resource, only }: Collection): Schema {
  const shown = membersOf(resource).filter(({ key }) => !only || only.includes(key))
  const members = shown.map(({ member, schema }) => [`${member}${schema.always ? '' : '?'}`, schema.shown])
  return {
    ...exactly({ ...Object.fromEntries(members), [idMember(resource)]: ID }),
    description: resource.does,
  }
}

interface Member {
  readonly key: string
  readonly member: string
  readonly schema: MemberSchema
}

function membersOf(resource: AnyResource): Member[] {
  return fieldsOf(resource).flatMap(([key, field]) =>
    Object.entries(field.schema(key)).map(([member, schema]) => ({
      key,
      member,
      // Staff say whom a record is for where only they write.
      schema:
        resource.staffOnly && field.storage(key).in === 'owner'
          ? { ...schema, given: schema.shown, required: true }
          : schema,
    })),
  )
}

/** Members that are not known are ignored, so the object is open. */
function bodySchema(catalogue: readonly AnyResource[], resource: AnyResource, what: 'whole' | 'part'): Schema {
  const given = membersOf(resource).filter(({ schema }) => schema.given)
  const required = given.filter(({ schema }) => schema.required).map(({ member }) => member)
  return {
    type: 'object',
    description:
      what === 'whole'
        ? `${resource.does} What is optional and not given is empty; unknown members are ignored.`
        : `${resource.does} What is not given stays as it is; unknown members are ignored.`,
    ...(what === 'whole' && required.length > 0 ? { required } : {}),
    properties: {
      ...Object.fromEntries(given.map(({ member, schema }) => [member, schema.given])),
      ...(resource.lines ? { lines: linesSchema(catalogue, resource) } : {}),
    },
  }
}

/** Lines are given without what their place says: the record they belong to, and their rank. */
function linesSchema(catalogue: readonly AnyResource[], resource: AnyResource): Schema {
  const lines = resource.lines!
  const given = membersOf(resourceOfLines({ catalogue }, lines)).filter(
    ({ key, schema }) => schema.given && key !== lines.parent && key !== lines.rank,
  )
  const whole = {
    type: 'object',
    required: given.filter(({ schema }) => schema.required).map(({ member }) => member),
    properties: Object.fromEntries(given.map(({ member, schema }) => [member, schema.given])),
  }
  const short = given.find(({ key }) => key === lines.shorthand)?.schema.given
  return {
    type: 'array',
    description: `All its lines, in order, in place of those it has. In JSON only; read them in ${lines.resource}.`,
    items: short ? { anyOf: [short, whole] } : whole,
    maxItems: MOST_LINES,
  }
}

function referenceSchema(resource: AnyResource): Schema {
  const digits = { type: 'string', pattern: '^\\s*[0-9]+\\s*$' }
  return {
    description: `A record of ${resource.name}: its id, or an object that has the id, such as the whole record.`,
    anyOf: [
      ID,
      digits,
      {
        type: 'object',
        required: [idMember(resource)],
        properties: { [idMember(resource)]: { anyOf: [ID, digits] } },
      },
    ],
  }
}
