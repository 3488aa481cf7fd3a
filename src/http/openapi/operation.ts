/** What a route says of each of its methods: the OpenAPI document is made from nothing else. */
import type { Schema } from '../../declare/index.ts'

export interface Operation {
  /** One line. */
  readonly summary: string
  /** What the summary does not say, in a sentence or two. */
  readonly description: string
  /** Names of shared parameters, and such as only this method takes. */
  readonly parameters?: readonly (string | Parameter)[]
  /** What a body holds. It is taken as JSON and as a form. */
  readonly body?: Body
  readonly answers: { readonly [status: number]: Answered }
  /** Problems beside those that every method of its sort may have. */
  readonly problems?: readonly ProblemStatus[]
  /** Must somebody be signed in? Anyone may, unless said. */
  readonly signedIn?: true
  /** What to ask for an example, until one is answered; nothing when the catalogue holds nothing to ask about. */
  readonly example?: (first: First) => readonly Asked[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  /** Filters are described in their schema. */
  readonly description?: string
  readonly required?: boolean
  readonly schema: Schema
  /** A list with commas between its values, where it is not the parameter that is repeated. */
  readonly commas?: true
}

export interface Body {
  readonly schema: Schema
  /** The members that are lists, where the schema is only a reference. */
  readonly lists?: readonly string[]
  /** The name of a shared example, or one of its own. */
  readonly example?: string | object
}

export interface Answered {
  readonly says: string
  /** None for an answer without a body. */
  readonly schema?: Schema
  /** Beside those that every answer has; `?` marks one that is not always there. */
  readonly headers?: readonly string[]
  /** The name of a shared example, or one of its own. */
  readonly example?: string | object
  /** Other types that it can be had as. */
  readonly types?: readonly string[]
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 406 | 409 | 412 | 413 | 415 | 422 | 429 | 500 | 503

/** The first record of each collection that has any, by the collection's name. */
export type First = ReadonlyMap<string, { readonly id: number; readonly record: Readonly<Record<string, any>> }>

/** A request that an example shows. */
export interface Asked {
  readonly places?: Readonly<Record<string, string>>
  /** As it stands in an address, without the question mark. */
  readonly query?: string
  readonly body?: Readonly<Record<string, unknown>>
}

/** Stands in examples where the base of a request will. */
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

/** A schema and what it means, in a sentence. */
export const means = (schema: Schema, sentence: string | undefined): Schema =>
  sentence === undefined ? schema : { ...schema, description: sentence }
export const listOf = (items: Schema): Schema => ({ type: 'array', items })
export const TEXT: Schema = { type: 'string' }
export const COUNT: Schema = { type: 'integer', minimum: 0 }
export const ID: Schema = { type: 'integer', minimum: 1 }
export const ADDRESS: Schema = { type: 'string', format: 'uri' }
export const TIME: Schema = { type: 'string', format: 'date-time' }

/** Of account pages: programs are told what was done, people are sent on. */
export const SENT_ON: Answered = {
  says: 'For a client that names text/html: on to a page.',
  schema: schemaRef('problem'),
  headers: ['Location', 'Set-Cookie?'],
}
