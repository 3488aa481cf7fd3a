/** `fields`, `omit` and `embed` of a request, and the answer to it. */
import { type Projection, problems, projectionOf } from '../../engine/index.ts'
import type { Selection } from '../../store/index.ts'
import type { JsonOutcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import { AS_OF } from '../request/as-of-parameter.ts'
import type { Call } from '../routing/router.ts'
import { hashOf } from './etag.ts'

/** Names of the parameters in the OpenAPI document. */
export const PROJECTING = ['fields', 'omit', 'embed']
/** For one record of a resource that has lines. */
export const PROJECTING_WITH_LINES = ['fields', 'omit', 'embed-or-lines']

const LINES = 'lines'

/** Whether one record is wanted together with its lines: `embed=lines`. */
export function wantsLines({ query }: Call, { resource, only }: Selection): boolean {
  const isWanted = !only && resource.lines !== undefined && query.get('embed') === LINES
  if (isWanted && query.get(AS_OF) !== undefined) {
    throw problems.invalid({ embed: [`"${LINES}" cannot be combined with ${AS_OF}.`] })
  }
  return isWanted
}

/** Which members of the records the client wants. Plain text is made from the whole record. */
export function projectionFor(
  { query, rendering }: Pick<Call, 'rendering'> & { readonly query: Pick<Query, 'pairs'> },
  ...selections: readonly Pick<Selection, 'resource' | 'only'>[]
): Projection | undefined {
  const projection = projectionOf(selections, query.pairs)
  return rendering.as === 'text' ? undefined : projection
}

/** One record. If-Match takes the ETag of whole records only, so the hash of a part never equals that of a record. */
export function recordOutcome(
  { json, plain }: { readonly json: string; readonly plain: string | undefined },
  projection: Projection | undefined,
): JsonOutcome {
  return { status: 200, json, plain, ...(projection ? { hash: hashOf(` ${json}`) } : {}) }
}
