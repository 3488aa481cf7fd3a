/**
 * A field kind answers every question about one kind of value: where it is stored, how it is read from a request, how
 * it is shown. Code outside declare/ asks the field and never checks which kind it is.
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
  /** Lists are often filtered by it, so it has an index. */
  readonly indexed?: boolean
  /** The maximum length of a text, in code points. */
  readonly longest?: number
  /** Searched case-insensitively, so the store keeps a folded copy. */
  readonly folded?: boolean
}

/** How a member may be compared in the query of a list: `area=`, `depth__gte=`, `name__icontains=`. */
export type Lookup = 'exact' | 'in' | 'startswith' | 'icontains' | 'gte' | 'lte' | 'gt' | 'lt' | 'isnull'

/** What a list can be filtered by under one member's name. */
export interface Filter {
  readonly lookups: readonly Lookup[]
  /**
   * What the values are: the id, a column, the column of a reference, ids in the links, the owner's name, the likes, or
   * when the record was created or changed.
   */
  readonly on: { readonly column: Column } | 'id' | 'reference' | 'links' | 'owner' | 'votes' | 'voters' | 'time'
  readonly schema: Schema
  /** A value of the query, parsed for comparison, or a message that names no member. */
  parse(given: string): { readonly value: Cell } | { readonly fault: string }
}

/** A text that search looks into. A name ranks above a subject area, that above a term, and a term above other text. */
export interface SearchText {
  readonly as: 'name' | 'area' | 'term' | 'text'
  /** The member that holds it. */
  readonly member: string
  readonly text: string
}

/** JSON Schema, as in OpenAPI 3.1. */
export interface Schema {
  readonly [keyword: string]: unknown
}

/** What a member is in responses, and what a body may give for it. */
export interface MemberSchema {
  /** What the member means, in a sentence. */
  readonly does?: string | undefined
  readonly shown: Schema
  /** Whether every response has it. */
  readonly always: boolean
  readonly given?: Schema
  /** Whether a body must give it. */
  readonly required?: boolean
}

/** Where the values are stored. */
export type Storage =
  | { readonly in: 'columns'; readonly columns: readonly Column[] }
  /** A column with the id of one record of another resource. */
  | { readonly in: 'reference'; readonly to: AnyResource }
  /** A table of ordered links to records of another resource. */
  | { readonly in: 'links'; readonly to: AnyResource; readonly reads?: readonly string[] | undefined }
  /** The account that owns the record. */
  | { readonly in: 'owner' }
  /** A table of accounts that voted, newest first. */
  | { readonly in: 'votes' }
  /** The number of records of another resource whose reference `by` points here. */
  | { readonly in: 'count'; readonly of: string; readonly by: string }
  /** Computed from other values on each read. */
  | { readonly in: 'nothing' }

/** Errors are keyed by the JSON member at fault, which is what the client sent. */
export interface Errors {
  readonly [member: string]: readonly string[]
}
export type Parsed<Value> = { readonly value: Value } | { readonly errors: Errors }

/** What OPTIONS says about one member, in Django REST framework's words. */
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

/** Finds an embedded record by resource and id; undefined if there is none. */
export type Find = (resource: AnyResource, id: number) => any

/**
 * `Value` is what the code holds; `Draft` is what a body gives before references are looked up (ids for records);
 * `Wire` describes the JSON members to the type checker.
 */
export interface Field<Value = any, Draft = any, Wire = any> {
  /** Whether a client may give it. False for values that only the server sets. */
  readonly writable: boolean
  /** Whether it is a list that forms send by repeating the member. */
  readonly repeats: boolean
  storage(key: string): Storage
  /** The JSON members of this field, in the order they are sent. */
  members(key: string): readonly string[]
  /** What OPTIONS says about each of those members. */
  describe(key: string): Readonly<Record<string, MemberDescription>>
  /** The same as JSON Schema, for the OpenAPI document. */
  schema(key: string): Readonly<Record<string, MemberSchema>>
  /** What lists can be filtered by, for each member. */
  filters(key: string): Readonly<Record<string, Filter>>
  parse(body: JsonObject, key: string): Parsed<Draft>
  /** What records have that are older than the field; undefined when there can be no record without a given value. */
  readonly initial: Value | undefined
  /** The records a draft refers to, to be looked up before it is settled. */
  refers(draft: Draft): readonly number[]
  settle(draft: Draft, find: Find, key: string): Parsed<Value>
  /** The value without a deleted embedded record; undefined if the record cannot exist without it. */
  release(value: Value, gone: number): Value | undefined
  /** The values of the resource's own columns; a field stored in another table returns none. */
  pack(value: Value, key: string): Row
  /** The ids of the records a row embeds through this field. */
  embeds(row: Row, key: string): readonly number[]
  unpack(row: Row, key: string, find: Find): Value
  /** The field's members as JSON text, `"a":1,"b":2`; empty when they are left out. */
  show(value: Value, key: string): string
  /** The same with ids in place of the records it embeds. */
  showIds(ids: readonly number[], key: string): string
  /** How search finds it; nothing for most kinds. */
  readonly searches: SearchText['as'] | undefined
  /** The texts of the value that search looks into. */
  searched(value: Value, key: string): readonly SearchText[]
  /** What a unique rule compares: exact, with a missing value as empty. */
  identity(value: Value): Json
  /** What a list is ordered by: text is folded and cut so that it fits an index. */
  sortKey(value: Value): string | number
  /** Can lists be ordered by it? */
  readonly sortable?: true | undefined
  /** The group it belongs to, when several resources have the same fields. */
  readonly group?: string | undefined
  /** Exists only for the types. */
  readonly wire?: Wire
}

/** A field that lists can be ordered by: one value, which is in a column of the resource's own table. */
export interface Sortable {
  readonly sortable: true
}

/** What a declaration may say of any field. */
export interface Described {
  /** What the member means, in one sentence, for the OpenAPI document. */
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

/** Lists cannot be filtered by it. */
export const notFiltered = { filters: (): Readonly<Record<string, Filter>> => ({}) }

export const integerFilter = (on: Filter['on'], lookups: readonly Lookup[]): Filter => ({
  lookups,
  on,
  schema: { type: 'integer' },
  parse: (given) =>
    /^\s*[+-]?[0-9]{1,15}\s*$/.test(given) ? { value: Number(given) } : { fault: 'A valid integer is required.' },
})

/** Every resource has an id, which is not a field. */
export const idFilter: Filter = integerFilter('id', ['exact', 'gte', 'lte', 'in'])

/** For a member that the server sets. */
export function readOnlySchema(member: string, shown: Schema, does?: string): Record<string, MemberSchema> {
  return { [member]: { does, shown, always: true } }
}

/** Member names are our own and need no escaping. */
export function showMember(key: string, value: Json): string {
  return `"${key}":${typeof value === 'string' ? showText(value) : JSON.stringify(value)}`
}

/** Characters that JSON escapes, and halves of surrogate pairs. */
const NOT_PLAIN = /["\\\u0000-\u001f\ud800-\udfff]/

function showText(text: string): string {
  return NOT_PLAIN.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** "last_used" becomes "Last used". */
export function labelOf(member: string): string {
  const words = member.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** For a member that the server sets. */
export function describeReadOnly(member: string, type: MemberDescription['type']): Record<string, MemberDescription> {
  return { [member]: { type, required: false, read_only: true, label: labelOf(member) } }
}

const FOLDED_LENGTH = 200

/** Ignores letter case and keeps the first 200 code points, because a whole body does not fit an index. */
export function foldForOrder(text: string): string {
  const folded = text.toLowerCase()
  return folded.length <= FOLDED_LENGTH ? folded : [...folded].slice(0, FOLDED_LENGTH).join('')
}
