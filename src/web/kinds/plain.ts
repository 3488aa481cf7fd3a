/** A kind from its declaration alone: what the explorer shows of kinds that have no file here. */
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import { plural } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import type { Kind, Shown } from './kind.ts'

/** A resource whose records are lines of the other's. */
export interface Parent {
  readonly resource: AnyResource
  /** The member of a line that holds its parent. */
  readonly member: string
}

export function plainKind(resource: AnyResource, parent?: Parent): Kind {
  const { name, does } = resource
  const one = titled(name)
  const isSearched = fieldsOf(resource).some(([, { searches }]) => searches !== undefined)
  return {
    name,
    one,
    many: plural(one),
    does,
    part: name,
    liked: keyOf(resource, 'votes') !== undefined,
    owner: keyOf(resource, 'owner'),
    lineOf: parent?.resource.name,
    isMain: !parent,
    isSearched,
    isFound: isSearched && !parent,
    isByChance: !parent,
    facets: facetsOf(resource),
    shape: 'cards',
    order: orderOf(resource),
    nameOf: namesOf(resource, one),
    gistOf: () => '',
    addressOf: (record) =>
      parent ? recordAddress(parent.resource.name, record[parent.member]) : recordAddress(name, record),
  }
}

/** "box-label" becomes "Box label". */
export function titled(name: string): string {
  const words = name.replaceAll(/[-_]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function keyOf(resource: AnyResource, where: 'votes' | 'owner'): string | undefined {
  return fieldsOf(resource).find(([key, field]) => field.storage(key).in === where)?.[0]
}

/** Members that have an index, because lists are often narrowed by them, and the owner. */
function facetsOf(resource: AnyResource): Record<string, string> {
  const facets = fieldsOf(resource).flatMap(([key, field]) =>
    Object.entries(field.filters(key)).flatMap(([member, { on, lookups }]): [string, string][] => {
      const isShared = on === 'owner' || (typeof on === 'object' && on.column.indexed === true)
      return isShared && lookups.includes('exact') ? [[member, titled(member)]] : []
    }),
  )
  return Object.fromEntries(facets)
}

function orderOf({ order }: AnyResource): string {
  const [first = ''] = order
  return first === nameMember(order) ? 'A to Z' : `By ${first.replace(/^-/, '').replaceAll('_', ' ')}`
}

function nameMember(members: readonly string[]): string | undefined {
  return ['name', 'title', 'label', 'body'].find((member) => members.includes(member))
}

/** The name of a record: its name, title or label; otherwise the first text that a record must have. */
function namesOf(resource: AnyResource, one: string): (record: Shown) => string {
  const described = fieldsOf(resource).flatMap(([key, field]) => Object.entries(field.describe(key)))
  const required = described.find(([, { type, required }]) => type === 'string' && required)
  const member = nameMember(described.map(([name]) => name)) ?? required?.[0] ?? ''
  return (record) => String(record[member] || `${one} ${record[`${resource.name}_id`]}`)
}
