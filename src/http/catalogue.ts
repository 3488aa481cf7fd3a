/** The routes every catalogue gets: the root index, and for each collection its list and its records. */
import type { AnyResource } from '../declare/index.ts'
import {
  type Collection,
  collectionsOf,
  describe,
  problems,
  readPage,
  readRecord,
  rootIndex,
  titleOf,
} from '../engine/index.ts'
import type { Store } from '../store/index.ts'
import type { Outcome } from './message.ts'
import { pageLinks } from './paging.ts'
import type { Call, Handler, Route } from './router.ts'

export interface CatalogueSettings {
  readonly pageSize: number
}

const MOST_A_PAGE = 1000

export function catalogueRoutes(store: Store, catalogue: readonly AnyResource[], settings: CatalogueSettings): Route[] {
  const index = indexHandler(catalogue)
  return [
    {
      path: '/api/',
      title: 'Api Root',
      description: 'Every collection of the catalogue.',
      methods: { GET: index, OPTIONS: index },
    },
    ...collectionsOf(catalogue).flatMap((collection) => [
      listRoute(store, collection, settings),
      recordRoute(store, collection),
    ]),
  ]
}

function indexHandler(catalogue: readonly AnyResource[]): Handler {
  const index = [...rootIndex(catalogue)]
  return ({ base, query }) => {
    const format = query.get('format')
    const suffix = format ? `?format=${format}` : ''
    return ok(Object.fromEntries(index.map(([name, target]) => [name, `${base}/api/${target}/${suffix}`])))
  }
}

function listRoute(store: Store, collection: Collection, settings: CatalogueSettings): Route {
  return {
    path: `/api/${collection.name}/`,
    title: `${titleOf(collection)} List`,
    description: collection.resource.does,
    methods: {
      async GET(call) {
        const page = await readPage(store, collection, {
          number: pageNumber(call.query.get('page')),
          size: pageSize(call.query.get('page_size'), settings.pageSize),
        })
        const links = pageLinks(call, page)
        const members = [
          `"count":${page.count}`,
          `"next":${JSON.stringify(links.next ?? null)}`,
          `"previous":${JSON.stringify(links.prev ?? null)}`,
          `"results":[${page.records.join(',')}]`,
        ]
        const link = Object.entries(links).map(([rel, url]) => `<${url}>; rel="${rel}"`)
        return { status: 200, json: `{${members.join(',')}}`, headers: { Link: link.join(', ') } }
      },
      POST: notSignedIn,
      OPTIONS: () => ok(describe(collection, 'List')),
    },
  }
}

function recordRoute(store: Store, collection: Collection): Route {
  return {
    path: `/api/${collection.name}/:id/`,
    title: `${titleOf(collection)} Instance`,
    description: collection.resource.does,
    methods: {
      GET: async (call) => ({ status: 200, json: await readRecord(store, collection, recordId(call)) }),
      PUT: notSignedIn,
      PATCH: notSignedIn,
      DELETE: notSignedIn,
      async OPTIONS(call) {
        await readRecord(store, collection, recordId(call))
        return ok(describe(collection, 'Instance'))
      },
    },
  }
}

const ok = (value: unknown): Outcome => ({ status: 200, json: JSON.stringify(value) })

function notSignedIn(): never {
  throw problems.notSignedIn()
}

function recordId({ places }: Call): number {
  const id = places['id'] ?? ''
  if (!/^[1-9][0-9]{0,14}$/.test(id)) throw problems.notFound()
  return Number(id)
}

/** Missing or blank is the first page; what is not a number names no page. */
function pageNumber(given: string | undefined): number | 'last' {
  const wanted = given?.trim() ?? ''
  if (wanted === '') return 1
  if (wanted === 'last') return 'last'
  if (!/^[0-9]{1,15}$/.test(wanted)) throw problems.invalidPage()
  return Number(wanted)
}

/** A value that makes no sense means the default, too large a one the maximum, silently. */
function pageSize(given: string | undefined, byDefault: number): number {
  const wanted = given?.trim() ?? ''
  if (!/^[0-9]+$/.test(wanted) || Number(wanted) === 0) return byDefault
  return Math.min(Number(wanted), MOST_A_PAGE)
}
