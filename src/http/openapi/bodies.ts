/** The media types of request bodies. */
import type { Schema } from '../../declare/index.ts'

/** JSON and forms. A form sends a list by repeating the member, as `encoding` says for each list. */
export function bodyOf(schema: Schema, example: object, lists: readonly string[]): object {
  const repeated = Object.fromEntries(lists.map((member) => [member, { style: 'form', explode: true }]))
  return {
    required: true,
    content: {
      'application/json': { schema, ...example },
      'application/x-www-form-urlencoded': { schema, ...(lists.length > 0 ? { encoding: repeated } : {}) },
    },
  }
}

/** The members that are lists. */
export function listsIn({ properties = {} }: Schema): readonly string[] {
  const members = Object.entries(properties as Readonly<Record<string, Schema>>)
  return members.filter(([, { type }]) => type === 'array').map(([member]) => member)
}
