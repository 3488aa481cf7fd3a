/** `fields`, `omit` and `embed` of a request, and the answer to it. */
import { type Projection, projectionOf } from '../../engine/index.ts'
import type { Selection } from '../../store/index.ts'
import type { JsonOutcome } from '../exchange/message.ts'
import type { Call } from '../routing/router.ts'
import { hashOf } from './etag.ts'

/** Names of the parameters in the OpenAPI document. */
export const PROJECTING = ['fields', 'omit', 'embed']

/** Which members of the records the client wants. Plain text is made from the whole record. */
export function projectionFor(
  { query, rendering }: Call,
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
