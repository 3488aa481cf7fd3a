/** `as_of`: the catalogue as it was after a change. */
import { type Engine, latestChange, problems } from '../../engine/index.ts'
import type { Headers } from '../exchange/message.ts'
import { Query } from '../exchange/query.ts'
import { IMMUTABLE } from '../response/cache-control.ts'
import type { Call } from '../routing/router.ts'
import { integerIn } from './integer-parameter.ts'

export const AS_OF = 'as_of'
const LATEST = 'latest'
/** The number of the change that the response is as of. */
const SEQ_HEADER = 'Nymdex-Seq'

/** What a request with `as_of` is about. */
export interface AsOf {
  readonly asOf: number
  /** The same request with the number, for links to other pages. */
  readonly call: Call
  readonly headers: Headers
}

/** Undefined if the request is about the present. */
export async function asOfIn(engine: Engine, call: Call): Promise<AsOf | undefined> {
  const { query } = call
  if (query.get(AS_OF)?.trim() === LATEST) {
    const asOf = await latestChange(engine)
    const numbered = { ...call, query: new Query(query.with(AS_OF, asOf)) }
    return { asOf, call: numbered, headers: { [SEQ_HEADER]: String(asOf), 'Cache-Control': 'no-cache' } }
  }
  const asOf = integerIn(query, AS_OF, { least: 0 })
  if (asOf === undefined) return undefined
  return { asOf, call, headers: { [SEQ_HEADER]: String(asOf), 'Cache-Control': IMMUTABLE } }
}

/** For addresses that show only the present. */
export function refuseAsOf({ query }: Pick<Call, 'query'>): void {
  if (query.get(AS_OF)) throw problems.invalid({ [AS_OF]: ['This address shows only the present.'] })
}
