/** /api/changes/recent/: the newest changes, grouped by request. */
import { type Engine, problems, type RecentAsked, readRecent } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import { COUNT, exactly, ID, inQuery, listOf, means, type Parameter, schemaRef, TEXT } from '../openapi/operation.ts'
import { integerIn } from '../request/integer-parameter.ts'
import { resourceIn } from '../request/resource-parameter.ts'
import { switchIn } from '../request/switch-parameter.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { ACTION } from './change-schemas.ts'
import { ofTheLog } from './log-answers.ts'

const MOST = 50
const SOME = 20
const TITLE = 'Recent Changes'
const DESCRIPTION = 'The newest sets of changes, newest first.'

export function recentRoutes(engine: Engine): Route[] {
  return [
    {
      path: '/api/changes/recent/',
      title: TITLE,
      tag: 'changes',
      description: DESCRIPTION,
      methods: {
        GET: {
          summary: 'The newest changes, by request',
          description: 'Continue with `before=` and the `next` of the response.',
          parameters: parameters(),
          answers: { 200: { says: 'The sets, newest first.', schema: RECENT, headers: ['Cache-Control'] } },
          example: () => [{ query: 'limit=1' }],
          handle: (call) => recent(engine, call),
        },
        OPTIONS: described(() => ok({ name: TITLE, description: DESCRIPTION })),
      },
    },
  ]
}

const RECENT = exactly({
  next: means(
    { type: ['integer', 'null'], minimum: 1 },
    'The `before` of the next request; null at the end of the log.',
  ),
  latest: means(COUNT, 'The number of the newest entry.'),
  results: means(
    listOf(
      exactly({
        set: means(ID, 'The number of the first entry of the set.'),
        count: means(COUNT, 'The number of its entries.'),
        actions: means(
          listOf(
            exactly({
              action: means(ACTION, 'What was done.'),
              resource: means(TEXT, 'The collection of the records.'),
              count: means(COUNT, 'How often.'),
            }),
          ),
          'What its first 1,000 entries did.',
        ),
        changes: means(listOf(schemaRef('change')), 'Its first entries that match, up to 10.'),
      }),
    ),
    'The sets, newest first.',
  ),
})

function parameters(): Parameter[] {
  return [
    inQuery('before', 'Only sets that begin before this number.', ID),
    inQuery('resource', 'Only sets with entries of this collection.', TEXT),
    inQuery('id', 'Only sets with entries of this record; needs `resource`.', ID),
    inQuery('user', 'Only sets with entries of this user.', TEXT),
    inQuery('votes', '`false`: without votes.', { type: 'string', enum: ['true', 'false'] }),
    inQuery('limit', `How many sets at most; ${SOME} by default.`, { type: 'integer', minimum: 1, maximum: MOST }),
  ]
}

async function recent(engine: Engine, { query }: Call): Promise<Outcome> {
  const json = JSON.stringify(await readRecent(engine, readQuery(engine, query)))
  return { status: 200, json, headers: { 'Cache-Control': 'no-cache' }, keep: ofTheLog(engine) }
}

function readQuery(engine: Engine, query: Query): RecentAsked {
  const resource = resourceIn(engine, query)?.name
  const id = integerIn(query, 'id', {})
  if (id !== undefined && resource === undefined)
    throw problems.invalid({ resource: ['This field is required, because there is an id.'] })
  return {
    before: integerIn(query, 'before', {}),
    resource,
    id,
    user: query.get('user') || undefined,
    hasVotes: switchIn(query, 'votes', true),
    limit: integerIn(query, 'limit', { most: MOST }) ?? SOME,
  }
}
