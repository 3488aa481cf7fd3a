/** A kind from its declaration alone: what the explorer shows of kinds that have no file here. */
import { type AnyResource, fieldsOf, keyStoredIn, NAME_MEMBERS, nameMember, ownerLookup } from '../../declare/index.ts'
import { canCompare } from '../../http/index.ts'
import { counted, plural } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import { shortened } from '../texts/marked.ts'
import { columnsOf } from './columns.ts'
import type { Kind, Shown, Use } from './kind.ts'
import { plainBody } from './plain-body.ts'
import { plainForm, referencesOf } from './plain-form.ts'
import { titled } from './titles.ts'

/** `catalogue` is in the order of the site. */
export function plainKind(resource: AnyResource, catalogue: readonly AnyResource[]): Kind {
  const { name, does } = resource
  const one = titled(name)
  const parent = parentOf(resource, catalogue)
  const named = nameMember(resource)
  const lines = catalogue.find((other) => other.name === resource.lines?.resource)
  const isSearched = fieldsOf(resource).some(([, { searches }]) => searches !== undefined)
  return {
    name,
    one,
    many: plural(one),
    does,
    part: name,
    liked: keyStoredIn(resource, 'votes') !== undefined,
    owner: ownerLookup(resource),
    lineOf: parent && { kind: parent.resource.name, member: parent.member },
    isMain: !parent,
    isSearched,
    isFound: isSearched && !parent,
    isByChance: !parent,
    hasSource: fieldsOf(resource).some(([key]) => key === 'src'),
    hasTerms: fieldsOf(resource).some(([, { searches }]) => searches === 'term'),
    isCompared: canCompare(resource),
    charts: {},
    facets: facetsOf(resource),
    columns: columnsOf(resource, named),
    shape: 'cards',
    order: orderOf(resource),
    nameMember: named,
    nameOf: (record) => String(record[named] || `${one} ${record[`${name}_id`]}`),
    gistOf: gistsOf(resource, named),
    body: plainBody(resource, named),
    embeds: Object.fromEntries(Object.entries(referencesOf(resource)).map(([member, { kind }]) => [member, kind])),
    uses: usesOf(resource, catalogue),
    form: parent || resource.staffOnly ? undefined : plainForm(resource, one, lines),
    addressOf: (record) =>
      parent ? recordAddress(parent.resource.name, record[parent.member]) : recordAddress(name, record),
  }
}

/** Members that have an index, because lists are often filtered by them, and the owner. */
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
  return NAME_MEMBERS.includes(first) ? 'A to Z' : `By ${first.replace(/^-/, '').replaceAll('_', ' ')}`
}

const MOST_IN_GIST = 3
const LONGEST_IN_GIST = 60

/** The first few values, shown next to the name: "2 shells, tan, turns 7". */
function gistsOf(resource: AnyResource, named: string): (record: Shown) => string {
  const fields = fieldsOf(resource).filter(([key]) => key !== named && !['src', 'area', 'wiki', 'realm'].includes(key))
  return (record) =>
    fields
      .flatMap(([key, field]): string[] => {
        const storage = field.storage(key)
        const values = field.members(key).flatMap((member) => record[member] ?? [])
        if (values.length === 0 || storage.in === 'owner' || storage.in === 'votes') return []
        if (storage.in === 'links') return [counted(values.length, storage.to.name)]
        return values.flatMap((value): string[] => {
          if (typeof value === 'number') return [`${titled(key).toLowerCase()} ${value.toLocaleString('en')}`]
          const text = typeof value === 'string' ? value : (value.name ?? '')
          return text === '' ? [] : [shortened(text, LONGEST_IN_GIST)]
        })
      })
      .slice(0, MOST_IN_GIST)
      .join(', ')
}

interface Parent {
  readonly resource: AnyResource
  /** The member of a line that refers to its parent. */
  readonly member: string
}

function parentOf({ name }: AnyResource, catalogue: readonly AnyResource[]): Parent | undefined {
  const resource = catalogue.find(({ lines }) => lines?.resource === name)
  return resource && { resource, member: resource.lines!.parent }
}

/** The resources that embed this one; its own lines are part of it. */
function usesOf({ name, lines }: AnyResource, catalogue: readonly AnyResource[]): Use[] {
  return catalogue.flatMap((other): Use[] => {
    const by = fieldsOf(other).flatMap(([key, field]) => {
      const storage = field.storage(key)
      return 'to' in storage && storage.to.name === name ? Object.keys(field.filters(key)) : []
    })
    return by.length > 0 && other.name !== lines?.resource ? [{ kind: other.name, by }] : []
  })
}
