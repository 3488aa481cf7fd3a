/** /api/changes/records/: records for a server that follows this one. */
import { type CopiesAsked, type Engine, problems, readCopies } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import { COUNT, exactly, ID, inQuery, listOf, means, type Parameter, TEXT } from '../openapi/operation.ts'
import { integerIn } from '../request/integer-parameter.ts'
import { resourceIn } from '../request/resource-parameter.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'

/** Records in a response, and ids in a request. */
const MOST = 1000
const MOST_IDS = 500
const DESCRIPTION = 'Records as they are stored, for a server that follows this one.'

const OPEN = { type: 'object', additionalProperties: true }
const NAME = { type: ['string', 'null'] }

const COPIES = exactly({
  catalogue: means(TEXT, 'A hash of the form of the records. A follower must have the same.'),
  seq: means(COUNT, 'The newest entry of the log, or `until`.'),
  highest: means(COUNT, 'The highest id that the collection ever gave.'),
  count: means(COUNT, 'How many records the collection has.'),
  next: means({ type: ['integer', 'null'] }, 'The `after` of the next request; null at the end.'),
  results: means(
    listOf(
      exactly({
        id: means(ID, 'The id of the record.'),
        owner: means(NAME, 'The user name of the owner.'),
        columns: means(OPEN, 'The stored values.'),
        'links?': means(OPEN, 'The ids of embedded records.'),
        voters: means(listOf(NAME), 'User names, oldest vote first.'),
      }),
    ),
    'In the order of their ids.',
  ),
})

export function copyRoutes(engine: Engine): Route[] {
  return [
    {
      path: '/api/changes/records/',
      title: 'Records to follow',
      tag: 'changes',
      description: DESCRIPTION,
      methods: {
        GET: {
          summary: 'Copy records',
          description:
            'Records of a collection in the order of their ids, as they are now; or some of them, as they were after an entry of the log.',
          parameters: parameters(),
          answers: { 200: { says: 'The records.', schema: COPIES, headers: ['Cache-Control', 'Nymdex-Log'] } },
          problems: [400, 410],
          example: () => [{ query: `resource=${engine.catalogue[0]?.name}&limit=1` }],
          handle: (call) => copies(engine, call),
        },
        OPTIONS: described(() => ok({ name: 'Records to follow', description: DESCRIPTION })),
      },
    },
  ]
}

function parameters(): Parameter[] {
  return [
    { ...inQuery('resource', 'The collection.', TEXT), required: true },
    inQuery('after', 'Only records after this id.', COUNT),
    inQuery('limit', `How many records at most; ${MOST} by default.`, {
      type: 'integer',
      minimum: 1,
      maximum: MOST,
    }),
    inQuery('ids', `Only these records, separated by commas, up to ${MOST_IDS}; needs \`until\`.`, TEXT),
    inQuery('until', 'The records of `ids` as they were after this entry of the log.', COUNT),
    inQuery('log', 'The `Nymdex-Log` that the client knows; 410 if the log is another one now.', TEXT),
  ]
}

async function copies(engine: Engine, { query }: Call): Promise<Outcome> {
  const { log, ...found } = await readCopies(engine, readQuery(engine, query))
  return { ...ok(found), headers: { 'Cache-Control': 'no-cache', 'Nymdex-Log': log } }
}

function readQuery(engine: Engine, query: Query): CopiesAsked {
  const ids = idsIn(query)
  const until = integerIn(query, 'until', { least: 0 })
  if (ids && until === undefined) throw problems.invalid({ until: ['This field is required, because there are ids.'] })
  const resource = resourceIn(engine, query)
  if (!resource) throw problems.invalid({ resource: ['This field is required.'] })
  return {
    resource,
    log: query.get('log') || undefined,
    after: integerIn(query, 'after', { least: 0 }) ?? 0,
    limit: integerIn(query, 'limit', { most: MOST }) ?? MOST,
    past: ids && until !== undefined ? { ids, until } : undefined,
  }
}

function idsIn(query: Query): number[] | undefined {
  const given = query.get('ids')?.trim()
  if (!given) return undefined
  const ids = given.split(',')
  if (ids.length > MOST_IDS) throw problems.invalid({ ids: [`Ensure there are no more than ${MOST_IDS} ids.`] })
  if (!ids.every((id) => /^[0-9]{1,15}$/.test(id))) throw problems.invalid({ ids: ['A valid integer is required.'] })
  return [...new Set(ids.map(Number))]
}
