/** The shape of a resource declaration, and the types that follow from one. */
import { checkDeclaration } from './check.ts'
import type { Derived, Gathered } from './derived.ts'
import type {
  At,
  Errors,
  Field,
  JsonObject,
  Maybe,
  Members,
  Parsed,
  Schema,
  Sortable,
  ValueOf,
  WireOf,
} from './field.ts'
import type { RecordOf } from './references.ts'

export interface Fields {
  readonly [key: string]: Field
}

type Flat<T> = { [K in keyof T]: T[K] } & {}
type Both<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void ? I : never
type KeysOf<F, Kind> = { [K in keyof F]: F[K] extends Kind ? K : never }[keyof F]
type DerivedKey<F> = KeysOf<F, Pick<Derived<unknown>, 'from'>>
type GatheredKey<F> = KeysOf<F, Pick<Gathered<unknown>, 'from'>>
type EmbeddingKey<F> = {
  [K in keyof F]: ValueOf<F[K]> extends { readonly id: number } | readonly { readonly id: number }[] ? K : never
}[keyof F]

type MembersAt<K, W> =
  W extends At<infer T>
    ? { [P in K & string]: T }
    : W extends Maybe<infer T>
      ? { [P in K & string]?: T }
      : W extends Members<infer M>
        ? M
        : never

/** A record as a client sees it. */
export type Wire<R> =
  R extends Resource<infer Name, infer F>
    ? Flat<Both<{ [K in keyof F]: MembersAt<K, WireOf<F[K]>> }[keyof F]> & { [P in `${Name}_id`]: number }>
    : never

/** All values of a record, by field. */
export type Held<R> = R extends Resource<string, infer F> ? Flat<{ readonly [K in keyof F]: ValueOf<F[K]> }> : never

/** All values that the server does not compute: the input of a gathered field's rule, or of a check. */
export type Given<F extends Fields> = Flat<{
  readonly [K in Exclude<keyof F, DerivedKey<F> | GatheredKey<F>>]: ValueOf<F[K]>
}>

/** The input of a derived field's rule: no embedded records, because they change without this one. */
export type Own<F extends Fields> = Omit<Given<F>, EmbeddingKey<F>>

type Rules<F extends Fields> = {
  readonly [K in DerivedKey<F> | GatheredKey<F>]: (
    record: K extends GatheredKey<F> ? Given<F> : Own<F>,
  ) => ValueOf<F[K]>
}

type OrderKey<F> = KeysOf<F, Sortable> & string
type OrderEntry<F> = OrderKey<F> | `-${OrderKey<F>}`

/** Values by field, of which the types are not known here. */
export interface Loose {
  readonly [key: string]: any
}

/** Records of another resource that make up one of these; named, because that resource imports this one. */
export interface Lines {
  readonly resource: string
  /** Its field that points here, and the one that numbers the lines from 0. */
  readonly parent: string
  readonly rank: string
  /** The field that a line stands for if it is not an object. */
  readonly shorthand?: string
}

/** A question about one record, with its own address: GET /api/fortune/7/spin/?quadranym=3. */
export interface Question<F extends Fields> {
  /** One sentence, for OPTIONS and the pages. */
  readonly does: string
  /** Further details in a sentence or two, for the OpenAPI document. */
  readonly details?: string
  /** The query parameters, read by the same rules as a body. */
  readonly takes?: Fields
  /** The parameters that records of this kind usually need. */
  readonly needs?: readonly string[]
  /** The schema of the response. The OpenAPI document holds a schema with a `title` once, under that name. */
  readonly answers: Schema
  /** The answer as plain text, if that is more than its `text`. */
  plain?(answer: JsonObject): string
  /** `lines` are the records that make up this one, by rank. Text that can stand alone is the answer's `text`. */
  answer(record: { readonly [K in keyof F]: ValueOf<F[K]> }, given: Loose, lines: readonly Loose[]): Parsed<JsonObject>
}

/** A question about the body of a POST: /api/qode/annotate/. It stores nothing. */
export interface Service<F extends Fields = Fields> {
  /** The path after /api/, without slashes at the ends. */
  readonly path: string
  readonly title: string
  /** One sentence, for OPTIONS and the pages. */
  readonly does: string
  /** Further details in a sentence or two, for the OpenAPI document. */
  readonly details?: string
  readonly takes: F
  /** Records that may match the input, found by their terms when needed. */
  readonly candidates?: {
    readonly of: AnyResource
    readonly most: number
    terms(given: { readonly [K in keyof F]: ValueOf<F[K]> }): readonly string[]
  }
  readonly answers: Schema
  answer(given: { readonly [K in keyof F]: ValueOf<F[K]> }, candidates: readonly AnyRecord[]): Parsed<JsonObject>
}

export function service<F extends Fields>(declared: Service<F>): Service<F> {
  return Object.freeze(declared)
}

/**
 * How to change a record that another service allowed so that it follows our rules. Imports apply and count repairs;
 * writes never do.
 */
export interface Repair {
  /** One sentence, for the report and the docs: what was found, and what it becomes. */
  readonly does: string
  /** The repaired body; undefined if this is not the fault. References are objects that have the id member. */
  mend(body: JsonObject, errors: Errors): JsonObject | undefined
}

/** A record as plain text, for terminals and text files. */
export interface Plain<F extends Fields> {
  write(record: { readonly [K in keyof F]: ValueOf<F[K]> }): string
  /** The body of a record from such a text, for resources that can be created from text alone. */
  read?(text: string): JsonObject
}

export interface Declaration<F extends Fields> {
  /** One sentence: the collection's description, in OPTIONS and on its pages. */
  readonly does: string
  /** Every JSON member of a record, in the order it is sent. The id comes last. */
  readonly fields: F
  /** One rule for each derived and gathered field. */
  readonly derive: Rules<F>
  /** How a list is ordered: text ignoring letter case, `-` for highest first; ties always by id. */
  readonly order: readonly [OrderEntry<F>, ...OrderEntry<F>[]]
  /** Sets of fields that no two records may share. */
  readonly unique: readonly (readonly (keyof F & string)[])[]
  /** Fields that are computed again when they are not given and a field they depend on changes: { qode: ['body'] }. */
  readonly renews?: { readonly [K in keyof F]?: readonly (keyof F & string)[] }
  /** Brings fields that depend on each other into their stored form. `absent` lists those not given. */
  readonly complete?: (record: Given<F>, absent: ReadonlySet<string>) => Parsed<Given<F>>
  /** What else changes in a record when a record that it embeds is deleted and it can exist without it. */
  readonly release?: (record: Given<F>, gone: number) => Given<F>
  /** Rules between fields; rules of one field belong to its kind. `before` is the record before the change. */
  readonly check?: (record: Given<F>, before: Given<F> | undefined) => Errors
  /** Only staff write these, and name the user they belong to. */
  readonly staffOnly?: true
  /** The member whose value is the points that its owner has for it; other records are worth one. */
  readonly worth?: keyof F & string
  /** The field whose record decides who owns this one. */
  readonly ownedThrough?: keyof F & string
  /** A body may give them as `lines`, all at once, instead of one by one in their own collection. */
  readonly lines?: Lines
  /** Questions about one record, by the last part of their address. */
  readonly questions?: { readonly [name: string]: Question<F> }
  /** The field that holds the running text, for resources that are texts. */
  readonly textIn?: keyof F & string
  readonly plain?: Plain<F>
  /** People judge whether texts read well with topics. Results are also counted by a member of the topics. */
  readonly judged?: { readonly as: 'text' } | { readonly as: 'topic'; readonly by: keyof F & string }
  /** By name, in the order the import tries them. */
  readonly repairs?: { readonly [name: string]: Repair }
  /** Further collections that show some of the fields: { 'quadranym-id': ['name'] }. */
  readonly views?: { readonly [name: string]: readonly (keyof F & string)[] }
  /** The collection that the root index names instead of this one. */
  readonly listedAs?: string
}

export interface Resource<Name extends string = string, F extends Fields = Fields> extends Declaration<F> {
  readonly name: Name
}
export type AnyResource = Resource<string, any>
export type AnyRecord = RecordOf<AnyResource> & Loose

export function resource<const Name extends string, F extends Fields>(
  name: Name,
  declaration: Declaration<F>,
): Resource<Name, F> {
  checkDeclaration(name, declaration)
  return Object.freeze({ name, ...declaration, fields: askedOnce(declaration.fields) })
}

/** Cached, because it is asked for every record and never changes. */
function askedOnce<F extends Fields>(fields: F): F {
  const asked = Object.entries(fields).map(([key, field]): [string, Field] => {
    const storage = field.storage(key)
    return [key, { ...field, storage: () => storage }]
  })
  return Object.fromEntries(asked) as F
}

/** Fields that several resources spread into their own. The OpenAPI document describes them once, under this name. */
export function group<F extends Fields>(name: string, fields: F): F {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, { ...field, group: name }])) as F
}

const fields = new WeakMap<Fields, [string, Field][]>()

/** The field of a resource that is stored there, such as its owner or its votes; there is one at most. */
export function keyStoredIn(resource: AnyResource, place: 'owner' | 'votes'): string | undefined {
  return fieldsOf(resource).find(([key, field]) => field.storage(key).in === place)?.[0]
}

const USER = 'user'

/**
 * The parameter that finds the records of an owner, where records do not show their owner. Lines need none: they have the
 * owner of their parent.
 */
export function unseenOwner(resource: AnyResource): string | undefined {
  if (resource.ownedThrough || keyStoredIn(resource, 'owner') !== undefined) return undefined
  const isTaken = fieldsOf(resource).some(([key, field]) => key === USER || field.members(key).includes(USER))
  return isTaken ? undefined : USER
}

/** The parameter that finds the records of an owner. */
export function ownerLookup(resource: AnyResource): string | undefined {
  return keyStoredIn(resource, 'owner') ?? unseenOwner(resource)
}

export function fieldsOf(resource: AnyResource): readonly [string, Field][] {
  const known = fields.get(resource.fields)
  if (known) return known
  const entries = Object.entries(resource.fields as Fields)
  fields.set(resource.fields, entries)
  return entries
}

interface Order {
  readonly key: string
  readonly descending: boolean
}

const orders = new WeakMap<readonly string[], readonly Order[]>()

/** `-score` means score, highest first. */
export function orderOf(resource: AnyResource): readonly Order[] {
  const known = orders.get(resource.order)
  if (known) return known
  const order = resource.order.map((entry: string) =>
    entry.startsWith('-') ? { key: entry.slice(1), descending: true } : { key: entry, descending: false },
  )
  orders.set(resource.order, order)
  return order
}
