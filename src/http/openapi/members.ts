/** The members of records and bodies, and the groups of members that several resources share. */
import { type AnyResource, fieldsOf, type MemberSchema, type Schema } from '../../declare/index.ts'
import { means } from './operation.ts'

export interface Member {
  readonly key: string
  readonly member: string
  readonly schema: MemberSchema
  readonly group: string | undefined
  /** The name of the schema that the numbered members of a field share. */
  readonly slots?: string
}

/** From this many members of one field on, a shared schema makes the document shorter. */
const MANY = 3

/** Members are shown in responses and given in bodies. */
export type Use = 'shown' | 'given'

export function membersOf(resource: AnyResource): Member[] {
  return fieldsOf(resource).flatMap(([key, field]) => {
    const schemas = Object.entries(field.schema(key))
    return schemas.map(([member, schema]) => ({
      key,
      member,
      group: field.group,
      ...(schemas.length >= MANY ? { slots: `${resource.name}-${key}` } : {}),
      // If only staff write it, they name the owner.
      schema:
        resource.staffOnly && field.storage(key).in === 'owner'
          ? { ...schema, given: schema.shown, required: true }
          : schema,
    }))
  })
}

/** The schema of an object with these members. `bodySchema` adds the required members of bodies. */
export function objectOf(members: readonly Member[], use: Use): Schema {
  const always = members.filter(({ schema }) => use === 'shown' && schema.always).map(({ member }) => member)
  return {
    type: 'object',
    ...(always.length > 0 ? { required: always } : {}),
    properties: Object.fromEntries(members.map((member) => [member.member, schemaOf(member, use)])),
  }
}

/** The title makes it a component. The first slots are required, so bodies describe them by themselves. */
function schemaOf({ schema, slots }: Member, use: Use): Schema {
  const own = means(schema[use]!, schema.does)
  const isShared = slots !== undefined && own['$ref'] === undefined && (use === 'shown' || !schema.required)
  return isShared ? { title: use === 'shown' ? slots : `${slots}-change`, ...own } : own
}

/** Groups of members that at least two resources share: `head` in responses, `head-change` in bodies. */
export class Groups {
  readonly schemas: Record<string, Schema> = {}

  constructor(catalogue: readonly AnyResource[]) {
    for (const use of ['shown', 'given'] as const) {
      const all = catalogue.flatMap((resource) => [...grouped(membersOf(resource), use)])
      for (const [name, groups] of Map.groupBy(all, ([name]) => name)) {
        const alike = [...Map.groupBy(groups, ([, members]) => JSON.stringify(objectOf(members, use))).values()]
        const most = alike.sort((a, b) => b.length - a.length)[0]!
        if (most.length > 1) this.schemas[name] = objectOf(most[0]![1], use)
      }
    }
  }

  /** The groups whose members are all among these, and the members that are in none of those groups. */
  split(members: readonly Member[], use: Use): [whole: string[], rest: Member[]] {
    const whole = [...grouped(members, use)].filter(
      ([name, each]) => JSON.stringify(this.schemas[name]) === JSON.stringify(objectOf(each, use)),
    )
    const gone = new Set(whole.flatMap(([, each]) => each))
    return [whole.map(([name]) => name), members.filter((member) => !gone.has(member))]
  }
}

function grouped(members: readonly Member[], use: Use): Map<string, Member[]> {
  const inGroups = members.filter(({ group, schema }) => group !== undefined && schema[use])
  return Map.groupBy(inGroups, ({ group }) => (use === 'shown' ? group! : `${group}-change`))
}
