/** How a route describes each of its methods. The OpenAPI document is generated from nothing else. */
import type { Schema } from '../../declare/index.ts'

export interface Operation {
  /** One line. */
  readonly summary: string
  /** What the summary does not say, in a sentence or two. */
  readonly description: string
  /** Names of shared parameters, and parameters of this method alone. */
  readonly parameters?: readonly (string | Parameter)[]
  /** What a body holds, as JSON or as a form. */
  readonly body?: Body
  readonly answers: { readonly [status: number]: Answered }
  /** Problems in addition to those that every such method may have. */
  readonly problems?: readonly ProblemStatus[]
  /** Whether a user must be signed in; false by default. */
  readonly signedIn?: true
  /** Requests to try for an example, until one succeeds; none if the catalogue has nothing to ask about. */
  readonly example?: (first: First) => readonly Asked[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  /** Filters are described in their schema. */
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
  /** A list separated by commas instead of a repeated parameter. */
  readonly commas?: true
}

export function inQuery(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'query', description, schema }
}

export interface Body {
  readonly schema: Schema
  /** The members that are lists, if the schema is only a reference. */
  readonly lists?: readonly string[]
  /** The name of a shared example, or its own example. */
  readonly example?: string | object
}

export interface Answered {
  readonly says: string
  /** None for a response without a body. */
  readonly schema?: Schema
  /** In addition to those of every response; `?` marks one that is not always present. */
  readonly headers?: readonly string[]
  /** The name of a shared example, or its own example. */
  readonly example?: string | object
  /** Other media types that it is available as. */
  readonly types?: readonly string[]
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 406 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/** The first record of each collection that has any, by the collection's name. */
export type First = ReadonlyMap<string, { readonly id: number; readonly record: Readonly<Record<string, any>> }>

/** A request that an example shows. */
export interface Asked {
  readonly places?: Readonly<Record<string, string>>
  /** As in an address, without the question mark. */
  readonly query?: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** Placeholder in examples for the base of the request. */
export const BASE = 'https://base.invalid'

export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

/**
 * An object with these members; a name that ends in `?` may be missing. The document leaves it open, because later
 * versions may add members; the tests allow no others.
 */
export function exactly(members: Readonly<Record<string, Schema>>): Schema {
  const names = Object.entries(members)
  return {
    type: 'object',
    required: names.map(([name]) => name).filter((name) => !name.endsWith('?')),
    properties: Object.fromEntries(names.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
  }
}

/** A schema and its meaning, in one sentence. */
export const means = (schema: Schema, sentence: string | undefined): Schema =>
  sentence === undefined ? schema : { ...schema, description: sentence }
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const TEXT: Schema = { type: 'string' }
export const COUNT: Schema = { type: 'integer', minimum: 0 }
export const ID: Schema = { type: 'integer', minimum: 1 }
export const ADDRESS: Schema = { type: 'string', format: 'uri' }
export const TIME: Schema = { type: 'string', format: 'date-time' }

/** For account pages: programs get the result, browsers are redirected. */
export const SENT_ON: Answered = {
  says: 'For a client that names text/html: a redirect to a page.',
  schema: schemaRef('problem'),
  headers: ['Location', 'Set-Cookie?'],
}
