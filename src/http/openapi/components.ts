/** The components of the document: what several operations share is described once, under a name. */
import type { Schema } from '../../declare/index.ts'

export type Components = Readonly<Record<string, Readonly<Record<string, object>>>>

/** Moves schemas that have a `title` into components of that name. */
export class NamedSchemas {
  readonly components: Record<string, Schema> = {}

  /** The schema with references in place of named schemas. */
  use(schema: Schema): Schema {
    return this.#visit(schema) as Schema
  }

  #visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#visit(each))
    if (typeof value !== 'object' || value === null) return value
    const { title, ...rest } = value as Schema
    // A member may be called "title": then the value is a schema, not a name.
    if (typeof title !== 'string') return mapped(value as Schema, (each) => this.#visit(each))
    this.#add(
      title,
      mapped(rest, (each) => this.#visit(each)),
    )
    return { $ref: `#/components/schemas/${title}` }
  }

  #add(name: string, schema: Schema): void {
    const known = this.components[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two schemas are called ${name}`)
    this.components[name] = schema
  }
}

export function mapped<T, U>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => U,
): Record<string, U> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
}

/** The components that the paths refer to, directly or not. */
export function reachable(paths: object, components: Components): Record<string, Record<string, object>> {
  const wanted = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (wanted.has(`${kind}/${name}`)) continue
      wanted.add(`${kind}/${name}`)
      const found = components[kind!]?.[name!]
      if (!found) throw new Error(`the document has no ${name} among its ${kind}`)
      follow(found)
    }
  }
  follow(paths)
  const kept = Object.entries(components).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => wanted.has(`${kind}/${name}`))),
  ])
  return Object.fromEntries(kept.filter(([, named]) => Object.keys(named as object).length > 0))
}

/** The operations of an address, by method, and the parameters that all of them have. */
export type PathItem = Readonly<Record<string, ListedOperation | readonly ListedParameter[]>>

interface ListedOperation {
  readonly tags?: readonly string[]
  readonly parameters?: readonly ListedParameter[]
  readonly responses: object
}

interface ListedParameter {
  readonly $ref?: string
  readonly name?: string
  readonly schema?: { readonly enum?: readonly string[] }
}

export function operationsIn(item: PathItem): ListedOperation[] {
  return Object.values(item).filter((each): each is ListedOperation => 'responses' in each)
}

/** The collections whose addresses the path item stands for, if it stands for several. */
export function collectionsIn(item: PathItem, { parameters = {} }: Components): readonly string[] {
  const given = Object.values(item).flatMap((each) => ('responses' in each ? (each.parameters ?? []) : each))
  const resolved = given.map((each): ListedParameter => parameters[each.$ref?.split('/').at(-1) ?? ''] ?? each)
  return resolved.find(({ name }) => name === 'collection')?.schema?.enum ?? []
}

interface Use {
  readonly value: any
  /** Names for the component; the first free one is used. */
  readonly names: readonly string[]
  /** Replaces the value by the reference. */
  replace(reference: { readonly $ref: string }): void
}

/** Moves what occurs at several operations into components, and changes the paths to refer to them. */
export function share(paths: Readonly<Record<string, any>>): Components {
  const items = Object.values(paths)
  const operations = items.flatMap((item): any[] => operationsIn(item))
  return {
    parameters: shared('parameters', [...items, ...operations].flatMap(parameterUses)),
    requestBodies: shared('requestBodies', operations.flatMap(bodyUses)),
    responses: shared('responses', operations.flatMap(answerUses)),
  }
}

function shared(kind: string, uses: readonly Use[]): Record<string, object> {
  const components: Record<string, object> = {}
  const texts = new Map<object, string>()
  const textOf = ({ value }: Use): string => {
    const text = texts.get(value) ?? JSON.stringify(value)
    texts.set(value, text)
    return text
  }
  for (const same of Map.groupBy(uses, textOf).values()) {
    const { value, names } = same[0]!
    const name = [...names, `${names[0]}-${Object.keys(components).length}`].find((each) => !(each in components))!
    if (same.length < 2) continue
    components[name] = value
    for (const { replace } of same) replace({ $ref: `#/components/${kind}/${name}` })
  }
  return components
}

function parameterUses({ parameters = [] }: { readonly parameters?: any[] }): Use[] {
  return parameters.map((value, i) => ({
    value,
    names: [value.name, `${value.in}-${value.name}`],
    replace: (reference) => {
      parameters[i] = reference
    },
  }))
}

/** The component is named after the schema of the body. */
function bodyUses(operation: { requestBody?: any; operationId: string }): Use[] {
  const { requestBody: value, operationId } = operation
  if (!value) return []
  const replace: Use['replace'] = (reference) => {
    operation.requestBody = reference
  }
  return [{ value, names: [schemaName(value), operationId], replace }]
}

function answerUses({ responses, operationId }: { responses: Record<string, any>; operationId: string }): Use[] {
  return Object.entries(responses).map(([status, value]) => ({
    value,
    names: [schemaName(value), hasContent(status) ? '' : status, `${operationId}-${status}`].filter(
      (name) => name !== '',
    ),
    replace: (reference) => {
      responses[status] = reference
    },
  }))
}

/** Responses of these statuses differ from each other. */
function hasContent(status: string): boolean {
  return status === '200' || status === '201'
}

function schemaName({ content }: { readonly content?: Record<string, { readonly schema: Schema }> }): string {
  const reference = content?.['application/json']?.schema['$ref']
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : ''
}
