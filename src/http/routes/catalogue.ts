/** The routes every catalogue gets: the root index, and for each collection its list, its records and their votes. */
import { type AnyResource, fieldsOf, type Schema } from '../../declare/index.ts'
import {
  type Collection,
  collectionsOf,
  dependenciesOf,
  describe,
  hasText,
  narrowingOf,
  readPage,
  readPageNow,
  readRecord,
  rootIndex,
  takesVotes,
  titleOf,
} from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import { SERVICE_LINKS } from '../openapi/headers.ts'
import { ADDRESS, type Answered, type Body, exactly, listOf, means, schemaRef } from '../openapi/operation.ts'
import { narrowedBy, RECORD_ID } from '../openapi/parameters.ts'
import { AS_OF, asOfIn } from '../request/as-of-parameter.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import { STREAM_TYPES } from '../response/negotiate.ts'
import { pageShower } from '../response/page.ts'
import { PROJECTING, PROJECTING_WITH_LINES, projectionFor } from '../response/projection.ts'
import { streamList } from '../response/record-stream.ts'
import { everyCollection } from '../routing/every-collection.ts'
import { offerOfList, offerOfRecord } from '../routing/form-actions.ts'
import { described, ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Handler, Route } from '../routing/router.ts'
import { questionRoutes } from './questions.ts'
import { getRecord } from './read-record.ts'
import { castVote, change, create, remove, replace, type WritingParts } from './writing.ts'

export interface CatalogueParts extends WritingParts {
  readonly pageSize: number
}

const LIST_DESCRIPTION = 'See `next` for more.'
const LEFT_OUT = 'Omitted members stay.'

/** Shared by all operations that return one record. The introduction of the document says that 201 has a Location. */
const recordAnswer = (name: string): Answered => ({ says: 'The record.', schema: schemaRef(name), example: name })

export function catalogueRoutes(parts: CatalogueParts): Route[] {
  const { catalogue } = parts.engine
  return [
    indexRoute(catalogue),
    ...collectionsOf(catalogue).flatMap((collection) => [listRoute(parts, collection), recordRoute(parts, collection)]),
    ...voteRoutes(parts),
    ...questionRoutes(parts.engine),
  ]
}

function indexRoute(catalogue: readonly AnyResource[]): Route {
  const index = [...rootIndex(catalogue)]
  const handle: Handler = ({ base, path, query }) => {
    const end = suffixOf(path) ?? formatOf(query)
    const addresses = index.map(([name, target]) => [name, `${base}/api/${target}${end}`])
    const headers = { Link: SERVICE_LINKS }
    return { status: 200, json: JSON.stringify(Object.fromEntries(addresses)), headers, keep: { of: [] } }
  }
  const summary = 'Every collection of the catalogue'
  const schema = {
    type: 'object',
    propertyNames: { enum: index.map(([name]) => name) },
    additionalProperties: ADDRESS,
  }
  const says = 'The address of each collection, by its name.'
  return {
    path: '/api/',
    title: 'Api Root',
    tag: 'catalogue',
    description: `${summary}.`,
    methods: {
      GET: {
        summary,
        description: 'Start here: each address returns the first page of a collection.',
        answers: { 200: { says, schema, headers: ['Link:services'] } },
        handle,
      },
      OPTIONS: described(handle),
    },
  }
}

/** `/api/.json` links to `/api/queue.json`. */
function suffixOf(path: string): string | undefined {
  return /\.(json|api)$/.exec(path)?.[0]
}

function formatOf(query: Query): string {
  const format = query.get('format')
  return format === 'json' || format === 'api' ? `/?format=${format}` : '/'
}

function listRoute(parts: CatalogueParts, collection: Collection): Route {
  const { name, resource } = collection
  const title = `${titleOf(collection)} List`
  return {
    path: `/api/${name}/`,
    title,
    tag: name,
    description: resource.does,
    offers: offerOfList(collection),
    otherTypes: STREAM_TYPES,
    methods: {
      GET: {
        summary: 'A page of records',
        description: LIST_DESCRIPTION,
        parameters: ['page', 'page_size', 'format-or-stream', AS_OF, ...PROJECTING, ...narrowedBy(collection)],
        answers: {
          200: {
            says: 'A page.',
            schema: schemaRef(`${name}-page`),
            types: STREAM_TYPES.map(({ type }) => type),
          },
        },
        handle: (call) =>
          call.rendering.as === 'other'
            ? streamList(parts, collection, call, call.rendering.type)
            : list(parts, collection, call),
      },
      POST: {
        summary: 'Create a record',
        description: resource.staffOnly ? 'For staff.' : 'It becomes yours.',
        parameters: ['Idempotency-Key'],
        body: bodyOf(resource, 'body'),
        answers: { 201: recordAnswer(name) },
        signedIn: true,
        checksUser: true,
        handle: (call) => create(parts, collection, call),
      },
      OPTIONS: described(({ identity }) => ok(describe(collection, identity.actor))),
    },
  }
}

async function list({ engine, pageSize }: CatalogueParts, collection: Collection, call: Call): Promise<Outcome> {
  const wanted = {
    narrowing: narrowingOf(collection, call.query.pairs),
    projection: projectionFor(call, collection),
    number: wantedPage(call.query.get('page')),
    size: wantedSize(call.query.get('page_size'), pageSize),
    defaultSize: pageSize,
  }
  const then = await asOfIn(engine, call)
  if (then) {
    const page = await readPage(engine, collection, { ...wanted, asOf: then.asOf })
    return pageShower(then.call, then.headers)(page)
  }
  const show = pageShower(call)
  const again = () => {
    const page = readPageNow(engine, collection, wanted)
    return page && show(page)
  }
  // Lists of a view may also be narrowed by members that it does not show.
  const of = dependenciesOf(wanted.narrowing ? { resource: collection.resource } : collection).resources
  return show(await readPage(engine, collection, wanted), { of, again })
}

function recordRoute(parts: CatalogueParts, collection: Collection): Route {
  const { engine } = parts
  const { name, resource } = collection
  const title = `${titleOf(collection)} Instance`
  const record = recordAnswer(name)
  const writing = {
    parameters: [RECORD_ID, 'If-Match'],
    signedIn: true,
    checksUser: true,
  } as const
  // The document says once that the owner may write.
  const staff = resource.staffOnly ? 'For staff. ' : ''
  return {
    path: `/api/${name}/:id/`,
    title,
    tag: name,
    hasText: hasText(collection),
    description: resource.does,
    offers: offerOfRecord(parts.engine, collection),
    methods: {
      GET: {
        summary: 'One record',
        description: 'As in the list.',
        parameters: [RECORD_ID, AS_OF, ...(resource.lines ? PROJECTING_WITH_LINES : PROJECTING)],
        answers: { 200: record },
        handle: (call) => getRecord(engine, collection, call),
      },
      PUT: {
        ...writing,
        summary: collection.only ? 'Change a record' : 'Replace a record',
        description: `${staff}${collection.only ? LEFT_OUT : 'Other members are cleared.'}`,
        // A view does not show everything, so it must not clear what is not given.
        body: bodyOf(resource, collection.only ? 'change' : 'body'),
        answers: { 200: record },
        handle: (call) => replace(parts, collection, call, recordId(call)),
      },
      PATCH: {
        ...writing,
        summary: 'Change a record',
        description: `${staff}${LEFT_OUT}`,
        body: bodyOf(resource, 'change'),
        answers: { 200: record },
        handle: (call) => change(parts, collection, call, recordId(call)),
      },
      DELETE: {
        ...writing,
        summary: 'Delete a record',
        description: resource.staffOnly ? 'For staff.' : 'For owners and staff.',
        parameters: [...writing.parameters, 'cascade'],
        answers: {
          200: { says: 'With `cascade`: what was deleted, and what was changed.', schema: REMOVAL },
          204: { says: 'The record is deleted.' },
        },
        problems: [409],
        handle: (call) => remove(parts, collection, call, recordId(call)),
      },
      OPTIONS: described(async (call) => {
        const { owner } = await readRecord(engine, collection, recordId(call))
        return ok(describe(collection, call.identity.actor, owner))
      }),
    },
  }
}

/** The contents of a body: a whole record, or a change. */
function bodyOf(resource: AnyResource, what: 'body' | 'change'): Body {
  const schema = schemaRef(`${resource.name}-${what}`)
  const lists = fieldsOf(resource).flatMap(([key, field]) => (field.repeats ? field.members(key) : []))
  return what === 'body' ? { schema, lists, example: `${resource.name}-body` } : { schema, lists }
}

function voteRoutes(parts: CatalogueParts): Route[] {
  const collections = collectionsOf(parts.engine.catalogue).filter(takesVotes)
  const voting = {
    parameters: [RECORD_ID],
    answers: { 200: { says: 'The record.', schema: { anyOf: collections.map(({ name }) => schemaRef(name)) } } },
    signedIn: true,
    checksUser: true,
  } as const
  const route = {
    path: '/api/:collection/:id/vote/',
    title: 'Vote',
    tag: 'records',
    description: 'POST gives your vote, DELETE takes it back.',
    methods: {
      POST: {
        ...voting,
        summary: 'Give your vote',
        description: 'Adds you to its voters, once.',
        handle: (collection: Collection, call: Call) => castVote(parts, collection, call, recordId(call), 'give'),
      },
      DELETE: {
        ...voting,
        summary: 'Take your vote back',
        description: 'Removes you from its voters.',
        handle: (collection: Collection, call: Call) => castVote(parts, collection, call, recordId(call), 'take back'),
      },
    },
  }
  return everyCollection(route, collections)
}

const REMOVAL: Schema = {
  title: 'removal',
  ...exactly({
    deleted: means(listOf(ADDRESS), 'The addresses of the records that were deleted, the record itself last.'),
    changed: means(listOf(ADDRESS), 'The addresses of the records that no longer contain it.'),
  }),
}
