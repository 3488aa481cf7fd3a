/** /api/changes/: the feed of changes. */
import { awaitFeed, type Engine, type FeedAsked, problems } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import { COUNT, exactly, ID, listOf, means, type Parameter, TEXT, TIME } from '../openapi/operation.ts'
import { integerIn } from '../request/integer-parameter.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { ACTION, FORGOTTEN } from './change-schemas.ts'

const MOST = 1000
const SOME = 100
/** In seconds. */
const LONGEST_WAIT = 30
const DESCRIPTION = 'What was changed, by whom and when, in the order of the commits.'

export function changeRoutes(engine: Engine): Route[] {
  return [
    {
      path: '/api/changes/',
      title: 'Changes',
      tag: 'changes',
      description: DESCRIPTION,
      methods: {
        GET: {
          summary: 'Follow the changes',
          description:
            'Entries after `since`. Continue with `since=` and the `next` of the response; when `next` equals `latest`, you have all of them.',
          parameters: parameters(),
          answers: {
            200: { says: 'The entries, oldest first.', schema: FEED, headers: ['Cache-Control', 'Nymdex-Log'] },
          },
          problems: [410],
          example: () => [{ query: 'limit=1' }],
          handle: (call) => feed(engine, call),
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
  action: means(ACTION, 'What was done.'),
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
  results: means(listOf(ENTRY), 'The entries, oldest first.'),
})

function parameters(): Parameter[] {
  const parameter = (name: string, description: string, schema: Parameter['schema']): Parameter => {
    return { name, in: 'query', description, schema }
  }
  return [
    parameter('since', 'Only entries after this number; 0 by default.', COUNT),
    parameter('until', 'Only entries up to this number.', COUNT),
    parameter('resource', 'Only entries of this collection.', TEXT),
    parameter('id', 'Only entries of the record with this id; needs `resource`.', ID),
    parameter('user', 'Only entries of this user.', TEXT),
    parameter('log', 'The `Nymdex-Log` that the client knows; 410 if the log is another one now.', TEXT),
    parameter('hidden', 'true: also what the log keeps for undo and for followers.', { type: 'boolean' }),
    parameter('wait', 'If there is nothing new: how many seconds to wait for it.', {
      type: 'integer',
      minimum: 1,
      maximum: LONGEST_WAIT,
    }),
    parameter('limit', `How many entries at most; ${SOME} by default.`, { type: 'integer', minimum: 1, maximum: MOST }),
  ]
}

async function feed(engine: Engine, { query }: Call): Promise<Outcome> {
  const asked = readQuery(engine, query)
  const wait = integerIn(query, 'wait', { most: LONGEST_WAIT }) ?? 0
  const { log, ...found } = await awaitFeed(engine, asked, asked.until === undefined ? wait * 1000 : 0)
  const headers = { 'Cache-Control': 'no-cache', 'Nymdex-Log': log }
  return { status: 200, json: JSON.stringify(found), headers }
}

function readQuery({ catalogue }: Engine, query: Query): FeedAsked {
  const resource = query.get('resource') || undefined
  if (resource !== undefined && !catalogue.some(({ name }) => name === resource))
    throw problems.invalid({ resource: [`"${resource}" is not a valid choice.`] })
  const id = integerIn(query, 'id', {})
  if (id !== undefined && resource === undefined)
    throw problems.invalid({ resource: ['This field is required, because there is an id.'] })
  return {
    log: query.get('log') || undefined,
    since: integerIn(query, 'since', { least: 0 }) ?? 0,
    until: integerIn(query, 'until', { least: 0 }),
    resource,
    id,
    user: query.get('user') || undefined,
    hidden: query.get('hidden') === 'true',
    limit: integerIn(query, 'limit', { most: MOST }) ?? SOME,
  }
}
