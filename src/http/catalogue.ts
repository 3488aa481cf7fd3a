/** The routes every catalogue gets: the root index, and for each collection its list, its records and their votes. */
import type { AnyResource, JsonObject, Schema } from '../declare/index.ts'
import {
  answerQuestion,
  type Collection,
  collectionsOf,
  describe,
  hasText,
  narrowingOf,
  problems,
  readPage,
  readRecord,
  rootIndex,
  takesVotes,
  titleOf,
} from '../engine/index.ts'
import type { Outcome } from './message.ts'
import { pageLinks } from './paging.ts'
import { recordId } from './places.ts'
import type { Call, Handler, Route } from './router.ts'
import { givenBy } from './services.ts'
import { castVote, change, create, remove, replace, type WritingParts } from './writing.ts'

export interface CatalogueParts extends WritingParts {
  readonly pageSize: number
}

const MOST_A_PAGE = 1000

export function catalogueRoutes(parts: CatalogueParts): Route[] {
  const { catalogue } = parts.engine
  const index = indexHandler(catalogue)
  return [
    {
      path: '/api/',
      title: 'Api Root',
      description: 'Every collection of the catalogue.',
      methods: { GET: index, OPTIONS: index },
    },
    ...collectionsOf(catalogue).flatMap((collection) => [
      listRoute(parts, collection),
      recordRoute(parts, collection),
      ...(takesVotes(collection) ? [voteRoute(parts, collection)] : []),
      ...questionRoutes(parts, collection),
    ]),
  ]
}

function indexHandler(catalogue: readonly AnyResource[]): Handler {
  const index = [...rootIndex(catalogue)]
  return ({ base, query }) => {
    const format = query.get('format')
    const suffix = format === 'json' || format === 'api' ? `?format=${format}` : ''
    return ok(Object.fromEntries(index.map(([name, target]) => [name, `${base}/api/${target}/${suffix}`])))
  }
}

function listRoute(parts: CatalogueParts, collection: Collection): Route {
  return {
    path: `/api/${collection.name}/`,
    title: `${titleOf(collection)} List`,
    description: collection.resource.does,
    methods: {
      GET: (call) => list(parts, collection, call),
      POST: (call) => create(parts, collection, call),
      OPTIONS: ({ identity }) => ok(describe(collection, identity.actor)),
    },
  }
}

async function list({ engine, pageSize }: CatalogueParts, collection: Collection, call: Call): Promise<Outcome> {
  const page = await readPage(engine, collection, {
    narrowing: narrowingOf(collection, call.query.pairs),
    number: wantedPage(call.query.get('page')),
    size: wantedSize(call.query.get('page_size'), pageSize),
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
}

function recordRoute(parts: CatalogueParts, collection: Collection): Route {
  const { store } = parts.engine
  return {
    path: `/api/${collection.name}/:id/`,
    title: `${titleOf(collection)} Instance`,
    hasText: hasText(collection),
    description: collection.resource.does,
    methods: {
      async GET(call) {
        const { json, plain } = await readRecord(store, collection, recordId(call))
        return { status: 200, json, plain }
      },
      PUT: (call) => replace(parts, collection, call, recordId(call)),
      PATCH: (call) => change(parts, collection, call, recordId(call)),
      DELETE: (call) => remove(parts, collection, call, recordId(call)),
      async OPTIONS(call) {
        const { owner } = await readRecord(store, collection, recordId(call))
        return ok(describe(collection, call.identity.actor, owner))
      },
    },
  }
}

function voteRoute(parts: CatalogueParts, collection: Collection): Route {
  const title = `${titleOf(collection)} Vote`
  return {
    path: `/api/${collection.name}/:id/vote/`,
    title,
    description: 'POST gives your vote, DELETE takes it back.',
    methods: {
      POST: (call) => castVote(parts, collection, call, recordId(call), 'give'),
      DELETE: (call) => castVote(parts, collection, call, recordId(call), 'take back'),
      OPTIONS: () => ok({ name: title, description: 'POST gives your vote, DELETE takes it back.' }),
    },
  }
}

function questionRoutes({ engine }: CatalogueParts, collection: Collection): Route[] {
  if (collection.only) return []
  return Object.entries(collection.resource.questions ?? {}).map(([name, { does, answers }]) => {
    const title = `${titleOf(collection)} ${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return {
      path: `/api/${collection.name}/:id/${name}/`,
      title,
      description: does,
      hasText: isText(answers),
      methods: {
        async GET(call) {
          const takes = collection.resource.questions![name]!.takes ?? {}
          const answer = await answerQuestion(engine, collection, recordId(call), name, givenBy(call.query, takes))
          return { status: 200, json: JSON.stringify(answer), plain: plainOf(answer) }
        },
        OPTIONS: () => ok({ name: title, description: does }),
      },
    }
  })
}

/** An answer that has a text can be had as that text. */
function isText(answers: Schema): boolean {
  return 'text' in ((answers['properties'] ?? {}) as object)
}

function plainOf(answer: JsonObject): string | undefined {
  return typeof answer['text'] === 'string' ? answer['text'] : undefined
}

const ok = (value: unknown): Outcome => ({ status: 200, json: JSON.stringify(value) })

/** Missing or blank is the first page; what is not a number names no page. */
function wantedPage(given: string | undefined): number | 'last' {
  const wanted = given?.trim() ?? ''
  if (wanted === '') return 1
  if (wanted === 'last') return 'last'
  if (!/^\+?[0-9]{1,15}$/.test(wanted)) throw problems.invalidPage()
  return Number(wanted)
}

/** A value that makes no sense means the default, too large a one the maximum, silently. */
function wantedSize(given: string | undefined, byDefault: number): number {
  const wanted = given?.trim() ?? ''
  if (!/^\+?[0-9]+$/.test(wanted) || Number(wanted) === 0) return byDefault
  return Math.min(Number(wanted), MOST_A_PAGE)
}
