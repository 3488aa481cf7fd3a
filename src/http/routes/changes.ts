/** /api/changes/: the feed of changes. */
import {
  awaitFeed,
  type Broadcast,
  type Engine,
  entriesUpTo,
  type FeedAsked,
  type FeedEntry,
  problems,
} from '../../engine/index.ts'
import { networkOf } from '../exchange/address.ts'
import { type Headers, header, type LiveConnection, type Outcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import {
  COUNT,
  exactly,
  ID,
  inQuery,
  listOf,
  means,
  type Parameter,
  schemaRef,
  TEXT,
  TIME,
} from '../openapi/operation.ts'
import { readFilter } from '../request/feed-filter.ts'
import { integerIn } from '../request/integer-parameter.ts'
import { type Counts, demand } from '../request/machine-counts.ts'
import { switchIn } from '../request/switch-parameter.ts'
import { IMMUTABLE } from '../response/cache-control.ts'
import { type EventId, EventStream, readEventId } from '../response/event-stream.ts'
import { EVENT_STREAM, NDJSON } from '../response/negotiate.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { ACTION_OR_LEAVE, FORGOTTEN } from './change-schemas.ts'

const MOST = 1000
const SOME = 100
/** In seconds. */
const LONGEST_WAIT = 30
/** Live streams: what they send, and how many there may be. */
interface Streams {
  readonly broadcast: Broadcast
  readonly counts: Counts
}

const DESCRIPTION = 'What was changed, by whom and when, in the order of the commits.'

export function changeRoutes(engine: Engine, streams: Streams): Route[] {
  return [
    {
      path: '/api/changes/',
      title: 'Changes',
      tag: 'changes',
      description: DESCRIPTION,
      schemas: { change: ENTRY },
      otherTypes: [NDJSON, EVENT_STREAM],
      methods: {
        GET: {
          summary: 'Follow the changes',
          description:
            'Entries after `since`. Continue with `since=` and `next`, until `next` equals `latest`. With a `resource`, the filters of its list narrow them. With `Accept: text/event-stream`, new ones arrive as they are committed.',
          parameters: parameters(),
          answers: {
            200: {
              says: 'The entries, oldest first.',
              schema: FEED,
              headers: ['Cache-Control', 'Nymdex-Log', 'Link:following?', 'Content-Disposition?', 'X-Accel-Buffering?'],
              types: [NDJSON.type, EVENT_STREAM.type],
            },
          },
          problems: [410],
          example: () => [{ query: 'limit=1' }],
          handle: (call) =>
            call.rendering.as === 'other' && call.rendering.type === EVENT_STREAM.type
              ? stream(engine, streams, call)
              : feed(engine, call),
        },
        OPTIONS: described(() => ok({ name: 'Changes', description: DESCRIPTION })),
      },
    },
  ]
}

const ENTRY = exactly({
  seq: means(ID, 'The number of the entry, in the order of the commits, without gaps, except for old votes.'),
  set: means(ID, 'The number of the first entry of the same request.'),
  at: means(TIME, 'When it was done.'),
  user: means({ type: ['string', 'null'] }, 'Who did it; null for the server itself, such as an import.'),
  action: means(ACTION_OR_LEAVE, 'What was done; `leave`: a lookup no longer matches.'),
  resource: means(TEXT, 'The collection of the record.'),
  id: means(ID, 'The id of the record.'),
  old: means(
    { type: ['object', 'null'], additionalProperties: true },
    'The members that changed, as they were; null if there was nothing before.',
  ),
  'forgotten?': FORGOTTEN,
})

const FEED = exactly({
  since: means(COUNT, 'The `since` of the request.'),
  next: means(COUNT, 'The `since` of the next request.'),
  latest: means(COUNT, 'The number of the newest entry.'),
  oldest: means(ID, 'The number of the oldest entry that the log still has.'),
  results: means(listOf(schemaRef('change')), 'The entries, oldest first.'),
})

function parameters(): Parameter[] {
  return [
    inQuery('since', 'After this number; 0 by default.', COUNT),
    inQuery('until', 'Up to this number.', COUNT),
    inQuery('resource', 'Of this collection.', TEXT),
    inQuery('id', 'Of the record with this id; needs `resource`.', ID),
    inQuery('user', 'Of this user.', TEXT),
    inQuery('log', 'The `Nymdex-Log` that the client knows; 410 if it is another one now.', TEXT),
    inQuery('hidden', 'true: also what the log keeps for undo and for followers.', { type: 'boolean' }),
    inQuery('wait', 'If there is nothing new: how many seconds to wait for it.', {
      type: 'integer',
      minimum: 1,
      maximum: LONGEST_WAIT,
    }),
    inQuery('format', '`ndjson`: an entry on each line.', { type: 'string', enum: ['json', 'api', 'ndjson'] }),
    {
      name: 'Last-Event-ID',
      in: 'header',
      description: 'The id of the last event of a stream, in place of `since`.',
      schema: TEXT,
    },
    inQuery('limit', `The maximum number of entries; ${SOME} by default, all for NDJSON.`, {
      type: 'integer',
      minimum: 1,
      maximum: MOST,
    }),
  ]
}

async function feed(engine: Engine, call: Call): Promise<Outcome> {
  const { query, rendering } = call
  const isWhole = rendering.as === 'other' && !query.get('limit')
  const asked = await readQuery(engine, query, isWhole ? MOST : SOME)
  const wait = integerIn(query, 'wait', { most: LONGEST_WAIT }) ?? 0
  const { log, ...found } = await awaitFeed(engine, asked, asked.until === undefined ? wait * 1000 : 0)
  const headersUpTo = (end: number): Headers => {
    const isClosed = asked.until !== undefined && asked.until <= found.latest && asked.until <= end
    return { 'Cache-Control': isClosed ? IMMUTABLE : 'no-cache', 'Nymdex-Log': log }
  }
  if (rendering.as !== 'other') return { status: 200, json: JSON.stringify(found), headers: headersUpTo(found.next) }
  const end = isWhole ? Math.max(found.next, Math.min(asked.until ?? found.latest, found.latest)) : found.next
  const isOver = asked.until !== undefined && end >= asked.until
  return {
    status: 200,
    type: NDJSON.type,
    stream: lines(entriesUpTo(engine, asked, { log, ...found }, end)),
    headers: {
      Vary: 'Accept',
      'Content-Disposition': 'attachment; filename="changes.ndjson"',
      ...(isOver ? {} : { Link: `<${call.base}${call.path}?${query.with('since', end)}>; rel="next"` }),
      ...headersUpTo(end),
    },
  }
}

/** From the last event that the client had, or from `since`, or from now on. */
async function stream(engine: Engine, { broadcast, counts }: Streams, call: Call): Promise<Outcome> {
  for (const name of ['until', 'wait', 'limit']) {
    if (call.query.get(name)) throw problems.invalid({ [name]: ['A live stream has no end.'] })
  }
  const filter = await readFilter(engine, call.query)
  const network = networkOf(call.address)
  const { log, seq } = lastEventOf(call)
  demand(await counts.demandStream(network))
  const start = await broadcast.startAt(filter, seq, log).catch((error: unknown) => {
    counts.countStream(network, 0)
    throw error
  })
  if (call.method === 'HEAD') counts.countStream(network, 0)
  const open = (connection: LiveConnection) => {
    const subscription = broadcast.subscribe(filter, start, new EventStream(connection, start.log))
    connection.onReady = () => subscription.pump()
    counts.countStream(network, 1)
    connection.onClose = () => {
      counts.countStream(network, -1)
      broadcast.unsubscribe(subscription)
    }
  }
  const lasting = { 'Cache-Control': 'no-store', 'Nymdex-Log': start.log }
  const headers = { Vary: 'Accept', 'X-Accel-Buffering': 'no', ...lasting }
  return { status: 200, type: EVENT_STREAM.type, live: { open }, headers }
}

/** A browser that reconnects sends the id of the last event, to the address that it first had. */
function lastEventOf(call: Call): Partial<EventId> {
  const given = header(call, 'last-event-id')?.trim()
  if (!given) return { log: call.query.get('log') || undefined, seq: integerIn(call.query, 'since', { least: 0 }) }
  const id = readEventId(given)
  if (!id) throw problems.invalid({ 'Last-Event-ID': ['This is not the id of an event.'] })
  return id
}

async function* lines(pages: AsyncIterable<readonly FeedEntry[]>): AsyncGenerator<string> {
  for await (const entries of pages) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
}

async function readQuery(engine: Engine, query: Query, limit: number): Promise<FeedAsked> {
  return {
    ...(await readFilter(engine, query)),
    log: query.get('log') || undefined,
    since: integerIn(query, 'since', { least: 0 }) ?? 0,
    until: integerIn(query, 'until', { least: 0 }),
    limit: integerIn(query, 'limit', { most: MOST }) ?? limit,
    hidden: switchIn(query, 'hidden', false),
  }
}
