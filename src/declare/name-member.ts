/** The member that names the records of a resource. */
import { type AnyResource, fieldsOf } from './resource.ts'

/** In the order of preference. */
export const NAME_MEMBERS = ['name', 'title', 'label', 'body']

/** Its name, title or label; otherwise the first required text. */
export function nameMember(resource: AnyResource): string {
  const described = fieldsOf(resource).flatMap(([key, field]) => Object.entries(field.describe(key)))
  const known = NAME_MEMBERS.find((name) => described.some(([member]) => member === name))
  return known ?? described.find(([, { type, required }]) => type === 'string' && required)?.[0] ?? ''
}
