/** Many records in one request: /api/batch/. */
import { isObject, type Json, textOfJson } from '../../declare/index.ts'
import {
  type Actor,
  type Collection,
  collectionsOf,
  createdBefore,
  isNewRecord,
  LIMITS,
  once,
  problems,
  rehearseBatch,
  transact,
  writeBatch,
} from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import { COUNT, exactly, ID, inQuery, listOf, means } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { switchIn } from '../request/switch-parameter.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { idempotencyKey, type WritingParts, writer } from './writing.ts'

const DOES = 'Write many records of one collection.'
const TITLE = 'Batch'

export function batchRoute(parts: WritingParts): Route {
  const collections = collectionsOf(parts.engine.catalogue).filter(({ only }) => !only)
  const names = collections.map(({ name }) => name)
  return {
    path: '/api/batch/',
    title: TITLE,
    tag: 'catalogue',
    description: DOES,
    methods: {
      POST: {
        summary: DOES,
        description: 'All are written, or none. A record with its id is replaced, others are created.',
        parameters: [
          inQuery('dry_run', '`true`: check the records, and write nothing.', {
            type: 'string',
            enum: ['true', 'false'],
            default: 'false',
          }),
          'Idempotency-Key',
        ],
        body: {
          schema: exactly({
            resource: means({ type: 'string', enum: names }, 'The collection.'),
            records: means(
              { type: 'array', items: { type: 'object' }, minItems: 1, maxItems: LIMITS.batch },
              'The records, as they are created one by one.',
            ),
          }),
        },
        answers: {
          200: {
            says: 'The ids are in the order of the records; a dry run has none.',
            schema: exactly({ count: means(COUNT, 'How many.'), ids: means(listOf(ID), 'Their ids.') }),
          },
        },
        signedIn: true,
        handle: (call) => batch(parts, collections, call),
      },
      OPTIONS: described(() => ok({ name: TITLE, description: DOES })),
    },
  }
}

async function batch(parts: WritingParts, collections: readonly Collection[], call: Call): Promise<Outcome> {
  const { engine, writes } = parts
  const signedIn = writer(call, writes)
  const key = idempotencyKey(call)
  const isRehearsal = switchIn(call.query, 'dry_run', false)
  const body = plainMembers(await call.readBody())
  // Unknown members are ignored, but who sends this one expects that nothing is written.
  if ('dry_run' in body) throw problems.invalid({ dry_run: ['Send it in the address: /api/batch/?dry_run=true.'] })
  const collection = collections.find(({ name }) => name === body['resource'])
  if (!collection) throw problems.invalid({ resource: faultsOfName(body['resource']) })
  const records = recordsIn(body['records'])
  // Each record counts as a write.
  for (let i = 1; i < records.length; i++) writes.take(signedIn)
  if (isRehearsal) {
    await rehearseBatch(engine, collection, records, signedIn)
    return ok({ count: records.length, ids: [] })
  }
  const { method, path } = call
  const takeNew = () =>
    writes.takeSeveralNew(signedIn, records.filter((record) => isNewRecord(collection, record)).length)
  // With a key, only the transaction knows whether it was used before; then nothing is new.
  let takeBack = key === undefined ? takeNew() : undefined
  return await transact(engine, signedIn, function* (actor: Actor) {
    const work = function* () {
      takeBack ??= takeNew()
      const ids = yield* writeBatch(engine, collection, records, actor)
      return { id: ids[0] ?? 0, json: JSON.stringify({ count: ids.length, ids }) }
    }
    // Ids are so short that the response is always stored, and never built again.
    const again = (id: number) => createdBefore(engine, collection, id)
    const { json } = yield* key === undefined ? work() : once(engine, actor, { key, method, path, body }, work, again)
    return { status: 200, json }
  }).catch((error) => {
    takeBack?.()
    throw error
  })
}

function faultsOfName(given: Json | undefined): string[] {
  return given === undefined || given === ''
    ? ['This field is required.']
    : [`"${textOfJson(given)}" is not a valid choice.`]
}

function recordsIn(given: Json | undefined): readonly Json[] {
  const invalid = (message: string) => problems.invalid({ records: [message] })
  if (given === undefined || given === null) throw invalid('This field is required.')
  if (!Array.isArray(given))
    throw invalid(`Expected a list of items but got type "${isObject(given) ? 'dict' : 'str'}".`)
  if (given.length === 0) throw invalid('This list may not be empty.')
  if (given.length > LIMITS.batch) throw invalid(`Ensure this field has no more than ${LIMITS.batch} elements.`)
  return given
}
