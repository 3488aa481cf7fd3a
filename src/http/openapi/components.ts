/** What several operations of the document share, by name; and the part of it that something refers to. */
import type { Schema } from '../../declare/index.ts'

export type Components = Readonly<Record<string, Readonly<Record<string, object>>>>

/** Schemas that have a `title` become components of that name, wherever they stand. */
export class NamedSchemas {
  readonly components: Record<string, Schema> = {}

  /** The same schema, with references in place of what has a name. */
  use(schema: Schema): Schema {
    return this.#visit(schema) as Schema
  }

  #visit(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#visit(each))
    if (typeof value !== 'object' || value === null) return value
    const { title, ...rest } = value as Schema
    // A member may be called "title", too; then it is described by a schema, and not by a name.
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

/** Only what something refers to. */
export function reachable(paths: object, components: Components): Record<string, Record<string, object>> {
  const wanted = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (wanted.has(`${kind}/${name}`)) continue
      wanted.add(`${kind}/${name}`)
      const found = components[kind!]?.[name!]
      if (!found) throw new Error(`nothing is called ${name} among the ${kind} of the document`)
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

interface Use {
  readonly value: any
  /** As a component, where that is not the same. */
  readonly shown?: object
  /** What to call it, the first name that is free. */
  readonly names: readonly string[]
  /** Puts the reference in its place. */
  replace(reference: { readonly $ref: string }): void
}

/** What stands at several operations becomes a component, and they refer to it. Changes the paths. */
export function share(paths: Readonly<Record<string, any>>): Components {
  const operations = Object.values(paths).flatMap((item) => Object.values<any>(item))
  return {
    parameters: shared('parameters', operations.flatMap(parameterUses)),
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
    const { value, shown = value, names } = same[0]!
    const name = [...names, `${names[0]}-${Object.keys(components).length}`].find((each) => !(each in components))!
    if (same.length < 2) continue
    components[name] = shown
    for (const { replace } of same) replace({ $ref: `#/components/${kind}/${name}` })
  }
  return components
}

function parameterUses({ parameters = [] }: { readonly parameters?: any[] }): Use[] {
  return parameters.map((value, i) => ({
    value,
    shown: describedInSchema(value),
    names: [value.name, `${value.in}-${value.name}`],
    replace: (reference) => {
      parameters[i] = reference
    },
  }))
}

/** Generators of clients repeat the description of a parameter wherever it is used, and that of its schema once. */
function describedInSchema({ description, schema, ...rest }: any): object {
  return { ...rest, schema: description === undefined ? schema : { ...schema, description } }
}

/** Called after its schema. */
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
    names: [schemaName(value), Number(status) < 300 ? '' : status, `${operationId}-${status}`].filter(
      (name) => name !== '',
    ),
    replace: (reference) => {
      responses[status] = reference
    },
  }))
}

function schemaName({ content }: { readonly content?: Record<string, { readonly schema: Schema }> }): string {
  const reference = content?.['application/json']?.schema['$ref']
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : ''
}
