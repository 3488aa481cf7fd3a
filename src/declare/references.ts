/** Records of another resource: shown whole, given by id or as an object that has the id. */
import {
  type At,
  type Described,
  type Field,
  type Find,
  integerFilter,
  type Json,
  labelOf,
  type MemberDescription,
  type Parsed,
  type Row,
  type Schema,
  type Sortable,
  showMember,
  standsAlone,
} from './field.ts'
import { isObject } from './json.ts'
import type { AnyResource, Held, Wire } from './resource.ts'

/** A record's JSON text, made once when it is read and reused in records that embed it. */
export const text: unique symbol = Symbol('JSON text')

/** A record as the code holds it: its values by field, its id, its JSON. */
export type RecordOf<R extends AnyResource> = Held<R> & { readonly id: number; readonly [text]: string }

export function showRecord(record: { readonly [text]: string }): string {
  return record[text]
}

/** One record, required. */
export function one<R extends AnyResource>(
  target: R,
  { does }: Described = {},
): Field<RecordOf<R>, number, At<Wire<R>>> & Sortable {
  return {
    sortable: true,
    writable: true,
    repeats: false,
    storage: () => ({ in: 'reference', to: target }),
    members: (key) => [key],
    describe: (key) => ({ [key]: describeReference(key, true) }),
    schema: (key) => ({
      [key]: { does, shown: shownAs(target), always: true, given: givenAs(target), required: true },
    }),
    filters: (key) => ({ [key]: integerFilter('reference', ['exact', 'in']) }),
    searches: undefined,
    searched: () => [],
    parse: (body, key) => readReference(body[key], target, key),
    initial: undefined,
    refers: (id) => [id],
    settle: (id, find, key) => {
      const settled = settleReference([id], find, target, () => key)
      return 'errors' in settled ? settled : { value: settled.value[0]! }
    },
    release: () => undefined,
    pack: (record, key) => ({ [key]: record.id }),
    embeds: (row, key) => [Number(row[key])],
    unpack: (row, key, find) => find(target, Number(row[key])),
    show: (record, key) => `${JSON.stringify(key)}:${showRecord(record)}`,
    showIds: ([id], key) => showMember(key, id!),
    identity: (record) => record.id,
    sortKey: (record) => record.id,
  }
}

interface ListRules<K extends string> extends Described {
  readonly min: number
  readonly max: number
  /** The fields of the records that `derive` reads, so that showing them loads no others; every field by default. */
  readonly reads?: readonly K[]
  /** Whether a repeated record counts each time. */
  readonly repeats?: boolean
}

/** What a rule may know of a record in a list. */
type Listed<R extends AnyResource, K extends keyof Held<R>> = Pick<Held<R>, K> & {
  readonly id: number
  readonly [text]: string
}

/** An ordered list of records; a repeated record is kept once, at its first place. */
export function many<R extends AnyResource, K extends keyof Held<R> & string = keyof Held<R> & string>(
  target: R,
  rules: ListRules<K>,
): Field<readonly Listed<R, K>[], readonly number[], At<Wire<R>[]>> {
  return {
    ...linkedRecords(target),
    storage: () => ({ in: 'links', to: target, reads: rules.reads }),
    repeats: true,
    members: (key) => [key],
    describe: (key) => ({
      [key]: {
        ...describeReference(key, rules.min > 0),
        type: 'list',
        child: { type: 'field', required: true, read_only: false },
      },
    }),
    schema: (key) => ({
      [key]: {
        does: rules.does,
        shown: { type: 'array', items: shownAs(target), minItems: rules.min, maxItems: rules.max },
        always: true,
        given: { type: 'array', items: givenAs(target), minItems: rules.min },
        required: rules.min > 0,
      },
    }),
    filters: (key) => ({ [key]: integerFilter('links', ['exact', 'in']) }),
    parse: (body, key) => readReferences(body[key], target, rules, key),
    initial: rules.min === 0 ? [] : undefined,
    settle: (ids, find, key) => settleReference(ids, find, target, () => key),
    release(records, gone) {
      const left = records.filter(({ id }) => id !== gone)
      return left.length >= rules.min ? left : undefined
    },
    show: (records, key) => `${JSON.stringify(key)}:[${records.map(showRecord).join(',')}]`,
    showIds: (ids, key) => showMember(key, ids),
  }
}

export function shownAs(target: AnyResource): Schema {
  return { $ref: `#/components/schemas/${target.name}` }
}

/** An id, or an object that has the id member. */
export function givenAs(target: AnyResource): Schema {
  return { $ref: `#/components/schemas/${target.name}-reference` }
}

export function describeReference(member: string, required: boolean): MemberDescription {
  return { type: 'field', required, read_only: false, label: labelOf(member) }
}

/** The answers shared by all kinds that store an ordered list of records in a link table. */
export function linkedRecords<R extends AnyResource>(target: R) {
  return {
    ...standsAlone,
    writable: true,
    storage: () => ({ in: 'links' as const, to: target }),
    refers: (ids: readonly number[]) => ids,
    pack: () => ({}),
    embeds: (row: Row, key: string) => linkedIds(row, key),
    unpack: (row: Row, key: string, find: Find): readonly RecordOf<R>[] =>
      linkedIds(row, key).map((id) => find(target, id)),
    identity: (records: readonly RecordOf<R>[]) => records.map((record) => record.id),
    sortKey: (records: readonly RecordOf<R>[]) => records.length,
  }
}

function linkedIds(row: Row, key: string): number[] {
  return JSON.parse(String(row[key] ?? '[]'))
}

const MOST_REPEATS = 10

function readReferences(
  given: Json | undefined,
  target: AnyResource,
  { min, max, repeats = false }: ListRules<string>,
  member: string,
): Parsed<readonly number[]> {
  const wrong = (message: string) => ({ errors: { [member]: [message] } })
  if (given === undefined) return min === 0 ? { value: [] } : wrong('This field is required.')
  if (given === null) return wrong('This field may not be null.')
  if (!Array.isArray(given)) return wrong(`Expected a list of items but got type "${typeName(given)}".`)
  if (given.length < min) return wrong('This list may not be empty.')
  const tooMany = `Ensure this field has no more than ${max} elements.`
  // Repeats are merged, so a body may give more than are kept, but not without limit.
  if (given.length > max * MOST_REPEATS) return wrong(tooMany)
  const all: number[] = []
  for (const item of given) {
    const parsed = readReference(item, target, member)
    if ('errors' in parsed) return parsed
    all.push(parsed.value)
  }
  const ids = repeats ? all : [...new Set(all)]
  if (ids.length > max) return wrong(tooMany)
  return { value: ids }
}

/** An id: 7, "7" (as forms send it), or an object with the id member, as GET returns it. */
export function readReference(given: Json | undefined, target: AnyResource, member: string): Parsed<number> {
  const wrong = (message: string) => ({ errors: { [member]: [message] } })
  if (given === undefined) return wrong('This field is required.')
  if (given === null || given === '') return wrong('This field may not be null.')
  const id = isObject(given) ? given[`${target.name}_id`] : given
  const number = typeof id === 'string' && /^\s*[0-9]+\s*$/.test(id) ? Number(id) : id
  if (typeof number === 'number' && Number.isInteger(number)) {
    // No record has an id beyond the exact range of a number.
    return Number.isSafeInteger(number) ? { value: number } : wrong(noSuchRecord(id))
  }
  return wrong(`Incorrect type. Expected pk value, received ${typeName(given)}.`)
}

export function settleReference<R extends AnyResource>(
  ids: readonly number[],
  find: Find,
  target: R,
  member: (place: number) => string,
): Parsed<readonly RecordOf<R>[]> {
  const errors: Record<string, string[]> = {}
  const records = ids.map((id, place) => {
    const record = find(target, id)
    if (!record) errors[member(place)] ??= [noSuchRecord(id)]
    return record
  })
  return Object.keys(errors).length > 0 ? { errors } : { value: records }
}

function noSuchRecord(id: unknown): string {
  return `Invalid pk "${id}" - object does not exist.`
}

/** Clients know these type names from Django REST framework's messages; they are Python's. */
export function typeName(value: Json | undefined): string {
  if (value === null || value === undefined) return 'NoneType'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  return 'dict'
}
