/** What the page of an API address offers in addition to the answer: filters, forms and links. */
import type { Filter, JsonObject, MemberDescription } from '../../declare/index.ts'
import {
  type Collection,
  describe,
  type Engine,
  facetable,
  filtersOf,
  holdsSlots,
  nests,
  orderable,
  parameterOf,
  readRecord,
  takesSearch,
  takesTerm,
  takesVotes,
} from '../../engine/index.ts'
import { hashOf } from '../response/etag.ts'
import { recordId } from './path-parameters.ts'
import type { Call } from './router.ts'

export interface OfferedFilter {
  readonly name: string
  readonly choices?: readonly string[] | undefined
  /** The few that most people need. */
  readonly isCommon: boolean
}

export interface Offer {
  /** What a list can be filtered by. */
  readonly narrowing?: {
    readonly search: boolean
    readonly term: boolean
    readonly filters: readonly OfferedFilter[]
    readonly orderings: readonly string[]
  }
  /** What may be sent, for users who may send it. */
  readonly form?: {
    readonly method: 'POST' | 'PUT' | 'PATCH'
    readonly members: Readonly<Record<string, MemberDescription>>
    /** The current value. */
    readonly record: JsonObject
    /** Its ETag: the form is refused if the record has changed since. */
    readonly etag?: string
  }
  readonly removable: boolean
  /** Buttons that POST to an address below this one. */
  readonly buttons?: readonly { readonly to: string; readonly title: string }[]
  readonly votable: boolean
  /** Addresses to POST to without a body. */
  readonly presses?: readonly { readonly action: string; readonly label: string }[]
  readonly more: readonly { readonly href: string; readonly title: string }[]
}

export function offerOfList(collection: Collection): (call: Call) => Offer {
  const { name, resource } = collection
  const filters = filtersOf(collection).flatMap(({ member, lookups, schema, on }) => {
    const choices = choicesOf(schema)
    const isShared =
      choices || on === 'owner' || on === 'reference' || (typeof on === 'object' && on.column.indexed === true)
    return lookups.map(
      (lookup): OfferedFilter => ({
        name: parameterOf(member, lookup),
        choices: lookup === 'isnull' ? ['true', 'false'] : lookup === 'exact' ? choices : undefined,
        isCommon: lookup === 'icontains' || (lookup === 'exact' && Boolean(isShared)),
      }),
    )
  })
  const narrowing = {
    search: takesSearch(collection),
    term: takesTerm(collection),
    filters,
    orderings: [...orderable(collection).keys()],
  }
  const [facet] = facetable(collection)
  const more = [
    { href: `/api/${name}/random/`, title: 'random' },
    { href: `/api/${name}/daily/`, title: 'daily' },
    ...(facet ? [{ href: `/api/${name}/facets/?by=${facet.member}`, title: 'facets' }] : []),
    { href: `/api/docs/?collection=${name}`, title: 'docs' },
  ]
  return ({ identity }) => {
    const { actions } = describe(collection, identity.actor) as Described
    const members = actions?.['POST']
    return {
      narrowing,
      more,
      removable: false,
      votable: false,
      ...(members
        ? { form: { method: 'POST', members: written(members, resource.lines !== undefined), record: {} } }
        : {}),
    }
  }
}

export function offerOfRecord(engine: Engine, collection: Collection): (call: Call) => Promise<Offer> {
  const { name, resource } = collection
  return async (call) => {
    const id = recordId(call)
    const { json, owner } = await readRecord(engine, collection, id)
    const { actions } = describe(collection, call.identity.actor, owner) as Described
    const members = actions?.['PUT']
    const at = (rest: string) => ({ href: `/api/${name}/${id}/${rest}/`, title: rest })
    return {
      ...(members
        ? {
            form: {
              method: 'PUT',
              members: written(members, resource.lines !== undefined),
              record: JSON.parse(json),
              etag: `"${hashOf(json)}"`,
            },
          }
        : {}),
      removable: members !== undefined,
      votable: takesVotes(collection) && call.identity.actor !== undefined,
      more: collection.only
        ? []
        : [
            ...Object.keys(resource.questions ?? {}).map(at),
            ...(holdsSlots(resource) ? [at('related')] : []),
            ...(nests(resource) ? [at('nested')] : []),
            at('history'),
          ],
    }
  }
}

type Members = Readonly<Record<string, MemberDescription>>

interface Described {
  readonly actions?: { readonly [method: string]: Members }
}

/** A form cannot send lines. */
function written(members: Members, hasLines: boolean): Members {
  return Object.fromEntries(
    Object.entries(members).filter(([member, { read_only }]) => !read_only && !(hasLines && member === 'lines')),
  )
}

function choicesOf(schema: Filter['schema']): readonly string[] | undefined {
  return schema['enum'] as readonly string[] | undefined
}
