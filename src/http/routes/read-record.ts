/** GET of a record: as it is or was, some of its members, or with its lines. */
import {
  type Collection,
  dependenciesOf,
  type Engine,
  missingRecord,
  Problem,
  readRecord,
  readRecordNow,
  readWithLines,
} from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import { asOfIn } from '../request/as-of-parameter.ts'
import { lastModified } from '../response/last-modified.ts'
import { projectionFor, recordOutcome, wantsLines } from '../response/projection.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call } from '../routing/router.ts'

export async function getRecord(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const id = recordId(call)
  const { resource } = collection
  const hasLines = wantsLines(call, collection)
  // The lines are no members of the record.
  const query = hasLines ? { pairs: call.query.pairs.filter(([name]) => name !== 'embed') } : call.query
  const projection = projectionFor({ ...call, query }, collection)
  const then = await asOfIn(engine, call)
  if (then) {
    const was = await readRecord(engine, collection, id, { projection, asOf: then.asOf })
    return { ...recordOutcome(was, projection), headers: { ...lastModified(was.changed), ...then.headers } }
  }
  const again = () => {
    const known = projection || hasLines ? undefined : readRecordNow(engine, collection, id)
    return known && { ...recordOutcome(known, projection), changed: known.changed }
  }
  const read = hasLines ? readWithLines : readRecord
  const found = await read(engine, collection, id, { projection }).catch((error: unknown) =>
    withReason(error, () => missingRecord(engine, resource, id, call.identity.actor)),
  )
  const of = [...dependenciesOf(collection).resources, ...(hasLines && resource.lines ? [resource.lines.resource] : [])]
  return { ...recordOutcome(found, projection), changed: found.changed, keep: { of, again } }
}

/** Throws the reason in place of a plain 404. */
async function withReason(error: unknown, reason: () => Promise<Problem>): Promise<never> {
  throw error instanceof Problem && error.status === 404 ? await reason() : error
}
