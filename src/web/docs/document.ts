/** The parts of an OpenAPI document that the pages show. */

export type Schema = Readonly<Record<string, any>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Reference {
  readonly $ref?: string
}

export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Reference & { readonly summary?: string; readonly value?: unknown }>>
}

export interface Answer {
  readonly description: string
  readonly content?: Readonly<Record<string, Media>>
}

export interface Body {
  readonly content: Readonly<Record<string, Media>>
}

export interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter & Reference)[]
  readonly requestBody?: Body & Reference
  readonly responses: Readonly<Record<string, Answer & Reference>>
}

/** The operations of an address by method, and the parameters that all of them have. */
interface PathItem {
  readonly [method: string]: Operation | Operation['parameters']
  readonly parameters?: Operation['parameters']
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Answer>>
    readonly examples?: Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
}

export interface Place {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** The operations of a group, in the order of the document. */
export function operationsOf(document: Document, group: string): Place[] {
  return allOperations(document).filter(({ operation: { tags = [] } }) => tags.includes(group))
}

/** Each with all of its parameters. */
export function allOperations({ paths }: Document): Place[] {
  return Object.entries(paths).flatMap(([path, { parameters: shared = [], ...methods }]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (!operation || !('responses' in operation)) return []
      return [{ path, method, operation: { ...operation, parameters: [...shared, ...(operation.parameters ?? [])] } }]
    }),
  )
}

/** Operations without `security` have the default of the document, which requires credentials. */
export function mustSignIn({ security }: Operation): boolean {
  return security === undefined
}

/** What a reference leads to. */
export function resolve<T extends object>(document: Document, value: T & Reference): T {
  if (!value.$ref) return value
  return value.$ref
    .split('/')
    .slice(1)
    .reduce((tree: any, key) => tree[key], document)
}

/** The name at the end of a reference. */
export function nameIn(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1)
}

/** A shared schema of a plain value is shown in place; one of an object has a place of its own on the page. */
function inPlace(document: Document, schema: Schema): Schema {
  const whole = resolve(document, schema)
  const isObject = whole['properties'] !== undefined || whole['allOf'] !== undefined
  return isObject || schema['$ref']?.endsWith('-reference') ? schema : whole
}

/** All members of an object, those of its `allOf` parts first, and the names of the required ones. */
export function membersOf(document: Document, schema: Schema): { members: [string, Schema][]; required: Set<string> } {
  const parts: Schema[] = [
    ...(schema['allOf'] ?? []).map((each: Schema) => resolve(document, each)),
    { ...schema, allOf: [] },
  ]
  const members = new Map<string, Schema>()
  const required = new Set<string>()
  for (const part of parts) {
    if (part['allOf']?.length > 0) {
      const inner = membersOf(document, part)
      for (const [name, each] of inner.members) members.set(name, each)
      for (const name of inner.required) required.add(name)
    } else
      for (const [name, each] of Object.entries<Schema>(part['properties'] ?? {}))
        members.set(name, inPlace(document, each))
    for (const name of part['required'] ?? []) required.add(name)
  }
  return { members: [...members], required }
}
