/** The routes every catalogue gets: the root index, and for each collection its list, its records and their votes. */
import { type AnyResource, fieldsOf, type JsonObject, type Schema } from '../../declare/index.ts'
import {
  answerQuestion,
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
import { askAbout } from '../openapi/examples.ts'
import { SERVICE_LINKS } from '../openapi/headers.ts'
import { ADDRESS, type Body, exactly, listOf, means, schemaRef } from '../openapi/operation.ts'
import { narrowedBy, questionParameters, RECORD_ID } from '../openapi/parameters.ts'
import { AS_OF, asOfIn } from '../request/as-of-parameter.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import { STREAM_TYPES } from '../response/negotiate.ts'
import { pageShower } from '../response/page.ts'
import { PROJECTING, PROJECTING_WITH_LINES, projectionFor } from '../response/projection.ts'
import { streamList } from '../response/record-stream.ts'
import { offerOfList, offerOfRecord } from '../routing/form-actions.ts'
import { described, ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Handler, Route } from '../routing/router.ts'
import { getRecord } from './read-record.ts'
import { givenBy } from './services.ts'
import { castVote, change, create, remove, replace, type WritingParts } from './writing.ts'

export interface CatalogueParts extends WritingParts {
  readonly pageSize: number
}

const LIST_DESCRIPTION = 'Follow `next` to read every record.'

export function catalogueRoutes(parts: CatalogueParts): Route[] {
  const { catalogue } = parts.engine
  return [
    indexRoute(catalogue),
    ...collectionsOf(catalogue).flatMap((collection) => [
      listRoute(parts, collection),
      recordRoute(parts, collection),
      ...(takesVotes(collection) ? [voteRoute(parts, collection)] : []),
      ...questionRoutes(parts, collection),
    ]),
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
        summary: `A page of ${name}`,
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
        summary: `Create a record of ${resource.name}`,
        description: resource.staffOnly ? 'Only for staff.' : 'The record belongs to the user who creates it.',
        parameters: ['Idempotency-Key'],
        body: bodyOf(resource, 'body'),
        answers: {
          201: { says: 'The record.', schema: schemaRef(name), headers: ['Location'] },
        },
        signedIn: true,
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
  const record = { says: 'The record.', schema: schemaRef(name), example: name }
  const writing = {
    parameters: [RECORD_ID, 'If-Match'],
    signedIn: true,
  } as const
  const who = resource.staffOnly ? 'Only for staff.' : 'Only for its owner and staff.'
  return {
    path: `/api/${name}/:id/`,
    title,
    tag: name,
    hasText: hasText(collection),
    description: resource.does,
    offers: offerOfRecord(parts.engine, collection),
    methods: {
      GET: {
        summary: `One record of ${name}`,
        description: 'As the list shows it.',
        parameters: [RECORD_ID, AS_OF, ...(resource.lines ? PROJECTING_WITH_LINES : PROJECTING)],
        answers: { 200: record },
        handle: (call) => getRecord(engine, collection, call),
      },
      PUT: {
        ...writing,
        summary: collection.only ? `Change a record of ${resource.name}` : `Replace a record of ${name}`,
        description: `${collection.only ? 'Members left out stay as they are.' : 'Optional members left out are cleared.'} ${who}`,
        // A view does not show everything, so it must not clear what is not given.
        body: bodyOf(resource, collection.only ? 'change' : 'body'),
        answers: { 200: record },
        handle: (call) => replace(parts, collection, call, recordId(call)),
      },
      PATCH: {
        ...writing,
        summary: `Change members of a record of ${resource.name}`,
        description: `Members left out stay as they are. ${who}`,
        body: bodyOf(resource, 'change'),
        answers: { 200: record },
        handle: (call) => change(parts, collection, call, recordId(call)),
      },
      DELETE: {
        ...writing,
        summary: `Delete a record of ${resource.name}`,
        description: `${who} If other records use it, 409 names them.`,
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

function voteRoute(parts: CatalogueParts, collection: Collection): Route {
  const { name } = collection
  const title = `${titleOf(collection)} Vote`
  const description = 'POST gives your vote, DELETE takes it back.'
  const voting = {
    parameters: [RECORD_ID],
    answers: { 200: { says: 'The record.', schema: schemaRef(name), example: name } },
    signedIn: true,
  } as const
  return {
    path: `/api/${name}/:id/vote/`,
    title,
    tag: name,
    description,
    methods: {
      POST: {
        ...voting,
        summary: 'Give your vote',
        description: 'Adds you to its voters, once.',
        handle: (call) => castVote(parts, collection, call, recordId(call), 'give'),
      },
      DELETE: {
        ...voting,
        summary: 'Take your vote back',
        description: 'Removes you from its voters.',
        handle: (call) => castVote(parts, collection, call, recordId(call), 'take back'),
      },
      OPTIONS: described(() => ok({ name: title, description })),
    },
  }
}

function questionRoutes({ engine }: CatalogueParts, collection: Collection): Route[] {
  if (collection.only) return []
  // A question may refer to any record.
  const keep = { of: engine.catalogue.map(({ name }) => name) }
  return Object.entries(collection.resource.questions ?? {}).map(
    ([name, { does, details = does, answers, takes = {}, needs = [], plain = plainOf }]) => {
      const title = `${titleOf(collection)} ${name.charAt(0).toUpperCase()}${name.slice(1)}`
      return {
        path: `/api/${collection.name}/:id/${name}/`,
        title,
        tag: collection.name,
        description: does,
        hasText: isText(answers),
        methods: {
          GET: {
            summary: does,
            description: details,
            parameters: [RECORD_ID, ...questionParameters(takes, needs)],
            answers: { 200: { says: 'The answer.', schema: answers } },
            example: (first) => askAbout(collection, takes, first),
            async handle(call) {
              const answer = await answerQuestion(engine, collection, recordId(call), name, givenBy(call.query, takes))
              return { status: 200, json: JSON.stringify(answer), plain: plain(answer), keep }
            },
          },
          OPTIONS: described(() => ok({ name: title, description: does })),
        },
      }
    },
  )
}

const REMOVAL: Schema = {
  title: 'removal',
  ...exactly({
    deleted: means(listOf(ADDRESS), 'The addresses of the records that were deleted, the record itself last.'),
    changed: means(listOf(ADDRESS), 'The addresses of the records that no longer contain it.'),
  }),
}

/** A response that has a text is also available as that text. */
function isText(answers: Schema): boolean {
  return 'text' in ((answers['properties'] ?? {}) as object)
}

function plainOf(answer: JsonObject): string | undefined {
  return typeof answer['text'] === 'string' ? answer['text'] : undefined
}
