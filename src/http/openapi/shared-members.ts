/** Members that several schemas describe in the same words become components, so that the document stays small. */
import type { Schema } from '../../declare/index.ts'
import { mapped } from './components.ts'

type Schemas = Readonly<Record<string, Schema>>

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export function shareMembers(schemas: Schemas): Record<string, Schema> {
  const uses = new Map<string, { readonly names: string[]; readonly schema: Schema }>()
  visit(schemas, (name, schema) => {
    const text = JSON.stringify(schema)
    const found = uses.get(text)
    if (found) found.names.push(name)
    else uses.set(text, { names: [name], schema })
    return schema
  })
  const shared = new Map<string, string>()
  const components: Record<string, Schema> = {}
  for (const [text, { names, schema }] of uses) {
    // The members may have different names, such as polynym_id and id: the shortest says most.
    const member = names.reduce((shortest, name) => (name.length < shortest.length ? name : shortest))
    const isFree = (name: string) => !(name in schemas) && !(name in components)
    const name = [member, `${member}-member`, `${member}-${shared.size}`].find(isFree)
    if (name === undefined || !isWorth(text, names.length, name)) continue
    shared.set(text, name)
    components[name] = schema
  }
  const changed = mapped(schemas, (schema) =>
    visited(schema, (_, member) => {
      const name = shared.get(JSON.stringify(member))
      return name === undefined ? member : referenceTo(name)
    }),
  )
  return { ...changed, ...components }
}

/** A component that saves less only makes the document harder to read. */
const LEAST_SAVED = 40

/** Whether references and one component are shorter. */
function isWorth(text: string, count: number, name: string): boolean {
  const reference = JSON.stringify(referenceTo(name)).length
  return count > 1 && count * (text.length - reference) > text.length + name.length + LEAST_SAVED
}

type Change = (name: string, member: Schema) => Schema

function visit(schemas: Schemas, see: Change): void {
  for (const schema of Object.values(schemas)) visited(schema, see)
}

/** A copy in which each member of an object is replaced; a reference is short already. */
function visited(value: Schema, change: Change): Schema {
  return mapped(value, (part, key) => {
    if (key === 'properties' && isSchema(part)) {
      return mapped(part, (member, name) => {
        if (!isSchema(member) || '$ref' in member) return member
        const changed = change(name, member)
        return changed === member ? visited(member, change) : changed
      })
    }
    if (Array.isArray(part)) return part.map((each: unknown) => (isSchema(each) ? visited(each, change) : each))
    return isSchema(part) ? visited(part, change) : part
  })
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
