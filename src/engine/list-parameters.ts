/** The query of a list: which records it leaves, and in which order. Every collection has it, from its field kinds. */

import {
  type AnyResource,
  type Cell,
  type Filter,
  fieldsOf,
  idFilter,
  type Lookup,
  ownerFilter,
  TIMES,
  timeFilter,
  unseenOwner,
} from '../declare/index.ts'
import { type Condition, type Narrowing, type Ordering, phraseOf, type Store, type Work } from '../store/index.ts'
import { keyOfName } from './account-names.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { faultOfLookup, isMember, splitLookup } from './lookups.ts'
import { refuse } from './prepare.ts'
import { problems } from './problem.ts'

/** The parameters of a request, each as often as it was given. */
export type Parameters = readonly (readonly [name: string, value: string])[]

export interface NamedFilter extends Filter {
  readonly key: string
  readonly member: string
}

/** These say which part of a list is meant, and how it is shown. */
const PAGING = new Set(['page', 'page_size', 'format', 'fields', 'omit', 'embed', 'as_of'])

const byMember = new WeakMap<AnyResource, ReadonlyMap<string, NamedFilter>>()

/** `id` is short for the id member of any resource. */
export const ID_ALIAS = 'id'

/** Everything that lists of the collection can be filtered by. */
export function filtersOf(collection: Collection): NamedFilter[] {
  return [...filtersByMember(collection).values()].filter(({ member }) => member !== ID_ALIAS)
}

function filtersByMember({ resource }: Collection): ReadonlyMap<string, NamedFilter> {
  const known = byMember.get(resource)
  if (known) return known
  const filters = fieldsOf(resource).flatMap(([key, field]) => {
    return Object.entries(field.filters(key)).map(([member, filter]) => ({ ...filter, key, member }))
  })
  const owner = unseenOwner(resource)
  const owners = owner === undefined ? [] : [{ ...ownerFilter, key: owner, member: owner }]
  const ids = [idMember(resource), ID_ALIAS].map((member) => ({ ...idFilter, key: 'id', member }))
  const times = TIMES.map((member) => ({ ...timeFilter, key: member, member }))
  const found = new Map([...filters, ...owners, ...ids, ...times].map((filter) => [filter.member, filter]))
  byMember.set(resource, found)
  return found
}

/** Whether lists of the collection are narrowed by a parameter of this name. */
export function isLookup(collection: Collection, name: string): boolean {
  if (name === 'term') return takesTerm(collection)
  if (name === 'search') return takesSearch(collection)
  return filtersByMember(collection).has(splitLookup(name).member)
}

/** Whether `term=` can search a slot of the resource. */
export function takesTerm({ resource }: Collection): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches === 'term' || searches === 'name')
}

export function takesSearch({ resource }: Collection): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches !== undefined)
}

/** Undefined if the query selects the whole list in its own order. Unknown parameters are ignored. */
export function narrowingOf(collection: Collection, parameters: Parameters): Narrowing | undefined {
  if (parameters.every(([name]) => PAGING.has(name))) return undefined
  const errors: Record<string, string[]> = {}
  const conditions = conditionsOf(collection, parameters, errors)
  const search = searchOf(collection, parameters, errors)
  const ordering = orderingOf(collection, parameters, errors)
  refuse(errors)
  if (conditions.length === 0 && search === undefined && ordering === undefined) return undefined
  return { conditions, search, ordering }
}

type Errors = Record<string, string[]>

function conditionsOf(collection: Collection, parameters: Parameters, errors: Errors): Condition[] {
  const filters = filtersByMember(collection)
  const conditions: Condition[] = []
  const lists = new Set<string>()
  for (const [name, value] of parameters) {
    // A blank value is a form field that was not filled in.
    if (value === '' || lists.has(name)) continue
    if (name === 'term' && takesTerm(collection)) {
      const fault = faultOfText(value)
      if (fault) errors[name] = [fault]
      else if (value.trim() !== '') conditions.push({ key: '', on: 'term', lookup: 'exact', values: [value] })
      continue
    }
    const { member, lookup } = splitLookup(name)
    const filter = filters.get(member)
    const known = filter?.lookups.find((each) => each === lookup)
    if (!filter || !known) {
      const fault = name === member ? undefined : faultOfParameter(collection, member, lookup)
      if (fault) errors[name] = [fault]
      continue
    }
    // A list may be given in pieces.
    if (lookup === 'in') lists.add(name)
    const given = lookup === 'in' ? listOf(parameters, name, (each) => each === '') : [value]
    const condition = conditionOf(filter, known, given)
    if (typeof condition === 'string') errors[name] = [condition]
    else conditions.push(condition)
  }
  if (conditions.length > LIMITS.filters)
    throw problems.badRequest(`Ask for no more than ${LIMITS.filters} conditions.`)
  return conditions
}

/** All values of a parameter that takes a list: separated by commas, repeated, or both. Blank ones are dropped. */
export function listOf(parameters: Parameters, wanted: string, isBlank = isSpace): string[] {
  return parameters.flatMap(([name, value]) => (name === wanted && !isBlank(value) ? value.split(',') : []))
}

function isSpace(value: string): boolean {
  return value.trim() === ''
}

/** Undefined if it names no member: such parameters are ignored. */
function faultOfParameter(collection: Collection, member: string, lookup: string): string | undefined {
  const lookups = filtersByMember(collection).get(member)?.lookups
  if (lookups) return faultOfLookup(member, lookup, lookups)
  if (member === 'term' && takesTerm(collection)) return faultOfLookup(member, lookup, ['exact'])
  return isMember(collection.resource, member) ? faultOfLookup(member, lookup, []) : undefined
}

/** The condition, or what is wrong with the value. */
function conditionOf(filter: NamedFilter, lookup: Lookup, given: readonly string[]): Condition | string {
  const { key, on } = filter
  if (lookup === 'isnull') {
    const [isNull] = [/^(true|1)$/i, /^(false|0)$/i].flatMap((way, i) => (way.test(given[0]!) ? [i === 0] : []))
    if (isNull === undefined) return 'Must be a valid boolean.'
    return { key, on, lookup, values: [String(isNull)] }
  }
  if (given.length > LIMITS.values) return `Ensure this field has no more than ${LIMITS.values} elements.`
  const values: Cell[] = []
  for (const each of given) {
    // A prefix or substring of a text need not be one of its choices.
    const isPart = lookup === 'startswith' || lookup === 'icontains'
    const fault = faultOfText(each)
    const parsed = isPart ? { value: each } : filter.parse(each)
    if (fault) return fault
    if ('fault' in parsed) return parsed.fault
    values.push(on === 'owner' || on === 'voters' ? keyOfName(String(parsed.value)) : parsed.value)
  }
  return { key, on, lookup, values }
}

/** A filter by a record that does not exist is a mistake. `isKnown` says which others are none. */
export function* checkReferences(
  store: Store,
  { resource }: Collection,
  { conditions }: Narrowing,
  isKnown?: (resource: string, id: number) => Work<boolean>,
): Work<void> {
  const errors: Errors = {}
  for (const { key, on, values } of conditions) {
    if (on !== 'reference' && on !== 'links') continue
    const storage = resource.fields[key].storage(key)
    const rows = yield* store.records.byIds({ resource: storage.to, only: [] }, values.map(Number))
    const there = new Set(rows.map((row) => Number(row['id'])))
    for (const missing of values.filter((value) => !there.has(Number(value)))) {
      if (isKnown && (yield* isKnown(storage.to.name, Number(missing)))) continue
      errors[key] = [`Invalid pk "${missing}" - object does not exist.`]
      break
    }
  }
  refuse(errors)
}

/** The same, for the log: who follows the list of a record that was removed is told what left the list. */
export function checkLookups(
  { store }: Pick<Engine, 'store'>,
  collection: Collection,
  narrowing: Narrowing,
): Promise<void> {
  return store.read(() => checkReferences(store, collection, narrowing, (resource, id) => isInLog(store, resource, id)))
}

function* isInLog({ logged }: Store, resource: string, id: number): Work<boolean> {
  return (yield* logged.ofRecord(resource, id, { limit: 1, offset: 0 })).length > 0
}

function searchOf(collection: Collection, parameters: Parameters, errors: Errors): string | undefined {
  const given = parameters.findLast(([name]) => name === 'search')?.[1]
  if (given === undefined || given.trim() === '' || !takesSearch(collection)) return undefined
  const fault =
    faultOfText(given) ??
    (given.length > LIMITS.searchLength
      ? `Ensure this field has no more than ${LIMITS.searchLength} characters.`
      : undefined) ??
    (phraseOf(given).split(' ').length > LIMITS.words ? `Search for no more than ${LIMITS.words} words.` : undefined)
  if (fault) errors['search'] = [fault]
  return given
}

/** `ordering=-likes,name`: members that are stored, likes, the id, and when records were created and changed. */
function orderingOf(collection: Collection, parameters: Parameters, errors: Errors): Ordering[] | undefined {
  const given = listOf(parameters, 'ordering')
  if (given.length === 0) return undefined
  const known = orderable(collection)
  const ordering: Ordering[] = []
  for (const each of given.map((word) => word.trim())) {
    const member = each.replace(/^-/, '')
    const found = known.get(member)
    if (!found) errors['ordering'] = [`"${member}" is not a valid choice.`]
    else ordering.push({ ...found, descending: each.startsWith('-') })
  }
  if (ordering.length > LIMITS.orders)
    errors['ordering'] = [`Ensure this field has no more than ${LIMITS.orders} elements.`]
  return ordering
}

/** The members that a list can be ordered by. Lists inside a record have no order. */
export function orderable(collection: Collection): Map<string, Omit<Ordering, 'descending'>> {
  const members = filtersOf(collection).flatMap(({ member, key, on }): [string, Omit<Ordering, 'descending'>][] => {
    if (on === 'links' || on === 'voters') return []
    return (on === 'id' ? [ID_ALIAS, member] : [member]).map((name) => [name, { key, on }])
  })
  return new Map(members)
}

export function idMember(resource: AnyResource): string {
  return `${resource.name}_id`
}

/** PostgreSQL refuses U+0000 even in a comparison; neither database stores a lone surrogate. */
function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'Null characters are not allowed.'
  return text.isWellFormed() ? undefined : 'Not a valid string.'
}
