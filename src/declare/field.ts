/**
 * A field kind answers every question the service asks about one kind of value: where it is stored, how it is
 * read from a request, how it is shown. Code outside declare/ asks the field and never asks which kind it is.
 */
import type { AnyResource } from './resource.ts'

export type Json = string | number | boolean | null | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [member: string]: Json
}

/** What a field contributes to a record's JSON, for the types alone: one member named by its key ... */
export interface At<T> {
  readonly at: T
}
/** ... one member that is left out when there is no value ... */
export interface Maybe<T> {
  readonly maybe: T
}
/** ... or several members with names of their own (p1..p12, likes and voters). */
export interface Members<M extends object> {
  readonly members: M
}

export type Cell = string | number | null
/** A row as the store reads it: lists (links, votes) arrive as JSON text on both engines. */
export interface Row {
  readonly [column: string]: Cell
}

export interface Column {
  readonly name: string
  readonly type: 'text' | 'integer'
  /** Lists are often narrowed by it, so it has an index. */
  readonly indexed?: boolean
  /** How many code points a text may have. */
  readonly longest?: number
  /** Is looked into without regard to letter case, so a folded copy stands beside it. */
  readonly folded?: boolean
}

/** How a member may be compared in the query of a list: `area=`, `depth__gte=`, `name__icontains=`. */
export type Lookup = 'exact' | 'in' | 'startswith' | 'icontains' | 'gte' | 'lte' | 'isnull'

/** What a list may be narrowed by under one member's name. */
export interface Filter {
  readonly lookups: readonly Lookup[]
  /** What the values are: the id, of a column, of the column with a reference, ids in the links, the owner's name, the likes. */
  readonly on: { readonly column: Column } | 'id' | 'reference' | 'links' | 'owner' | 'votes' | 'voters'
  readonly schema: Schema
  /** A value of the query as it is compared; or what is wrong with it, in words that name no member. */
  parse(given: string): { readonly value: Cell } | { readonly fault: string }
}

/** A text that search looks into. A name counts more than a term, and a term more than other text. */
export interface SearchText {
  readonly as: 'name' | 'term' | 'text'
  /** The member it stands in. */
  readonly member: string
  readonly text: string
}

/** JSON Schema, as OpenAPI 3.1 has it. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** What a member is in answers, and what a body may give for it. */
export interface MemberSchema {
  /** What the member means, in a sentence. */
  readonly does?: string | undefined
  readonly shown: Schema
  /** Is it in every answer? */
  readonly always: boolean
  readonly given?: Schema
  /** Must a body give it? */
  readonly required?: boolean
}

/** Where the values live. */
export type Storage =
  | { readonly in: 'columns'; readonly columns: readonly Column[] }
  /** A column with the id of one record of another resource. */
  | { readonly in: 'reference'; readonly to: AnyResource }
  /** A table of ordered links to records of another resource. */
  | { readonly in: 'links'; readonly to: AnyResource }
  /** The account every record belongs to. */
  | { readonly in: 'owner' }
  /** A table of accounts that voted, newest first. */
  | { readonly in: 'votes' }
  /** The number of records of another resource whose reference `by` points here. */
  | { readonly in: 'count'; readonly of: string; readonly by: string }
  /** Worked out from other values on reading. */
  | { readonly in: 'nothing' }

/** Errors are named after the JSON member at fault, which is what the client sent. */
export interface Errors {
  readonly [member: string]: readonly string[]
}
export type Parsed<Value> = { readonly value: Value } | { readonly errors: Errors }

/** What OPTIONS says of one member, in Django REST framework's words. */
export interface MemberDescription {
  readonly type: 'string' | 'integer' | 'choice' | 'field' | 'list'
  readonly required: boolean
  readonly read_only: boolean
  readonly label: string
  readonly max_length?: number
  readonly min_value?: number
  readonly max_value?: number
  readonly choices?: readonly { readonly value: string; readonly display_name: string }[]
  readonly child?: { readonly type: 'string' | 'field'; readonly required: boolean; readonly read_only: boolean }
}

/** Finds an embedded record by resource and id; undefined when there is none. */
export type Find = (resource: AnyResource, id: number) => any

/**
 * `Value` is what the code holds; `Draft` is what a body gives before references are looked up (ids for records);
 * `Wire` describes the JSON members to the type checker.
 */
export interface Field<Value = any, Draft = any, Wire = any> {
  /** May a client give it? False for what the server alone decides. */
  readonly writable: boolean
  /** Is it a list that forms send by repeating the member? */
  readonly repeats: boolean
  storage(key: string): Storage
  /** The JSON members this field owns, in the order they are sent. */
  members(key: string): readonly string[]
  /** What OPTIONS says of each of those members. */
  describe(key: string): Readonly<Record<string, MemberDescription>>
  /** The same for machines. */
  schema(key: string): Readonly<Record<string, MemberSchema>>
  /** What lists may be narrowed by, for each member. */
  filters(key: string): Readonly<Record<string, Filter>>
  parse(body: JsonObject, key: string): Parsed<Draft>
  /** The records a draft refers to, to be looked up before it is settled. */
  refers(draft: Draft): readonly number[]
  settle(draft: Draft, find: Find, key: string): Parsed<Value>
  /** What is left when an embedded record goes; undefined when there can be no record without it. */
  release(value: Value, gone: number): Value | undefined
  /** To the resource's own columns; what lives in another table packs to nothing. */
  pack(value: Value, key: string): Row
  /** The ids of the records a row embeds through this field. */
  embeds(row: Row, key: string): readonly number[]
  unpack(row: Row, key: string, find: Find): Value
  /** The field's members as JSON text, `"a":1,"b":2`; empty when they are left out. */
  show(value: Value, key: string): string
  /** The same with ids in place of the records it embeds. */
  showIds(ids: readonly number[], key: string): string
  /** What search finds in it; nothing for most kinds. */
  readonly searches: SearchText['as'] | undefined
  /** The texts of the value that search looks into. */
  searched(value: Value, key: string): readonly SearchText[]
  /** What a unique rule compares: exact, missing is empty. */
  identity(value: Value): Json
  /** What a list is ordered by: text is folded, and held short enough for an index. */
  sortKey(value: Value): string | number
  /** Can lists be ordered by it? */
  readonly sortable?: true | undefined
  /** The group it belongs to, when several resources have the same fields. */
  readonly group?: string | undefined
  /** Exists for the types alone. */
  readonly wire?: Wire
}

/** A field that lists can be ordered by: one value, which is in a column of the resource's own table. */
export interface Sortable {
  readonly sortable: true
}

/** What a declaration may say of any field. */
export interface Described {
  /** What the member means, in a sentence: for the OpenAPI document. */
  readonly does?: string
}

export type ValueOf<F> = F extends Field<infer Value> ? Value : never
export type WireOf<F> = F extends { readonly wire?: infer Wire } ? Wire : never

/** The answers of a kind that refers to no other record. */
export const standsAlone = {
  repeats: false,
  refers: (): readonly number[] => [],
  settle: <Value>(draft: Value): Parsed<Value> => ({ value: draft }),
  embeds: (): readonly number[] => [],
  showIds: (): string => '',
  release: <Value>(value: Value): Value => value,
  searches: undefined,
  searched: (): readonly SearchText[] => [],
} as const

/** Lists are not narrowed by it. */
export const notFiltered = { filters: (): Readonly<Record<string, Filter>> => ({}) }

export const integerFilter = (on: Filter['on'], lookups: readonly Lookup[]): Filter => ({
  lookups,
  on,
  schema: { type: 'integer' },
  parse: (given) =>
    /^\s*[+-]?[0-9]{1,15}\s*$/.test(given) ? { value: Number(given) } : { fault: 'A valid integer is required.' },
})

/** Every resource has an id, which is no field of its own. */
export const idFilter: Filter = integerFilter('id', ['exact', 'gte', 'lte', 'in'])

/** Of a member that the server decides. */
export function readOnlySchema(member: string, shown: Schema, does?: string): Record<string, MemberSchema> {
  return { [member]: { does, shown, always: true } }
}

/** Names of members are ours, and plain. */
export function showMember(key: string, value: Json): string {
  return `"${key}":${typeof value === 'string' ? showText(value) : JSON.stringify(value)}`
}

/** What JSON escapes, and what may be half a character. */
const NOT_PLAIN = /["\\\u0000-\u001f\ud800-\udfff]/

function showText(text: string): string {
  return NOT_PLAIN.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** "last_used" is called "Last used". */
export function labelOf(member: string): string {
  const words = member.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Of a member that the server decides. */
export function describeReadOnly(member: string, type: MemberDescription['type']): Record<string, MemberDescription> {
  return { [member]: { type, required: false, read_only: true, label: labelOf(member) } }
}

const FOLDED_LENGTH = 200

/** Without regard to letter case; the first 200 code points, because a whole body does not fit an index. */
export function foldForOrder(text: string): string {
  const folded = text.toLowerCase()
  return folded.length <= FOLDED_LENGTH ? folded : [...folded].slice(0, FOLDED_LENGTH).join('')
}
