/** An OpenAPI document as the page reads it: only what it shows. */

export type Schema = Readonly<Record<string, any>>

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
  readonly example?: unknown
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

export interface Operation {
  readonly operationId: string
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, unknown>>[]
  readonly parameters?: readonly (Parameter & Reference)[]
  readonly requestBody?: Reference & { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Answer & Reference>>
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>
    readonly parameters?: Readonly<Record<string, Parameter>>
    readonly responses?: Readonly<Record<string, Answer>>
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>
  }
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
